#include "core/kernel/inspect/watch/lock_watcher.h"

#include "core/kernel/inspect/limit_problems.h"
#include "core/kernel/inspect/server_questions.h"
#include "core/kernel/inspect/subscriber_counts.h"
#include "core/kernel/store/limits.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockscope::inspect {

using store::Problem;

namespace {

using namespace std::chrono_literals;

/// Keys in one look: small enough that the first news of a burst are not held up by the last.
constexpr std::size_t kKeysPerLook = 128;
constexpr Duration kTickInterval = 1s;
constexpr Duration kWaiterInterval = 2s;
constexpr Duration kClientInterval = 5s;
constexpr Duration kWallClockInterval = 60s;
/// CLIENT LIST costs the server time in proportion to its connections.
constexpr std::size_t kManyClients = 2000;
/// The server counts whole milliseconds: a key is gone when the one after its last has begun. A key
/// that a probe finds alive against the prediction is asked about again after the same time.
constexpr Duration kProbeDelay = 1ms;
/// A sweep that failed while the connection lives (the server is loading, or was too slow) is tried
/// again.
constexpr Duration kSweepRetryInterval = 5s;
/// What it refuses costs it nothing.
constexpr Duration kRefusedSweepInterval = 1s;
/// Where the news do not tell everything, looking for what they left out may take so small a part
/// of the time: one in so many. Most of a small sweep is the way to the server and back, so that it
/// costs the server less than that, and newcomers are shown within two seconds of 20 ms of it.
constexpr Duration kLeastPauseOfGaps = 1s;
constexpr int kSweepShare = 100;
/// Where they tell everything, a sweep only repairs what got lost, which is next to nothing: of
/// very many keys, one in so many parts of the time.
constexpr int kRepairShare = 300;
constexpr Duration kRepairPauseMost = 15min;
/// Keys that may not be read are tried again: permissions are granted, and no news tell of that.
constexpr Duration kUnreadableInterval = 1s;
constexpr std::size_t kUnreadableMax = 32;
constexpr Duration kLookRetryInterval = 200ms;
/// A lock that a sweep finds was taken since the sweep before it. If that is this short a time ago,
/// the moment is known well enough: where news have gaps, sweeps of usual servers follow faster.
constexpr Duration kRecently = 3s;

std::vector<KeyGroup> takeFirst(std::vector<KeyGroup>& groups, std::size_t count)
{
    const auto end = groups.begin() + static_cast<std::ptrdiff_t>(std::min(count, groups.size()));
    std::vector<KeyGroup> taken(std::make_move_iterator(groups.begin()),
                                std::make_move_iterator(end));
    groups.erase(groups.begin(), end);
    return taken;
}

bool isForbidden(const LockSnapshot& snapshot)
{
    return std::ranges::any_of(snapshot.keys, [](const Observation& seen) {
        return store::problemOfServerError(seen.unreadable, {}).kind == Problem::Kind::NoPermission;
    });
}

} // namespace

LockWatcher::LockWatcher(async::Executor& executor, Clock& clock, store::Store& store,
                         LockBook& book, WatchObserver& observer, WatchSettings settings)
    : m_clock(clock),
      m_store(store),
      m_book(book),
      m_observer(observer),
      m_settings(std::move(settings)),
      m_names(m_settings.patterns, m_settings.formats),
      m_reader(store, clock, m_wallClock, ReadLimits(), m_settings.formats),
      m_pace(store, clock, m_settings.budget),
      m_sweep(executor, store, clock, m_reader, m_names, *this, &m_pace),
      m_tasks(executor)
{
    m_tasks.start(run());
}

async::Task<void> LockWatcher::run()
{
    co_await adjustWallClock(m_store, m_clock, m_wallClock);
    m_tasks.start(followChanges());
    m_tasks.start(probeExpiries());
    m_tasks.start(keepCountingWaiters());
    m_tasks.start(keepListingClients());
    m_tasks.start(keepTime());
    m_tasks.start(tickBook());
    m_tasks.start(retryUnreadable());
    if (!m_settings.hasPush) {
        m_tasks.start(pollKnown());
    }
    m_tasks.start(keepSweeping());
}

