#include "core/conduct/clock/vclock.h"

#include <errno.h>
#include <threads.h>

/* Relative sleeps up to here are the back-off of a spin: a JVM sleeps 10 us at a time until all its
 * threads stand still. They take real time, or whoever spins would need a conductor. */
#define kBackOffNs INT64_C(1000000)

/* A poll of nothing. Not a wait on the epoch: that would wake at each move, and miss a signal of
 * the program's which comes while it looks at the clock. 0, or EINTR after a handler of the
 * program's. */
static int sleepUntil(int64_t deadlineNs, int64_t* leftNs)
{
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitSleep, deadlineNs, NULL);
    while (!isDue(&wait)) {
        struct timespec limit;
        const int result = real.ppoll(NULL, 0, limitOf(&wait, &limit), &wait.mask);
        if (result < 0 && errno == EINTR && !takeWake(&wait) && !isDue(&wait)) {
            *leftNs = deadlineNs - wait.clock.nowNs;
            return EINTR;
        }
    }
    *leftNs = 0;
    return 0;
}

static int sleepFor(int64_t ns, int64_t* leftNs)
{
    return sleepUntil(addNs(readClock().nowNs, ns), leftNs);
}

VCLOCK_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time,
                                  struct timespec* left)
{
    int64_t base, leftNs;
    if (!vclockOn() || !isValidTime(time) || !baseOfClock(clock, &base)) {
        return real.clock_nanosleep(clock, flags, time, left);
    }
    if ((flags & TIMER_ABSTIME) != 0) {
        const int64_t ns = nsOf(time);
        return sleepUntil(ns == kNever ? kNever : ns - base, &leftNs);
    }
    if (nsOf(time) <= kBackOffNs) {
        return real.clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
    }
    const int result = sleepFor(nsOf(time), &leftNs);
    if (result != 0 && left != NULL) {
        *left = timespecOf(leftNs);
    }
    return result;
}

VCLOCK_EXPORT int nanosleep(const struct timespec* time, struct timespec* left)
{
    const int result = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
    if (result != 0) {
        errno = result;
        return -1;
    }
    return 0;
}
extern __typeof__(nanosleep) __nanosleep VCLOCK_EXPORT __attribute__((alias("nanosleep")));

VCLOCK_EXPORT int usleep(useconds_t us)
{
    const struct timespec time = timespecOf((int64_t)us * 1000);
    return nanosleep(&time, NULL);
}

VCLOCK_EXPORT unsigned int sleep(unsigned int seconds)
{
    const struct timespec time = {seconds, 0};
    struct timespec left = {0, 0};
    if (nanosleep(&time, &left) == 0) {
        return 0;
    }
    return (unsigned int)left.tv_sec + (left.tv_nsec > 0 ? 1 : 0);
}

VCLOCK_EXPORT int thrd_sleep(const struct timespec* time, struct timespec* left)
{
    const int result = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
    return result == 0 ? 0 : result == EINTR ? -1 : -2;
}
