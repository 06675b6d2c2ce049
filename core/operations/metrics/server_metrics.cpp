#include "core/operations/metrics/server_metrics.h"

#include "core/kernel/base/bytes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockscope::metrics {

using inspect::ChangeKind;
using inspect::Flag;
using inspect::LockRecord;
using inspect::LockState;

namespace {

constexpr auto kFlagCount = static_cast<std::size_t>(Flag::FlagCount);
constexpr auto kStateCount = static_cast<std::size_t>(LockState::StateCount);

/// The families in the order in which they are written.
enum class Family : std::uint8_t {
    Build,
    Up,
    Locks,
    Suspicious,
    Unconfirmed,
    OldestHold,
    Waiters,
    UncountedWaiters,
    Changes,
    SweepAge,
    UnreadKeys,
    Commands,
    Messages,
    TrafficBytes,
    CoreShare,
    SlowestCall,
    NamedHeld,
    NamedTtl,
    NamedWaiters,
    NamedLeftOut,
    FamilyCount,
};

constexpr auto kFamilyCount = static_cast<std::size_t>(Family::FamilyCount);

struct Description {
    std::string_view name;
    MetricKind kind;
    std::string_view unit;
    std::string_view help;
};

constexpr std::array<Description, kFamilyCount> kDescriptions{{
    {"lockscope_build", MetricKind::Info, "", "The version of the program."},
    {"lockscope_server_up", MetricKind::Gauge, "",
     "1 if the server answers; 0 if not, and then nothing is said of its locks."},
    {"lockscope_locks", MetricKind::Gauge, "", "Locks by format and state."},
    {"lockscope_suspicious_locks", MetricKind::Gauge, "",
     "Suspicious locks by flag; a lock may have several flags."},
    {"lockscope_unconfirmed_locks", MetricKind::Gauge, "",
     "Locks seen before the connection broke and not since."},
    {"lockscope_oldest_hold_seconds", MetricKind::Gauge, "seconds",
     "Age of the oldest hold, at least: counted from when it was first seen."},
    {"lockscope_waiters", MetricKind::Gauge, "",
     "Clients waiting for locks, as far as the server can tell."},
    {"lockscope_uncounted_locks", MetricKind::Gauge, "",
     "Locks for which the server cannot tell how many clients wait."},
    {"lockscope_changes", MetricKind::Counter, "",
     "Changes of locks while watching; locks that were there already did not appear."},
    {"lockscope_sweep_age_seconds", MetricKind::Gauge, "seconds",
     "Time since the server was last scanned completely."},
    {"lockscope_unread_keys", MetricKind::Gauge, "",
     "Keys that may be locks and could not be read in the last complete scan."},
    {"lockscope_commands", MetricKind::Counter, "", "Commands sent to the server."},
    {"lockscope_key_messages", MetricKind::Counter, "",
     "Changed keys that the server reported, of locks or not."},
    {"lockscope_traffic_bytes", MetricKind::Counter, "bytes",
     "Bytes sent to the server and received from it to watch its locks."},
    {"lockscope_core_share_ratio", MetricKind::Gauge, "ratio",
     "Estimated share of one core of the server that watching takes."},
    {"lockscope_slowest_call_seconds", MetricKind::Gauge, "seconds",
     "Longest wait for a reply within the last second."},
    {"lockscope_lock_held_seconds", MetricKind::Gauge, "seconds",
     "How long the lock has been held, at least: counted from when the hold was first seen."},
    {"lockscope_lock_ttl_seconds", MetricKind::Gauge, "seconds",
     "Time until the lock expires; missing if it never does."},
    {"lockscope_lock_waiters", MetricKind::Gauge, "", "Clients waiting for the lock."},
    {"lockscope_metric_keys_left_out", MetricKind::Counter, "",
     "Times that a lock named by a pattern appeared and was left out for lack of room."},
}};

double secondsOf(Duration duration)
{
    return std::max(std::chrono::duration<double>(duration).count(), 0.0);
}

/// One server alone is no Redlock set: these flags cannot be seen there.
bool isOfSets(Flag flag)
{
    return flag == Flag::Minority || flag == Flag::SplitOwners;
}

void add(std::vector<MetricFamily>& families, Family family, Labels labels, double value)
{
    families.at(static_cast<std::size_t>(family)).samples.push_back({std::move(labels), value});
}

Labels with(Labels labels, std::string_view name, std::string_view value)
{
    labels.emplace_back(name, value);
    return labels;
}

} // namespace

