#include "core/wire/watch/change_feed.h"

#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/watch/tracking_prefixes.h"

#include <algorithm>
#include <utility>

namespace lockscope::wire {

using service::LinkStatus;
using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kEveryKey{"*"}; // as patterns
constexpr std::size_t kPrefixesMax = 64;
constexpr std::size_t kFinest = 16;
/// A narrow feed is widened when the server was quiet for so long, first for the least of these;
/// where it does not stay quiet, for longer and longer.
constexpr Duration kNarrowLeast = 1s;
constexpr Duration kNarrowMost = 5min;
/// Where the news do not come by push, it is tried again now and then: permissions are granted.
constexpr Duration kSearchInterval = 10s;

bool isTooMuch(std::uint64_t messages)
{
    return messages > inspect::kUnrelatedMessagesMax;
}

} // namespace

bool reportsLockChanges(std::string_view flags)
{
    const auto has = [flags](char flag) { return flags.find(flag) != std::string_view::npos; };
    return has('K') && (has('A') || (has('g') && has('$') && has('h') && has('x')));
}

ChangeFeed::ChangeFeed(Connection& connection, Subscriber& subscriber, async::Executor& executor,
                       Clock& clock, std::function<Interest()> interest, QObject* parent)
    : QObject(parent),
      m_connection(connection),
      m_subscriber(subscriber),
      m_executor(executor),
      m_clock(clock),
      m_interest(std::move(interest))
{}

ChangeFeed::~ChangeFeed()
{
    stop();
}

void ChangeFeed::stop()
{
    m_changing = {};
    m_live = LinkStatus::Live::None;
    m_isNarrow = false;
}

async::Task<void> ChangeFeed::begin(double writesPerSecond)
{
    m_changing = {};
    m_live = LinkStatus::Live::Polling;
    m_problem = {};
    m_writesPerSecond = writesPerSecond;
    m_unrelatedCount = 0;
    m_busyAt = m_clock.now();
    m_nextSearch = m_clock.now() + kSearchInterval;
    if (m_subscriber.clientId() == 0) {
        m_isNarrow = false;
        m_problem = m_subscriber.problem();
        co_return;
    }
    const Scope scope = usualScope();
    const bool isBusy = scope == Scope::Names;
    // Only a busy server is better off with events, and only when it makes them anyway.
    bool isListening = false;
    if (isBusy) {
        isListening = co_await listen(patternsFor(scope));
    }
    if (!isListening) {
        const bool isTracking = co_await track(prefixesFor(scope));
        if (isTracking) {
            m_live = LinkStatus::Live::Push;
            co_await dropEvents();
            co_return;
        }
    }
    if (!isListening && !isBusy) {
        isListening = co_await listen(patternsFor(scope));
    }
    if (isListening) {
        m_live = LinkStatus::Live::KeyspaceEvents;
        Command off("CLIENT", "TRACKING", "OFF");
        co_await m_connection.submit(std::move(off));
    }
}

ChangeFeed::Scope ChangeFeed::usualScope() const
{
    const bool isBusy = m_writesPerSecond > inspect::kUnrelatedMessagesMax;
    return isBusy && !m_interest().isDeep ? Scope::Names : Scope::EveryKey;
}

async::Task<void> ChangeFeed::dropEvents()
{
    std::vector<std::string> none;
    co_await m_subscriber.listenToKeyspace(m_connection.endpoint().database, std::move(none));
}

async::Task<bool> ChangeFeed::track(std::vector<Bytes> prefixes)
{
    std::vector<Command> both;
    both.emplace_back("CLIENT", "TRACKING", "OFF"); // or former prefixes would stay
    Command& on = both.emplace_back("CLIENT", "TRACKING", "ON", "REDIRECT", m_subscriber.clientId(),
                                    "BCAST");
    for (const Bytes& prefix : prefixes) {
        on.append("PREFIX");
        on.append(prefix);
    }
    const std::vector<Outcome> outcomes = co_await m_connection.submitAll(std::move(both));
    const std::optional<Problem> problem = problemOf(outcomes.back());
    m_problem = problem.value_or(Problem());
    if (!problem) {
        noteScope(prefixes.empty() ? Scope::EveryKey : Scope::Names);
        m_prefixes = std::move(prefixes);
    }
    co_return !problem;
}

