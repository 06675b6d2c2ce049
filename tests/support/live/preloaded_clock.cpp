// Stands before the C library in a program that is started with it: its calendar clock is ahead by
// LOCKSCOPE_CLOCK_AHEAD_MS. Linked with nothing else.

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace {

constexpr long kMillisecondsPerSecond = 1000;
constexpr long kNanosecondsPerMillisecond = 1'000'000;
constexpr long kNanosecondsPerSecond = 1'000'000'000;

long aheadMs()
{
    static const char* const kText = std::getenv("LOCKSCOPE_CLOCK_AHEAD_MS");
    return kText != nullptr ? std::strtol(kText, nullptr, 10) : 0;
}

timespec calendarTime()
{
    timespec time{};
    ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &time);
    const long nanoseconds = time.tv_nsec
                             + aheadMs() % kMillisecondsPerSecond * kNanosecondsPerMillisecond;
    time.tv_sec += aheadMs() / kMillisecondsPerSecond + nanoseconds / kNanosecondsPerSecond;
    time.tv_nsec = nanoseconds % kNanosecondsPerSecond;
    return time;
}

} // namespace

// The names under which the C library has them.
extern "C" int readClock(clockid_t clock, timespec* time) noexcept asm("clock_gettime");
extern "C" int readTimeOfDay(timeval* time, void* zone) noexcept asm("gettimeofday");
extern "C" time_t readSeconds(time_t* seconds) noexcept asm("time");

int readClock(clockid_t clock, timespec* time) noexcept
{
    if (clock != CLOCK_REALTIME) {
        return static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    }
    *time = calendarTime();
    return 0;
}

int readTimeOfDay(timeval* time, void* /*zone*/) noexcept
{
    constexpr long kNanosecondsPerMicrosecond = 1000;
    const timespec now = calendarTime();
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / kNanosecondsPerMicrosecond;
    return 0;
}

time_t readSeconds(time_t* seconds) noexcept
{
    const time_t now = calendarTime().tv_sec;
    if (seconds != nullptr) {
        *seconds = now;
    }
    return now;
}