/// The locks that count, at one moment.
struct ServerMetrics::Tally {
    std::map<std::string_view, std::array<std::size_t, kStateCount>> byFormat;
    std::array<std::size_t, kFlagCount> byFlag{};
    std::optional<Duration> oldest;
    std::size_t lockCount = 0;
    std::size_t uncounted = 0; // whose waiters are not known
    std::int64_t waiters = 0;  // of the others

    void add(const LockRecord& record, Instant now)
    {
        ++lockCount;
        ++byFormat[record.format()].at(static_cast<std::size_t>(inspect::stateOf(record)));
        for (std::size_t i = 0; i < kFlagCount; ++i) {
            const auto flag = static_cast<Flag>(i);
            byFlag.at(i) += record.flags.has(flag) && inspect::severityOf(flag, record) > 0 ? 1 : 0;
        }
        oldest = std::max(oldest.value_or(Duration(0)), now - record.firstSeen);
        uncounted += record.waiters ? 0 : 1;
        waiters += record.waiters.value_or(0);
    }
};

ServerMetrics::ServerMetrics(std::uint16_t server, ServerLabels labels, Wanted isWanted,
                             NamedLocks& named)
    : m_server(server),
      m_labels(std::move(labels)),
      m_isWanted(std::move(isWanted)),
      m_named(named)
{}

void ServerMetrics::setUp(bool isUp)
{
    m_isUp = isUp;
    m_wasUp = m_wasUp || isUp;
    if (isUp) {
        m_areLocksForgotten = false;
    } else {
        m_cost.reset();
    }
}

void ServerMetrics::forgetLocks()
{
    setLost();
    m_locks.clear();
    m_areLocksForgotten = true;
}

void ServerMetrics::setLost()
{
    setUp(false);
    m_isSwept = false;
}

void ServerMetrics::takeSweep(Instant doneAt, std::uint64_t unreadCount)
{
    m_lastSweep = doneAt;
    m_unread = unreadCount;
    m_isSwept = true;
}

void ServerMetrics::takeCost(const CostReport& cost)
{
    m_commandCount += cost.commandCount;
    m_messageCount += cost.messageCount;
    m_byteCount += cost.byteCount;
    if (m_isUp) {
        m_cost = cost;
    }
}

inspect::LockId ServerMetrics::idAmongAll(const LockRecord& record) const
{
    return {m_server, record.id.name};
}

void ServerMetrics::takeDelta(const inspect::LockDelta& delta, Instant now)
{
    for (const inspect::LockChange& change : delta.changes) {
        count(change, now);
        const LockRecord& record = *change.lock;
        if (inspect::isEnding(change.kind)) {
            m_locks.erase(record.id);
            continue;
        }
        m_locks[record.id] = change.lock;
        if (m_isWanted(record, now)) {
            m_named.meet(idAmongAll(record), change.kind == ChangeKind::Appeared);
            m_formats.emplace(record.format());
        }
    }
}

void ServerMetrics::count(const inspect::LockChange& change, Instant now)
{
    const bool wasThere = change.kind == ChangeKind::Appeared && !change.lock->isTakenWhileWatching;
    const auto kind = static_cast<std::size_t>(change.kind);
    if (kind < m_changes.size() && !wasThere && m_isWanted(*change.lock, now)) {
        ++m_changes.at(kind);
    }
}

Labels ServerMetrics::labels() const
{
    Labels all{{"server", escaped(m_labels.server)}, {"db", std::to_string(m_labels.database)}};
    if (!m_labels.environment.empty()) {
        all.emplace_back("environment", m_labels.environment);
    }
    return all;
}

ServerMetrics::Tally ServerMetrics::tally(Instant now) const
{
    Tally tally;
    for (const std::string& format : m_formats) {
        tally.byFormat.try_emplace(format);
    }
    for (const auto& [id, lock] : m_locks) {
        if (m_isWanted(*lock, now)) {
            tally.add(*lock, now);
        }
    }
    return tally;
}

