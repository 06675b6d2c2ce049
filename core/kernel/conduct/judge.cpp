#include "core/kernel/conduct/judge.h"

#include "core/kernel/conduct/belief_events.h"
#include "core/kernel/conduct/lease_end.h"
#include "core/kernel/trace/chronicle.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

namespace lockscope::conduct {

using protocol::Promise;
using State = Belief::State;
using world::ViolationKind;

namespace {

/// A holder whose lease was over, or lost with a server, when another one was granted the lock.
struct Overlap {
    int lock = 0;
    int late = 0; // a party, as all here
    int other = 0;
    Instant since{};
    bool hasTalkedSince = false; // to the server, about this lock
    std::optional<EndedHold> ended = {};
};

/// The number that came with a grant.
struct Fence {
    int party = 0;
    std::int64_t number = 0;
    // The entries between which the server granted it: one, of the request that took the lock; from
    // the call to the answer where another one's request may have handed it over.
    std::size_t from = 0;
    std::size_t to = 0;
};

constexpr int kTimeToRenew = 4; // that part of a lease

struct Noted {
    ViolationKind kind = ViolationKind::DoubleGrant;
    int lock = 0;
    int party = 0;
    int other = -1;
    bool isInherent = false;
    bool isByFailOver = false;
    bool wasHindered = false; // the other one, although its lease was good
    Instant otherSince{};
    std::optional<EndedHold> ended = {};
};

class Judge {
public:
    Judge(const Workload& workload, std::span<const Deviation> deviations, LeaseEnd leaseEnd)
        : m_workload(workload),
          m_book(workload, deviations),
          m_events(workload),
          m_leaseEnd(leaseEnd)
    {}

    void see(const LogEntry& entry, std::size_t index)
    {
        m_index = index;
        m_now = entry.at;
        checkReport(entry);
        m_book.see(entry);
        m_record.append(m_events.of(entry));
        switch (entry.kind) {
        case LogEntry::Kind::Answered: seeAnswer(entry); return;
        case LogEntry::Kind::Executed: seeExecuted(entry); return;
        case LogEntry::Kind::LossTold:
            endOverlaps(m_workload.partyOf(entry.process, entry.thread), entry.lock);
            return;
        case LogEntry::Kind::Ended: seeEnd(entry.process); return;
        case LogEntry::Kind::Passed: checkWaiters(); return;
        default: return;
        }
    }

    std::vector<Breach> takeBreaches() { return std::move(m_breaches); }

private:
    Duration leaseAtMost() const
    {
        return m_workload.leaseAtMost()
               + (m_leaseEnd == LeaseEnd::InValue ? m_workload.slackOfValue() : Duration(0));
    }

    void seeAnswer(const LogEntry& entry)
    {
        const int party = m_workload.partyOf(entry.process, entry.thread);
        const bool isYes = entry.answer.kind == Answer::Kind::Yes;
        if (entry.word == Word::Acquire && isYes) {
            checkGrant(party, entry.lock);
            checkTurn(party, entry.lock);
            checkFence(party, entry);
        } else if (entry.word == Word::Acquire && entry.answer.kind == Answer::Kind::No) {
            checkAsker(party, entry.lock);
        } else if ((entry.word == Word::Held || entry.word == Word::Extend) && isYes) {
            checkBelief(party, entry.lock);
            checkExtension(party, entry);
        }
        if (m_book.of(party, entry.lock).state != State::Holding) {
            endOverlaps(party, entry.lock);
        }
    }

    /// It does not believe in the hold any more.
    void endOverlaps(int party, int lock)
    {
        std::erase_if(m_overlaps, [party, lock](const Overlap& one) {
            return one.late == party && one.lock == lock;
        });
    }

    void seeEnd(int process)
    {
        std::erase_if(m_overlaps, [this, process](const Overlap& one) {
            return m_workload.processOf(one.late) == process;
        });
    }

