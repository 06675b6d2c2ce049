#include "core/conduct/clock/vclock.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <string.h>

/* A wait that was woken before it had quite begun is woken again, after these pauses. */
#define kFirstPauseNs INT64_C(50000)
#define kLastPauseNs INT64_C(5000000)
#define kWakerStack (256 * 1024)

/* What the waker knows of the wait in the slot with the same number. */
struct Record {
    pthread_mutex_t mutex;
    AtomicWord kind;           /* LockscopeWaitNone: nobody waits */
    AtomicWord changes;        /* of the page when the wait last reckoned its limit */
    AtomicInt tid, wakes;      /* wakes: in this wait */
    pthread_cond_t* condition; /* behind the mutex */
    LOCKSCOPE_SHARED(int64_t) deadlineNs;
};

enum WakerState { WakerNone, WakerStarts, WakerRuns, WakerFailed };

/* All zero, so that every mutex is free; again so in a forked child, which has neither the waker
 * nor its parent's waits. */
struct Process {
    AtomicInt state, pid;
    AtomicInt recordCount; /* records from here on were never used */
    struct Record records[LOCKSCOPE_CLOCK_SLOTS];
};
static struct Process* process;

static bool isCondition(const struct Record* record)
{
    return record->kind == LockscopeWaitCondition;
}

/* Behind the mutex. */
static void disturb(struct Record* record)
{
    atomic_fetch_add(&record->wakes, 1);
    if (isCondition(record)) {
        pthread_cond_broadcast(record->condition);
    } else {
        rawCall(SYS_tgkill, process->pid, record->tid, kWakeSignal, 0, 0, 0);
    }
}

static bool needsWake(const struct Record* record, const struct ClockReading* clock)
{
    return record->kind != LockscopeWaitNone
           && (record->deadlineNs <= clock->nowNs || record->changes != clock->changes);
}

static bool wakeWhatIsDue(void)
{
    const struct ClockReading clock = readClock();
    const int count = process->recordCount;
    bool any = false;
    for (int i = 0; i < count; ++i) {
        struct Record* record = &process->records[i];
        if (!needsWake(record, &clock)) {
            continue;
        }
        pthread_mutex_lock(&record->mutex);
        if (needsWake(record, &clock)) {
            disturb(record);
            any = true;
        }
        pthread_mutex_unlock(&record->mutex);
    }
    return any;
}

static void* runWaker(void* unused)
{
    prctl(PR_SET_NAME, "lockscope-clock");
    prctl(PR_SET_TIMERSLACK, 1000);
    int64_t pause = kFirstPauseNs;
    uint32_t before = clockPage->epoch;
    for (;;) {
        const uint32_t epoch = clockPage->epoch;
        const bool any = wakeWhatIsDue();
        setOffTimers();
        pause = !any || epoch != before ? kFirstPauseNs : pause < kLastPauseNs ? pause * 2 : pause;
        before = epoch;
        waitOnWord(&clockPage->epoch, epoch, any ? pause : kNever, true);
    }
    return unused;
}

/* Whether the waker's signal has interrupted this thread since it last asked: what else interrupts
 * is the program's. */
static __thread volatile sig_atomic_t wasInterrupted;

static void noteSignal(int signal)
{
    (void)signal;
    wasInterrupted = 1;
}

static bool makeThread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, kWakerStack);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool made = pthread_create(&thread, &attributes, runWaker, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

static void startWaker(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = noteSignal;
    action.sa_flags = SA_RESTART;
    sigaction(kWakeSignal, &action, NULL);
    process->pid = (int)rawCall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    process->state = makeThread() ? WakerRuns : WakerFailed;
}

void* forgottenOnFork(size_t size)
{
    void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (madvise(memory, size, MADV_WIPEONFORK) != 0) {
        munmap(memory, size);
        return NULL;
    }
    return memory;
}

__attribute__((constructor)) static void prepareProcess(void)
{
    process = forgottenOnFork(sizeof(struct Process));
}

bool isWakerRunning(void)
{
    if (process == NULL) {
        return false;
    }
    int none = WakerNone;
    if (process->state == WakerNone
        && atomic_compare_exchange_strong(&process->state, &none, WakerStarts)) {
        startWaker();
    }
    return process->state == WakerRuns;
}

static void countRecords(int atLeast)
{
    int count = process->recordCount;
    while (count < atLeast
           && !atomic_compare_exchange_weak(&process->recordCount, &count, atLeast)) {}
}

void enlist(struct Wait* wait, pthread_cond_t* condition)
{
    if (!isWakerRunning()) {
        return;
    }
    struct Record* record = &process->records[wait->slot];
    record->tid = clockPage->slots[wait->slot].tid;
    record->wakes = 0;
    record->condition = condition;
    record->deadlineNs = wait->deadlineNs;
    record->changes = clockPage->changes;
    countRecords(wait->slot + 1);
    record->kind = wait->kind; /* last: from here on the waker may act */
    wait->canBeWoken = true;
}

void strike(struct Wait* wait)
{
    if (!wait->canBeWoken) {
        return;
    }
    struct Record* record = &process->records[wait->slot];
    pthread_mutex_lock(&record->mutex);
    record->kind = LockscopeWaitNone;
    wait->wasWoken = record->wakes != 0;
    pthread_mutex_unlock(&record->mutex);
}

void noteReading(const struct Wait* wait)
{
    if (wait->canBeWoken) {
        process->records[wait->slot].changes = wait->clock.changes;
    }
}

bool takeWake(const struct Wait* wait)
{
    if (!wait->canBeWoken) {
        return false;
    }
    if (wait->kind == LockscopeWaitCondition) {
        return process->records[wait->slot].wakes != 0;
    }
    const bool was = wasInterrupted != 0;
    wasInterrupted = 0;
    return was;
}

/* Whoever was in it has been woken, or it could not be destroyed; the waker must not touch it any
 * more. */
VCLOCK_EXPORT int pthread_cond_destroy(pthread_cond_t* condition)
{
    if (vclockOn() && process != NULL) {
        const int count = process->recordCount;
        for (int i = 0; i < count; ++i) {
            struct Record* record = &process->records[i];
            if (isCondition(record) && record->condition == condition) {
                pthread_mutex_lock(&record->mutex);
                if (record->condition == condition && isCondition(record)) {
                    record->kind = LockscopeWaitNone;
                }
                pthread_mutex_unlock(&record->mutex);
            }
        }
    }
    return real.pthread_cond_destroy(condition);
}
