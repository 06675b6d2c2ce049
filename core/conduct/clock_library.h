#pragma once

#include <string>

namespace lockscope::conduct {

/// The path of liblockscope-vclock.so: beside the installed program (../lib/lockscope), or where
/// the build has it. Empty: it is in neither.
std::string clockLibrary();

} // namespace lockscope::conduct
