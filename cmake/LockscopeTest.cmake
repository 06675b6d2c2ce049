# How tests are made. A folder of tests is one Qt Test program, which runs a class by the name of its file; ctest
# runs every class on its own. No test needs a display.
#
#   lockscope_test_program(<name> [SOURCES file...] LIBRARIES target...)
#       The program of this folder: what the following tests are linked into.
#   lockscope_tests(LABEL <label> [TIMEOUT seconds] [ENVIRONMENT VAR=value...] [FIXTURES name...] TESTS <name>...)
#       Adds <name>.cpp, with one class that ends in LOCKSCOPE_TEST(Class, Application). The name may have folders
#       before it; they mirror those of the sources.
#
# LABEL      unit, ui, contract, live, soak or house: what the tests need and how long they take.
# SOURCES    what the folder's tests share.
# LIBRARIES  the layers under test; lockscope_test_support and Qt6::Test come by themselves.
# FIXTURES   ctest's, which have to be set up before.
#
# Besides its label a test is found by its folder below tests/: label "folder:wire".

set(LOCKSCOPE_TEST_LABELS unit ui contract live soak house)

# Programs that link these see Qt's Widgets, which changes what QTest includes.
set(LOCKSCOPE_WINDOW_LIBRARIES lockscope_widgets lockscope_ui_test_support lockscope_app)

set(LOCKSCOPE_TEST_EXTRAS "")
if("thread" IN_LIST LOCKSCOPE_SANITIZE)
    add_subdirectory("${PROJECT_SOURCE_DIR}/tests/thread_sanitizer" thread_sanitizer)
    list(APPEND LOCKSCOPE_TEST_EXTRAS lockscope_qt_handover)
endif()

# lockscope_reuse_headers(<program> library...): the precompiled header that fits what the program links.
function(lockscope_reuse_headers name)
    set(headers lockscope_test_headers)
    foreach(library IN LISTS ARGN)
        if(library IN_LIST LOCKSCOPE_WINDOW_LIBRARIES)
            set(headers lockscope_window_test_headers)
        endif()
    endforeach()
    target_precompile_headers(${name} REUSE_FROM ${headers})
endfunction()

function(lockscope_test_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${name}: not understood: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    add_executable(${name} "${LOCKSCOPE_TEST_MAIN}" ${arg_SOURCES})
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/moc")
    target_link_libraries(${name} PRIVATE lockscope_options lockscope_test_support Qt6::Test ${arg_LIBRARIES}
        ${LOCKSCOPE_TEST_EXTRAS})
    lockscope_reuse_headers(${name} ${arg_LIBRARIES})
    set(LOCKSCOPE_TEST_PROGRAM ${name} PARENT_SCOPE)
endfunction()

function(lockscope_tests)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "LABEL;TIMEOUT" "TESTS;ENVIRONMENT;FIXTURES")
    if(NOT arg_LABEL IN_LIST LOCKSCOPE_TEST_LABELS)
        message(FATAL_ERROR "${arg_TESTS}: the label \"${arg_LABEL}\" is none of ${LOCKSCOPE_TEST_LABELS}")
    endif()
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${arg_TESTS}: not understood: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR
        BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE folder)
    string(REGEX REPLACE "/.*" "" folder "${folder}")
    # What fits where is measured in one font, on a machine with few of them and with many.
    set(fonts "FONTCONFIG_FILE=${PROJECT_SOURCE_DIR}/tests/support/fonts.conf")

    foreach(path IN LISTS arg_TESTS)
        cmake_path(GET path FILENAME test)
        # AUTOMOC would do it too, with a file compiled more.
        set(moc "${CMAKE_CURRENT_BINARY_DIR}/moc/${test}.moc")
        qt_generate_moc("${path}.cpp" "${moc}" TARGET ${LOCKSCOPE_TEST_PROGRAM})
        target_sources(${LOCKSCOPE_TEST_PROGRAM} PRIVATE ${path}.cpp "${moc}")

        add_test(NAME ${test} COMMAND ${LOCKSCOPE_TEST_PROGRAM} ${test})
        set_tests_properties(${test} PROPERTIES
            LABELS "${arg_LABEL};folder:${folder}"
            TIMEOUT ${arg_TIMEOUT}
            FIXTURES_REQUIRED "${arg_FIXTURES}"
            # A test that was skipped as a whole is counted as skipped, not as passed.
            SKIP_REGULAR_EXPRESSION "Totals: [0-2] passed, 0 failed, [1-9]"
            ENVIRONMENT "QT_QPA_PLATFORM=offscreen;${fonts};${LOCKSCOPE_SANITIZER_ENVIRONMENT};${arg_ENVIRONMENT}")
    endforeach()
endfunction()