void LockWatcher::keyChanged(const Bytes& key)
{
    for (const Bytes& name : locksOfQueue(key, m_settings.formats->decoders())) {
        if (m_book.knowsKey(m_settings.server, name)) {
            lookSoon(name); // a client began to wait for it, or gave up
        }
    }
    if (isOfInterest(key)) {
        lookSoon(key);
    }
}

void LockWatcher::lookSoon(const Bytes& key)
{
    ++m_changeCount;
    if (m_dirty.size() >= store::limits::kChangedKeysMax) {
        m_dirty.clear();
        everythingChanged();
        return;
    }
    m_dirty.insert(key);
    m_dirtyGate.open();
}

bool LockWatcher::isOfInterest(const Bytes& key) const
{
    if (key.size() > store::limits::kKeyNameBytesMax || m_names.isBookkeeping(key)) {
        return false;
    }
    return m_settings.isDeep || m_names.looksLikeLock(key)
           || m_book.knowsKey(m_settings.server, key);
}

void LockWatcher::resweep(bool isDeep)
{
    m_settings.isDeep = isDeep;
    m_sweepGate.open();
}

void LockWatcher::setPatterns(std::vector<std::string> patterns)
{
    m_settings.patterns = std::move(patterns);
    m_names = NameRules(m_settings.patterns, m_settings.formats);
    resweep(m_settings.isDeep);
}

void LockWatcher::setFormats(FormatTablePtr formats)
{
    m_settings.formats = std::move(formats);
    m_names = NameRules(m_settings.patterns, m_settings.formats);
    m_reader.setFormats(m_settings.formats);
    published();
    resweep(m_settings.isDeep);
}

void LockWatcher::everythingChanged()
{
    loseNews();
    resweep(m_settings.isDeep);
}

/// Until the next complete sweep, what is found may have been there for a while.
void LockWatcher::loseNews()
{
    m_covered.reset();
    ++m_lossCount;
}

async::Task<void> LockWatcher::keepSweeping()
{
    while (true) {
        const Instant begin = m_clock.now();
        m_isForNewcomers = m_isSwept && seesKnownLocks() && begin < m_nextFullSweep;
        m_isSwept = co_await sweepOnce();
        const Instant end = m_clock.now();
        if (m_isSwept && !m_isForNewcomers) {
            m_nextFullSweep = end + usualPause();
        }
        const Instant next = end + pauseAfterSweep(m_isSwept, end - begin);
        co_await m_sweepGate.passBefore(m_clock, next);
        if (m_clock.now() < next) {
            m_nextFullSweep = m_clock.now(); // the user or a fault asks for a full look
        }
    }
}

/// What becomes of the locks that are in the book is seen without sweeping.
bool LockWatcher::seesKnownLocks() const
{
    return m_settings.hasPush && m_settings.hasGaps;
}

Duration LockWatcher::usualPause() const
{
    return m_settings.hasPush ? m_settings.resweepInterval : m_settings.pollingResweepInterval;
}

Duration LockWatcher::pauseAfterSweep(bool isDone, Duration spent) const
{
    const Duration usual = usualPause();
    if (!isDone) {
        const bool isTimeOut = m_limit.kind == Problem::Kind::ReplyTimedOut;
        return std::min(usual, isTimeOut ? kSweepRetryInterval : kRefusedSweepInterval);
    }
    const bool isBlind = m_settings.hasGaps || !m_settings.hasPush;
    return isBlind ? std::clamp(kSweepShare * spent, std::min(kLeastPauseOfGaps, usual), usual)
                   : std::clamp(kRepairShare * spent, usual, std::max(usual, kRepairPauseMost));
}

void LockWatcher::resume()
{
    if (!m_settings.hasPush || !m_isSwept) {
        m_sweepGate.open();
        return;
    }
    m_isToConfirm = true;
    m_dirtyGate.open();
}

void LockWatcher::confirm()
{
    m_book.confirm(m_settings.server, m_clock.now());
    published();
}

void LockWatcher::setGaps(bool hasGaps)
{
    m_settings.hasGaps = hasGaps;
    loseNews();
    m_sweepGate.open();
}

