#include "core/conduct/clock_library.h"

#include <filesystem>
#include <system_error>

namespace lockscope::conduct {

namespace {

constexpr const char* kName = "liblockscope-vclock.so";

} // namespace

std::string clockLibrary()
{
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto installed = program.parent_path().parent_path() / "lib" / "lockscope" / kName;
    for (const std::filesystem::path& path :
         {installed, std::filesystem::path(LOCKSCOPE_CLOCK_LIBRARY)}) {
        if (std::filesystem::exists(path, error)) {
            return path.string();
        }
    }
    return {};
}

} // namespace lockscope::conduct
