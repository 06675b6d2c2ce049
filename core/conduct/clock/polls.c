#include "core/conduct/clock/vclock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All polls are the same loop around a real one that the waker's signal can end. */
static int millisecondsOf(const struct Wait* wait)
{
    const int64_t limit = realLimit(wait);
    if (limit == kNever) {
        return -1;
    }
    const int64_t ms = (limit + 999999) / 1000000;
    return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

/* What a real poll has said: whether that is the answer, or whether it was ended to look at the
 * clock. */
static bool isAnswer(struct Wait* wait, int result)
{
    if (result > 0) {
        return true;
    }
    if (result < 0 && errno != EINTR) {
        return true;
    }
    const bool woken = takeWake(wait);
    return result < 0 && !woken && !isDue(wait);
}

static const sigset_t* maskOf(struct Wait* wait, const sigset_t* asked, sigset_t* place)
{
    if (asked == NULL) {
        return &wait->mask;
    }
    *place = *asked;
    sigdelset(place, kWakeSignal);
    return place;
}

static int64_t deadlineAfter(int64_t ns)
{
    return addNs(readClock().nowNs, ns);
}

static int pollUntil(struct pollfd* fds, nfds_t count, int64_t deadlineNs, const sigset_t* asked)
{
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitPoll, deadlineNs, NULL);
    sigset_t place;
    const sigset_t* mask = maskOf(&wait, asked, &place);
    const struct timespec none = {0, 0};
    for (;;) {
        struct timespec limit;
        const bool last = isDue(&wait);
        const int result = real.ppoll(fds, count, last ? &none : limitOf(&wait, &limit), mask);
        if (last || isAnswer(&wait, result)) {
            return last && result < 0 && errno == EINTR ? 0 : result;
        }
    }
}

VCLOCK_EXPORT int poll(struct pollfd* fds, nfds_t count, int timeoutMs)
{
    if (!vclockOn() || timeoutMs <= 0) {
        return real.poll(fds, count, timeoutMs);
    }
    return pollUntil(fds, count, deadlineAfter((int64_t)timeoutMs * 1000000), NULL);
}
extern __typeof__(poll) __poll VCLOCK_EXPORT __attribute__((alias("poll")));

static bool isTimed(const struct timespec* timeout)
{
    return timeout != NULL && isValidTime(timeout) && nsOf(timeout) > 0;
}

VCLOCK_EXPORT int ppoll(struct pollfd* fds, nfds_t count, const struct timespec* timeout,
                        const sigset_t* mask)
{
    if (!vclockOn() || !isTimed(timeout)) {
        return real.ppoll(fds, count, timeout, mask);
    }
    return pollUntil(fds, count, deadlineAfter(nsOf(timeout)), mask);
}

/* What poll and ppoll are called in programs compiled with _FORTIFY_SOURCE. */
int __poll_chk(struct pollfd* fds, nfds_t count, int timeoutMs, size_t size);
int __ppoll_chk(struct pollfd* fds, nfds_t count, const struct timespec* timeout,
                const sigset_t* mask, size_t size);

VCLOCK_EXPORT int __poll_chk(struct pollfd* fds, nfds_t count, int timeoutMs, size_t size)
{
    if (size / sizeof *fds < count) {
        abort();
    }
    return poll(fds, count, timeoutMs);
}

VCLOCK_EXPORT int __ppoll_chk(struct pollfd* fds, nfds_t count, const struct timespec* timeout,
                              const sigset_t* mask, size_t size)
{
    if (size / sizeof *fds < count) {
        abort();
    }
    return ppoll(fds, count, timeout, mask);
}

/* The sets of a select; a real one that runs into its limit empties them. */
struct Sets {
    fd_set *read, *write, *except;
};

static void copySet(fd_set* to, const fd_set* from, size_t size)
{
    if (to != NULL && from != NULL) {
        memcpy(to, from, size);
    }
}

static void copySets(const struct Sets* to, const struct Sets* from, size_t size)
{
    copySet(to->read, from->read, size);
    copySet(to->write, from->write, size);
    copySet(to->except, from->except, size);
}

