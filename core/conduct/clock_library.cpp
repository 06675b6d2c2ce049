#include "core/conduct/clock_library.h"

#include "core/wire/process_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

namespace lockscope::conduct {

namespace {

constexpr const char* kName = "liblockscope-vclock.so";

#ifdef LOCKSCOPE_CLOCK_LIBRARY
constexpr const char* kLibraryForTests = LOCKSCOPE_CLOCK_LIBRARY;
#else
constexpr const char* kLibraryForTests = "";
#endif

/// Programs in Go say so in what go build writes into them.
bool isGoProgram(const std::string& path)
{
    constexpr std::string_view kMark = "\xff Go buildinf:";
    constexpr std::size_t kPiece = 1U << 20U;
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::string piece(kPiece, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(kPiece)) || file.gcount() > 0) {
        text.erase(0, text.size() - std::min(text.size(), kMark.size())); // it may be cut in two
        text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
        if (text.find(kMark) != std::string::npos) {
            return true;
        }
    }
    return false;
}

bool loads(const std::string& maps, const std::string& library)
{
    std::ifstream file(maps);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return text.empty() || text.find(library) != std::string::npos;
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
