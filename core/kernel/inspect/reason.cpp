#include "core/kernel/inspect/reason.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <array>

namespace lockscope::inspect {

namespace {

constexpr auto kReasonCount = static_cast<std::size_t>(Reason::ReasonCount);

static_assert(reasonOf(Flag::NoExpiry) == Reason::NoExpiry);
static_assert(reasonOf(Flag::ProbablyData) == Reason::ProbablyData);
static_assert(static_cast<int>(Flag::FlagCount) == static_cast<int>(Reason::ProbablyData) + 1);

/// In the order of the enumeration. Severity 2: nothing but a human ends it. 1: it ends by itself,
/// or may be meant. 0: it keeps no lock stuck.
constexpr std::array<ReasonInfo, kReasonCount> kReasons{{
    {.reason = Reason::NoExpiry,
     .id = "no-expiry",
     .severity = 2,
     .text = QT_TRANSLATE_NOOP("KernelText", "no expiry"),
     .doubt = QT_TRANSLATE_NOOP("KernelText", "May be wrong if it is removed manually on purpose."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Make sure that its holder is gone, then release it. Acquire it with an expiry from now "
         "on: SET key token NX PX milliseconds, in one command.")},
    {.reason = Reason::Stale,
     .id = "stale",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "its own timestamp has passed"),
     .doubt = QT_TRANSLATE_NOOP("KernelText",
                                "May be wrong if the writer's clock is behind the server's."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Nothing, where its clients take over expired locks: the next one does. Otherwise "
         "compare the clocks of the clients with the server's, then release it.")},
    {.reason = Reason::CountOnlyGrows,
     .id = "count-only-grows",
     .severity = 2,
     .text = QT_TRANSLATE_NOOP("KernelText", "hold count only grows"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if the holds are really nested that deep, or if releases happened "
         "between two looks."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Look for a path in the program of its holder that acquires the lock and returns or fails "
         "without releasing it. A release from here ends all of its holds at once."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether its hold count ever shrinks")},
    {.reason = Reason::RenewedForever,
     .id = "renewed-forever",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "renewed forever"),
     .doubt = QT_TRANSLATE_NOOP("KernelText", "May be wrong if the job is meant to run this long."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Its process is alive and its timer renews the lock: look whether the work behind it "
         "still goes on. Where it hangs, restart the process; after a release alone the timer may "
         "create the lock again."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether it is being renewed")},
    {.reason = Reason::Minority,
     .id = "minority",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "minority leftover"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong while an attempt to acquire it is in progress, or while a server "
         "cannot be read."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Release what is left on these servers, or wait until it expires. A client that fails to "
         "get a majority should release on all servers, also on those that did not answer."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether a majority of the servers has it")},
    {.reason = Reason::SplitOwners,
     .id = "split-owners",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "split owners"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText", "May be wrong for a moment while several clients try to acquire it."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Wait for the leases to end. If it happens often, let the clients wait a random time "
         "between their attempts.")},
    {.reason = Reason::ReadAndWrite,
     .id = "read-and-write",
     .severity = 2,
     .text = QT_TRANSLATE_NOOP("KernelText", "readers and a writer"),
     .doubt = QT_TRANSLATE_NOOP("KernelText",
                                "May be wrong if another program uses a key with the same name."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Treat what the lock protects as possibly damaged, then release the hold whose work is "
         "over.")},
    {.reason = Reason::MissingExpiryOfReader,
     .id = "reader-no-expiry",
     .severity = 2,
     .text = QT_TRANSLATE_NOOP("KernelText", "a key without expiry"),
     .doubt = QT_TRANSLATE_NOOP("KernelText",
                                "May be wrong if that key is removed manually on purpose."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Make sure that its holder is gone, then release it, and set the expiry of every key in "
         "the command or script that creates it.")},
    {.reason = Reason::HolderGone,
     .id = "holder-gone",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "holder is gone"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if the client reconnected from another port, or through a proxy."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Look whether its process still runs, on the host of its address. If it does not, release "
         "the lock."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether its holder is still connected")},
    {.reason = Reason::AtRisk,
     .id = "at-risk",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "at risk in a failover"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText", "May be wrong if a replica received it in the last moment: masters tell "
                       "that once a second."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Expect that another client may acquire it after the failover while its holder goes on. "
         "Where that must not happen, check a fencing token at the resource."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether a replica has it")},
    {.reason = Reason::Deadlock,
     .id = "deadlock",
     .severity = 2,
     .text = QT_TRANSLATE_NOOP("KernelText", "deadlock"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if a waiter gives up soon, or if two programs use the same owner token."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Release one of these locks once its holder is stopped: the others go on by themselves. "
         "Then let the programs acquire these locks in the same order everywhere.")},
    {.reason = Reason::AbsurdLease,
     .id = "absurd-lease",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "absurdly long lease"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if the key marks that something is done, and is meant to stay that long."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Check the unit of the expiry where the lock is acquired: milliseconds or nanoseconds are "
         "often given where seconds are expected. If its holder is gone, release the lock.")},
    {.reason = Reason::GrowingLease,
     .id = "growing-lease",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "lease grows"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if its holder asks for more time on purpose, as the work turns out longer."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Let a renewal set the time to live instead of adding to what is left: PEXPIRE key lease. "
         "The longer the lease has grown, the longer a crash of its holder blocks other clients."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether its lease grows")},
    {.reason = Reason::SilentPastUsual,
     .id = "silent-past-usual",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "held longer than usual"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText", "May be wrong if this run has more to do than those that were watched."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Look what its holder is doing: it may hang, or have died. Release the lock once the work "
         "is known to be over."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "how long it is usually held")},
    {.reason = Reason::DeadReaders,
     .id = "dead-readers",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "dead readers"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong for a moment while a reader leaves, and with libraries that keep no lease "
         "for each reader."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Release the hold of that reader alone. While other readers renew the lock, nothing else "
         "removes it, and writers wait.")},
    {.reason = Reason::SilentQueueHead,
     .id = "silent-queue-head",
     .severity = 1,
     .text = QT_TRANSLATE_NOOP("KernelText", "next in the queue is silent"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong for a moment: a waiter joins the queue before it begins to listen."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Wait until its place in the queue times out, or remove it from the queue. Until then a "
         "release wakes nobody.")},
    {.reason = Reason::ProbablyData,
     .id = "probably-data",
     .severity = 0,
     .text = QT_TRANSLATE_NOOP("KernelText", "probably data"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if a program writes its locks like this: check who writes the key."),
     .remedy = QT_TRANSLATE_NOOP("KernelText",
                                 "Do not release it. If it is a lock, say so: treat its name as a "
                                 "lock of some format.")},
    {.reason = Reason::LeaseTooShort,
     .id = "lease-too-short",
     .severity = 0,
     .text = QT_TRANSLATE_NOOP("KernelText", "lease shorter than the holds"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "May be wrong if the lock is meant to run out, as a rate limit is, or if the holders "
         "crashed."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Make the lease longer than the longest hold, or renew it while the work goes on. Work "
         "that goes on after the lease is not protected."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether its lease is long enough"),
     .isHazard = true},
    {.reason = Reason::Eviction,
     .id = "eviction",
     .severity = 0,
     .text = QT_TRANSLATE_NOOP("KernelText", "may be evicted"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "Not a reason to be stuck, but to vanish; it does no harm while the memory is never "
         "full."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Keep locks on a server with maxmemory-policy noeviction, apart from caches."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether the server may evict it"),
     .isHazard = true},
    {.reason = Reason::ClocksApart,
     .id = "clocks-apart",
     .severity = 0,
     .text = QT_TRANSLATE_NOOP("KernelText", "clocks of the set apart"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "A constant difference does no harm to a lease; a clock that is being corrected "
         "shortens or lengthens those under way."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Let an NTP daemon keep the clocks of the servers, and let it slew them instead of "
         "setting them."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether the clocks of the set agree"),
     .isHazard = true},
    {.reason = Reason::ReplicaLag,
     .id = "replica-lag",
     .severity = 0,
     .text = QT_TRANSLATE_NOOP("KernelText", "replica lags behind"),
     .doubt = QT_TRANSLATE_NOOP(
         "KernelText",
         "Not a reason to be stuck; it does harm when that replica becomes the master."),
     .remedy = QT_TRANSLATE_NOOP(
         "KernelText",
         "Find out why that replica does not answer before a failover makes it the master: the "
         "locks of that time would be unknown to it."),
     .unknown = QT_TRANSLATE_NOOP("KernelText", "whether a failover would lose it"),
     .isHazard = true},
}};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kReasonCount; ++i) {
        if (kReasons[i].reason != static_cast<Reason>(i)) {
            return false;
        }
    }
    return true;
}
static_assert(isInOrder());

} // namespace

const ReasonInfo& infoOf(Reason reason)
{
    return kReasons.at(static_cast<std::size_t>(reason));
}

const ReasonInfo& infoOf(Flag flag)
{
    return infoOf(reasonOf(flag));
}

std::span<const ReasonInfo> allReasons()
{
    return kReasons;
}

std::optional<Flag> flagOf(Reason reason)
{
    const auto index = static_cast<std::size_t>(reason);
    return index < static_cast<std::size_t>(Flag::FlagCount)
               ? std::optional(static_cast<Flag>(index))
               : std::nullopt;
}

} // namespace lockscope::inspect
