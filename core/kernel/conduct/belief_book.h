#pragma once

#include "core/kernel/conduct/deviation.h"
#include "core/kernel/conduct/run_log.h"
#include "core/kernel/conduct/workload.h"

#include <optional>
#include <span>
#include <vector>

namespace lockscope::conduct {

/// What one process takes for true of one lock, by its own answers.
struct Belief {
    enum class State : std::uint8_t { None, Asking, Holding, GivingBack };

    State state = State::None;
    bool isRead = false;
    bool isClean = true;           // None: the library said that it gave it back, or never had it
    bool wasHindered = false;      // something was done to the process since it asked
    bool isReleaseDue = false;     // its release ended in an error, which a careful program repeats
    bool wasGranted = false;       // since it asked
    std::optional<Instant> leftAt; // when an earlier hold of it ended, and not well
    Instant askedAt{};
    Instant endedAt{};   // None: since when
    Instant leaseFrom{}; // the server carried out the latest request that took or renewed it
    std::optional<Instant> touchedAt; // as leaseFrom, whatever the process believes
    Instant madeAt{};                 // its latest request that took the free lock was carried out
};

/// Who believes what, folded from the log of a run.
class BeliefBook {
public:
    BeliefBook(const Workload& workload, std::span<const Deviation> deviations);

    void see(const LogEntry& entry);

    const Belief& of(int process, int lock) const { return m_beliefs[indexOf(process, lock)]; }
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
    bool hasCallRunning(int process) const
    {
        return m_runningCalls[static_cast<std::size_t>(process)] > 0;
    }

    /// Of the keys of the lock on the server.
    const LockEffect& keysOf(int lock) const { return m_keys[static_cast<std::size_t>(lock)]; }
    /// They were there when a command saw them last, and by now none of them can be.
    bool areKeysExpired(int lock, Instant now) const;
    /// When a command made them last longer; the beginning: never.
    Instant prolongedAt(int lock) const { return m_prolongedAt[static_cast<std::size_t>(lock)]; }

    /// Whether an act makes sense by now: nobody gives back what he does not have.
    bool isDue(const Act& act) const;

private:
    std::size_t indexOf(int process, int lock) const
    {
        return static_cast<std::size_t>(process) * static_cast<std::size_t>(m_workload.lockCount)
               + static_cast<std::size_t>(lock);
    }
    Belief& beliefOf(int process, int lock) { return m_beliefs[indexOf(process, lock)]; }
    void seeCall(const LogEntry& entry);
    void seeAnswer(const LogEntry& entry);
    void seeAcquired(Belief& belief, const LogEntry& entry);
    void seeReleased(Belief& belief, const LogEntry& entry);
    void seeExecuted(const LogEntry& entry);
    void seeInterference(const LogEntry& entry);
    void hinder(int process);
    static void endHold(Belief& belief, Instant at, bool isClean);
    bool isAnybodyWaitingForFree(int lock) const;

    const Workload& m_workload;
    std::span<const Deviation> m_deviations;
    std::vector<Belief> m_beliefs; // by process, then lock
    std::vector<std::optional<Instant>> m_diedAt;
    std::vector<int> m_hindrances;
    std::vector<int> m_runningCalls;
    std::vector<Instant> m_unhinderedSince;
    std::vector<LockEffect> m_keys; // by lock
    std::vector<Instant> m_keysSeenAt;
    std::vector<Instant> m_prolongedAt;
};

} // namespace lockscope::conduct
