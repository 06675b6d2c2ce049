#include "core/kernel/diagnosis/hygiene.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/watch/hold_history.h"
#include "core/kernel/inspect/watch/lease_growth.h"
#include "core/kernel/report/wording.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lockscope::diagnosis {

using inspect::LockPtr;
using inspect::LockRecord;

namespace {

constexpr auto kWeaknessCount = static_cast<std::size_t>(Weakness::WeaknessCount);
constexpr std::size_t kExamplesMax = 3;
/// A token of fewer bytes is no random one.
constexpr std::size_t kTokenBytesMin = 8;

/// In the order of the enumeration.
constexpr std::array<WeaknessInfo, kWeaknessCount> kWeaknesses{{
    {Weakness::WithoutExpiry, "locks-without-expiry",
     QT_TRANSLATE_NOOP("KernelText", "Locks without expiry"),
     QT_TRANSLATE_NOOP("KernelText",
                       "The first holder that crashes leaves a lock that nobody can acquire until "
                       "a human deletes it."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Acquire with SET key token NX PX milliseconds, in one command: with EXPIRE "
                       "as a second command, a crash in between leaves such a lock as well."),
     "setnx-no-expiry", "crash"},
    {Weakness::SameValue, "same-value",
     QT_TRANSLATE_NOOP("KernelText", "Locks whose value tells no hold from the next"),
     QT_TRANSLATE_NOOP("KernelText",
                       "A holder that is late releases the lock of the next one, because it cannot "
                       "see that the lock is no longer its own."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Write a new random token for every hold, and release with a script that "
                       "compares it."),
     "set-nx-ex", "pause"},
    {Weakness::ShortLeases, "short-leases",
     QT_TRANSLATE_NOOP("KernelText", "Leases shorter than the holds"),
     QT_TRANSLATE_NOOP("KernelText",
                       "The lease ends while its holder still works, and another client works at "
                       "the same time."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Make the leases longer than the longest hold, renew them while the work "
                       "goes on, and give what the lock protects a fencing token."),
     "set-nx-px-token", "pause"},
    {Weakness::AbsurdLeases, "absurd-leases",
     QT_TRANSLATE_NOOP("KernelText", "Leases that are absurdly long, or grow"),
     QT_TRANSLATE_NOOP("KernelText",
                       "A holder that crashes blocks other clients as if the lock had no expiry."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Check the unit of the expiry where the lock is acquired, and let a renewal "
                       "set the time to live instead of adding to what is left."),
     "setnx-no-expiry", "crash"},
    {Weakness::DataAmongLocks,
     "data-among-locks",
     QT_TRANSLATE_NOOP("KernelText", "Data under names of locks"),
     QT_TRANSLATE_NOOP("KernelText",
                       "A script that tidies up locks by their names deletes data, and a lock that "
                       "has the name of data fails to be acquired."),
     QT_TRANSLATE_NOOP(
         "KernelText",
         "Give locks a prefix that no data has, such as lock:, and say of other names "
         "what they are: lockscope-cli treat PATTERN --not-a-lock."),
     {},
     {}},
    {Weakness::Evicts, "evicts-keys",
     QT_TRANSLATE_NOOP("KernelText", "The server may throw locks away"),
     QT_TRANSLATE_NOOP("KernelText",
                       "When its memory is full, a lock vanishes while it is held, and another "
                       "client acquires it."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Keep locks on a server with maxmemory-policy noeviction, apart from "
                       "caches."),
     "set-nx-px-token", "eviction"},
    {Weakness::ForgetsOnRestart, "forgets-on-restart",
     QT_TRANSLATE_NOOP("KernelText", "A restart forgets locks"),
     QT_TRANSLATE_NOOP(
         "KernelText",
         "After a crash of the server the locks that were granted last are gone while "
         "their holders still work."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Set appendonly yes and appendfsync always, or let a server that crashed "
                       "stay down for longer than the longest lease."),
     "set-nx-px-token", "server-restart"},
    {Weakness::AsyncFailover, "async-failover",
     QT_TRANSLATE_NOOP("KernelText", "A failover may lose locks"),
     QT_TRANSLATE_NOOP(
         "KernelText",
         "Replication is asynchronous: a replica that becomes the master may not have "
         "the lock that was granted last, and grants it again."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Give what the lock protects a fencing token, or use independent masters. "
                       "WAIT and min-replicas-to-write only make it rarer."),
     "set-nx-px-token", "failover"},
    {Weakness::ClocksOfSet, "clocks-apart",
     QT_TRANSLATE_NOOP("KernelText", "The clocks of the set are apart"),
     QT_TRANSLATE_NOOP("KernelText",
                       "A clock that is set forward ends leases before their time, and a second "
                       "client gets a majority."),
     QT_TRANSLATE_NOOP("KernelText",
                       "Let an NTP daemon keep the clocks of the servers, and let it slew them "
                       "instead of setting them."),
     "redlock", "clock-step"},
}};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < kWeaknessCount; ++i) {
        if (kWeaknesses[i].weakness != static_cast<Weakness>(i)) {
            return false;
        }
    }
    return true;
}
static_assert(isInOrder());

