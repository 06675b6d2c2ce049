# How everything of ours is compiled. One interface target carries it, so that third-party code is spared.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_COLOR_DIAGNOSTICS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "How to build" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

option(LOCKSCOPE_WERROR "Warnings are errors" OFF)

# Several files of a layer are compiled as one, which parses headers and makes templates once for all of them: half the
# time from nothing, a few seconds more after a change of one file. The presets of scripts/test and scripts/run have it;
# the others show which file forgot an include.
option(LOCKSCOPE_UNITY "Compile several files as one" OFF)
set(CMAKE_UNITY_BUILD ${LOCKSCOPE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)

add_library(lockscope_options INTERFACE)
target_compile_options(lockscope_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wformat=2
    -Wimplicit-fallthrough
    $<$<BOOL:${LOCKSCOPE_WERROR}>:-Werror>)
target_compile_definitions(lockscope_options INTERFACE
    LOCKSCOPE_VERSION="${PROJECT_VERSION}"
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_KEYWORDS QT_USE_QSTRINGBUILDER QT_STRICT_ITERATORS
    QT_DISABLE_DEPRECATED_BEFORE=0x060400)

if(LOCKSCOPE_SANITIZE)
    # GCC 12 sees uninitialised values, and texts beyond their ends, that are not there once sanitizers have rewritten
    # the code. Which it sees depends on the files that are compiled together; the sanitizers themselves see the real ones.
    target_compile_options(lockscope_options INTERFACE -Wno-maybe-uninitialized)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(lockscope_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
else()
    target_compile_options(lockscope_options INTERFACE -Wnull-dereference)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With -O3, GCC 12 warns of null pointers in std::variant and of overlaps in std::string that are not there.
    target_compile_options(lockscope_options INTERFACE
        "$<$<CONFIG:Release>:-Wno-null-dereference;-Wno-restrict>")
endif()
if(LOCKSCOPE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Seen from the file that includes the others, everything in them looks like a header's.
    target_compile_options(lockscope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    # GCC inlines less where much is compiled together; here as much as in ten files apart.
    target_compile_options(lockscope_options INTERFACE
        "$<$<CONFIG:Release,RelWithDebInfo>:--param=large-unit-insns=100000>")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Clang does not know the names of GCC's warnings that are switched off in places.
    target_compile_options(lockscope_options INTERFACE -Wno-unknown-warning-option)
endif()

# lockscope_parse_once(target headers...): the headers that most files of a layer include are parsed once for all of
# them. Only where sanitizers make builds slow: the others still show which file forgot an include, and so does
# scripts/alone.
function(lockscope_parse_once target)
    if(LOCKSCOPE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
endfunction()
set(LOCKSCOPE_STD_HEADERS
    <algorithm> <array> <chrono> <functional> <map> <memory> <optional> <span> <string> <string_view> <utility>
    <variant> <vector>)
set(LOCKSCOPE_WIDGET_HEADERS
    <QAction> <QApplication> <QComboBox> <QDialog> <QEvent> <QHBoxLayout> <QHeaderView> <QLabel> <QLineEdit> <QMenu>
    <QPainter> <QPushButton> <QStackedWidget> <QStyledItemDelegate> <QTimer> <QTreeView> <QVBoxLayout> <QWidget>)

# lockscope_library(name): the library of one layer. Includes are written from the root of the project, so that every
# line shows its layer and folder; tests/house checks that no layer includes one above it. Static, except in the
# sanitizer builds: two dozen test programs with a copy of every layer fill a disk, and take their time to link.
function(lockscope_library name)
    add_library(${name})
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
    target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE lockscope_options)
endfunction()