async::Task<bool> ChangeFeed::listen(std::vector<std::string> patterns)
{
    const bool areOn = co_await areEventsOn();
    if (!areOn) {
        co_return false;
    }
    const int database = m_connection.endpoint().database;
    const Problem problem = co_await m_subscriber.listenToKeyspace(database, patterns);
    if (problem.kind != Problem::Kind::None) {
        co_return false;
    }
    noteScope(patterns == kEveryKey ? Scope::EveryKey : Scope::Names);
    m_patterns = std::move(patterns);
    co_return true;
}

async::Task<bool> ChangeFeed::areEventsOn()
{
    Command command("CONFIG", "GET", "notify-keyspace-events");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    if (reply == nullptr) {
        co_return m_live == LinkStatus::Live::KeyspaceEvents; // no news about that
    }
    const store::Reply::Array* const pair = reply->array();
    co_return pair != nullptr && pair->size() == 2
        && (*pair)[1].text() != nullptr&& reportsLockChanges(*(*pair)[1].text());
}

async::Task<bool> ChangeFeed::isAnotherWayBetter()
{
    switch (m_live) {
    case LinkStatus::Live::None:
    case LinkStatus::Live::Push: co_return false;
    case LinkStatus::Live::KeyspaceEvents: {
        const bool areOn = co_await areEventsOn();
        co_return !areOn;
    }
    case LinkStatus::Live::Polling: break;
    }
    if (m_clock.now() < m_nextSearch || m_subscriber.clientId() == 0) {
        co_return false;
    }
    m_nextSearch = m_clock.now() + kSearchInterval;
    const bool isTracking = co_await track(prefixesFor(usualScope()));
    if (isTracking) {
        co_return true;
    }
    const bool areOn = co_await areEventsOn();
    co_return areOn;
}

/// What the user calls locks counts as known.
std::vector<Bytes> ChangeFeed::wantedNames() const
{
    Interest interest = m_interest();
    for (const std::string& pattern : interest.patterns) {
        if (Bytes beginning = inspect::literalBeginningOf(pattern); !beginning.empty()) {
            interest.names.push_back(std::move(beginning));
        }
    }
    return std::move(interest.names);
}

std::size_t ChangeFeed::usualCount() const
{
    return std::min(m_fineness * inspect::prefixesWorthTheirCost(m_writesPerSecond), kPrefixesMax);
}

/// Where the usual number of prefixes would not do, because the names have too little in common,
/// more may. Empty: every key.
std::vector<Bytes> ChangeFeed::prefixesFor(Scope scope) const
{
    std::vector<Bytes> prefixes;
    if (scope == Scope::EveryKey) {
        return prefixes;
    }
    const std::vector<Bytes> names = wantedNames();
    for (std::size_t count = usualCount(); prefixes.empty(); count *= 2) {
        prefixes = inspect::trackingPrefixes(names, std::min(count, kPrefixesMax));
        if (count >= kPrefixesMax) {
            break;
        }
    }
    return prefixes;
}

std::vector<std::string> ChangeFeed::patternsFor(Scope scope) const
{
    std::vector<std::string> patterns;
    if (scope == Scope::Names) {
        const Interest interest = m_interest();
        patterns = inspect::keyspacePatterns(interest.names, interest.patterns, usualCount());
    }
    return patterns.empty() ? kEveryKey : patterns;
}

void ChangeFeed::noteScope(Scope scope)
{
    const bool wasNarrow = std::exchange(m_isNarrow, scope == Scope::Names);
    if (m_isNarrow && !wasNarrow) {
        m_busyAt = m_clock.now();
        const bool wasWideForLong = m_clock.now() - m_scopeSince > kNarrowMost;
        m_narrowFor = wasWideForLong ? kNarrowLeast
                                     : std::clamp(2 * m_narrowFor, kNarrowLeast, kNarrowMost);
    }
    if (!m_isNarrow) {
        m_fineness = 1;
    }
    if (m_isNarrow != wasNarrow) {
        m_scopeSince = m_clock.now();
    }
}

