# The allocator of lockscope-cli and of what measures its searches. A simulated world makes and drops some twenty coroutine
# frames, words and replies for each command: with tcmalloc a search takes a fifth to a quarter less time. Not for the desktop
# program: a million rows of its table take 40 MB more (docs/benchmarks.md). Sanitizers bring an allocator of their own.

add_library(lockscope_allocator INTERFACE)
if(NOT LOCKSCOPE_SANITIZE)
    pkg_check_modules(tcmalloc IMPORTED_TARGET libtcmalloc_minimal)
    if(tcmalloc_FOUND)
        target_link_libraries(lockscope_allocator INTERFACE PkgConfig::tcmalloc)
    endif()
endif()
add_feature_info(tcmalloc tcmalloc_FOUND "faster searches of lockscope-cli")
