#include "core/conduct/clock/virtual_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
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

/// A file in memory that no process can make smaller: a read of a mapping whose file was cut short
/// is a SIGBUS.
int newPageFile()
{
    const int file = memfd_create("lockscope-clock", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) {
        fail("clock page");
    }
    if (fchmod(file, S_IRUSR | S_IWUSR) != 0 || ftruncate(file, sizeof(LockscopeClockPage)) != 0
        || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        const int problem = errno;
        close(file);
        errno = problem;
        fail("clock page");
    }
    return file;
}

LockscopeClockPage* mappedPage(int file)
{
    void* const memory = mmap(nullptr, sizeof(LockscopeClockPage), PROT_READ | PROT_WRITE,
                              MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        const int problem = errno;
        close(file);
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

VirtualClock::VirtualClock()
    : m_file(newPageFile()),
      m_page(mappedPage(m_file)),
      m_monotonicBaseNs(readNs(CLOCK_MONOTONIC)),
      m_realtimeBaseNs(readNs(CLOCK_REALTIME))
{
    m_page->monotonicBaseNs = m_monotonicBaseNs;
    m_page->realtimeBaseNs = m_realtimeBaseNs;
    m_page->version = LOCKSCOPE_CLOCK_VERSION;
    m_page->magic = LOCKSCOPE_CLOCK_MAGIC;
}

VirtualClock::~VirtualClock()
{
    munmap(m_page, sizeof(LockscopeClockPage));
    close(m_file);
}

/// "/proc/self" would name the file of the process that reads the path.
std::string VirtualClock::path() const
{
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(m_file);
}

std::int64_t VirtualClock::nowNs() const
{
    return m_isFlowing ? m_movedNs + readNs(CLOCK_MONOTONIC) - m_monotonicBaseNs : m_movedNs;
}

std::chrono::sys_time<Duration> VirtualClock::begin() const
{
    return std::chrono::floor<Duration>(
        std::chrono::sys_time<nanoseconds>(nanoseconds(m_realtimeBaseNs)));
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
    m_movedNs += nanoseconds(std::max(by, Duration::zero())).count();
    m_page->movedNs = m_movedNs;
    announce();
}

void VirtualClock::setFlowing(bool flowing)
{
    if (flowing == m_isFlowing) {
        return;
    }
    ++m_page->changes;
    const std::int64_t now = nowNs();
    m_movedNs = flowing ? now - (readNs(CLOCK_MONOTONIC) - m_monotonicBaseNs) : now;
    m_isFlowing = flowing;
    m_page->movedNs = m_movedNs;
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