/// The locks of which something is true.
class Picked {
public:
    template<class Predicate>
    Picked(std::span<const LockPtr> locks, Predicate isPicked)
    {
        for (const LockPtr& lock : locks) {
            if (isPicked(*lock)) {
                m_names.push_back(lock->id.name);
                m_servers.push_back(lock->id.server);
            }
        }
        std::ranges::sort(m_names);
        std::ranges::sort(m_servers);
        m_servers.erase(std::unique(m_servers.begin(), m_servers.end()), m_servers.end());
        std::erase(m_servers, inspect::LockId::kWholeSet);
    }

    std::size_t count() const { return m_names.size(); }
    WeaknessFinding finding(Weakness weakness, int severity, std::string evidence) const
    {
        const std::size_t shown = std::min(m_names.size(), kExamplesMax);
        return {weakness,
                severity,
                m_servers,
                std::move(evidence),
                std::vector<Bytes>(m_names.begin(),
                                   m_names.begin() + static_cast<std::ptrdiff_t>(shown)),
                {}};
    }

private:
    std::vector<Bytes> m_names;
    std::vector<std::uint16_t> m_servers;
};

bool isLock(const LockRecord& lock)
{
    return !lock.flags.has(inspect::Flag::ProbablyData);
}

bool tellsNoHold(const LockRecord& lock)
{
    const bool isSole = lock.mode == inspect::Mode::Exclusive && lock.holders.size() == 1;
    return isLock(lock) && isSole && !lock.acquiredAt()
           && lock.holders.front().owner.size() < kTokenBytesMin;
}

bool ranOutOften(const LockRecord& lock)
{
    return lock.history() && lock.history()->ranOutCount() > 1
           && lock.history()->ranOutCount() * 2 >= lock.history()->holds.size();
}

/// Goes through the weaknesses one by one.
class Examination {
public:
    explicit Examination(const Examined& examined) : m_examined(examined) {}

    Hygiene all()
    {
        lookAtLocks();
        lookAtLeases();
        for (const ServerFacts& facts : m_examined.servers) {
            if (facts.isKnown) {
                lookAtServer(facts);
            } else {
                leaveOpen(facts);
            }
        }
        lookAtClocks();
        std::ranges::stable_sort(m_hygiene.findings, std::greater(), &WeaknessFinding::severity);
        return std::move(m_hygiene);
    }

private:
    void lookAtLocks()
    {
        const auto lockCount = std::ranges::count_if(m_examined.locks, [](const LockPtr& lock) {
            return isLock(*lock);
        });
        const Picked lasting(m_examined.locks, [](const LockRecord& lock) {
            return lock.flags.has(inspect::Flag::NoExpiry)
                   && severityOf(inspect::Flag::NoExpiry, lock) > 0;
        });
        if (lasting.count() > 0) {
            m_hygiene.findings.push_back(lasting.finding(
                Weakness::WithoutExpiry, 2,
                KernelText::tr("%1 of %2 locks never expire.", lasting.count(), lockCount)));
        }
        const Picked nameless(m_examined.locks, tellsNoHold);
        if (nameless.count() > 0) {
            m_hygiene.findings.push_back(nameless.finding(
                Weakness::SameValue, 2,
                KernelText::tr("%1 of %2 locks have a value without an owner, or one too short to "
                               "be random.",
                               nameless.count(), lockCount)));
        }
        const Picked absurd(m_examined.locks, [](const LockRecord& lock) {
            return isLock(lock)
                   && (lock.flags.has(inspect::Flag::AbsurdLease)
                       || lock.flags.has(inspect::Flag::GrowingLease));
        });
        if (absurd.count() > 0) {
            m_hygiene.findings.push_back(absurd.finding(
                Weakness::AbsurdLeases, 1,
                KernelText::tr("%1 of %2 locks have a lease of more than %3, or one that each "
                               "renewal makes longer.",
                               absurd.count(), lockCount, durationText(inspect::kLongestLease))));
        }
        const Picked data(m_examined.locks, [](const LockRecord& lock) { return !isLock(lock); });
        if (data.count() > 0) {
            m_hygiene.findings.push_back(data.finding(
                Weakness::DataAmongLocks, 1,
                KernelText::tr("%1 keys have names of locks, and values of data.", data.count())));
        }
    }

    void lookAtLeases()
    {
        if (m_examined.watchedFor == Duration(0)) {
            m_hygiene.open.push_back(
                {Weakness::ShortLeases,
                 KernelText::tr("A single look does not show how holds end: watch with --for.")});
            return;
        }
        const Picked tooShort(m_examined.locks, ranOutOften);
        if (tooShort.count() > 0) {
            m_hygiene.findings.push_back(tooShort.finding(
                Weakness::ShortLeases, 1,
                KernelText::tr("Of %1 locks most holds ran out instead of being released, during "
                               "%2.",
                               tooShort.count(), durationText(m_examined.watchedFor))));
        }
    }