    void seeExecuted(const LogEntry& entry)
    {
        for (Overlap& overlap : m_overlaps) {
            // Of several threads it may have been another one's.
            const bool isItsOwn = m_workload.threadCount == 1
                                  || m_book.hasCallRunning(overlap.late);
            const bool isOfLate = m_workload.processOf(overlap.late) == entry.process
                                  && overlap.lock == entry.lock && isItsOwn;
            overlap.hasTalkedSince = overlap.hasTalkedSince || isOfLate;
        }
    }

    bool isDead(int party) const { return m_book.isDead(m_workload.processOf(party)); }
    bool isHindered(int party) const { return m_book.isHindered(m_workload.processOf(party)); }
    Instant unhinderedSince(int party) const
    {
        return m_book.unhinderedSince(m_workload.processOf(party));
    }

    /// Its lease is good, or it is the library's own doing that it is not.
    bool isInTime(int party, int lock) const
    {
        const Belief& belief = m_book.of(party, lock);
        const bool keepsItself = m_workload.traits.isRenewed
                                 && (!belief.wasHindered || hadTimeToRenew(party, lock));
        return keepsItself || !m_workload.hasLease()
               || m_now < belief.leaseBegin() + m_workload.lease;
    }

    /// When it was disturbed last, enough of its lease was left to try a lost renewal once more.
    bool hadTimeToRenew(int party, int lock) const
    {
        const int process = m_workload.processOf(party);
        const Instant end = m_book.of(party, lock).leaseFrom + m_workload.lease;
        return !m_book.isHindered(process)
               && end - m_book.disturbedAt(process) >= m_workload.lease / kTimeToRenew;
    }

    /// It was lost when a replica took over that had not got it. Who asked whether replicas have
    /// it, and heard that they have not, should not have believed in it.
    bool isLostByFailOver(int party, int lock) const
    {
        const Belief& belief = m_book.of(party, lock);
        const auto failedOverAt = m_book.failedOverAt();
        // Of a lock that it took twice the replica may have one half.
        const Instant begin = belief.wasNested ? belief.askedAt : belief.leaseFrom;
        return failedOverAt && *failedOverAt >= begin && !belief.isUnreplicated;
    }

    /// The hold of a late party; nullopt if its end is not known.
    std::optional<EndedHold> endedHoldOf(int party, int lock) const
    {
        const Belief& belief = m_book.of(party, lock);
        EndedHold hold{party, belief.leaseBegin(), belief.leaseBegin() + m_workload.lease};
        if (isLostByFailOver(party, lock)) {
            const Instant lostAt = *m_book.failedOverAt();
            hold = {party, std::min(belief.leaseFrom, lostAt), lostAt, true};
        }
        const bool isKnown = hold.isByFailOver || m_workload.hasLease();
        return isKnown && hold.to <= m_now ? std::optional(hold) : std::nullopt;
    }

    /// The parties that hold the lock as well, by the record that is also drawn and exported.
    std::vector<trace::ContenderId> overlappingWith(int party, int lock) const
    {
        return m_record.overlappingWith(static_cast<trace::ContenderId>(party),
                                        static_cast<trace::LockId>(lock));
    }

    void checkGrant(int party, int lock)
    {
        for (const trace::ContenderId contender : overlappingWith(party, lock)) {
            const int other = static_cast<int>(contender);
            if (m_book.of(other, lock).isLettingGo) { // unless it says in the end that it has it
                m_overlaps.push_back({lock, other, party, m_now, true});
                continue;
            }
            const bool isLost = isLostByFailOver(other, lock);
            if (isLost || m_book.of(other, lock).isRestarted || !isInTime(other, lock)) {
                const auto ended = endedHoldOf(other, lock);
                m_overlaps.push_back({lock, other, party, m_now, false, ended});
                note({.kind = ViolationKind::DoubleBelief,
                      .lock = lock,
                      .party = other,
                      .other = party,
                      .isInherent = true,
                      .isByFailOver = isLost,
                      .ended = ended});
            } else {
                const ViolationKind kind = kindOfDoubleGrant(party, other, lock);
                const bool isLate = kind == ViolationKind::DishonestLease;
                note({.kind = kind,
                      .lock = lock,
                      .party = party,
                      .other = other,
                      .wasHindered = m_book.of(other, lock).wasHindered,
                      .ended = isLate ? endedHoldOf(party, lock) : std::nullopt});
            }
        }
    }

