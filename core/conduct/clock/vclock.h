#pragma once

#include "core/conduct/clock/clock_page.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* What the files of the preloaded library share. Read vclock.c first. */

#define VCLOCK_EXPORT __attribute__((visibility("default")))

#define kNever INT64_MAX
#define kSecondNs INT64_C(1000000000)

typedef LOCKSCOPE_SHARED(int) AtomicInt;
typedef LOCKSCOPE_SHARED(uint32_t) AtomicWord;

/* The functions that ours stand before. */
#define VCLOCK_REAL_FUNCTIONS(X)                                                                   \
    X(clock_gettime)                                                                               \
    X(clock_nanosleep)                                                                             \
    X(poll)                                                                                        \
    X(ppoll)                                                                                       \
    X(select)                                                                                      \
    X(pselect)                                                                                     \
    X(epoll_wait)                                                                                  \
    X(epoll_pwait)                                                                                 \
    X(epoll_pwait2)                                                                                \
    X(pthread_cond_timedwait)                                                                      \
    X(pthread_cond_clockwait)                                                                      \
    X(pthread_cond_destroy)                                                                        \
    X(pthread_mutex_timedlock)                                                                     \
    X(pthread_mutex_clocklock)                                                                     \
    X(sem_timedwait)                                                                               \
    X(sem_clockwait)                                                                               \
    X(sigtimedwait)                                                                                \
    X(timerfd_settime)                                                                             \
    X(timerfd_gettime)                                                                             \
    X(close)                                                                                       \
    X(dlopen)                                                                                      \
    X(syscall)

#define VCLOCK_MEMBER(name) __typeof__(&name) name;
struct RealFunctions {
    VCLOCK_REAL_FUNCTIONS(VCLOCK_MEMBER)
};
extern struct RealFunctions real;

/* The page; null when there is none, and then everything is passed through. */
extern struct LockscopeClockPage* clockPage;
extern AtomicInt vclockState;
void startVclock(void);

/* Whether the virtual clock rules. The first call of all finds the real functions and the page. */
static inline bool vclockOn(void)
{
    if (__builtin_expect(vclockState != 2, 0)) {
        startVclock();
    }
    return clockPage != NULL;
}

/* ---- time ---- */

struct ClockReading {
    int64_t nowNs; /* virtual, since the base */
    bool flows;
    uint32_t changes; /* of the page, when it was read */
};
struct ClockReading readClock(void);
int64_t realMonotonicNs(void);

/* What a clock shows at virtual time 0. False for the clocks that stay real: those of processes and
 * threads. */
bool baseOfClock(clockid_t clock, int64_t* baseNs);

int64_t nsOf(const struct timespec* time); /* saturates at kNever */
struct timespec timespecOf(int64_t ns);
static inline int64_t addNs(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? kNever : sum;
}
static inline bool isValidTime(const struct timespec* time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < kSecondNs;
}
/* Virtual time of a deadline on a clock of the caller's. */
bool deadlineOf(clockid_t clock, const struct timespec* time, int64_t* deadlineNs);

/* A system call past libc and past our own syscall(): -errno on failure. */
long rawCall(long number, long a, long b, long c, long d, long e, long f);
/* Waits while the word is what was expected, at most so long. 0 or -errno. */
long waitOnWord(AtomicWord* word, uint32_t expected, int64_t atMostNs, bool shared);

/* Memory that a forked child finds zero; null when there is none. */
void* forgottenOnFork(size_t size);

/* ---- waits ---- */

/* A timed wait of this thread. With cleanup(endWait) it ends also where the thread is cancelled. */
struct Wait {
    enum LockscopeWaitKind kind;
    int64_t deadlineNs;
    int slot;                  /* of the page; -1: all were taken */
    bool canBeWoken;           /* the waker looks after it; otherwise the wait is cut into slices */
    bool wasWoken;             /* at least once */
    bool signalIsOpen;         /* endWait has to block the waker's signal again */
    sigset_t mask;             /* of the thread, with the waker's signal unblocked */
    struct ClockReading clock; /* the latest reading */
};
void beginWait(struct Wait* wait, enum LockscopeWaitKind kind, int64_t deadlineNs,
               pthread_cond_t* condition);
void endWait(struct Wait* wait);

/* Reads the clock: whether the deadline has passed. */
bool isDue(struct Wait* wait);
/* How long the real wait may take by the latest reading, in real nanoseconds; kNever: until it is
 * woken. */
int64_t realLimit(const struct Wait* wait);
/* The same for a call that takes null for no end. */
struct timespec* limitOf(const struct Wait* wait, struct timespec* place);
/* The same as an instant of the real monotonic clock, never further than a year away. */
struct timespec realLimitInstant(const struct Wait* wait);
/* Whether the waker has disturbed the wait since the last call. */
bool takeWake(const struct Wait* wait);

#define VCLOCK_WAIT(name) struct Wait name __attribute__((cleanup(endWait)))

/* ---- the waker: one thread of this process that ends what has become due (waker.c) ---- */

#define kWakeSignal (SIGRTMAX - 3)
bool isWakerRunning(void); /* starts it if need be */
void enlist(struct Wait* wait, pthread_cond_t* condition);
void strike(struct Wait* wait);
/* Tells the waker by which reading of the clock this wait goes on. */
void noteReading(const struct Wait* wait);

/* A slot for what is no thread's wait; -1 when all are taken. */
int holdSlot(enum LockscopeWaitKind kind, int64_t deadlineNs);
void moveSlot(int slot, int64_t deadlineNs);
void leaveSlot(int slot);

void setOffTimers(void);
