# lockscope_embed_text(target NAMESPACE header [AS_SCRIPTS] file... [TRANSLATED member...])
# Makes every text file a constant in a generated header: release_lock.lua -> kReleaseLock. The files are
# embedded once, at build time, without their leading comment lines ("--" for Lua). With AS_SCRIPTS the constant
# is a store::Script, which also carries the SHA1 digest that EVALSHA wants.
# TRANSLATED names the members of JSON files that people read: the header marks their texts for lupdate.
function(lockscope_embed_text target namespace header)
    set(as_scripts OFF)
    if("AS_SCRIPTS" IN_LIST ARGN)
        set(as_scripts ON)
        list(REMOVE_ITEM ARGN AS_SCRIPTS)
    endif()
    cmake_parse_arguments(embed "" "" "TRANSLATED" ${ARGN})
    set(ARGN ${embed_UNPARSED_ARGUMENTS})
    set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded/${header}")
    set(inputs "")
    foreach(file IN LISTS ARGN)
        list(APPEND inputs "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
    endforeach()
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DNAMESPACE=${namespace}" "-DINPUTS=${inputs}"
                "-DAS_SCRIPTS=${as_scripts}" "-DTRANSLATED=${embed_TRANSLATED}"
                -P "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake"
        DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake"
        VERBATIM)
    # A target of its own, because the rule above is known in this folder only and the library lives in another.
    string(MAKE_C_IDENTIFIER "${target}_${header}" generation)
    add_custom_target(${generation} DEPENDS "${output}")
    add_dependencies(${target} ${generation})
    target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_BINARY_DIR}/embedded")
endfunction()
