#include "core/conduct/clock/virtual_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <ctime>
#include <limits>
#include <linux/futex.h>
#include <new>
#include <system_error>

namespace lockscope::conduct {

namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void fail(const char* what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

std::int64_t readNs(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string randomPath()
{
    std::array<unsigned char, 8> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        fail("getrandom");
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string path = "/dev/shm/lockscope-clock-";
    for (const unsigned char byte : bytes) {
        path += kDigits[byte / 16];
        path += kDigits[byte % 16];
    }
    return path;
}

LockscopeClockPage* mapNewFile(const std::string& path)
{
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        fail("clock page");
    }
    void* memory = MAP_FAILED;
    if (ftruncate(file, sizeof(LockscopeClockPage)) == 0) {
        memory = mmap(nullptr, sizeof(LockscopeClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, file,
                      0);
    }
    const int problem = errno;
    close(file);
    if (memory == MAP_FAILED) {
        unlink(path.c_str());
        errno = problem;
        fail("clock page");
    }
    return new (memory) LockscopeClockPage{};
}

Duration roundedUp(std::int64_t ns)
{
    return ns == kNever ? Duration::max() : std::chrono::ceil<Duration>(nanoseconds(ns));
}

} // namespace

VirtualClock::VirtualClock() : m_path(randomPath()), m_page(mapNewFile(m_path))
{
    m_page->monotonicBaseNs = readNs(CLOCK_MONOTONIC);
    m_page->realtimeBaseNs = readNs(CLOCK_REALTIME);
    m_page->version = LOCKSCOPE_CLOCK_VERSION;
    m_page->magic = LOCKSCOPE_CLOCK_MAGIC;
}

VirtualClock::~VirtualClock()
{
    unlink(m_path.c_str());
    munmap(m_page, sizeof(LockscopeClockPage));
}

std::int64_t VirtualClock::nowNs() const
{
    const std::int64_t moved = m_page->movedNs;
    return isFlowing() ? moved + readNs(CLOCK_MONOTONIC) - m_page->monotonicBaseNs : moved;
}

std::chrono::sys_time<Duration> VirtualClock::begin() const
{
    return std::chrono::floor<Duration>(std::chrono::sys_time<std::chrono::nanoseconds>(
        std::chrono::nanoseconds(m_page->realtimeBaseNs)));
}

Duration VirtualClock::now() const
{
    return std::chrono::floor<Duration>(nanoseconds(nowNs()));
}

void VirtualClock::announce()
{
    ++m_page->epoch;
    syscall(SYS_futex, &m_page->epoch, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void VirtualClock::moveBy(Duration by)
{
    m_page->movedNs += nanoseconds(std::max(by, Duration::zero())).count();
    announce();
}

void VirtualClock::setFlowing(bool flowing)
{
    if (flowing == isFlowing()) {
        return;
    }
    ++m_page->changes;
    const std::int64_t now = nowNs();
    m_page->movedNs = flowing ? now - (readNs(CLOCK_MONOTONIC) - m_page->monotonicBaseNs) : now;
    m_page->flows = flowing ? 1 : 0;
    ++m_page->changes;
    announce();
}

std::vector<Waiter> VirtualClock::waiters() const
{
    std::vector<Waiter> result;
    for (const LockscopeWaitSlot& slot : m_page->slots) {
        const std::uint32_t kind = slot.kind;
        if (kind >= LockscopeWaitSleep && kind <= LockscopeWaitFutex) {
            result.push_back({slot.pid, slot.tid, static_cast<WaitKind>(kind),
                              roundedUp(slot.deadlineNs)});
        }
    }
    return result;
}

std::vector<Waiter> VirtualClock::waitersOf(std::int32_t pid) const
{
    std::vector<Waiter> result = waiters();
    std::erase_if(result, [pid](const Waiter& waiter) { return waiter.pid != pid; });
    return result;
}

std::optional<Duration> VirtualClock::nextDeadline() const
{
    std::optional<Duration> next;
    for (const Waiter& waiter : waiters()) {
        if (waiter.deadline != Duration::max() && (!next || waiter.deadline < *next)) {
            next = waiter.deadline;
        }
    }
    return next;
}

std::optional<Duration> VirtualClock::nextDeadline(std::span<const std::int32_t> pids) const
{
    std::optional<Duration> next;
    for (const Waiter& waiter : waiters()) {
        if (std::ranges::find(pids, waiter.pid) != pids.end() && waiter.deadline != Duration::max()
            && (!next || waiter.deadline < *next)) {
            next = waiter.deadline;
        }
    }
    return next;
}

void VirtualClock::clearSlotsOf(std::int32_t pid)
{
    for (LockscopeWaitSlot& slot : m_page->slots) {
        if (slot.pid == pid) {
            slot.kind = LockscopeWaitNone;
            slot.pid = 0;
        }
    }
}

} // namespace lockscope::conduct
