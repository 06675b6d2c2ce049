#include "core/conduct/clock/vclock.h"

#include <sys/syscall.h>

/* Without the waker a wait looks at the clock this often. */
#define kSliceNs INT64_C(1000000)
#define kYearNs (kSecondNs * 86400 * 365)

static __thread int lastSlot = -1;
static __thread struct {
    int pid, tid;
} self;

static void knowYourself(void)
{
    const int pid = (int)rawCall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    if (self.pid != pid) { /* the first wait, or the first after a fork */
        self.pid = pid;
        self.tid = (int)rawCall(SYS_gettid, 0, 0, 0, 0, 0, 0);
        lastSlot = self.tid % LOCKSCOPE_CLOCK_SLOTS;
    }
}

static bool isPolling(enum LockscopeWaitKind kind)
{
    return kind == LockscopeWaitPoll || kind == LockscopeWaitSleep;
}

static int takeSlot(void)
{
    for (int i = 0; i < LOCKSCOPE_CLOCK_SLOTS; ++i) {
        const int at = (lastSlot + i) % LOCKSCOPE_CLOCK_SLOTS;
        int32_t free = 0;
        if (clockPage->slots[at].pid == 0
            && atomic_compare_exchange_strong(&clockPage->slots[at].pid, &free, self.pid)) {
            lastSlot = at;
            return at;
        }
    }
    return -1;
}

static int fillSlot(enum LockscopeWaitKind kind, int tid, int64_t deadlineNs)
{
    const int at = takeSlot();
    if (at >= 0) {
        struct LockscopeWaitSlot* slot = &clockPage->slots[at];
        slot->tid = tid;
        slot->deadlineNs = deadlineNs;
        slot->kind = kind;
    }
    return at;
}

int holdSlot(enum LockscopeWaitKind kind, int64_t deadlineNs)
{
    knowYourself();
    return fillSlot(kind, 0, deadlineNs);
}

void moveSlot(int slot, int64_t deadlineNs)
{
    if (slot >= 0) {
        clockPage->slots[slot].deadlineNs = deadlineNs;
    }
}

void leaveSlot(int slot)
{
    if (slot >= 0) {
        clockPage->slots[slot].kind = LockscopeWaitNone;
        clockPage->slots[slot].pid = 0;
    }
}

/* A poll, also a sleep, lets the signal through only while it waits, so that none is lost. The
 * others have no call for that; the waker repeats itself until they are gone. */
static void openForSignal(struct Wait* wait)
{
    sigset_t wake;
    sigemptyset(&wake);
    sigaddset(&wake, kWakeSignal);
    wait->signalIsOpen = !isPolling(wait->kind);
    pthread_sigmask(wait->signalIsOpen ? SIG_UNBLOCK : SIG_BLOCK, &wake, &wait->mask);
    sigdelset(&wait->mask, kWakeSignal);
}

void beginWait(struct Wait* wait, enum LockscopeWaitKind kind, int64_t deadlineNs,
               pthread_cond_t* condition)
{
    wait->kind = kind;
    wait->deadlineNs = deadlineNs;
    wait->canBeWoken = wait->wasWoken = wait->signalIsOpen = false;
    knowYourself();
    wait->slot = fillSlot(kind, self.tid, deadlineNs);
    if (kind != LockscopeWaitCondition) {
        openForSignal(wait);
    }
    if (wait->slot >= 0) {
        enlist(wait, condition);
    }
}

static void swallowSignal(void)
{
    sigset_t wake;
    sigemptyset(&wake);
    sigaddset(&wake, kWakeSignal);
    const struct timespec none = {0, 0};
    while (rawCall(SYS_rt_sigtimedwait, (long)&wake, 0, (long)&none, _NSIG / 8, 0, 0) > 0) {}
}

static void closeForSignal(struct Wait* wait)
{
    if (wait->signalIsOpen) {
        sigset_t wake;
        sigemptyset(&wake);
        sigaddset(&wake, kWakeSignal);
        pthread_sigmask(SIG_BLOCK, &wake, NULL);
        wait->signalIsOpen = false;
    }
    if (wait->wasWoken && wait->kind != LockscopeWaitCondition) {
        swallowSignal();
    }
}

void endWait(struct Wait* wait)
{
    if (wait->slot >= 0) {
        struct LockscopeWaitSlot* slot = &clockPage->slots[wait->slot];
        slot->kind = LockscopeWaitNone;
        strike(wait);
        slot->pid = 0;
    }
    closeForSignal(wait);
}

bool isDue(struct Wait* wait)
{
    wait->clock = readClock();
    noteReading(wait);
    return wait->clock.nowNs >= wait->deadlineNs;
}

int64_t realLimit(const struct Wait* wait)
{
    int64_t limit = kNever;
    if (wait->clock.flows && wait->deadlineNs != kNever) {
        limit = wait->deadlineNs - wait->clock.nowNs;
    }
    if (!wait->canBeWoken && limit > kSliceNs) {
        limit = kSliceNs;
    }
    return limit;
}

struct timespec* limitOf(const struct Wait* wait, struct timespec* place)
{
    const int64_t limit = realLimit(wait);
    if (limit == kNever) {
        return NULL;
    }
    *place = timespecOf(limit);
    return place;
}

struct timespec realLimitInstant(const struct Wait* wait)
{
    const int64_t limit = realLimit(wait);
    return timespecOf(realMonotonicNs() + (limit < kYearNs ? limit : kYearNs));
}
