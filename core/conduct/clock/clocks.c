#include "core/conduct/clock/vclock.h"

#include <sys/syscall.h>

#include <errno.h>

static int64_t realClockNs(clockid_t clock)
{
    struct timespec time;
    if (real.clock_gettime != NULL) {
        real.clock_gettime(clock, &time);
    } else { /* while the real functions are looked for */
        rawCall(SYS_clock_gettime, clock, (long)&time, 0, 0, 0, 0);
    }
    return nsOf(&time);
}

int64_t realMonotonicNs(void)
{
    return realClockNs(CLOCK_MONOTONIC);
}

struct ClockReading readClock(void)
{
    for (;;) {
        struct ClockReading reading;
        reading.changes = clockPage->changes;
        reading.flows = clockPage->flows != 0;
        reading.nowNs = clockPage->movedNs;
        if (reading.flows) {
            reading.nowNs += realMonotonicNs() - clockPage->monotonicBaseNs;
        }
        if (reading.changes % 2 == 0 && reading.changes == clockPage->changes) {
            return reading;
        }
    }
}

/* How far another clock is from the monotonic one; it stays so while nothing suspends the machine.
 */
static int64_t distanceOf(clockid_t clock)
{
    enum { Known = 16 };
    static LOCKSCOPE_SHARED(int64_t) distances[Known];
    int64_t distance = distances[clock];
    if (distance == 0) {
        distance = realClockNs(clock) - realMonotonicNs();
        distance = distance == 0 ? 1 : distance;
        int64_t none = 0;
        if (!atomic_compare_exchange_strong(&distances[clock], &none, distance)) {
            distance = none;
        }
    }
    return distance;
}

bool baseOfClock(clockid_t clock, int64_t* baseNs)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM: *baseNs = clockPage->realtimeBaseNs; return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE: *baseNs = clockPage->monotonicBaseNs; return true;
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
    case CLOCK_TAI: *baseNs = clockPage->monotonicBaseNs + distanceOf(clock); return true;
    default: return false;
    }
}

int64_t nsOf(const struct timespec* time)
{
    int64_t ns;
    if (__builtin_mul_overflow((int64_t)time->tv_sec, kSecondNs, &ns)) {
        return time->tv_sec < 0 ? INT64_MIN : kNever;
    }
    return addNs(ns, time->tv_nsec);
}

struct timespec timespecOf(int64_t ns)
{
    struct timespec time = {ns / kSecondNs, ns % kSecondNs};
    return time;
}

bool deadlineOf(clockid_t clock, const struct timespec* time, int64_t* deadlineNs)
{
    int64_t base;
    if (!baseOfClock(clock, &base)) {
        return false;
    }
    const int64_t ns = nsOf(time);
    *deadlineNs = ns == kNever ? kNever : ns - base;
    return true;
}

static int64_t virtualClockNs(int64_t baseNs)
{
    return baseNs + readClock().nowNs;
}

VCLOCK_EXPORT int clock_gettime(clockid_t clock, struct timespec* time)
{
    int64_t base;
    /* An allocator asks for the time while it starts, before any constructor has run. Whatever finds the real functions
     * may allocate, and would wait for that start: so nothing is found here, and the little until the start is real. */
    if (vclockState != 0 && vclockOn() && baseOfClock(clock, &base)) {
        *time = timespecOf(virtualClockNs(base));
        return 0;
    }
    if (real.clock_gettime != NULL) {
        return real.clock_gettime(clock, time);
    }
    const long result = rawCall(SYS_clock_gettime, clock, (long)time, 0, 0, 0, 0);
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return 0;
}

VCLOCK_EXPORT int gettimeofday(struct timeval* restrict time, void* restrict zone)
{
    (void)zone; /* Linux has none to tell */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

VCLOCK_EXPORT time_t time(time_t* result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result != NULL) {
        *result = now.tv_sec;
    }
    return now.tv_sec;
}

VCLOCK_EXPORT int timespec_get(struct timespec* time, int base)
{
    if (base != TIME_UTC) {
        return 0;
    }
    clock_gettime(CLOCK_REALTIME, time);
    return base;
}
