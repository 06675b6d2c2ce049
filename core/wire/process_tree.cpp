#include "core/wire/process_tree.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lockscope::wire {

namespace {

constexpr std::size_t kProcessesMax = 1024;
/// More generations than exist anywhere; ends a walk through a tree that changes meanwhile.
constexpr int kGenerationsMax = 1'000;

/// The names in /proc, one after the other.
class ProcessNames {
public:
    ProcessNames() : m_folder(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
    ~ProcessNames()
    {
        if (m_folder >= 0) {
            ::close(m_folder);
        }
    }
    ProcessNames(const ProcessNames&) = delete;
    ProcessNames& operator=(const ProcessNames&) = delete;

    /// 0 behind the last one.
    pid_t next()
    {
        while (true) {
            if (m_offset >= m_size && !fill()) {
                return 0;
            }
            // As getdents64(2) has it: inode, offset, length of the record, type, name.
            const char* const record = m_buffer.data() + m_offset;
            std::uint16_t length = 0;
            std::memcpy(&length, record + 16, sizeof(length));
            m_offset += length;
            const std::string_view name(record + 19);
            pid_t process = 0;
            const auto read = std::from_chars(name.data(), name.data() + name.size(), process);
            if (read.ec == std::errc() && read.ptr == name.data() + name.size()) {
                return process;
            }
        }
    }

private:
    bool fill()
    {
        m_size = m_folder >= 0
                     ? ::syscall(SYS_getdents64, m_folder, m_buffer.data(), m_buffer.size())
                     : 0;
        m_offset = 0;
        return m_size > 0;
    }

    int m_folder;
    alignas(8) std::array<char, 16'384> m_buffer{};
    long m_offset = 0;
    long m_size = 0;
};

/// "/proc/<process>/stat", read into `room`.
std::string_view statText(pid_t process, std::span<char> room)
{
    std::array<char, 40> path{"/proc/"};
    char* const end = std::to_chars(path.data() + 6, path.data() + path.size() - 6, process).ptr;
    std::memcpy(end, "/stat", 6);
    const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return {};
    }
    const ssize_t count = ::read(file, room.data(), room.size());
    ::close(file);
    return {room.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

/// The number at the beginning, which is taken away with the space behind it.
pid_t takeNumber(std::string_view& text)
{
    pid_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    text.remove_prefix(text.empty() ? 0 : 1);
    return number;
}

bool descendsFrom(pid_t root, ProcessEntry entry)
{
    for (int i = 0; i < kGenerationsMax && entry.parent > 1; ++i) {
        if (entry.parent == root) {
            return true;
        }
        const auto parent = processEntry(entry.parent);
        if (!parent) {
            return false;
        }
        entry = *parent;
    }
    return entry.parent == root;
}

} // namespace

std::optional<ProcessEntry> processEntry(pid_t process)
{
    std::array<char, 1024> room; // NOLINT(*-member-init): the kernel fills it
    std::string_view text = statText(process, room);
    const std::size_t name = text.rfind(')'); // which may hold anything, brackets and spaces too
    if (name == std::string_view::npos || text.size() < name + 5) {
        return std::nullopt;
    }
    const char state = text[name + 2];
    text.remove_prefix(name + 4);
    ProcessEntry entry;
    entry.process = process;
    entry.parent = takeNumber(text);
    entry.group = takeNumber(text);
    entry.session = takeNumber(text);
    entry.isOver = state == 'Z' || state == 'X';
    return entry;
}

std::span<const ProcessEntry> descendantsOf(pid_t root, std::span<ProcessEntry> room)
{
    std::size_t count = 0;
    ProcessNames names;
    for (pid_t process = names.next(); process != 0 && count < room.size();
         process = names.next()) {
        const auto entry = processEntry(process);
        if (entry && !entry->isOver && descendsFrom(root, *entry)) {
            room[count++] = *entry;
        }
    }
    return room.first(count);
}

bool killDescendantsOnce(pid_t root)
{
    std::array<ProcessEntry, kProcessesMax> room; // NOLINT(*-member-init): filled as far as it is
                                                  // used
    const auto all = descendantsOf(root, room);
    for (const ProcessEntry& entry : all) {
        ::kill(entry.process, SIGKILL);
    }
    return !all.empty();
}

} // namespace lockscope::wire
