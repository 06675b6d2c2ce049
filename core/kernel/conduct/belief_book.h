#pragma once

#include "core/kernel/conduct/deviation.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <optional>
#include <span>
#include <vector>

namespace lockscope::conduct {

/// What one party (see Workload) takes for true of one lock, by its own answers.
struct Belief {
    enum class State : std::uint8_t { None, Asking, Holding, GivingBack };

    State state = State::None;
    bool isRead = false;
    bool isClean = true;      // None: the library said that it gave it back, or never had it
    bool wasHindered = false; // something was done to the process since it asked
    bool isDisturbed = false; // a fault touched the process during its latest call
    /// A fault touched the process after its latest undisturbed call that was answered with yes.
    bool isInDoubt = false;
    bool isReleaseDue = false;   // its release ended in an error, which a careful program repeats
    bool wasGranted = false;     // since it asked
    int depth = 0;               // how often it has it
    bool hasMade = false;        // a request of it took the free lock since it asked
    bool wasMadeLate = false;    // when it neither asked nor held
    bool mayHavePlace = false;   // an earlier call gave up in vain, and what should have said so to
                                 // the server may be lost: in a queue, its place is still there
    bool wasNested = false;      // it was granted once more while it held
    bool isRestarted = false;    // nothing was left of its hold when it took the lock once more
    bool isUnreplicated = false; // it asked whether replicas have it, and none did
    bool isLettingGo = false;    // Holding: the call that was to extend it has removed its keys
    std::size_t calledAt = 0;    // which entry: the latest call
    std::optional<std::size_t> queuedAt; // Asking: which entry had the server know of it first
    std::optional<Instant> leftAt;       // when an earlier hold of it ended, and not well
    /// When a disturbed nested acquire ended without a yes: the server may count it nevertheless.
    std::optional<Instant> uncountedAt;
    Instant askedAt{};
    Instant endedAt{};   // None: since when
    Instant leaseFrom{}; // the server carried out the latest request that took or renewed it; of
                         // several servers, as many as it takes
    std::optional<Instant> touchedAt; // as leaseFrom, whatever the process believes
    std::size_t touchedBy = 0;        // which entry that was
    Instant prolongedOthersAt{}; // its latest request that prolonged what was another's by then
    Instant madeAt{};            // its latest request that took the free lock was carried out
    Instant spokeAt{};           // its latest request that names the lock was carried out
    /// Another one's release may have handed it the lock, as to one in a queue. Over with a grant.
    std::optional<Instant> handedAt;
    Instant lastHeldAt{};     // the end of the hold before
    std::optional<Word> word; // of its call that goes on
    /// What its program asked for: where extensions add up, more than a lease.
    std::optional<Instant> extendedUntil;

    /// When the place that an earlier call may have left in a queue was handed the lock.
    std::optional<Instant> placeHandedAt() const { return mayHavePlace ? handedAt : std::nullopt; }
    /// A request of its latest call took or renewed the lock: it does not only say so.
    bool hasTouched() const { return touchedBy > calledAt; }
    /// Since when the server may have something of it that it does not know of: an earlier hold
    /// that did not end well, or a request that took the lock and whose answer it never had.
    std::optional<Instant> leftSince() const;
    /// When the lease of its hold began, at the earliest. What it took may be a member of a key
    /// that stays, so that no request of it is seen to take anything.
    Instant leaseBegin() const;
};

/// Who believes what, folded from the log of a run.
class BeliefBook {
public:
    BeliefBook(const Workload& workload, std::span<const Deviation> deviations);

    void see(const LogEntry& entry);

