#include "core/conduct/rest.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <dirent.h>
#include <iterator>
#include <string_view>

namespace lockscope::conduct {

namespace {

using Room = std::array<char, 2048>;

int opened(const std::string& path)
{
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

std::string_view contentOf(int file, Room& room)
{
    const ssize_t count = file < 0 ? -1 : ::pread(file, room.data(), room.size(), 0);
    return {room.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

/// What stands behind the name, which may hold anything: the state is first.
std::string_view behindName(std::string_view stat)
{
    const std::size_t name = stat.rfind(')');
    return name == std::string_view::npos || name + 2 >= stat.size() ? std::string_view()
                                                                     : stat.substr(name + 2);
}

/// 'S', 'R', …; '\0' for a thread that is gone.
char stateIn(std::string_view stat)
{
    const std::string_view fields = behindName(stat);
    return fields.empty() ? '\0' : fields.front();
}

int threadCountIn(std::string_view stat)
{
    constexpr int kFieldsBefore = 17; // proc(5): num_threads is the 20th, state the 3rd
    std::string_view fields = behindName(stat);
    for (int i = 0; i < kFieldsBefore && !fields.empty(); ++i) {
        const std::size_t space = fields.find(' ');
        fields.remove_prefix(space == std::string_view::npos ? fields.size() : space + 1);
    }
    int count = 0;
    std::from_chars(fields.data(), fields.data() + fields.size(), count);
    return count;
}

} // namespace

RestProbe::RestProbe(pid_t process)
    : m_process(process),
      m_stat(opened("/proc/" + std::to_string(process) + "/stat"))
{}

RestProbe::~RestProbe()
{
    closeThreads();
    ::close(m_stat);
}

void RestProbe::closeThreads()
{
    for (const Thread& thread : m_threads) {
        ::close(thread.stat);
        ::close(thread.children);
    }
    m_threads.clear();
}

/// False: the process is gone.
bool RestProbe::listThreads()
{
    Room room; // NOLINT(*-member-init): filled as far as it is used
    const int count = threadCountIn(contentOf(m_stat, room));
    if (count == m_threadCount) {
        return count > 0;
    }
    m_threadCount = count;
    closeThreads();
    const std::string folder = "/proc/" + std::to_string(m_process) + "/task";
    DIR* const names = ::opendir(folder.c_str());
    if (names == nullptr) {
        return false;
    }
    while (const dirent* const name = ::readdir(names)) {
        if (name->d_name[0] != '.') {
            const std::string path = folder + '/' + name->d_name;
            m_threads.push_back({opened(path + "/stat"), opened(path + "/children")});
        }
    }
    ::closedir(names);
    return true;
}

bool RestProbe::isAtRest()
{
    if (!listThreads()) {
        return true;
    }
    return std::ranges::all_of(m_threads, [this](const Thread& thread) {
        Room room; // NOLINT(*-member-init): filled as far as it is used
        const char state = stateIn(contentOf(thread.stat, room));
        if (state == '\0') {
            m_threadCount = -1; // one has ended, and perhaps another one begun
        }
        const bool isRunning = state == 'R' || state == 'D' || state == 'P' || state == '\0';
        return !isRunning && areChildrenAtRest(thread);
    });
}

bool RestProbe::areChildrenAtRest(const Thread& thread)
{
    Room room; // NOLINT(*-member-init): filled as far as it is used
    std::string_view children = contentOf(thread.children, room);
    if (children.empty()) {
        m_children.clear(); // a shell starts one for each command
        return true;
    }
    while (!children.empty()) {
        pid_t child = 0;
        const auto read = std::from_chars(children.data(), children.data() + children.size(),
                                          child);
        if (read.ec != std::errc()) {
            break;
        }
        auto known = std::ranges::find(m_children, child,
                                       [](const auto& one) { return one.first; });
        if (known == m_children.end()) {
            m_children.emplace_back(child, std::make_unique<RestProbe>(child));
            known = std::prev(m_children.end());
        }
        if (!known->second->isAtRest()) {
            return false;
        }
        children.remove_prefix(static_cast<std::size_t>(read.ptr - children.data()));
        children.remove_prefix(children.empty() ? 0 : 1);
    }
    return true;
}

bool RestProbe::isStandingStill()
{
    if (!listThreads()) {
        return true;
    }
    return std::ranges::all_of(m_threads, [](const Thread& thread) {
        Room room; // NOLINT(*-member-init): filled as far as it is used
        const char state = stateIn(contentOf(thread.stat, room));
        return state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == '\0';
    });
}

} // namespace lockscope::conduct
