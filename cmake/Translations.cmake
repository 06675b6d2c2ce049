# lockscope_translations(target file.ts...)
#
# Compiles translations and embeds them into the target as :/translations/<name>.qm. Qt's own lrelease is meant: the one in the
# path may be that of another version of Qt.
get_target_property(_qmake Qt6::qmake IMPORTED_LOCATION)
execute_process(COMMAND "${_qmake}" -query QT_HOST_BINS OUTPUT_VARIABLE _qt_tools OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
find_program(LOCKSCOPE_LRELEASE NAMES lrelease HINTS "${_qt_tools}" NO_DEFAULT_PATH REQUIRED)

function(lockscope_translations target)
    set(entries)
    set(compiled)
    foreach(source IN LISTS ARGN)
        get_filename_component(name "${source}" NAME_WE)
        set(file "${CMAKE_CURRENT_BINARY_DIR}/translations/${name}.qm")
        add_custom_command(OUTPUT "${file}"
            COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/translations"
            COMMAND "${LOCKSCOPE_LRELEASE}" -silent "${source}" -qm "${file}"
            DEPENDS "${source}" COMMENT "Compiling ${name}.ts" VERBATIM)
        string(APPEND entries "    <file>translations/${name}.qm</file>\n")
        list(APPEND compiled "${file}")
    endforeach()
    set(list "${CMAKE_CURRENT_BINARY_DIR}/translations.qrc")
    file(CONFIGURE OUTPUT "${list}" CONTENT "<RCC><qresource prefix=\"/\">\n${entries}</qresource></RCC>\n" @ONLY)
    # AUTORCC reads the list only when it is made; what it names is compiled before.
    set_property(SOURCE "${list}" PROPERTY OBJECT_DEPENDS "${compiled}")
    add_custom_target(${target}_translations DEPENDS ${compiled})
    set_property(TARGET ${target} APPEND PROPERTY AUTOGEN_TARGET_DEPENDS ${compiled})
    target_sources(${target} PRIVATE "${list}")
endfunction()
