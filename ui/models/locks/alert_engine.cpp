#include "ui/models/locks/alert_engine.h"

#include "ui/models/typed_values.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

using namespace std::chrono_literals;

namespace {

/// A match of a lock that is not confirmed is looked at again after so long.
constexpr Duration kDoubt = 1s;
constexpr Duration kPausesKept = 1min;

bool isSameQuestion(const AlertRule& one, const AlertRule& other)
{
    return one.name == other.name && one.filter == other.filter && one.span == other.span;
}

} // namespace

std::optional<AlertEngine::Watch> AlertEngine::watchOf(const AlertRule& rule)
{
    const auto filter = typedFilter(rule.filter);
    if (!rule.isEnabled || !std::holds_alternative<inspect::LockFilter>(filter)) {
        return std::nullopt;
    }
    Watch watch{rule, std::get<inspect::LockFilter>(filter)};
    const auto known = std::ranges::find_if(m_watches, [&rule](const Watch& each) {
        return isSameQuestion(each.rule, rule);
    });
    if (known != m_watches.end()) {
        watch.matches = std::exchange(known->matches, {});
        watch.firedAt = std::exchange(known->firedAt, {});
    }
    return watch;
}

void AlertEngine::setAlerts(const QList<AlertRule>& rules, Instant now)
{
    std::vector<Watch> watches;
    for (const AlertRule& rule : rules) {
        if (std::optional<Watch> watch = watchOf(rule)) {
            watches.push_back(*std::move(watch));
        }
    }
    m_watches = std::move(watches);
    scheduleAll();
    for (std::size_t watch = 0; watch < m_watches.size(); ++watch) {
        for (Slot slot = 0; slot < m_locks.slotCount(); ++slot) {
            judge(watch, slot, now);
        }
    }
}

void AlertEngine::apply(const inspect::LockDelta& delta, Instant now)
{
    for (const inspect::LockChange& change : delta.changes) {
        if (!isEnding(change.kind)) {
            const Slot slot = m_locks.put(change.lock).slot;
            for (std::size_t watch = 0; watch < m_watches.size(); ++watch) {
                judge(watch, slot, now);
            }
        } else if (const std::optional<Slot> slot = m_locks.find(change.lock->id)) {
            for (std::size_t watch = 0; watch < m_watches.size(); ++watch) {
                end(watch, *slot, now);
            }
            m_locks.remove(*slot);
        }
    }
}

void AlertEngine::forgetLocks()
{
    for (Watch& watch : m_watches) {
        watch.matches.clear();
        watch.firedAt.clear();
    }
    m_due.clear();
    m_events.clear();
    m_locks.clear();
    m_nextForTime = 0;
}

std::vector<AlertEvent> AlertEngine::look(Instant now)
{
    judgeForTime(now);
    fireWhatIsDue(now);
    forgetOldPauses(now);
    return std::exchange(m_events, {});
}

void AlertEngine::snooze(const QString& name, Instant until, Instant now)
{
    m_snoozes[name.toStdString()] = until;
    std::erase_if(m_snoozes, [now](const auto& each) { return each.second <= now; });
    scheduleAll();
}

std::optional<Instant> AlertEngine::snoozedUntil(const QString& name, Instant now) const
{
    const auto found = m_snoozes.find(name.toStdString());
    return found == m_snoozes.end() || found->second <= now ? std::nullopt
                                                            : std::optional(found->second);
}

void AlertEngine::judge(std::size_t watch, Slot slot, Instant now)
{
    const inspect::LockPtr& lock = m_locks.at(slot);
    if (lock == nullptr || !lock->isConfirmed) {
        return;
    }
    if (m_watches[watch].filter.matches(*lock, {now, m_servers})) {
        begin(watch, slot, now);
    } else {
        end(watch, slot, now);
    }
}

void AlertEngine::judgeForTime(Instant now)
{
    const auto count = static_cast<Slot>(m_locks.slotCount());
    const auto looks = static_cast<Slot>(std::min<std::size_t>(count, kLocksPerLook));
    for (std::size_t watch = 0; watch < m_watches.size(); ++watch) {
        for (Slot i = 0; m_watches[watch].filter.dependsOnTime() && i < looks; ++i) {
            judge(watch, (m_nextForTime + i) % count, now);
        }
    }
    m_nextForTime = count == 0 ? 0 : (m_nextForTime + looks) % count;
}

void AlertEngine::begin(std::size_t watch, Slot slot, Instant now)
{
    if (m_watches[watch].matches.try_emplace(slot, Match{now}).second) {
        schedule(watch, slot, now + m_watches[watch].rule.span);
    }
}

void AlertEngine::end(std::size_t watch, Slot slot, Instant now)
{
    Watch& of = m_watches[watch];
    const auto match = of.matches.find(slot);
    if (match == of.matches.end()) {
        return;
    }
    m_due.erase({match->second.due, watch, slot});
    if (match->second.hasFired) {
        m_events.push_back({AlertEvent::Kind::Ended, of.rule, m_locks.at(slot), match->second.since,
                            now});
    }
    of.matches.erase(match);
}

void AlertEngine::fireWhatIsDue(Instant now)
{
    while (!m_due.empty() && std::get<Instant>(*m_due.begin()) <= now) {
        const auto [due, watch, slot] = *m_due.begin();
        m_due.erase(m_due.begin());
        const inspect::LockPtr& lock = m_locks.at(slot);
        const Instant earliest = lock->isConfirmed ? heldBackUntil(m_watches[watch], lock->id)
                                                   : now + kDoubt;
        if (earliest > now) {
            schedule(watch, slot, earliest);
        } else {
            fire(watch, slot, now);
        }
    }
}

void AlertEngine::fire(std::size_t watch, Slot slot, Instant now)
{
    Watch& of = m_watches[watch];
    Match& match = of.matches.at(slot);
    match.hasFired = true;
    const inspect::LockPtr& lock = m_locks.at(slot);
    of.firedAt[lock->id] = now;
    m_events.push_back({AlertEvent::Kind::Fired, of.rule, lock, match.since, now});
}

void AlertEngine::schedule(std::size_t watch, Slot slot, Instant due)
{
    m_watches[watch].matches.at(slot).due = due;
    m_due.emplace(due, watch, slot);
}

/// From the beginning, because a snooze ended or the alerts are others.
void AlertEngine::scheduleAll()
{
    m_due.clear();
    for (std::size_t watch = 0; watch < m_watches.size(); ++watch) {
        for (const auto& [slot, match] : m_watches[watch].matches) {
            if (!match.hasFired) {
                schedule(watch, slot, match.since + m_watches[watch].rule.span);
            }
        }
    }
}

Instant AlertEngine::heldBackUntil(const Watch& watch, const inspect::LockId& lock) const
{
    Instant until{};
    if (const auto snooze = m_snoozes.find(watch.rule.name.toStdString());
        snooze != m_snoozes.end()) {
        until = snooze->second;
    }
    const auto fired = watch.firedAt.find(lock);
    return fired == watch.firedAt.end() ? until : std::max(until, fired->second + watch.rule.pause);
}

void AlertEngine::forgetOldPauses(Instant now)
{
    if (now - m_pausesForgotten < kPausesKept) {
        return;
    }
    m_pausesForgotten = now;
    for (Watch& watch : m_watches) {
        std::erase_if(watch.firedAt, [&watch, now](const auto& each) {
            return each.second + watch.rule.pause <= now;
        });
    }
}

} // namespace lockscope::models
