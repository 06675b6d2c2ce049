# How a test is made. Every test is a Qt Test program that runs without a display.
#
#   lockscope_test(<name> LABEL <label> [SOURCES file...] [LIBRARIES target...]
#                  [TIMEOUT seconds] [ENVIRONMENT VAR=value...] [SERIAL])
#
# LABEL      unit, ui, contract, live, soak or house: what the test needs and how long it takes.
# SOURCES    defaults to <name>.cpp.
# LIBRARIES  the layers under test; lockscope_test_support and Qt6::Test come by themselves.
# SERIAL     never beside another test, for those that measure time.
#
# Besides its label a test is found by its folder below tests/: label "folder:wire", target "wire-tests".

set(LOCKSCOPE_TEST_LABELS unit ui contract live soak house)

# Whoever links these sees Qt's Widgets, or its Gui alone, which changes what QTest includes.
set(LOCKSCOPE_WINDOW_LIBRARIES lockscope_widgets lockscope_ui_test_support lockscope_app)
set(LOCKSCOPE_GUI_LIBRARIES lockscope_models)

# What presets name has to exist even while a folder has no test in it.
foreach(folder IN ITEMS pool wire live)
    add_custom_target(${folder}-tests)
endforeach()

set(LOCKSCOPE_TEST_EXTRAS "")
if("thread" IN_LIST LOCKSCOPE_SANITIZE)
    add_subdirectory("${PROJECT_SOURCE_DIR}/tests/thread_sanitizer" thread_sanitizer)
    list(APPEND LOCKSCOPE_TEST_EXTRAS lockscope_qt_handover)
endif()

# lockscope_moc_test(<name>): writes the <name>.moc that <name>.cpp includes. AUTOMOC would do it too, with a
# program run and a file compiled more for each of some two hundred tests.
function(lockscope_moc_test name)
    set(moc "${CMAKE_CURRENT_BINARY_DIR}/moc/${name}.moc")
    qt_generate_moc("${name}.cpp" "${moc}" TARGET ${name})
    target_sources(${name} PRIVATE "${moc}")
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/moc")
endfunction()

# lockscope_reuse_headers(<name> library...): the precompiled header that fits what the test links, if one does.
function(lockscope_reuse_headers name)
    set(headers lockscope_test_headers)
    foreach(library IN LISTS ARGN)
        if(library IN_LIST LOCKSCOPE_WINDOW_LIBRARIES)
            set(headers lockscope_window_test_headers)
            break()
        elseif(library IN_LIST LOCKSCOPE_GUI_LIBRARIES)
            return()
        endif()
    endforeach()
    target_precompile_headers(${name} REUSE_FROM ${headers})
endfunction()

function(lockscope_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "LABEL;TIMEOUT" "SOURCES;LIBRARIES;ENVIRONMENT")
    if(NOT arg_LABEL IN_LIST LOCKSCOPE_TEST_LABELS)
        message(FATAL_ERROR "${name}: the label \"${arg_LABEL}\" is none of ${LOCKSCOPE_TEST_LABELS}")
    endif()
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${name}: not understood: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${name}.cpp)
    endif()

    add_executable(${name} ${arg_SOURCES})
    lockscope_moc_test(${name})
    target_link_libraries(${name} PRIVATE lockscope_options lockscope_test_support Qt6::Test ${arg_LIBRARIES}
        ${LOCKSCOPE_TEST_EXTRAS})

    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR
        BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/tests" OUTPUT_VARIABLE folder)
    string(REGEX REPLACE "/.*" "" folder "${folder}")
    if(NOT TARGET ${folder}-tests)
        add_custom_target(${folder}-tests)
    endif()
    lockscope_reuse_headers(${name} ${arg_LIBRARIES})
    add_dependencies(${folder}-tests ${name})

    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        LABELS "${arg_LABEL};folder:${folder}"
        TIMEOUT ${arg_TIMEOUT}
        RUN_SERIAL "${arg_SERIAL}"
        # A test that was skipped as a whole is counted as skipped, not as passed.
        SKIP_REGULAR_EXPRESSION "Totals: [0-2] passed, 0 failed, [1-9]"
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;${LOCKSCOPE_SANITIZER_ENVIRONMENT};${arg_ENVIRONMENT}")
endfunction()
