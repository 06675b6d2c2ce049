# What `cmake --install` puts where, and so what the package contains: see docs/install.md. The programs find none of it
# by a path: what they need is compiled into them.

find_program(GZIP_PROGRAM gzip REQUIRED)
mark_as_advanced(GZIP_PROGRAM)
set(LOCKSCOPE_MAINTAINER "Lockscope maintainers <maintainers@lockscope.example>" CACHE STRING
    "Who made the package, as Debian writes it: Name <address>")
set(LOCKSCOPE_DEBIAN_REVISION 1 CACHE STRING "The revision of the Debian package, behind the version of Lockscope")
set(LOCKSCOPE_DEBIAN_VERSION "${PROJECT_VERSION}-${LOCKSCOPE_DEBIAN_REVISION}")
# SOURCE_DATE_EPOCH, if it is set, and so the same in every build of a commit.
string(TIMESTAMP LOCKSCOPE_CHANGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(TIMESTAMP LOCKSCOPE_RELEASE_DATE "%Y-%m-%d" UTC)

set(installed "${CMAKE_CURRENT_BINARY_DIR}/installed")
configure_file(resources/debian/changelog.in "${installed}/changelog.Debian" @ONLY)
configure_file(resources/desktop/lockscope.metainfo.xml.in "${installed}/org.lockscope.lockscope.metainfo.xml" @ONLY)

set(installed_files "")

# lockscope_compressed(file name): the file as Debian wants pages and changes, without the time of the build.
function(lockscope_compressed file name)
    add_custom_command(
        OUTPUT "${installed}/${name}.gz"
        COMMAND "${GZIP_PROGRAM}" -9nc "${file}" > "${installed}/${name}.gz"
        DEPENDS "${file}" VERBATIM)
    list(APPEND installed_files "${installed}/${name}.gz")
    set(installed_files "${installed_files}" PARENT_SCOPE)
endfunction()
foreach(page IN ITEMS lockscope.1 lockscope-cli.1)
    lockscope_compressed("${CMAKE_CURRENT_SOURCE_DIR}/docs/${page}" ${page})
    install(FILES "${installed}/${page}.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endforeach()
lockscope_compressed("${CMAKE_CURRENT_SOURCE_DIR}/CHANGELOG.md" changelog)
lockscope_compressed("${installed}/changelog.Debian" changelog.Debian)

# One script completes both programs; bash and fish look for it by the name of the program.
foreach(shell IN ITEMS bash zsh fish)
    add_custom_command(
        OUTPUT "${installed}/completion.${shell}"
        COMMAND lockscope-cli completion ${shell} > "${installed}/completion.${shell}"
        DEPENDS lockscope-cli VERBATIM)
    list(APPEND installed_files "${installed}/completion.${shell}")
endforeach()
add_custom_target(installed_files ALL DEPENDS ${installed_files})
foreach(program IN ITEMS lockscope lockscope-cli)
    install(FILES "${installed}/completion.bash"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ${program})
    install(FILES "${installed}/completion.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME ${program}.fish)
endforeach()
# What comes with the system has another folder in Debian's zsh than what its administrator adds.
install(CODE "set(zsh_folder site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
        set(zsh_folder vendor-completions)
    endif()")
install(FILES "${installed}/completion.zsh"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder}" RENAME _lockscope-cli)

install(TARGETS lockscope lockscope-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

install(FILES resources/desktop/lockscope.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES resources/desktop/lockscope.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
install(FILES "${installed}/org.lockscope.lockscope.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
set(icons "${CMAKE_INSTALL_DATADIR}/icons/hicolor")
install(FILES resources/icons/lockscope.svg DESTINATION "${icons}/scalable/apps")
foreach(size IN ITEMS 16 24 32 48 64 128 256 512)
    install(FILES resources/icons/hicolor/lockscope-${size}.png
        DESTINATION "${icons}/${size}x${size}/apps" RENAME lockscope.png)
endforeach()

# The pages link to each other as they do in the source tree.
install(FILES README.md resources/debian/copyright "${installed}/changelog.gz" "${installed}/changelog.Debian.gz"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES resources/debian/lintian-overrides DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides" RENAME lockscope)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.png"
    PATTERN decisions EXCLUDE)
install(DIRECTORY resources/protocols resources/scenarios DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")

# The unit is not enabled: who wants it names the servers first.
install(FILES resources/monitoring/lockscope-export.service DESTINATION lib/systemd/system)
install(FILES resources/monitoring/lockscope-alerts.yml resources/monitoring/lockscope-dashboard.json
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples/monitoring")

include(Packaging)