    ViolationKind kindOfDoubleGrant(int party, int other, int lock) const
    {
        const bool isLate = m_book.of(party, lock).hasTouched() && !isInTime(party, lock);
        return isLate                             ? ViolationKind::DishonestLease
               : m_book.of(other, lock).wasNested ? ViolationKind::ReentryImbalance
                                                  : ViolationKind::DoubleGrant;
    }

    /// Where locks are fair, whoever has waited longest is next.
    void checkTurn(int party, int lock)
    {
        const auto own = m_book.of(party, lock).queuedAt;
        if (!m_workload.traits.vocabulary.isFair || !m_workload.waits() || !own) {
            return;
        }
        for (int other = 0; other < m_workload.partyCount(); ++other) {
            const Belief& belief = m_book.of(other, lock);
            const bool waits = belief.state == State::Asking && !isDead(other)
                               && !belief.wasHindered;
            if (other != party && waits && belief.queuedAt && *belief.queuedAt < *own) {
                note({.kind = ViolationKind::Starvation,
                      .lock = lock,
                      .party = other,
                      .other = party});
            }
        }
    }

    /// Of two grants the one that the server carried out later has the greater number; whose answer
    /// comes first means nothing. A number that a server forgot is no fault of a client.
    void checkFence(int party, const LogEntry& entry)
    {
        const Belief& belief = m_book.of(party, entry.lock);
        if (!entry.answer.fence || belief.depth > 1) {
            return;
        }
        const Fence own{party, *entry.answer.fence,
                        belief.hasTouched() ? belief.touchedBy : belief.calledAt,
                        belief.hasTouched() ? belief.touchedBy : m_index + 1};
        std::vector<Fence>& known = m_fences[entry.lock];
        for (const Fence& other : known) {
            const bool isInOrder = own.number > other.number ? own.to > other.from
                                                             : own.from < other.to;
            if ((!isInOrder || own.number == other.number) && !m_book.failedOverAt()) {
                note({.kind = ViolationKind::FenceDisorder,
                      .lock = entry.lock,
                      .party = party,
                      .other = other.party});
            }
        }
        known.push_back(own);
    }

    /// A loss is reported that is none: of what was given back on purpose, or of what the server
    /// has, in the middle of its lease. Seen before the book believes it.
    void checkReport(const LogEntry& entry)
    {
        const bool isLossTold = entry.kind == LogEntry::Kind::LossTold;
        const bool isDenied = entry.kind == LogEntry::Kind::Answered && entry.word == Word::Held
                              && entry.answer.kind == Answer::Kind::No;
        if ((!isLossTold && !isDenied) || !m_workload.hasLease()) {
            return;
        }
        const int party = m_workload.partyOf(entry.process, entry.thread);
        const Belief& belief = m_book.of(party, entry.lock);
        const bool isUntouched = belief.wasGranted && !belief.isInDoubt;
        const bool wasGivenBack = belief.state == State::GivingBack
                                  || (belief.state == State::None && belief.isClean);
        const bool isThere = belief.state == State::Holding && m_book.keysOf(entry.lock).isThere
                             && m_now < belief.leaseFrom + m_workload.lease / 2
                             && overlappingWith(party, entry.lock).empty();
        if (isUntouched
            && (isThere || (isLossTold && wasGivenBack && isInTime(party, entry.lock)))) {
            note({.kind = ViolationKind::FalseLoss, .lock = entry.lock, .party = party});
        }
    }