static int selectUntil(int count, const struct Sets* sets, struct Wait* wait, const sigset_t* asked)
{
    const size_t size = ((size_t)count + 63) / 64 * 8;
    unsigned char kept[3][size + 1]; /* a set of 1024 has 128 bytes */
    const struct Sets copies = {(fd_set*)kept[0], (fd_set*)kept[1], (fd_set*)kept[2]};
    copySets(&copies, sets, size);
    sigset_t place;
    const sigset_t* mask = maskOf(wait, asked, &place);
    const struct timespec none = {0, 0};
    for (;;) {
        struct timespec limit;
        const bool last = isDue(wait);
        const int result = real.pselect(count, sets->read, sets->write, sets->except,
                                        last ? &none : limitOf(wait, &limit), mask);
        const bool interrupted = result < 0 && errno == EINTR;
        if ((last && !interrupted) || (!last && isAnswer(wait, result))) {
            return result;
        }
        copySets(sets, &copies, size);
    }
}

VCLOCK_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                          const struct timespec* timeout, const sigset_t* mask)
{
    if (!vclockOn() || !isTimed(timeout) || count < 0 || count > 65536) {
        return real.pselect(count, read, write, except, timeout, mask);
    }
    const struct Sets sets = {read, write, except};
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitPoll, deadlineAfter(nsOf(timeout)), NULL);
    return selectUntil(count, &sets, &wait, mask);
}

static void showLeft(struct timeval* timeout, int64_t deadlineNs)
{
    const int64_t left = deadlineNs - readClock().nowNs;
    timeout->tv_sec = left > 0 ? left / kSecondNs : 0;
    timeout->tv_usec = left > 0 ? left % kSecondNs / 1000 : 0;
}

VCLOCK_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except,
                         struct timeval* timeout)
{
    if (!vclockOn() || timeout == NULL || timeout->tv_sec < 0 || timeout->tv_usec < 0
        || (timeout->tv_sec == 0 && timeout->tv_usec == 0) || count < 0 || count > 65536) {
        return real.select(count, read, write, except, timeout);
    }
    const struct timespec asked = {timeout->tv_sec, 0};
    const int64_t deadlineNs = deadlineAfter(addNs(nsOf(&asked), (int64_t)timeout->tv_usec * 1000));
    const struct Sets sets = {read, write, except};
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitPoll, deadlineNs, NULL);
    const int result = selectUntil(count, &sets, &wait, NULL);
    showLeft(timeout, deadlineNs);
    return result;
}
extern __typeof__(select) __select VCLOCK_EXPORT __attribute__((alias("select")));

static int epollUntil(int epoll, struct epoll_event* events, int count, int64_t deadlineNs,
                      const sigset_t* asked)
{
    VCLOCK_WAIT(wait);
    beginWait(&wait, LockscopeWaitPoll, deadlineNs, NULL);
    sigset_t place;
    const sigset_t* mask = maskOf(&wait, asked, &place);
    for (;;) {
        const bool last = isDue(&wait);
        const int result = real.epoll_pwait(epoll, events, count, last ? 0 : millisecondsOf(&wait),
                                            mask);
        if (last || isAnswer(&wait, result)) {
            return last && result < 0 && errno == EINTR ? 0 : result;
        }
    }
}

VCLOCK_EXPORT int epoll_pwait(int epoll, struct epoll_event* events, int count, int timeoutMs,
                              const sigset_t* mask)
{
    if (!vclockOn() || timeoutMs <= 0) {
        return real.epoll_pwait(epoll, events, count, timeoutMs, mask);
    }
    return epollUntil(epoll, events, count, deadlineAfter((int64_t)timeoutMs * 1000000), mask);
}

VCLOCK_EXPORT int epoll_wait(int epoll, struct epoll_event* events, int count, int timeoutMs)
{
    return epoll_pwait(epoll, events, count, timeoutMs, NULL);
}

VCLOCK_EXPORT int epoll_pwait2(int epoll, struct epoll_event* events, int count,
                               const struct timespec* timeout, const sigset_t* mask)
{
    if (!vclockOn() || !isTimed(timeout)) {
        return real.epoll_pwait2(epoll, events, count, timeout, mask);
    }
    return epollUntil(epoll, events, count, deadlineAfter(nsOf(timeout)), mask);
}
