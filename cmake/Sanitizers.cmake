# Sanitizers for everything, third-party headers included: half an instrumented program is worse than none.
# LOCKSCOPE_SANITIZER_ENVIRONMENT is what tests run with.

set(LOCKSCOPE_SANITIZE "" CACHE STRING "Sanitizers to build with: empty, address;undefined or thread")
set(LOCKSCOPE_SANITIZER_ENVIRONMENT "")

if(LOCKSCOPE_SANITIZE)
    list(JOIN LOCKSCOPE_SANITIZE "," lockscope_sanitizers)
    add_compile_options(-fsanitize=${lockscope_sanitizers} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${lockscope_sanitizers})
    # Every test program is linked with everything beneath it: the usual linker takes minutes for that.
    find_program(MOLD_PROGRAM mold)
    mark_as_advanced(MOLD_PROGRAM)
    if(MOLD_PROGRAM AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
        add_link_options(-fuse-ld=mold)
    endif()
endif()
if("undefined" IN_LIST LOCKSCOPE_SANITIZE)
    add_compile_options(-fno-sanitize-recover=undefined)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # Clang 14 cannot compile coroutines with it ("cannot represent a difference across sections").
        add_compile_options(-fno-sanitize=function)
        add_link_options(-fno-sanitize=function)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND "address" IN_LIST LOCKSCOPE_SANITIZE)
        # Checks at every access to a member: a file compiles in two thirds of the time without them. The address sanitizer
        # stops at a null pointer as well; clang's builds keep all of them for the kernel.
        add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
    endif()
    list(APPEND LOCKSCOPE_SANITIZER_ENVIRONMENT "UBSAN_OPTIONS=print_stacktrace=1")
endif()
if("address" IN_LIST LOCKSCOPE_SANITIZE)
    list(APPEND LOCKSCOPE_SANITIZER_ENVIRONMENT
        "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1"
        "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_LIST_DIR}/leaks.supp:print_suppressions=0")
endif()
if("thread" IN_LIST LOCKSCOPE_SANITIZE)
    # GLib's event loop synchronises where the sanitizer does not look; Qt's own is good enough for tests.
    list(APPEND LOCKSCOPE_SANITIZER_ENVIRONMENT
        "QT_NO_GLIB=1"
        "TSAN_OPTIONS=halt_on_error=0:die_after_fork=0:second_deadlock_stack=1:suppressions=${CMAKE_CURRENT_LIST_DIR}/threads.supp")
endif()