    /// It says that it holds the lock, and had the chance to learn better.
    void checkBelief(int party, int lock)
    {
        for (const Overlap& overlap : m_overlaps) {
            if (overlap.late == party && overlap.lock == lock && overlap.hasTalkedSince
                && !isHindered(party)) {
                const Belief& belief = m_book.of(party, lock);
                const bool tookItAnew = std::max(belief.leaseFrom, belief.prolongedOthersAt)
                                        > overlap.since;
                note({.kind = tookItAnew ? ViolationKind::WrongExtension
                                         : ViolationKind::DoubleBelief,
                      .lock = lock,
                      .party = party,
                      .other = overlap.other,
                      .ended = overlap.ended});
            }
        }
    }

    /// What it was given in this call was over, and the lock another's, before it was told.
    void checkExtension(int party, const LogEntry& entry)
    {
        const Belief& belief = m_book.of(party, entry.lock);
        const bool wasExtended = entry.word == Word::Extend && belief.hasTouched();
        if (!wasExtended || isInTime(party, entry.lock)) {
            return;
        }
        for (const Overlap& overlap : m_overlaps) {
            if (overlap.late == party && overlap.lock == entry.lock && !overlap.hasTalkedSince) {
                note({.kind = ViolationKind::DishonestLease,
                      .lock = entry.lock,
                      .party = party,
                      .other = overlap.other,
                      .ended = endedHoldOf(party, entry.lock)});
            }
        }
    }

    /// Since when nobody can hold the lock: nullopt where somebody may.
    std::optional<Instant> freeSince(int asker, int lock) const
    {
        Instant since{};
        for (int party = 0; party < m_workload.partyCount(); ++party) {
            if (party == asker) {
                continue;
            }
            const auto free = freeOf(party, lock);
            if (!free) {
                return std::nullopt;
            }
            since = std::max(since, *free);
        }
        // What the asker itself left behind, or was handed by its place in a queue; and what a
        // replica brought back that had not heard of its end.
        const Belief& own = m_book.of(asker, lock);
        for (const auto& begin : {own.leftSince(), own.placeHandedAt(), m_book.failedOverAt()}) {
            if (begin && !m_workload.hasLease()) {
                return std::nullopt;
            }
            since = begin ? std::max(since, *begin + leaseAtMost()) : since;
        }
        return m_book.failedOverAt() ? std::max(since, extendedUntil(lock)) : since;
    }

    /// By any of them. A replica that takes over has not heard of the end of such a hold, either.
    Instant extendedUntil(int lock) const
    {
        Instant until{};
        for (int party = 0; party < m_workload.partyCount(); ++party) {
            until = std::max(until, m_book.of(party, lock).extendedUntil.value_or(Instant{}));
        }
        return until;
    }

    /// When what the party took at `from` ends by itself at the latest.
    Instant endOfLease(const Belief& belief, Instant from) const
    {
        return std::max(from + leaseAtMost(), belief.extendedUntil.value_or(Instant{}));
    }

    std::optional<Instant> freeOf(int party, int lock) const
    {
        const Belief& belief = m_book.of(party, lock);
        const auto diedAt = m_book.diedAt(m_workload.processOf(party));
        if (!diedAt
            && (belief.state == State::Holding || belief.state == State::GivingBack
                || isHindered(party))) {
            return std::nullopt;
        }
        if (belief.leftAt) {
            // What it asked for since may stand there as well, and came later.
            const Instant last = std::max({*belief.leftAt, belief.madeAt,
                                           belief.touchedAt.value_or(Instant{})});
            return m_workload.hasLease()
                       ? std::optional(std::max(endOfLease(belief, last), belief.endedAt))
                       : std::nullopt;
        }
        const bool wasTold = belief.state == State::None && belief.isClean;
        if (wasTold && !(belief.isDisturbed && m_workload.hasLease())) {
            // Given back by an undisturbed call, whatever happened to earlier calls; but a place
            // that it left before may have been handed the lock.
            const auto handedAt = belief.placeHandedAt();
            return m_workload.hasLease() && handedAt
                       ? std::max(belief.endedAt, endOfLease(belief, *handedAt))
                       : belief.endedAt;
        }
        if (!m_workload.hasLease()) {
            // Without a lease only its holder can end a hold, and only if it knows of it. Whose
            // release ended in an error may try once more.
            const bool mayStillHold = diedAt.has_value() || !belief.wasGranted
                                      || belief.state == State::Asking || belief.isReleaseDue;
            return mayStillHold ? std::nullopt : std::optional(belief.endedAt);
        }
        // A request that was under way for long takes the lock behind its caller's back, and so
        // does a place in a queue.
        const Instant last = belief.state == State::None
                                 ? std::max(belief.endedAt, belief.madeAt)
                                 : diedAt.value_or(belief.touchedAt.value_or(Instant{}));
        return endOfLease(belief, std::max(last, belief.handedAt.value_or(Instant{})));
    }