    /// What is the same on several nodes of a cluster is said once.
    void add(Weakness weakness, int severity, const ServerFacts& facts, std::string evidence)
    {
        const std::vector<std::uint16_t> servers{facts.server};
        const auto same = std::ranges::find_if(m_hygiene.findings, [&](const auto& finding) {
            return !facts.node.empty() && finding.weakness == weakness && finding.servers == servers
                   && finding.evidence == evidence;
        });
        if (same != m_hygiene.findings.end()) {
            same->nodes.push_back(facts.node);
            return;
        }
        m_hygiene.findings.push_back({weakness, severity, servers, std::move(evidence), {}, {}});
        if (!facts.node.empty()) {
            m_hygiene.findings.back().nodes.push_back(facts.node);
        }
    }

    static std::string whyUnknown(const ServerFacts& facts)
    {
        if (!facts.isAsked) {
            return KernelText::tr("The server was not asked.");
        }
        return facts.node.empty()
                   ? KernelText::tr("Server %1 did not answer INFO.", facts.server + 1)
                   : KernelText::tr("The node %1 did not answer INFO.", escaped(facts.node));
    }

    void leaveOpen(const ServerFacts& facts)
    {
        for (const Weakness weakness :
             {Weakness::Evicts, Weakness::ForgetsOnRestart, Weakness::AsyncFailover}) {
            m_hygiene.open.push_back({weakness, whyUnknown(facts)});
        }
    }

    void lookAtServer(const ServerFacts& facts)
    {
        const std::string_view policy = facts.evicts();
        if (policy.starts_with("allkeys-") || policy.starts_with("volatile-")) {
            add(Weakness::Evicts, 2, facts,
                KernelText::tr("maxmemory-policy is %1, with a limit of %2 bytes of which %3 are "
                               "used; %4 keys were evicted since the server started.",
                               policy, facts.memoryLimit, facts.memoryUsed, facts.evictedKeys));
        }
        lookAtDisk(facts);
        if (!facts.replicas.empty()) {
            std::vector<std::string> addresses;
            for (const ReplicaFacts& replica : facts.replicas) {
                addresses.push_back(escaped(replica.address));
            }
            add(Weakness::AsyncFailover, 1, facts,
                KernelText::tr("Its replicas: %1.", report::listText(addresses, addresses.size())));
        }
    }

    void lookAtDisk(const ServerFacts& facts)
    {
        if (!facts.appendsToFile) {
            m_hygiene.open.push_back({Weakness::ForgetsOnRestart,
                                      KernelText::tr("The server does not tell about its "
                                                     "persistence.")});
            return;
        }
        const int severity = m_examined.isOfSet ? 2 : 1; // a majority must not forget
        if (!*facts.appendsToFile) {
            add(Weakness::ForgetsOnRestart, severity, facts,
                KernelText::tr("appendonly is off: at most a snapshot is on disk."));
        } else if (facts.fsync.empty()) {
            m_hygiene.open.push_back(
                {Weakness::ForgetsOnRestart,
                 KernelText::tr("appendonly is on, but CONFIG GET appendfsync is refused.")});
        } else if (facts.fsync != "always") {
            add(Weakness::ForgetsOnRestart, severity, facts,
                KernelText::tr("appendfsync is %1: the latest writes are not on disk yet.",
                               facts.fsync));
        }
    }

    void lookAtClocks()
    {
        if (!m_examined.isOfSet || m_examined.servers.size() < 2) {
            return;
        }
        LockRecord set; // a lock of the whole set, of a lease of 10 s
        set.id.server = inspect::LockId::kWholeSet;
        set.lease = std::chrono::seconds(10);
        set.seldom->quorum.total = static_cast<std::uint16_t>(m_examined.servers.size());
        const Diagnosis diagnosis = diagnose({.record = set, .servers = m_examined.servers});
        for (const Finding& finding : diagnosis.findings) {
            if (finding.reason == Reason::ClocksApart) {
                m_hygiene.findings.push_back(
                    {Weakness::ClocksOfSet, 1, {}, finding.evidence, {}, {}});
            }
        }
        for (const Unknown& unknown : diagnosis.unknowns) {
            if (unknown.reason == Reason::ClocksApart) {
                m_hygiene.open.push_back({Weakness::ClocksOfSet, unknown.why});
            }
        }
    }

    const Examined& m_examined;
    Hygiene m_hygiene;
};

} // namespace

const WeaknessInfo& infoOf(Weakness weakness)
{
    return kWeaknesses.at(static_cast<std::size_t>(weakness));
}

std::span<const WeaknessInfo> allWeaknesses()
{
    return kWeaknesses;
}

std::string storyCall(Weakness weakness, bool isOfSet)
{
    const WeaknessInfo& info = infoOf(weakness);
    if (info.protocol.empty()) {
        return {};
    }
    const bool isSetStory = isOfSet && weakness == Weakness::ForgetsOnRestart;
    return "lockscope-cli explore --protocol "
           + std::string(isSetStory ? std::string_view("redlock") : info.protocol) + " --faults "
           + std::string(info.fault);
}

Hygiene examine(const Examined& examined)
{
    return Examination(examined).all();
}

} // namespace lockscope::diagnosis
