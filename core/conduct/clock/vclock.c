/* liblockscope-vclock.so: the clock of unmodified programs, moved by a conductor.
 *
 * Preloaded (LD_PRELOAD) with the path of a clock page in LOCKSCOPE_CLOCK_PAGE, it stands before
 * the functions of libc that tell the time or wait for it; clock_page.h describes the page, what is
 * covered and what is not. Without the variable, or with one that names no page, all is passed
 * through.
 *
 * How a timed wait ends. The thread takes a slot of the page, writes its deadline there in virtual
 * time, reads the clock, and waits in the real function: without end while the clock stands, else
 * for the real time that is left. One thread of each process, the waker (waker.c, started by the
 * first such wait), sleeps on the page's epoch. After each change of the clock it looks at the
 * waits of its process and disturbs those that are due, and all when real time was switched on or
 * off:
 *   - polls, sleeps, semaphores, futexes and sigtimedwait by a real-time signal with a handler that
 * does nothing. It is blocked outside of waits; polls and sleeps let it through atomically (ppoll),
 * for the others the waker repeats it, 50 us later at first, until they are gone. The wait looks at
 * the clock then, and goes on or reports its time-out; an interruption by another signal is the
 * program's and is reported as such;
 *   - conditions by a broadcast, a spurious wake-up to all others that wait there, which POSIX
 * allows. So no signal is lost: who was signalled while it timed out reports the time-out, and all
 * the others look again;
 *   - timerfds by setting off the kernel's timer (timers.c).
 * pthread_mutex_timedlock cannot be disturbed: slices of a millisecond, as for all where there is
 * no waker (no thread to be had) or no slot (1024 are taken). A wait costs two to four system calls
 * more than without the library. No memory is allocated but for the waker's stack. After a fork the
 * child starts afresh (MADV_WIPEONFORK).
 *
 * The files: clocks.c, sleeps.c, polls.c, conditions.c, semaphores.c (with futexes and
 * sigtimedwait), timers.c: the functions. loading.c: what is loaded later. waits.c: the slots.
 * waker.c: the waker. Here: how it starts, and system calls past libc. */

#include "core/conduct/clock/vclock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>

struct RealFunctions real;
struct LockscopeClockPage* clockPage;
AtomicInt vclockState; /* 0: nothing done; 1: startVclock runs; 2: done */

/* Condition variables have an older version under the same name, for programs of 2002. */
static void* findReal(const char* name)
{
    static const char* const versions[] = {"GLIBC_2.3.2", "GLIBC_2.17"};
    if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0) {
        for (size_t i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
            void* found = dlvsym(RTLD_NEXT, name, versions[i]);
            if (found != NULL) {
                return found;
            }
        }
    }
    return dlsym(RTLD_NEXT, name);
}

static void findRealFunctions(void)
{
#define VCLOCK_FIND(name) real.name = (__typeof__(&name))findReal(#name);
    VCLOCK_REAL_FUNCTIONS(VCLOCK_FIND)
#undef VCLOCK_FIND
}

static bool isUsable(const struct LockscopeClockPage* page)
{
    return page->magic == LOCKSCOPE_CLOCK_MAGIC && page->version == LOCKSCOPE_CLOCK_VERSION;
}

static struct LockscopeClockPage* mapPage(const char* path)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    struct stat status;
    void* memory = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size >= (off_t)sizeof(struct LockscopeClockPage)) {
        memory = mmap(NULL, sizeof(struct LockscopeClockPage), PROT_READ | PROT_WRITE, MAP_SHARED,
                      file, 0);
    }
    close(file);
    return memory != MAP_FAILED && isUsable(memory) ? memory : NULL;
}

static void complain(const char* path)
{
    static const char before[] = "liblockscope-vclock: real time rules, this is no clock page: ";
    (void)!write(STDERR_FILENO, before, sizeof before - 1);
    (void)!write(STDERR_FILENO, path, strlen(path));
    (void)!write(STDERR_FILENO, "\n", 1);
}

__attribute__((constructor)) void startVclock(void)
{
    int untouched = 0;
    if (!atomic_compare_exchange_strong(&vclockState, &untouched, 1)) {
        return;
    }
    findRealFunctions();
    const char* path = getenv(LOCKSCOPE_CLOCK_PAGE_VARIABLE);
    if (path != NULL && path[0] != '\0') {
        clockPage = mapPage(path);
        if (clockPage == NULL) {
            complain(path);
        }
    }
    vclockState = 2;
}

#if defined(__x86_64__)
long rawCall(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
long rawCall(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#else
#error "the clock of other processors than x86-64 and ARM64 has never been tried"
#endif

long waitOnWord(AtomicWord* word, uint32_t expected, int64_t atMostNs, bool shared)
{
    /* Always with a limit: a wait without one is begun anew after a signal, unseen. */
    static const int64_t yearNs = kSecondNs * 86400 * 365;
    const struct timespec limit = timespecOf(atMostNs < yearNs ? atMostNs : yearNs);
    return rawCall(SYS_futex, (long)word, FUTEX_WAIT | (shared ? 0 : FUTEX_PRIVATE_FLAG),
                   (long)expected, (long)&limit, 0, 0);
}