    /// It was refused, or waits: has that a reason? What was asked for before the lock was free, or
    /// was kept from the server, proves nothing; who waits gets the time of a lease to hear of it.
    void checkAsker(int party, int lock)
    {
        const auto since = freeSince(party, lock);
        if (!since || isHindered(party)) {
            return;
        }
        const Instant askedAt = m_book.of(party, lock).askedAt;
        const Instant begin = std::max({*since, askedAt, unhinderedSince(party)});
        if (m_workload.waits() ? m_now - begin >= leaseAtMost()
                               : *since <= askedAt && unhinderedSince(party) <= askedAt) {
            noteStuck(lock, party, *since);
        }
    }

    void checkWaiters()
    {
        for (int lock = 0; lock < m_workload.lockCount; ++lock) {
            for (int party = 0; party < m_workload.partyCount(); ++party) {
                if (m_workload.waits() && !isDead(party)
                    && m_book.of(party, lock).state == State::Asking) {
                    checkAsker(party, lock);
                }
            }
        }
    }

    void noteStuck(int lock, int party, Instant since)
    {
        const LockEffect& keys = m_book.keysOf(lock);
        const Ended last = lastEnd(lock, party);
        // Another one got it since it asked the server last, and gave it back: what there is stands
        // in nobody's way.
        const bool canBeHad = m_book.grantedAt(lock) > m_book.of(party, lock).spokeAt
                              && last.party >= 0 && !isDead(last.party)
                              && m_book.of(last.party, lock).isClean;
        if (!keys.isThere || m_book.areKeysExpired(lock, m_now) || canBeHad) {
            if (m_workload.waits()) {
                note({.kind = ViolationKind::LostWakeup,
                      .lock = lock,
                      .party = party,
                      .otherSince = since});
            }
            return;
        }
        const Instant lastHeldAt = std::max(last.at, m_book.of(party, lock).lastHeldAt);
        const bool isKeptAlive = m_book.prolongedAt(lock) > lastHeldAt;
        const bool wasNested = last.party >= 0 && m_book.of(last.party, lock).wasNested;
        // Beside a lock that ends there may be a counter that stays.
        const bool endsLater = m_leaseEnd == LeaseEnd::InValue
                               || Instant(std::chrono::milliseconds(keys.latestExpiryMs)) > m_now;
        note({.kind = keys.isPermanent && !endsLater ? ViolationKind::PermanentLock
                      : isKeptAlive                  ? ViolationKind::ZombieRenewal
                      : wasNested                    ? ViolationKind::ReentryImbalance
                                                     : ViolationKind::Orphan,
              .lock = lock,
              .party = party,
              .otherSince = since});
    }

    struct Ended {
        Instant at{};
        int party = -1;
    };

    /// When the last of the others stopped to be a holder.
    Ended lastEnd(int lock, int asker) const
    {
        Ended last;
        for (int party = 0; party < m_workload.partyCount(); ++party) {
            if (party == asker) {
                continue;
            }
            const Belief& belief = m_book.of(party, lock);
            const auto diedAt = m_book.diedAt(m_workload.processOf(party));
            const bool wasHolder = belief.wasGranted || !belief.isClean || diedAt;
            const Instant end = diedAt.value_or(belief.endedAt);
            if (wasHolder && end >= last.at) {
                last = {end, party};
            }
        }
        return last;
    }