async::Task<bool> LockWatcher::sweepOnce()
{
    if (!m_isForNewcomers) {
        m_book.beginSweep(m_settings.server);
    }
    m_isSweepDeep = m_settings.isDeep;
    m_limitOfValues = {};
    m_unreadable.clear();
    m_findings = {};
    SweepOptions options;
    options.server = m_settings.server;
    options.isDeep = m_isSweepDeep;
    options.isForNewcomers = m_isForNewcomers;
    Coverage coverage{m_names, m_isSweepDeep, m_clock.now()};
    const std::uint64_t lossesBefore = m_lossCount;
    const SweepEnd end = co_await m_sweep.run(options);
    if (end.problem.kind != Problem::Kind::None) {
        setLimit(end.problem);
        co_return false;
    }
    if (!m_isForNewcomers) {
        co_await readUnseen();
    }
    setLimit(limitOfSweep());
    m_findings.addLongNames(end.longNameCount);
    m_observer.sweepFound(m_settings.server,
                          std::make_shared<const SweepFindings>(std::exchange(m_findings, {})));
    m_book.setLive(m_settings.server, true);
    if (m_lossCount == lossesBefore) {
        m_covered = std::move(coverage);
    }
    m_observer.sweepProgressed(m_settings.server, end.scanned, end.total, true, m_isSweepDeep);
    published();
    co_return true;
}

/// A key that could not be read is a finding of every sweep.
bool LockWatcher::isKnown(const Bytes& key) const
{
    return m_book.isCertainOf(m_settings.server, key);
}

/// Why a sweep that came to its end did not see everything.
Problem LockWatcher::limitOfSweep() const
{
    if (m_limitOfValues.kind != Problem::Kind::None) {
        return m_limitOfValues;
    }
    return m_book.isFull() ? tooManyLocks() : m_limitOfClients;
}

void LockWatcher::setLimit(const Problem& problem)
{
    if (problem != m_limit) {
        m_limit = problem;
        m_observer.limited(m_settings.server, problem);
    }
}

/// The first one will do: with it out of the way, the next one shows.
void LockWatcher::noticeLimits(const LockSnapshot& snapshot)
{
    if (m_unreadable.size() < kUnreadableMax && isForbidden(snapshot)) {
        m_unreadable.push_back(groupOf(snapshot.name, builtinPairRules()));
    }
    for (const Observation& seen : snapshot.keys) {
        if (seen.unreadable.empty() || m_limitOfValues.kind != Problem::Kind::None) {
            continue;
        }
        const Problem problem = store::problemOfServerError(seen.unreadable, seen.refusedCommand);
        if (problem.kind == Problem::Kind::NoPermission) {
            m_limitOfValues = problem;
        }
    }
}

async::Task<void> LockWatcher::retryUnreadable()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + kUnreadableInterval);
        if (m_unreadable.empty()) {
            continue;
        }
        const Instant begunAt = m_clock.now();
        const auto result = co_await m_reader.sight(m_settings.server, m_unreadable);
        co_await m_pace.settle(begunAt);
        const auto* const snapshots = std::get_if<std::vector<LockSnapshot>>(&result);
        if (snapshots != nullptr && !std::ranges::all_of(*snapshots, isForbidden)) {
            m_unreadable.clear();
            m_sweepGate.open(); // so may others
        }
    }
}

async::Task<void> LockWatcher::readUnseen()
{
    std::vector<KeyGroup> groups = m_book.unseen(m_settings.server);
    while (!groups.empty()) {
        const bool isRead = co_await readPiece(groups);
        if (!isRead) {
            co_return;
        }
    }
}

/// The first of very many, as the budget allows.
async::Task<bool> LockWatcher::readPiece(std::vector<KeyGroup>& groups)
{
    const Instant begunAt = m_clock.now();
    const bool isRead = co_await readAndSee(takeFirst(groups, m_pace.keysAtOnce(kKeysPerLook)));
    co_await m_pace.settle(begunAt);
    co_return isRead;
}

