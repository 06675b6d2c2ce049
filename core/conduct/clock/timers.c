#include "core/conduct/clock/vclock.h"

#include <sys/syscall.h>
#include <sys/timerfd.h>

#include <errno.h>
#include <string.h>

/* Timers behind file descriptors. The kernel's timer is armed with what is left by the latest
 * reading while real time counts, and not at all while the clock stands; the waker sets it off when
 * it has become due. Each that is armed holds a slot, of the kind poll and without a thread. */

#define kTimers 64

struct Timer {
    AtomicInt isArmed;
    int file, slot;
    int64_t deadlineNs, intervalNs;
    struct ClockReading clock; /* by which the kernel's was set */
};

/* Zero again in a forked child: its parent sets off those that they share. */
static struct Timers {
    pthread_mutex_t mutex;
    AtomicInt armedCount;
    struct Timer timers[kTimers];
} * shelf;

__attribute__((constructor)) static void prepareShelf(void)
{
    shelf = forgottenOnFork(sizeof(struct Timers));
}

static struct Timer* findTimer(int file)
{
    for (int i = 0; i < kTimers; ++i) {
        struct Timer* timer = &shelf->timers[i];
        if (timer->isArmed && timer->file == file) {
            return timer;
        }
    }
    return NULL;
}

static struct Timer* freeTimer(void)
{
    for (int i = 0; i < kTimers; ++i) {
        if (!shelf->timers[i].isArmed) {
            return &shelf->timers[i];
        }
    }
    return NULL;
}

static void disarm(struct Timer* timer)
{
    leaveSlot(timer->slot);
    timer->isArmed = 0;
    --shelf->armedCount;
}

static int setKernelTimer(int file, int64_t firstNs, int64_t intervalNs)
{
    const struct itimerspec span = {timespecOf(intervalNs), timespecOf(firstNs)};
    return real.timerfd_settime(file, 0, &span, NULL);
}

/* What has come due is set off at once; the kernel repeats the rest itself while real time counts.
 */
static void setOff(struct Timer* timer, const struct ClockReading* clock)
{
    const int result = setKernelTimer(timer->file, 1, clock->flows ? timer->intervalNs : 0);
    if (result != 0 || timer->intervalNs == 0) { /* or the file has been closed */
        disarm(timer);
        return;
    }
    const int64_t behind = clock->nowNs - timer->deadlineNs;
    timer->deadlineNs += (behind / timer->intervalNs + 1) * timer->intervalNs;
    timer->clock = *clock;
    moveSlot(timer->slot, timer->deadlineNs);
}

static bool hasGoneOff(const struct Timer* timer)
{
    struct itimerspec left;
    return real.timerfd_gettime(timer->file, &left) != 0
           || (left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0);
}

static void setAnew(struct Timer* timer, const struct ClockReading* clock)
{
    if (clock->flows) {
        setKernelTimer(timer->file, timer->deadlineNs - clock->nowNs, timer->intervalNs);
    } else {
        setKernelTimer(timer->file, 0, 0);
    }
    timer->clock = *clock;
}

static void lookAt(struct Timer* timer, const struct ClockReading* clock)
{
    if (timer->clock.flows && timer->intervalNs == 0 && hasGoneOff(timer)) {
        disarm(timer); /* not a second time, and what is unread stays */
    } else if (timer->deadlineNs <= clock->nowNs) {
        setOff(timer, clock);
    } else if (clock->flows || timer->clock.changes != clock->changes) {
        setAnew(timer, clock);
    }
}

void setOffTimers(void)
{
    if (shelf == NULL || shelf->armedCount == 0) {
        return;
    }
    pthread_mutex_lock(&shelf->mutex);
    const struct ClockReading clock = readClock();
    for (int i = 0; i < kTimers; ++i) {
        if (shelf->timers[i].isArmed) {
            lookAt(&shelf->timers[i], &clock);
        }
    }
    pthread_mutex_unlock(&shelf->mutex);
}

/* Behind the mutex. */
static bool arm(int file, int64_t deadlineNs, int64_t intervalNs)
{
    struct Timer* timer = findTimer(file);
    if (timer == NULL) {
        timer = freeTimer();
        if (timer == NULL) {
            return false;
        }
        ++shelf->armedCount;
        timer->slot = holdSlot(LockscopeWaitPoll, deadlineNs);
    }
    timer->file = file;
    timer->deadlineNs = deadlineNs;
    timer->intervalNs = intervalNs;
    timer->isArmed = 1;
    moveSlot(timer->slot, deadlineNs);
    const struct ClockReading clock = readClock();
    if (deadlineNs <= clock.nowNs) {
        setOff(timer, &clock);
    } else {
        setAnew(timer, &clock);
    }
    return true;
}

/* Whether it was ever made with a wall clock is not remembered: an absolute time within 10 years of
 * the monotonic base is one of that clock. */
static int64_t absoluteDeadline(const struct timespec* time)
{
    const int64_t ns = nsOf(time);
    const int64_t tenYearsNs = kSecondNs * 86400 * 3652;
    const bool wall = ns - clockPage->monotonicBaseNs > tenYearsNs;
    return ns == kNever ? kNever
                        : ns - (wall ? clockPage->realtimeBaseNs : clockPage->monotonicBaseNs);
}

static void forget(int file)
{
    struct Timer* timer = findTimer(file);
    if (timer != NULL) {
        disarm(timer);
    }
}

VCLOCK_EXPORT int timerfd_settime(int file, int flags, const struct itimerspec* span,
                                  struct itimerspec* before)
{
    const bool ours = vclockOn() && shelf != NULL && isWakerRunning()
                      && isValidTime(&span->it_value) && isValidTime(&span->it_interval);
    if (!ours) {
        return real.timerfd_settime(file, flags, span, before);
    }
    if (before != NULL && timerfd_gettime(file, before) != 0) {
        return -1;
    }
    const int64_t first = nsOf(&span->it_value);
    pthread_mutex_lock(&shelf->mutex);
    bool armed = first != 0 && setKernelTimer(file, 0, 0) == 0;
    if (armed) {
        const bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
        armed = arm(file,
                    absolute ? absoluteDeadline(&span->it_value) : addNs(readClock().nowNs, first),
                    nsOf(&span->it_interval));
    } else {
        forget(file);
    }
    pthread_mutex_unlock(&shelf->mutex);
    return armed ? 0 : real.timerfd_settime(file, flags, span, NULL);
}

VCLOCK_EXPORT int timerfd_gettime(int file, struct itimerspec* left)
{
    const int result = real.timerfd_gettime(file, left);
    if (result != 0 || !vclockOn() || shelf == NULL || shelf->armedCount == 0) {
        return result;
    }
    pthread_mutex_lock(&shelf->mutex);
    const struct Timer* timer = findTimer(file);
    if (timer != NULL) {
        const int64_t ns = timer->deadlineNs - readClock().nowNs;
        left->it_value = timespecOf(ns > 0 ? ns : 1);
        left->it_interval = timespecOf(timer->intervalNs);
    }
    pthread_mutex_unlock(&shelf->mutex);
    return result;
}

VCLOCK_EXPORT int close(int file)
{
    if (vclockOn() && shelf != NULL && shelf->armedCount != 0) {
        pthread_mutex_lock(&shelf->mutex);
        forget(file);
        pthread_mutex_unlock(&shelf->mutex);
    }
    return real.close(file);
}