    Promise promiseOf(const Noted& what) const
    {
        switch (what.kind) {
        case ViolationKind::PermanentLock:
        case ViolationKind::ZombieRenewal:
        case ViolationKind::Orphan: return Promise::NoStuckLock;
        case ViolationKind::LostWakeup: return Promise::NoLostWakeup;
        case ViolationKind::FalseLoss:
        case ViolationKind::DishonestLease: return Promise::LeaseHonesty;
        case ViolationKind::ReentryImbalance: return Promise::ReentryBalance;
        case ViolationKind::Starvation: return Promise::Fairness;
        case ViolationKind::FenceDisorder: return Promise::FencingOrder;
        default: break;
        }
        const bool isRead = m_book.of(what.party, what.lock).isRead
                            || (what.other >= 0 && m_book.of(what.other, what.lock).isRead);
        return isRead ? Promise::ReadWriteExclusion : Promise::MutualExclusion;
    }

    void note(const Noted& what)
    {
        Breach breach;
        breach.violation.promise = promiseOf(what);
        breach.violation.kind = what.kind;
        breach.violation.at = m_now;
        breach.violation.lock = what.lock;
        breach.violation.client = what.party;
        breach.violation.other = what.other;
        breach.violation.otherSince = what.otherSince;
        breach.isInherent = what.isInherent;
        breach.isByFailOver = what.isByFailOver;
        breach.wasHindered = what.wasHindered;
        breach.entry = m_index;
        breach.ended = what.ended;
        if (std::ranges::none_of(m_breaches, [&breach](const Breach& known) {
                return isSameKind(known, breach);
            })) {
            m_breaches.push_back(breach);
        }
    }

    const Workload& m_workload;
    BeliefBook m_book;
    BeliefEvents m_events;
    trace::GrowingChronicle m_record{1, trace::InstantOrder::AsRecorded};
    std::vector<Overlap> m_overlaps;
    std::map<int, std::vector<Fence>> m_fences; // by lock
    std::vector<Breach> m_breaches;
    Instant m_now{};
    std::size_t m_index = 0;
    LeaseEnd m_leaseEnd;
};

std::vector<Breach> breachesIn(const RunLog& log, const Workload& workload,
                               std::span<const Deviation> deviations, LeaseEnd leaseEnd)
{
    Judge judge(workload, deviations, leaseEnd);
    for (std::size_t i = 0; i < log.entries.size(); ++i) {
        judge.see(log.entries[i], i);
    }
    return judge.takeBreaches();
}

} // namespace

std::vector<Breach> judge(const RunLog& log, const Workload& workload,
                          std::span<const Deviation> deviations)
{
    auto breaches = breachesIn(log, workload, deviations, LeaseEnd::Expiry);
    const bool endsInValue = std::ranges::any_of(breaches, [&](const Breach& breach) {
        return breach.violation.kind == ViolationKind::PermanentLock
               && wasGrantedLater(breach, log, workload);
    });
    return endsInValue ? breachesIn(log, workload, deviations, LeaseEnd::InValue) : breaches;
}

bool isSameKind(const Breach& a, const Breach& b)
{
    return a.violation.promise == b.violation.promise && a.violation.kind == b.violation.kind
           && a.isInherent == b.isInherent && a.isByFailOver == b.isByFailOver;
}

std::optional<Breach> worstOf(std::span<const Breach> breaches)
{
    const auto worst = std::ranges::min_element(breaches, {}, [](const Breach& breach) {
        return std::pair(breach.isInherent, breach.entry);
    });
    return worst == breaches.end() ? std::nullopt : std::optional(*worst);
}

} // namespace lockscope::conduct
