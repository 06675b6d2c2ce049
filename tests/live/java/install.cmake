# Fetches Redisson (pom.xml) with Maven and compiles HoldRedisson.java beside the build:
# cmake -DSOURCE=<this folder> -DTARGET=<folder> -P. Then <folder>/jars/*.jar and <folder>/classes are there.
# Runs as the setup of a ctest fixture. Does nothing when the same files were installed there before.

# Everything the result depends on, in one line.
file(SHA256 "${SOURCE}/jars.sha256" jars)
file(SHA256 "${SOURCE}/HoldRedisson.java" program)
set(wanted "${jars} ${program}")
set(stamp "${TARGET}/installed.sha256")
if(EXISTS "${stamp}")
    file(READ "${stamp}" installed)
    if(installed STREQUAL wanted)
        message(STATUS "Redisson is there already.")
        return()
    endif()
endif()

find_program(MAVEN mvn)
find_program(JAVAC javac)
if(NOT MAVEN OR NOT JAVAC)
    message(FATAL_ERROR "Maven and a JDK are not both installed; scripts/install-dependencies does that.")
endif()

file(REMOVE_RECURSE "${TARGET}")
file(MAKE_DIRECTORY "${TARGET}/classes")
file(COPY "${SOURCE}/pom.xml" DESTINATION "${TARGET}")
execute_process(
    COMMAND "${MAVEN}" --batch-mode --quiet --strict-checksums --no-transfer-progress -Dstyle.color=never --file "${TARGET}/pom.xml"
            dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=${TARGET}/jars"
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "Maven cannot fetch Redisson (${result}).")
endif()

# The very files that were tried when this was written, and no others. A new version: (cd <folder>/jars; sha256sum *.jar).
file(GLOB fetched RELATIVE "${TARGET}/jars" "${TARGET}/jars/*.jar")
set(sums "")
foreach(jar IN LISTS fetched)
    file(SHA256 "${TARGET}/jars/${jar}" sum)
    list(APPEND sums "${sum}  ${jar}")
endforeach()
file(STRINGS "${SOURCE}/jars.sha256" expected)
list(SORT sums)
list(SORT expected)
if(NOT sums STREQUAL expected)
    message(FATAL_ERROR "The libraries in ${TARGET}/jars are not those of jars.sha256.")
endif()

execute_process(
    COMMAND "${JAVAC}" -Xlint:all -d "${TARGET}/classes" -cp "${TARGET}/jars/*" "${SOURCE}/HoldRedisson.java"
    RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "HoldRedisson.java does not compile (${result}).")
endif()
file(WRITE "${stamp}" "${wanted}")