async::Task<bool> LockWatcher::readAndSee(std::vector<KeyGroup> groups)
{
    auto result = co_await m_reader.sight(m_settings.server, groups);
    auto* const snapshots = std::get_if<std::vector<LockSnapshot>>(&result);
    if (snapshots == nullptr) {
        lookAgainLater(groups);
        co_return false;
    }
    for (LockSnapshot& snapshot : *snapshots) {
        if (!m_readOrder.isOutdated(snapshot)) {
            m_readOrder.note(snapshot);
            see(snapshot, Occasion::News);
        }
    }
    published();
    if (m_limitOfValues.kind != Problem::Kind::None) {
        setLimit(m_limitOfValues);
    }
    co_return true;
}

/// The look failed although this watcher goes on: the server was slow, or busy, but the
/// connection lives.
void LockWatcher::lookAgainLater(const std::vector<KeyGroup>& groups)
{
    for (const KeyGroup& group : groups) {
        m_dirty.insert(group.keys.front());
    }
    m_dirtyGate.open();
}

void LockWatcher::sighted(std::vector<LockSnapshot> snapshots)
{
    for (LockSnapshot& snapshot : snapshots) {
        if (m_readOrder.isOutdated(snapshot)) {
            continue; // what is known of a lock is newer, and one that is gone does not come back
        }
        const bool isLock = see(snapshot, Occasion::Sweep);
        m_findings.addSnapshot(snapshot, isLock);
    }
    published();
}

bool LockWatcher::see(LockSnapshot& snapshot, Occasion occasion)
{
    m_names.markIfNamed(snapshot);
    noticeLimits(snapshot);
    return m_book.see(snapshot, m_clock.now(), absenceOf(snapshot, occasion));
}

/// A lock that the book does not have was not there a moment ago, if the last sweep would have
/// found it, and either that was just now, or nothing happens that no news tell of. A name that
/// only a queue, a channel or a new pattern leads to is not one that a sweep finds.
LockBook::Absence LockWatcher::absenceOf(const LockSnapshot& snapshot, Occasion occasion) const
{
    const auto isCovered = [this](const Observation& seen) {
        return seen.exists() && (m_covered->isDeep || m_covered->names.looksLikeLock(seen.key));
    };
    const bool hasAllNews = m_settings.hasPush && !m_settings.hasGaps;
    const bool isKnown = m_covered && std::ranges::any_of(snapshot.keys, isCovered)
                         && ((occasion == Occasion::News && hasAllNews)
                             || m_clock.now() - m_covered->begunAt <= kRecently);
    return isKnown ? LockBook::Absence::Known : LockBook::Absence::Unknown;
}

void LockWatcher::progressed(std::uint64_t scanned, std::uint64_t total)
{
    m_observer.sweepProgressed(m_settings.server, scanned, total, false, m_isSweepDeep);
}

void LockWatcher::published()
{
    const auto next = m_book.nextExpiry(m_settings.server);
    if (next && *next < m_plannedProbe) {
        m_expiryGate.open();
    }
    m_observer.bookChanged();
}

/// What values put together, names do not: of such a lock, any key that is left may be the one that
/// changed.
KeyGroup LockWatcher::groupOfChanged(const Bytes& key) const
{
    KeyGroup named = groupOf(key, builtinPairRules());
    std::optional<KeyGroup> known = m_book.groupWith(m_settings.server, key);
    return known && known->keys.size() > named.keys.size() ? *std::move(known) : std::move(named);
}

async::Task<void> LockWatcher::followChanges()
{
    while (true) {
        co_await m_dirtyGate.pass();
        if (m_clock.now() < m_nextLookAt) {
            co_await m_clock.wakeAt(m_nextLookAt);
        }
        m_nextLookAt = m_clock.now() + kLookInterval;
        const bool isToConfirm = std::exchange(m_isToConfirm, false);
        const bool isRead = co_await lookAtChanged();
        if (isToConfirm && isRead) {
            confirm();
        }
        m_isToConfirm = m_isToConfirm || (isToConfirm && !isRead);
    }
}

