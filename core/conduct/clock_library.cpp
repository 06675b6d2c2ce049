#include "core/conduct/clock_library.h"

#include "core/files/whole_file.h"
#include "core/wire/process_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

namespace lockscope::conduct {

namespace {

constexpr const char* kName = "liblockscope-vclock.so";

/// The longest list of mapped files of a process that is read.
constexpr std::size_t kMapsMax = 100 * files::kMegabyte;

#ifdef LOCKSCOPE_CLOCK_LIBRARY
constexpr const char* kLibraryForTests = LOCKSCOPE_CLOCK_LIBRARY;
#else
constexpr const char* kLibraryForTests = "";
#endif

/// Programs in Go say so in what go build writes into them.
bool isGoProgram(const std::string& path)
{
    return files::fileHas(path, "\xff Go buildinf:");
}

bool loads(const std::string& maps, const std::string& library)
{
    const auto read = files::readWhole(maps, kMapsMax);
    const auto* const text = std::get_if<std::string>(&read); // none: the process is gone
    return text == nullptr || text->empty() || text->find(library) != std::string::npos;
}

} // namespace

std::string clockLibrary()
{
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto expected = program.parent_path().parent_path() / "libexec" / "lockscope" / kName;
    for (const std::filesystem::path& path : {expected, std::filesystem::path(kLibraryForTests)}) {
        if (path.has_filename() && std::filesystem::exists(path, error)) {
            return path.string();
        }
    }
    return {};
}

bool followsClock(pid_t process, const std::string& library)
{
    constexpr std::size_t kDescendantsMax = 64;
    std::array<wire::ProcessEntry, kDescendantsMax> room{};
    std::vector<pid_t> all{process};
    for (const wire::ProcessEntry& one : wire::descendantsOf(process, room)) {
        all.push_back(one.process);
    }
    const std::string name = std::filesystem::path(library).filename().string();
    return std::ranges::all_of(all, [&name](pid_t one) {
        const std::string folder = "/proc/" + std::to_string(one);
        return loads(folder + "/maps", name) && !isGoProgram(folder + "/exe");
    });
}

} // namespace lockscope::conduct
