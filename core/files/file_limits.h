#pragma once

#include "core/files/whole_file.h"

// How large the files may be that users name. The window and the command line read the same files.
namespace lockscope::files {

inline constexpr std::size_t kProtocolFileMax = kMegabyte;
inline constexpr std::size_t kScenarioFileMax = 10 * kMegabyte;
/// A run of a few million events has some tens of megabytes.
inline constexpr std::size_t kRunFileMax = 512 * kMegabyte;

} // namespace lockscope::files
