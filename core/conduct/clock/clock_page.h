#pragma once

#ifdef __cplusplus
#include <atomic>
#include <cstdint>
#define LOCKSCOPE_SHARED(type) std::atomic<type>
#else
#include <stdatomic.h>
#include <stdint.h>
#define LOCKSCOPE_SHARED(type) _Atomic(type)
#endif

/* The page is shared memory: a memfd whose size is sealed, opened through /proc/PID/fd of its
 * maker. One conductor makes it and writes the clock; the processes that it starts, which have
 * liblockscope-vclock.so in LD_PRELOAD and the page's path in LOCKSCOPE_CLOCK_PAGE, read the clock
 * and write the slots. C11 and C++20 see the same layout.
 *
 * Virtual time, in nanoseconds since the page was made:
 *     movedNs + (flows ? real monotonic clock - monotonicBaseNs : 0)
 * A process sees its wall clock show realtimeBaseNs plus that, its monotonic clocks monotonicBaseNs
 * plus that.
 *
 * Covered, on x86-64 and ARM64 with glibc 2.34 or later:
 *   - the time: clock_gettime (all but the CPU clocks), gettimeofday, time, timespec_get
 *   - sleeps: nanosleep, clock_nanosleep, usleep, sleep, thrd_sleep
 *   - polls: poll, ppoll, select, pselect, epoll_wait, epoll_pwait, epoll_pwait2, timerfd
 *   - conditions and locks: pthread_cond_timedwait, pthread_cond_clockwait, cnd_timedwait,
 *     sem_timedwait, sem_clockwait, pthread_mutex_timedlock, pthread_mutex_clocklock
 *   - sigtimedwait; syscall() with FUTEX_WAIT, FUTEX_WAIT_BITSET or SYS_clock_gettime
 *   - what is loaded later, with RTLD_DEEPBIND too (PHP's extensions), which is left out
 * So CPython, Node.js, the JVM, Ruby, PHP, C, C++ and Rust (linked with glibc) follow the clock;
 * tst_virtual_clock has what is tested. A wait without a time-out, or with one of 0, is passed
 * through and takes no slot.
 *
 * Not covered:
 *   - Go, other static programs, other libcs (musl), setuid programs: they load no library;
 *   - SO_RCVTIMEO and SO_SNDTIMEO, which the kernel counts (hiredis with a command time-out);
 *   - alarm, setitimer, timer_create (what Ruby switches threads with), pthread_rwlock_timed*,
 *     mq_timed*, pthread_timedjoin_np, semtimedop, aio_suspend, time-outs of io_uring;
 *   - what libc waits for inside itself: name resolution;
 *   - a relative sleep of 1 ms or less, on purpose: it is the back-off of a spin and takes real
 *     time. A JVM would need a move for each of them to reach a safepoint;
 *   - a program that spins on the clock without waiting: it needs a clock that flows;
 *   - a timerfd that was duplicated, or handed to a child; more than 64 of them.
 * A program has one thread more, "lockscope-clock", from its first timed wait on, and the signal
 * SIGRTMAX-3 is taken.
 *
 * Measured on 2 shared cores at loads of 7 to 12 (glibc 2.36, kernel 6.18), medians. From a move to
 * the answer of the client through a pipe: C and Python in sleep, poll, select, epoll, semaphore,
 * condition, futex 0.1 to 0.4 ms, asyncio 0.7; node 0.6 to 1.2; JVM 0.5 to 1; Ruby and PHP 0.2 to
 * 0.5; a mutex up to 1 ms more. One in ten took 3 to 10 ms there: the wait for a core. A hundred
 * waiting threads take no CPU time, frozen or flowing; at 1000 moves a second that end none of them
 * the process takes 1 % of a core.
 *
 * All of these runtimes start and run on a frozen clock, which is what makes runs alike. Only to
 * end by itself a JVM may need time: let the clock flow then, or kill it. */

#define LOCKSCOPE_CLOCK_PAGE_VARIABLE "LOCKSCOPE_CLOCK_PAGE"
#define LOCKSCOPE_CLOCK_MAGIC 0x4b4c4356u /* "VCLK" */
#define LOCKSCOPE_CLOCK_VERSION 1u
#define LOCKSCOPE_CLOCK_SLOTS 1024

/* What a thread waits in. */
enum LockscopeWaitKind {
    LockscopeWaitNone = 0,  /* the slot is free, or about to be taken or left */
    LockscopeWaitSleep = 1, /* nanosleep and its kin */
    LockscopeWaitPoll = 2,  /* poll, select, epoll; an armed timerfd */
    LockscopeWaitCondition = 3,
    LockscopeWaitSemaphore = 4, /* also a mutex with a deadline, and sigtimedwait */
    LockscopeWaitFutex = 5      /* syscall(SYS_futex) */
};

/* A thread in a timed wait. Whoever waits takes a slot by changing pid from 0 to its own, fills in
 * the rest and sets kind last; it leaves in the opposite order. An armed timerfd holds a slot
 * with tid 0. A slot of a process that was killed is cleared by the conductor. */
struct LockscopeWaitSlot {
    LOCKSCOPE_SHARED(int32_t) pid;
    LOCKSCOPE_SHARED(int32_t) tid;
    LOCKSCOPE_SHARED(uint32_t) kind;
    uint32_t unused;
    LOCKSCOPE_SHARED(int64_t) deadlineNs; /* virtual time since the base; INT64_MAX: never */
};

struct LockscopeClockPage {
    uint32_t magic, version;
    int64_t monotonicBaseNs, realtimeBaseNs; /* what the two clocks showed when the page was made */
    LOCKSCOPE_SHARED(int64_t) movedNs;       /* how far the conductor has moved the clock since */
    LOCKSCOPE_SHARED(uint32_t) flows;        /* 1: real time counts besides; 0: frozen */
    LOCKSCOPE_SHARED(uint32_t)
    epoch; /* futex word: one more after each change, then all are woken */
    LOCKSCOPE_SHARED(uint32_t)
    changes; /* odd while flows and movedNs are changed together; even otherwise */
    uint32_t unused;
    struct LockscopeWaitSlot slots[LOCKSCOPE_CLOCK_SLOTS];
};

#ifdef __cplusplus
static_assert(sizeof(LockscopeWaitSlot) == 24
              && sizeof(LockscopeClockPage) == 48 + 24 * LOCKSCOPE_CLOCK_SLOTS);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
#else
_Static_assert(sizeof(struct LockscopeClockPage) == 48 + 24 * LOCKSCOPE_CLOCK_SLOTS, "as in C++");
#endif