    const Belief& of(int party, int lock) const { return m_beliefs[indexOf(party, lock)]; }
    bool isDead(int process) const
    {
        return m_diedAt[static_cast<std::size_t>(process)].has_value();
    }
    std::optional<Instant> diedAt(int process) const
    {
        return m_diedAt[static_cast<std::size_t>(process)];
    }
    /// It stands still, is cut off, or something of it is under way.
    bool isHindered(int process) const
    {
        return m_hindrances[static_cast<std::size_t>(process)] > 0;
    }
    /// Since when nothing hinders it; the beginning where nothing ever did.
    Instant unhinderedSince(int process) const
    {
        return m_unhinderedSince[static_cast<std::size_t>(process)];
    }
    bool hasCallRunning(int party) const
    {
        return m_runningCalls[static_cast<std::size_t>(party)] > 0;
    }
    /// When something was done to the process last, or ended; the beginning: never.
    Instant disturbedAt(int process) const
    {
        return m_disturbedAt[static_cast<std::size_t>(process)];
    }
    /// When a party was told last that it has the lock; the beginning: never.
    Instant grantedAt(int lock) const { return m_grantedAt[static_cast<std::size_t>(lock)]; }
    /// When a replica that was behind took over; nullopt: never.
    std::optional<Instant> failedOverAt() const { return m_failedOverAt; }

    /// Of the keys of the lock on the server.
    const LockEffect& keysOf(int lock) const { return m_keys[static_cast<std::size_t>(lock)]; }
    /// They were there when a command saw them last, and by now none of them can be.
    bool areKeysExpired(int lock, Instant now) const;
    /// When a command made them last longer; the beginning: never.
    Instant prolongedAt(int lock) const { return m_prolongedAt[static_cast<std::size_t>(lock)]; }

    /// Whether an act makes sense by now: nobody gives back what he does not have.
    bool isDue(const Act& act) const;

private:
    std::size_t indexOf(int party, int lock) const
    {
        return static_cast<std::size_t>(party) * static_cast<std::size_t>(m_workload.lockCount)
               + static_cast<std::size_t>(lock);
    }
    Belief& beliefOf(int party, int lock) { return m_beliefs[indexOf(party, lock)]; }
    int partyOf(const LogEntry& entry) const
    {
        return m_workload.partyOf(entry.process, entry.thread);
    }
    int partyBehind(int process, const LockEffect& effect) const;
    std::size_t makerIndexOf(int lock, int server) const
    {
        return static_cast<std::size_t>(lock) * static_cast<std::size_t>(m_workload.serverCount)
               + static_cast<std::size_t>(server);
    }
    bool isBesideItsHold(const Belief& belief) const;
    bool isOfAnother(int party, const LockEffect& effect, int server) const;
    void touch(int party, const LockEffect& effect, const LogEntry& entry);
    void handOn(int lock, Instant at);
    void seeReplicasAnswer(const LogEntry& entry);
    void seeCall(const LogEntry& entry);
    void seeAnswer(const LogEntry& entry);
    void seeAcquired(Belief& belief, const LogEntry& entry);
    void seeReleased(Belief& belief, const LogEntry& entry);
    void seeExecuted(const LogEntry& entry);
    void seeInterference(const LogEntry& entry);
    void seeEndOfInterference(const LogEntry& entry);
    void disturb(int process);
    std::vector<int> processesHitBy(const LogEntry& entry) const;
    static void endHold(Belief& belief, Instant at, bool isClean);
    bool isAnybodyWaitingForFree(int lock) const;
    bool wasRefused(int party, int lock) const;
    bool isStuck(int lock) const;
    bool isAnyStuck() const;

    const Workload& m_workload;
    std::span<const Deviation> m_deviations;
    std::vector<Belief> m_beliefs; // by party, then lock
    /// In the same order, then by server: when the party's latest request was carried out there
    /// that took or renewed the lock.
    std::vector<std::optional<Instant>> m_leases;
    std::vector<std::optional<Instant>> m_diedAt; // by process, as what follows
    std::vector<int> m_hindrances;
    std::vector<Instant> m_unhinderedSince;
    std::vector<Instant> m_disturbedAt;
    std::vector<int> m_runningCalls; // by party
    std::vector<LockEffect> m_keys;  // by lock
    std::vector<Instant> m_keysSeenAt;
    std::vector<Instant> m_prolongedAt;
    std::vector<Instant> m_grantedAt;
    /// Who made the keys of a lock the last time, and by which entry.
    struct Maker {
        int party = -1;
        std::size_t entry = 0;
    };
    std::vector<Maker> m_makers; // by lock, then server
    std::optional<Instant> m_failedOverAt;
    std::size_t m_entryCount = 0;
};

} // namespace lockscope::conduct
