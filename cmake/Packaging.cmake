# The Debian package, made by scripts/package. It contains what Installation.cmake installs.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockscope)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "${LOCKSCOPE_MAINTAINER}")
set(CPACK_PACKAGE_VENDOR Lockscope)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "${LOCKSCOPE_DEBIAN_REVISION}")
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The demo and all runs on private servers start redis-server; TLS trusts the system's authorities.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "redis-server, ca-certificates, qt6-translations-l10n")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "jq, qt6-wayland")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see, watch and release the distributed locks of Redis servers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Lockscope shows the distributed locks of running Redis servers: their owners,
ages, hold counts, modes and waiters. It points out the locks that need
attention and explains why, and releases stuck locks without harming the next
holder.
.
Without a server it searches simulations of lock protocols, from SET NX to
Redlock and fair queues, or of your own, for the shortest run that breaks a
promise.
.
This package contains the desktop program, lockscope, and the command line
program, lockscope-cli, which needs no display.")

include(CPack)
