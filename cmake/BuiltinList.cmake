# lockscope_builtin_list(target header NAMESPACE n INCLUDE file DECLARATION d ENTRY e FILES file...)
# Adds the files to the target and writes a header that declares what each of them defines, and returns all of it in the
# order of the list. So nothing else has to name a new one. In DECLARATION and ENTRY, @Name@ and @name@ stand for the name
# of the file: redis_py.cpp -> RedisPy and redisPy. The header is written by CMake itself, before anything is compiled.
function(lockscope_builtin_list target header)
    cmake_parse_arguments(PARSE_ARGV 2 list "" "NAMESPACE;INCLUDE;DECLARATION;ENTRY" "FILES")
    set(declarations "")
    set(entries "")
    foreach(file IN LISTS list_FILES)
        target_sources(${target} PRIVATE ${file})
        get_filename_component(stem "${file}" NAME_WE)
        string(REPLACE "_" ";" words "${stem}")
        set(Name "")
        foreach(word IN LISTS words)
            string(SUBSTRING "${word}" 0 1 first)
            string(SUBSTRING "${word}" 1 -1 rest)
            string(TOUPPER "${first}" first)
            string(APPEND Name "${first}${rest}")
        endforeach()
        string(SUBSTRING "${Name}" 0 1 first)
        string(SUBSTRING "${Name}" 1 -1 rest)
        string(TOLOWER "${first}" first)
        set(name "${first}${rest}")
        string(CONFIGURE "${list_DECLARATION}" declaration @ONLY)
        string(CONFIGURE "${list_ENTRY}" entry @ONLY)
        string(APPEND declarations "${declaration};\n")
        string(APPEND entries "        ${entry},\n")
    endforeach()
    set(text "#pragma once

#include \"${list_INCLUDE}\"

#include <array>

namespace ${list_NAMESPACE} {

${declarations}
/// All of them, in the order of CMakeLists.txt.
inline auto all()
{
    return std::array{
${entries}    };
}

} // namespace ${list_NAMESPACE}
")
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/embedded/${header}" CONTENT "${text}" @ONLY)
    target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_BINARY_DIR}/embedded")
endfunction()
