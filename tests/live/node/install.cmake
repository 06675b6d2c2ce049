# Installs the Node libraries of package-lock.json beside the build: cmake -DSOURCE=<this folder> -DTARGET=<folder> -P.
# Runs as the setup of a ctest fixture. Does nothing when the same lock file was installed there before.
file(SHA256 "${SOURCE}/package-lock.json" wanted)
set(stamp "${TARGET}/installed.sha256")
if(EXISTS "${stamp}")
    file(READ "${stamp}" installed)
    if(installed STREQUAL wanted)
        message(STATUS "The Node libraries are there already.")
        return()
    endif()
endif()

find_program(NPM npm)
if(NOT NPM)
    message(FATAL_ERROR "npm is not installed; scripts/install-dependencies does that.")
endif()
file(MAKE_DIRECTORY "${TARGET}")
file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${TARGET}")
execute_process(
    COMMAND "${NPM}" ci --no-audit --no-fund --ignore-scripts --prefix "${TARGET}"
    WORKING_DIRECTORY "${TARGET}"
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "npm ci failed (${result}) in ${TARGET}")
endif()
file(WRITE "${stamp}" "${wanted}")