void ServerMetrics::addLocks(std::vector<MetricFamily>& families, const Tally& tally) const
{
    for (const auto& [format, byState] : tally.byFormat) {
        const Labels ofFormat = with(labels(), "format", format);
        for (std::size_t i = 0; i < kStateCount; ++i) {
            add(families, Family::Locks, with(ofFormat, "state", idOf(static_cast<LockState>(i))),
                static_cast<double>(byState.at(i)));
        }
    }
    for (std::size_t i = 0; i < kFlagCount; ++i) {
        const auto flag = static_cast<Flag>(i);
        if (inspect::severityOf(flag) > 0 && !isOfSets(flag)) {
            add(families, Family::Suspicious, with(labels(), "flag", idOf(flag)),
                static_cast<double>(tally.byFlag.at(i)));
        }
    }
    if (tally.oldest) {
        add(families, Family::OldestHold, labels(), secondsOf(*tally.oldest));
    }
    if (tally.uncounted < tally.lockCount || tally.lockCount == 0) {
        add(families, Family::Waiters, labels(), static_cast<double>(tally.waiters));
    }
    add(families, Family::UncountedWaiters, labels(), static_cast<double>(tally.uncounted));
}

void ServerMetrics::addNamed(std::vector<MetricFamily>& families, Instant now) const
{
    std::map<std::string_view, const LockRecord*> byName; // in an order that stays
    for (const auto& [id, lock] : m_locks) {
        if (m_named.isAdmitted(idAmongAll(*lock)) && m_isWanted(*lock, now)) {
            byName.emplace(lock->id.name, lock.get());
        }
    }
    for (const auto& [name, record] : byName) {
        const Labels ofLock = with(labels(), "key", escaped(name));
        add(families, Family::NamedHeld, ofLock, secondsOf(now - record->firstSeen));
        if (record->expiresAt) {
            add(families, Family::NamedTtl, ofLock, secondsOf(*record->expiresAt - now));
        }
        if (record->waiters) {
            add(families, Family::NamedWaiters, ofLock, *record->waiters);
        }
    }
}

/// What is known whether the server answers or not.
void ServerMetrics::addFacts(std::vector<MetricFamily>& families, Instant now) const
{
    add(families, Family::Up, labels(), m_isUp ? 1 : 0);
    if (m_lastSweep) {
        add(families, Family::SweepAge, labels(), secondsOf(now - *m_lastSweep));
    }
    if (!m_wasUp) {
        return;
    }
    const auto unconfirmed = std::ranges::count_if(m_locks, [&](const auto& entry) {
        return !entry.second->isConfirmed && m_isWanted(*entry.second, now);
    });
    if (!m_areLocksForgotten) {
        add(families, Family::Unconfirmed, labels(), static_cast<double>(unconfirmed));
    }
    for (std::size_t i = 0; i < m_changes.size(); ++i) {
        add(families, Family::Changes, with(labels(), "change", idOf(static_cast<ChangeKind>(i))),
            static_cast<double>(m_changes.at(i)));
    }
    add(families, Family::Commands, labels(), static_cast<double>(m_commandCount));
    add(families, Family::Messages, labels(), static_cast<double>(m_messageCount));
    add(families, Family::TrafficBytes, labels(), static_cast<double>(m_byteCount));
    if (m_cost) {
        add(families, Family::CoreShare, labels(), m_cost->coreShare);
        add(families, Family::SlowestCall, labels(), secondsOf(m_cost->slowestCall));
    }
}

void ServerMetrics::addTo(std::vector<MetricFamily>& families, Instant now) const
{
    addFacts(families, now);
    if (!isKnown()) {
        return;
    }
    add(families, Family::UnreadKeys, labels(), static_cast<double>(m_unread.value_or(0)));
    addLocks(families, tally(now));
    addNamed(families, now);
}

std::vector<MetricFamily> familiesOf(const std::vector<const ServerMetrics*>& servers,
                                     const NamedLocks& named, std::string_view version, Instant now)
{
    std::vector<MetricFamily> families;
    families.reserve(kFamilyCount);
    for (const Description& one : kDescriptions) {
        families.push_back({one.name, one.kind, one.unit, one.help, {}});
    }
    add(families, Family::Build, {{"version", std::string(version)}}, 1);
    for (const ServerMetrics* const server : servers) {
        server->addTo(families, now);
    }
    if (named.isWanted()) {
        add(families, Family::NamedLeftOut, {}, static_cast<double>(named.leftOutCount()));
    }
    return families;
}

} // namespace lockscope::metrics