void ChangeFeed::count(std::uint64_t named, std::uint64_t ofInterest)
{
    const bool wasTooMuch = isTooMuch(m_unrelatedCount);
    m_unrelatedCount += named - std::min(named, ofInterest);
    if (wasTooMuch || !isTooMuch(m_unrelatedCount) || m_interest().isDeep) {
        return;
    }
    if (m_isNarrow && m_fineness < kFinest) {
        m_fineness *= 2; // what is asked for fits more than locks
    }
    changeSoon(Scope::Names);
}

void ChangeFeed::endSecond(double writesPerSecond)
{
    m_unrelatedCount = 0;
    m_writesPerSecond = writesPerSecond;
    const Instant now = m_clock.now();
    if (writesPerSecond > inspect::kUnrelatedMessagesMax / 2.0) {
        m_busyAt = now;
    }
    if (m_isNarrow && now - m_busyAt >= m_narrowFor) {
        changeSoon(Scope::EveryKey);
    }
}

void ChangeFeed::interestChanged()
{
    if (m_isNarrow && m_interest().isDeep) {
        changeSoon(Scope::EveryKey);
    } else if (m_isNarrow && !coversInterest()) {
        changeSoon(Scope::Names);
    }
}

bool ChangeFeed::coversInterest() const
{
    if (m_live == LinkStatus::Live::Push) {
        return std::ranges::all_of(wantedNames(), [this](const Bytes& name) {
            return std::ranges::any_of(m_prefixes, [&name](const Bytes& prefix) {
                return name.starts_with(prefix);
            });
        });
    }
    const Interest interest = m_interest();
    const auto isAskedFor = [this](const std::string& pattern) {
        return std::ranges::find(m_patterns, pattern) != m_patterns.end();
    };
    return std::ranges::all_of(interest.patterns, isAskedFor)
           && std::ranges::all_of(interest.names, [this](const Bytes& name) {
                  return std::ranges::any_of(m_patterns, [&name](const std::string& pattern) {
                      return inspect::matchesGlob(pattern, name);
                  });
              });
}

void ChangeFeed::changeSoon(Scope scope)
{
    const bool hasPush = m_live == LinkStatus::Live::Push
                         || m_live == LinkStatus::Live::KeyspaceEvents;
    if (hasPush && m_changing.isFinished()) {
        m_changing = async::BackgroundTask(m_executor, change(scope));
    }
}

/// Nothing is sent where no other question would come out: names that have nothing in common cannot
/// be told from all keys.
async::Task<void> ChangeFeed::change(Scope scope)
{
    bool isDone = false;
    if (m_live == LinkStatus::Live::Push) {
        std::vector<Bytes> prefixes = prefixesFor(scope);
        if (prefixes == m_prefixes) {
            co_return;
        }
        isDone = co_await track(std::move(prefixes));
        if (!isDone) {
            std::vector<Bytes> everyKey;
            isDone = co_await track(std::move(everyKey)); // too much news is better than none
        }
    } else {
        std::vector<std::string> patterns = patternsFor(scope);
        if (patterns == m_patterns) {
            co_return;
        }
        isDone = co_await listen(std::move(patterns));
    }
    if (isDone) {
        Q_EMIT scopeChanged();
    }
}

inspect::WatchWork ChangeFeed::work() const
{
    inspect::WatchWork work;
    work.writesPerSecond = m_writesPerSecond;
    work.isTracking = m_live == LinkStatus::Live::Push;
    work.prefixCount = work.isTracking ? m_prefixes.size() : 0;
    work.patternCount = m_live == LinkStatus::Live::KeyspaceEvents ? m_patterns.size() : 0;
    return work;
}

} // namespace lockscope::wire
