# What `cmake --install` puts where.

foreach(program IN ITEMS lockscope lockscope-cli)
    if(TARGET ${program})
        install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()
install(FILES docs/lockscope-cli.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES resources/lockscope.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/resources/icons/lockscope.svg")
    install(FILES resources/icons/lockscope.svg
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()
if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/resources/lockscope.metainfo.xml")
    install(FILES resources/lockscope.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
endif()
install(DIRECTORY resources/protocols DESTINATION "${CMAKE_INSTALL_DATADIR}/lockscope")
