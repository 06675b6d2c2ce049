#pragma once

#include <sys/types.h>

#include <string>

namespace lockscope::conduct {

/// The path of liblockscope-vclock.so: in ../libexec/lockscope, relative to the program's folder.
/// Builds with tests also know the library of the build. Empty if there is no such file.
std::string clockLibrary();

/// Whether a process and all that descends from it read the clock through this library. Static
/// programs do not, nor do those in Go, which ask the system by themselves even where they load the
/// C library. A process that is gone does nothing against it.
bool followsClock(pid_t process, const std::string& library);

} // namespace lockscope::conduct
