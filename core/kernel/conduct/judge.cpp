#include "core/kernel/conduct/judge.h"

#include <algorithm>

namespace lockscope::conduct {

using protocol::Promise;
using State = Belief::State;
using world::ViolationKind;

namespace {

/// A holder whose lease was over when another one was granted the lock.
struct Overlap {
    int lock = 0;
    int late = 0;
    int other = 0;
    Instant since{};
    bool hasTalkedSince = false; // to the server, about this lock
};

class Judge {
public:
    Judge(const Workload& workload, std::span<const Deviation> deviations)
        : m_workload(workload),
          m_book(workload, deviations)
    {}

    void see(const LogEntry& entry, std::size_t index)
    {
        m_index = index;
        m_now = entry.at;
        m_book.see(entry);
        switch (entry.kind) {
        case LogEntry::Kind::Answered: seeAnswer(entry); return;
        case LogEntry::Kind::Executed: seeExecuted(entry); return;
        case LogEntry::Kind::Passed: checkWaiters(); return;
        default: return;
        }
    }

    std::vector<Breach> takeBreaches() { return std::move(m_breaches); }

private:
    void seeAnswer(const LogEntry& entry)
    {
        const bool isYes = entry.answer.kind == Answer::Kind::Yes;
        if (entry.word == Word::Acquire && isYes) {
            checkGrant(entry.process, entry.lock);
        } else if (entry.word == Word::Acquire && entry.answer.kind == Answer::Kind::No) {
            checkAsker(entry.process, entry.lock);
        } else if ((entry.word == Word::Held || entry.word == Word::Extend) && isYes) {
            checkBelief(entry.process, entry.lock);
        }
        if (m_book.of(entry.process, entry.lock).state != State::Holding) {
            std::erase_if(m_overlaps, [&entry](const Overlap& one) {
                return one.late == entry.process && one.lock == entry.lock;
            });
        }
    }

    void seeExecuted(const LogEntry& entry)
    {
        for (Overlap& overlap : m_overlaps) {
            if (overlap.late == entry.process && overlap.lock == entry.lock) {
                overlap.hasTalkedSince = true;
            }
        }
    }

    bool isHolding(int process, int lock) const
    {
        return !m_book.isDead(process) && m_book.of(process, lock).state == State::Holding;
    }

    /// Its lease is good, or it is the library's own doing that it is not.
    bool isInTime(int process, int lock) const
    {
        const Belief& belief = m_book.of(process, lock);
        const bool keepsItself = m_workload.traits.isRenewed && !belief.wasHindered;
        return keepsItself || !m_workload.hasLease() || m_now < belief.leaseFrom + m_workload.lease;
    }

    bool excludesEachOther(int a, int b, int lock) const
    {
        return !m_book.of(a, lock).isRead || !m_book.of(b, lock).isRead;
    }

    void checkGrant(int process, int lock)
    {
        for (int other = 0; other < m_workload.processCount; ++other) {
            if (other == process || !isHolding(other, lock)
                || !excludesEachOther(process, other, lock)) {
                continue;
            }
            if (!isInTime(other, lock)) {
                m_overlaps.push_back({lock, other, process, m_now});
                note(ViolationKind::DoubleBelief, lock, other, process, true);
            } else {
                note(isInTime(process, lock) ? ViolationKind::DoubleGrant
                                             : ViolationKind::DishonestLease,
                     lock, process, other, false);
            }
        }
    }

    /// It says that it holds the lock, and had the chance to learn better.
    void checkBelief(int process, int lock)
    {
        for (const Overlap& overlap : m_overlaps) {
            if (overlap.late == process && overlap.lock == lock && overlap.hasTalkedSince
                && !m_book.isHindered(process)) {
                const bool tookItAnew = m_book.of(process, lock).leaseFrom > overlap.since;
                note(tookItAnew ? ViolationKind::WrongExtension : ViolationKind::DoubleBelief, lock,
                     process, overlap.other, false);
            }
        }
    }

    /// Since when nobody can hold the lock: nullopt where somebody may.
    std::optional<Instant> freeSince(int asker, int lock) const
    {
        Instant since{};
        for (int process = 0; process < m_workload.processCount; ++process) {
            if (process == asker) {
                continue;
            }
            const auto free = freeOf(process, lock);
            if (!free) {
                return std::nullopt;
            }
            since = std::max(since, *free);
        }
        // What the asker itself left behind, in an earlier call that did not end well.
        const Belief& own = m_book.of(asker, lock);
        for (const auto& begin : {own.leftAt, madeInVain(own)}) {
            if (begin && !m_workload.hasLease()) {
                return std::nullopt;
            }
            since = begin ? std::max(since, *begin + m_workload.leaseAtMost()) : since;
        }
        return since;
    }

    /// When a request of this very call took the lock, and nobody was told: its answer was lost,
    /// and the library asked once more.
    static std::optional<Instant> madeInVain(const Belief& own)
    {
        const bool isInVain = own.touchedAt && own.madeAt >= own.askedAt && !own.wasGranted;
        return isInVain ? std::optional(own.madeAt) : std::nullopt;
    }

    /// How long what the process has left without knowing of it may stand there; nullopt: for ever.
    std::optional<Instant> leftUntil(const Belief& belief) const
    {
        if (!m_workload.hasLease()) {
            return std::nullopt;
        }
        return *belief.leftAt + m_workload.leaseAtMost();
    }

