#include "core/conduct/clock/vclock.h"

#include <sys/syscall.h>

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>

static int semaphoreUntil(sem_t* semaphore, int64_t deadlineNs)
{
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitSemaphore, deadlineNs, NULL);
    while (!isDue(&wait)) {
        const struct timespec limit = realLimitInstant(&wait);
        if (real.sem_clockwait(semaphore, CLOCK_MONOTONIC, &limit) == 0) {
            return 0;
        }
        const bool ended = errno == ETIMEDOUT
                           || (errno == EINTR && (takeWake(&wait) || isDue(&wait)));
        if (!ended) {
            return -1;
        }
    }
    if (sem_trywait(semaphore) == 0) {
        return 0;
    }
    errno = ETIMEDOUT;
    return -1;
}

VCLOCK_EXPORT int sem_clockwait(sem_t* restrict semaphore, clockid_t clock,
                                const struct timespec* restrict until)
{
    int64_t deadlineNs;
    if (!vclockOn() || !isValidTime(until) || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
        || !deadlineOf(clock, until, &deadlineNs)) {
        return real.sem_clockwait(semaphore, clock, until);
    }
    return sem_trywait(semaphore) == 0 ? 0 : semaphoreUntil(semaphore, deadlineNs);
}

VCLOCK_EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict until)
{
    if (!vclockOn()) {
        return real.sem_timedwait(semaphore, until);
    }
    return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

VCLOCK_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const struct timespec* timeout)
{
    if (!vclockOn() || timeout == NULL || !isValidTime(timeout) || nsOf(timeout) == 0) {
        return real.sigtimedwait(set, info, timeout);
    }
    sigset_t asked = *set;
    sigdelset(&asked, kWakeSignal);
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitSemaphore, addNs(readClock().nowNs, nsOf(timeout)), NULL);
    for (;;) {
        const bool last = isDue(&wait);
        const int64_t limit = last ? 0 : realLimit(&wait);
        const struct timespec atMost = timespecOf(limit);
        const int result = real.sigtimedwait(&asked, info, limit == kNever ? NULL : &atMost);
        if (result >= 0 || last) {
            return result;
        }
        const bool ended = errno == EAGAIN || (errno == EINTR && (takeWake(&wait) || isDue(&wait)));
        if (!ended) {
            return -1;
        }
    }
}

/* The arguments of syscall(SYS_futex) that waits with a time-out. */
struct FutexCall {
    long word, operation, expected, bits;
};

static long futexUntil(const struct FutexCall* call, int64_t deadlineNs)
{
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitFutex, deadlineNs, NULL);
    const long operation = FUTEX_WAIT_BITSET | (call->operation & FUTEX_PRIVATE_FLAG);
    while (!isDue(&wait)) {
        const struct timespec limit = realLimitInstant(&wait);
        const long result = rawCall(SYS_futex, call->word, operation, call->expected, (long)&limit,
                                    0, call->bits);
        const bool ended = result == -ETIMEDOUT
                           || (result == -EINTR && (takeWake(&wait) || isDue(&wait)));
        if (!ended) {
            return result;
        }
    }
    return -ETIMEDOUT;
}

/* False where it is no wait, or one without end. */
static bool futexDeadline(long operation, const struct timespec* timeout, int64_t* deadlineNs)
{
    const long command = operation & ~(long)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
    if ((command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) || timeout == NULL
        || !isValidTime(timeout)) {
        return false;
    }
    if (command == FUTEX_WAIT) {
        *deadlineNs = addNs(readClock().nowNs, nsOf(timeout));
        return true;
    }
    const bool wall = (operation & FUTEX_CLOCK_REALTIME) != 0;
    return deadlineOf(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, timeout, deadlineNs);
}

static long answer(long result)
{
    if (result < 0 && result >= -4095) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

VCLOCK_EXPORT long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; ++i) { /* those that were not handed in are noise, as in libc's own */
        a[i] = va_arg(list, long);
    }
    va_end(list);
    int64_t deadlineNs;
    if (number == SYS_futex && vclockOn()
        && futexDeadline(a[1], (const struct timespec*)a[3], &deadlineNs)) {
        const bool all = (a[1] & ~(long)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) == FUTEX_WAIT;
        const struct FutexCall call = {a[0], a[1], a[2], all ? (long)FUTEX_BITSET_MATCH_ANY : a[5]};
        return answer(futexUntil(&call, deadlineNs));
    }
    if (number == SYS_clock_gettime && vclockOn()) {
        return clock_gettime((clockid_t)a[0], (struct timespec*)a[1]);
    }
    return answer(rawCall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}
