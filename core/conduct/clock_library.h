#pragma once

#include <sys/types.h>

#include <string>

namespace lockscope::conduct {

/// The path of liblockscope-vclock.so: beside the installed program (../lib/lockscope), or where
/// the build has it. Empty: it is in neither.
std::string clockLibrary();

/// Whether a process and all that descends from it read the clock through this library. Static
/// programs do not, nor do those in Go, which ask the system by themselves even where they load the
/// C library. A process that is gone does nothing against it.
bool followsClock(pid_t process, const std::string& library);

} // namespace lockscope::conduct
