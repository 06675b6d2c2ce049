#pragma once

#include "core/kernel/inspect/filter/lock_filter.h"
#include "core/kernel/inspect/lock_record.h"
#include "ui/models/locks/alert_rule.h"
#include "ui/models/locks/lock_slots.h"

#include <QList>

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lockscope::models {

/// Something became of an alert.
struct AlertEvent {
    enum class Kind {
        Fired, // the lock has matched for as long as the alert asks
        Ended, // after that it matches no more, or is gone
    };

    Kind kind = Kind::Fired;
    AlertRule rule;
    inspect::LockPtr lock; // as it was known last
    Instant since{};       // it matched without a break
    Instant at{};
};

/// Decides when alerts fire. It has no clock and no timer: its owner says what happened and what
/// time it is. Not thread-safe.
///
/// A lock that matches fires once, when it has matched for the span of the alert; it has to stop
/// matching before it can fire again, and the pause of the alert has to be over. What is held back
/// by a pause or a snooze fires at its end if the lock matches even then. A lock that is not
/// confirmed, because the connection broke, is not judged: it neither fires nor ends.
class AlertEngine {
public:
    /// So many locks are asked about per look() whether the mere passing of time made them match.
    static constexpr std::size_t kLocksPerLook = 10'000;

    /// Enabled alerts whose filter can be read count. One that keeps its name, filter and span
    /// keeps what it knows.
    void setAlerts(const QList<AlertRule>& rules, Instant now);
    bool hasAlerts() const { return !m_watches.empty(); }

    /// By LockId::server; filters may ask for them.
    void setServers(std::vector<std::string> names) { m_servers = std::move(names); }

    void apply(const inspect::LockDelta& delta, Instant now);
    /// Other servers are watched: all locks are forgotten, and nothing is said about them.
    void forgetLocks();

    /// What became of the alerts up to `now`, in the order in which it did. To be called a few
    /// times a second.
    std::vector<AlertEvent> look(Instant now);

    /// Nothing of this name fires before `until`, which may be in the past: then it is over.
    void snooze(const QString& name, Instant until, Instant now);
    /// Nullopt: it is not snoozed.
    std::optional<Instant> snoozedUntil(const QString& name, Instant now) const;

private:
    struct Match {
        Instant since{};
        Instant due{};
        bool hasFired = false;
    };
    struct Watch {
        AlertRule rule;
        inspect::LockFilter filter;
        std::unordered_map<Slot, Match> matches{};
        std::unordered_map<inspect::LockId, Instant, inspect::LockIdHash> firedAt{};
    };
    using Due = std::tuple<Instant, std::size_t, Slot>; // when, of m_watches, the lock

    std::optional<Watch> watchOf(const AlertRule& rule);
    void judge(std::size_t watch, Slot slot, Instant now);
    void judgeForTime(Instant now);
    void begin(std::size_t watch, Slot slot, Instant now);
    void end(std::size_t watch, Slot slot, Instant now);
    void fireWhatIsDue(Instant now);
    void fire(std::size_t watch, Slot slot, Instant now);
    void schedule(std::size_t watch, Slot slot, Instant due);
    void scheduleAll();
    Instant heldBackUntil(const Watch& watch, const inspect::LockId& lock) const;
    void forgetOldPauses(Instant now);

    std::vector<Watch> m_watches;
    std::unordered_map<std::string, Instant> m_snoozes; // by the name of the alert
    std::vector<std::string> m_servers;
    LockSlots m_locks;
    std::set<Due> m_due; // of the matches that have not fired
    std::vector<AlertEvent> m_events;
    Slot m_nextForTime = 0;
    Instant m_pausesForgotten{};
};

} // namespace lockscope::models
