#include "core/conduct/clock/vclock.h"

#include <errno.h>
#include <threads.h>

/* The bit in which glibc keeps the clock of pthread_condattr_setclock. */
#define kMonotonicBit 2u

static clockid_t clockOf(const pthread_cond_t* condition)
{
    return (condition->__data.__wrefs & kMonotonicBit) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int waitReally(pthread_cond_t* condition, pthread_mutex_t* mutex, const struct Wait* wait)
{
    if (realLimit(wait) == kNever) {
        return pthread_cond_wait(condition, mutex);
    }
    const struct timespec limit = realLimitInstant(wait);
    return real.pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &limit);
}

/* Waits once. Not again, whatever ended it: between two waits a signal could be missed, so the
 * caller has to look. The waker ends it by a broadcast: who was signalled in the same moment takes
 * no signal away by reporting the time-out, because all that wait for the same condition look
 * again. */
static int conditionUntil(pthread_cond_t* condition, pthread_mutex_t* mutex, int64_t deadlineNs)
{
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitCondition, deadlineNs, condition);
    if (isDue(&wait)) { /* for the real one to give the mutex away and take it again */
        const struct timespec past = {0, 0};
        return real.pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &past);
    }
    const int result = waitReally(condition, mutex, &wait);
    if (result == 0 || result == ETIMEDOUT) {
        const bool ended = takeWake(&wait) || result == ETIMEDOUT;
        return ended && isDue(&wait) ? ETIMEDOUT : 0;
    }
    return result;
}

VCLOCK_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         clockid_t clock, const struct timespec* until)
{
    int64_t deadlineNs;
    if (!vclockOn() || !isValidTime(until) || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
        || !deadlineOf(clock, until, &deadlineNs)) {
        return real.pthread_cond_clockwait(condition, mutex, clock, until);
    }
    return conditionUntil(condition, mutex, deadlineNs);
}

VCLOCK_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                         const struct timespec* until)
{
    int64_t deadlineNs;
    if (!vclockOn() || !isValidTime(until) || !deadlineOf(clockOf(condition), until, &deadlineNs)) {
        return real.pthread_cond_timedwait(condition, mutex, until);
    }
    return conditionUntil(condition, mutex, deadlineNs);
}

VCLOCK_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const struct timespec* until)
{
    const int result = pthread_cond_timedwait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex,
                                              until);
    return result == 0 ? thrd_success : result == ETIMEDOUT ? thrd_timedout : thrd_error;
}

/* Nobody can end the real wait without giving it the mutex: slices. */
static int mutexUntil(pthread_mutex_t* mutex, int64_t deadlineNs)
{
    int result = pthread_mutex_trylock(mutex);
    if (result != EBUSY) {
        return result;
    }
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitSemaphore, deadlineNs, NULL);
    while (!isDue(&wait)) {
        const struct timespec slice = timespecOf(realMonotonicNs() + 1000000);
        result = real.pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &slice);
        if (result != ETIMEDOUT) {
            return result;
        }
    }
    result = pthread_mutex_trylock(mutex);
    return result == EBUSY ? ETIMEDOUT : result;
}

VCLOCK_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                          const struct timespec* until)
{
    int64_t deadlineNs;
    if (!vclockOn() || !isValidTime(until) || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
        || !deadlineOf(clock, until, &deadlineNs)) {
        return real.pthread_mutex_clocklock(mutex, clock, until);
    }
    return mutexUntil(mutex, deadlineNs);
}

VCLOCK_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* until)
{
    int64_t deadlineNs;
    if (!vclockOn() || !isValidTime(until) || !deadlineOf(CLOCK_REALTIME, until, &deadlineNs)) {
        return real.pthread_mutex_timedlock(mutex, until);
    }
    return mutexUntil(mutex, deadlineNs);
}