    std::optional<Instant> freeOf(int process, int lock) const
    {
        const Belief& belief = m_book.of(process, lock);
        const auto diedAt = m_book.diedAt(process);
        if (!diedAt
            && (belief.state == State::Holding || belief.state == State::GivingBack
                || m_book.isHindered(process))) {
            return std::nullopt;
        }
        if (belief.leftAt) {
            const auto left = leftUntil(belief);
            return left ? std::optional(std::max(*left, belief.endedAt)) : std::nullopt;
        }
        const bool wasTold = belief.state == State::None && belief.isClean;
        if (wasTold && !(belief.wasHindered && m_workload.hasLease())) {
            return belief.endedAt; // given back, and nothing of it was lost on the way
        }
        if (!m_workload.hasLease()) {
            // Without a lease only its holder can end a hold, and only if it knows of it. Whose
            // release ended in an error may try once more.
            const bool mayStillHold = diedAt.has_value() || !belief.wasGranted
                                      || belief.state == State::Asking || belief.isReleaseDue;
            return mayStillHold ? std::nullopt : std::optional(belief.endedAt);
        }
        // A request that was under way for long takes the lock behind its caller's back.
        const Instant last = belief.state == State::None
                                 ? std::max(belief.endedAt, belief.madeAt)
                                 : diedAt.value_or(belief.touchedAt.value_or(Instant{}));
        return last + m_workload.leaseAtMost();
    }

    /// It was refused, or waits: has that a reason? What was asked for before the lock was free, or
    /// was kept from the server, proves nothing; who waits gets the time of a lease to hear of it.
    void checkAsker(int process, int lock)
    {
        const auto since = freeSince(process, lock);
        if (!since || m_book.isHindered(process)) {
            return;
        }
        const Instant askedAt = m_book.of(process, lock).askedAt;
        const Instant begin = std::max({*since, askedAt, m_book.unhinderedSince(process)});
        if (m_workload.waits() ? m_now - begin >= m_workload.leaseAtMost()
                               : *since <= askedAt && m_book.unhinderedSince(process) <= askedAt) {
            noteStuck(lock, process, *since);
        }
    }

    void checkWaiters()
    {
        for (int lock = 0; lock < m_workload.lockCount; ++lock) {
            for (int process = 0; process < m_workload.processCount; ++process) {
                if (m_workload.waits() && !m_book.isDead(process)
                    && m_book.of(process, lock).state == State::Asking) {
                    checkAsker(process, lock);
                }
            }
        }
    }

    void noteStuck(int lock, int process, Instant since)
    {
        const LockEffect& keys = m_book.keysOf(lock);
        if (!keys.isThere || m_book.areKeysExpired(lock, m_now)) {
            if (m_workload.waits()) {
                note(ViolationKind::LostWakeup, lock, process, -1, false, since);
            }
            return;
        }
        const bool isKeptAlive = m_book.prolongedAt(lock) > lastEnd(lock, process);
        note(keys.isPermanent ? ViolationKind::PermanentLock
             : isKeptAlive    ? ViolationKind::ZombieRenewal
                              : ViolationKind::Orphan,
             lock, process, -1, false, since);
    }

    /// When the last of the others stopped to be a holder.
    Instant lastEnd(int lock, int asker) const
    {
        Instant last{};
        for (int process = 0; process < m_workload.processCount; ++process) {
            if (process == asker) {
                continue;
            }
            const Belief& belief = m_book.of(process, lock);
            const bool wasHolder = belief.wasGranted || !belief.isClean;
            const Instant end = wasHolder ? belief.endedAt : Instant{};
            last = std::max(last, m_book.diedAt(process).value_or(end));
        }
        return last;
    }

    Promise promiseOf(ViolationKind kind, int lock, int client, int other) const
    {
        switch (kind) {
        case ViolationKind::PermanentLock:
        case ViolationKind::ZombieRenewal:
        case ViolationKind::Orphan: return Promise::NoStuckLock;
        case ViolationKind::LostWakeup: return Promise::NoLostWakeup;
        case ViolationKind::DishonestLease: return Promise::LeaseHonesty;
        default: break;
        }
        const bool isRead = m_book.of(client, lock).isRead
                            || (other >= 0 && m_book.of(other, lock).isRead);
        return isRead ? Promise::ReadWriteExclusion : Promise::MutualExclusion;
    }

    void note(ViolationKind kind, int lock, int client, int other, bool isInherent,
              Instant otherSince = {})
    {
        const bool isKnown = std::any_of(m_breaches.begin(), m_breaches.end(),
                                         [kind, isInherent](const Breach& known) {
                                             return known.violation.kind == kind
                                                    && known.isInherent == isInherent;
                                         });
        if (isKnown) {
            return;
        }
        Breach breach;
        breach.violation.promise = promiseOf(kind, lock, client, other);
        breach.violation.kind = kind;
        breach.violation.at = m_now;
        breach.violation.lock = lock;
        breach.violation.client = client;
        breach.violation.other = other;
        breach.violation.otherSince = otherSince;
        breach.isInherent = isInherent;
        breach.entry = m_index;
        m_breaches.push_back(breach);
    }

    const Workload& m_workload;
    BeliefBook m_book;
    std::vector<Overlap> m_overlaps;
    std::vector<Breach> m_breaches;
    Instant m_now{};
    std::size_t m_index = 0;
};

} // namespace

std::vector<Breach> judge(const RunLog& log, const Workload& workload,
                          std::span<const Deviation> deviations)
{
    Judge judge(workload, deviations);
    for (std::size_t i = 0; i < log.entries.size(); ++i) {
        judge.see(log.entries[i], i);
    }
    return judge.takeBreaches();
}

std::optional<Breach> worstOf(std::span<const Breach> breaches)
{
    const auto worst = std::ranges::min_element(breaches, {}, [](const Breach& breach) {
        return std::pair(breach.isInherent, breach.entry);
    });
    return worst == breaches.end() ? std::nullopt : std::optional(*worst);
}

} // namespace lockscope::conduct