/// At those that are known to have changed by now; later ones open the gate again. False: some
/// could not be read, and have to be looked at again.
async::Task<bool> LockWatcher::lookAtChanged()
{
    bool areAllRead = true;
    std::unordered_set<Bytes> changed = std::exchange(m_dirty, {});
    while (!changed.empty()) {
        std::vector<KeyGroup> groups;
        const std::size_t most = m_pace.keysAtOnce(kKeysPerLook);
        while (!changed.empty() && groups.size() < most) {
            const auto key = changed.extract(changed.begin());
            groups.push_back(groupOfChanged(key.value()));
        }
        const bool isRead = co_await readPiece(groups);
        if (!isRead) {
            areAllRead = false;
            co_await m_clock.wakeAt(m_clock.now() + kLookRetryInterval);
        }
    }
    co_return areAllRead;
}

async::Task<void> LockWatcher::probeExpiries()
{
    while (true) {
        const auto next = m_book.nextExpiry(m_settings.server);
        m_plannedProbe = next.value_or(Instant::max());
        if (next) {
            co_await m_expiryGate.passBefore(m_clock, std::max(*next, m_clock.now()) + kProbeDelay);
        } else {
            co_await m_expiryGate.pass();
        }
        // Only the server's word counts: it may have renewed, and its own message of the end may be
        // seconds late.
        std::vector<KeyGroup> due = m_book.takeDue(m_settings.server, m_clock.now());
        while (!due.empty()) {
            co_await readPiece(due);
        }
    }
}

async::Task<void> LockWatcher::pollKnown()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + m_settings.pollInterval);
        const Instant begin = m_clock.now();
        std::vector<KeyGroup> groups = m_book.groups(m_settings.server);
        while (!groups.empty()) {
            co_await readPiece(groups);
        }
        // With many locks a round takes long; then the pause grows with it, so that the server is
        // idle half the time.
        const Duration spent = m_clock.now() - begin;
        if (spent > m_settings.pollInterval) {
            co_await m_clock.wakeAt(m_clock.now() + spent - m_settings.pollInterval);
        }
    }
}

/// Locks whose names say nothing, but whose waiters listen to a channel that does.
void LockWatcher::lookAtWaitedFor(const std::vector<Bytes>& names)
{
    for (const Bytes& name : names) {
        if (!m_book.knowsKey(m_settings.server, name)) {
            lookSoon(name);
        }
    }
}

async::Task<void> LockWatcher::keepCountingWaiters()
{
    bool mayAskForNames = true;
    while (true) {
        const Instant begunAt = m_clock.now();
        std::optional<std::vector<Bytes>> names;
        if (mayAskForNames) {
            names = co_await namesWaitedFor(m_store);
            lookAtWaitedFor(names.value_or(std::vector<Bytes>()));
            mayAskForNames = names.has_value();
        }
        if (names && names->size() >= kNamesWaitedForMax) {
            names.reset(); // there may be more
        }
        const Answered answered = co_await countWaiters(m_store, m_clock, m_book, m_settings.server,
                                                        std::move(names));
        published();
        if (answered.isRefused) {
            co_return; // waiters stay unknown
        }
        co_await m_pace.settle(begunAt);
        co_await m_clock.wakeAt(m_clock.now() + kWaiterInterval);
    }
}

async::Task<void> LockWatcher::keepListingClients()
{
    while (true) {
        const Instant begunAt = m_clock.now();
        const Answered answered = co_await listClients(m_store, m_clock, m_book, m_settings.server);
        if (answered.isRefused) {
            co_return; // holders stay without an address
        }
        Duration pause = kClientInterval;
        if (answered.problem.kind == Problem::Kind::None) {
            m_limitOfClients = answered.clientCount ? Problem() : tooManyClients();
            published();
            pause *= answered.clientCount.value_or(kManyClients + 1) > kManyClients ? 12 : 1;
        }
        co_await m_pace.settle(begunAt);
        co_await m_clock.wakeAt(m_clock.now() + pause);
    }
}

async::Task<void> LockWatcher::keepTime()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + kWallClockInterval);
        co_await adjustWallClock(m_store, m_clock, m_wallClock);
    }
}

async::Task<void> LockWatcher::tickBook()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + kTickInterval);
        m_book.tick(m_clock.now());
        published();
    }
}

} // namespace lockscope::inspect
