#include "server_watch.h"

#include "inspect/tracking_prefixes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::wire {

using service::LinkStatus;
using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// Without it the first sweep would wait; push is found later, too.
constexpr Duration kSubscriberPatience = 1s;
/// Above this many invalidations a second, most of them for keys that are no locks, we ask for
/// less.
constexpr std::uint64_t kPushedPerSecondMax = 20'000;
constexpr std::size_t kPrefixesMax = 64;

/// The situation of a server is looked at about so often. INFO costs it some 50 microseconds; where
/// the answer is under way for long, the line is spared.
constexpr Duration kInfoInterval = 1s;
constexpr int kInfoShare = 20; // of the time at most, one part in so many
/// A server that loads or is busy is asked again after this.
constexpr Duration kStateInterval = 250ms;
/// Where the news do not come by push, it is tried again now and then: permissions are granted.
constexpr Duration kSearchForNewsInterval = 10s;
/// Narrowed tracking is widened again when the storm is over, first after the least of these.
constexpr Duration kNarrowedLeast = 10s;
constexpr Duration kNarrowedMost = 5min;

/// Something that is worth a report; what only counts on is not.
bool isNews(store::ServerInfo before, store::ServerInfo after)
{
    for (store::ServerInfo* const info : {&before, &after}) {
        info->commandsPerSecond = 0;
        info->masterSilentFor.reset();
    }
    return before != after;
}

/// The keys may be others than before, and no news told.
bool isAnotherWorld(const store::ServerInfo& before, const store::ServerInfo& after)
{
    return before.runId != after.runId || before.role != after.role || before.master != after.master
           || before.isSyncing != after.isSyncing || before.isLoading != after.isLoading;
}

} // namespace

bool reportsLockChanges(std::string_view flags)
{
    const auto has = [flags](char flag) { return flags.find(flag) != std::string_view::npos; };
    return has('K') && (has('A') || (has('g') && has('$') && has('h') && has('x')));
}

ServerWatch::ServerWatch(std::uint16_t server, const store::Endpoint& endpoint,
                         service::WatchOptions options, async::Executor& executor, Clock& clock,
                         inspect::LockBook& book, Rng rng, QObject* parent)
    : QObject(parent),
      m_options(std::move(options)),
      m_executor(executor),
      m_clock(clock),
      m_book(book),
      m_connection(endpoint, executor, clock, rng.split(), this),
      m_subscriber(endpoint, executor, clock, rng.split(), this),
      m_heartbeat(m_connection, executor, clock, rng.split(), this),
      m_loadTimer(this)
{
    m_status.server = server;
    // Queued, so that no coroutine is destroyed from inside a call that it made itself.
    connect(&m_connection, &Connection::stateChanged, this, &ServerWatch::follow,
            Qt::QueuedConnection);
    connect(&m_subscriber, &Subscriber::keysChanged, this, &ServerWatch::takeKeys);
    connect(&m_subscriber, &Subscriber::everythingChanged, this, [this] {
        if (m_watcher) {
            m_watcher->everythingChanged(); // they are gone, which is soon seen
        }
    });
    const auto subscriberChanged = [this] {
        m_subscriberGate.open();
        if (m_connection.state() == Connection::State::Online && !m_isSubscriberAwaited) {
            startAnew(); // the news come another way from now on
        }
    };
    connect(&m_subscriber, &Subscriber::ready, this, subscriberChanged, Qt::QueuedConnection);
    connect(&m_subscriber, &Subscriber::lost, this, subscriberChanged, Qt::QueuedConnection);
    connect(&m_heartbeat, &Heartbeat::changed, this, &ServerWatch::judge, Qt::QueuedConnection);
    connect(&m_subscriber.heartbeat(), &Heartbeat::changed, this, &ServerWatch::judge,
            Qt::QueuedConnection);
    connect(&m_loadTimer, &QTimer::timeout, this, &ServerWatch::measureLoad);
}

ServerWatch::~ServerWatch()
{
    m_connection.disconnect(this);
    m_subscriber.disconnect(this);
    m_setUp = {};
    m_asking = {};
    m_narrowing = {};
    m_watcher.reset();
    m_heartbeat.stop();
    m_subscriber.close();
}

/// The subscriber follows when the server has accepted who we are: it would be refused, too.
void ServerWatch::open()
{
    m_connection.open();
    m_loadTimer.start(1s);
}

void ServerWatch::resweep(bool isDeep)
{
    m_options.isDeep = isDeep;
    if (m_watcher) {
        m_watcher->resweep(isDeep);
    }
}

void ServerWatch::setPatterns(const std::vector<std::string>& patterns)
{
    m_options.patterns = patterns;
    if (m_watcher) {
        m_watcher->setPatterns(patterns);
    }
}

void ServerWatch::follow()
{
    switch (m_connection.state()) {
    case Connection::State::Online:
        m_heartbeat.start();
        if (!m_subscriber.isOpen()) {
            m_subscriber.open();
        }
        startAnew();
        return;
    case Connection::State::Waiting:
        stopWatching();
        m_status.state = LinkStatus::State::Waiting;
        m_status.problem = m_connection.problem();
        m_status.attempt = m_connection.attempt();
        m_status.nextAttempt = m_connection.nextAttempt();
        report();
        return;
    case Connection::State::Connecting:
    case Connection::State::Greeting:
        m_status.state = LinkStatus::State::Connecting;
        report();
        return;
    case Connection::State::Closed: return;
    }
}

void ServerWatch::stopWatching()
{
    m_setUp = {};
    m_asking = {};
    m_narrowing = {};
    m_watcher.reset();
    m_heartbeat.stop();
    m_subscriber.close();
    m_book.markUnconfirmed(m_status.server, m_clock.now());
    Q_EMIT bookHasNews();
    m_status.live = LinkStatus::Live::None;
}

void ServerWatch::startAnew()
{
    m_setUp = async::BackgroundTask(m_executor, setUp());
}

async::Task<void> ServerWatch::setUp()
{
    m_watcher.reset();
    m_asking = {};
    m_narrowing = {};
    m_isSubscriberAwaited = false; // an earlier set-up may have been dropped while it waited
    m_limit = {};
    // Nobody watched for a moment.
    m_book.markUnconfirmed(m_status.server, m_clock.now());
    Q_EMIT bookHasNews();
    co_await waitUntilUsable();
    if (!store::hasNothingToShow(m_status.info)) {
        co_await findNews();
        createWatcher();
    }
    m_asking = async::BackgroundTask(m_executor, keepAsking());
    m_status.state = LinkStatus::State::Online;
    m_status.problem = m_newsProblem;
    report();
    judge();
}

void ServerWatch::createWatcher()
{
    inspect::WatchSettings settings;
    settings.server = m_status.server;
    settings.isDeep = m_options.isDeep;
    settings.patterns = m_options.patterns;
    settings.hasPush = m_status.live != LinkStatus::Live::Polling;
    m_status.pollInterval = settings.hasPush ? Duration(0) : settings.pollInterval;
    inspect::WatchObserver& observer = *this;
    m_watcher = std::make_unique<inspect::LockWatcher>(m_executor, m_clock, m_connection, m_book,
                                                       observer, std::move(settings));
}

async::Task<void> ServerWatch::waitUntilUsable()
{
    while (true) {
        m_stateOfServer = co_await askAboutServer();
        if (m_stateOfServer.kind == Problem::Kind::None) {
            co_return;
        }
        stall(m_stateOfServer);
        co_await m_clock.wakeAt(m_clock.now() + kStateInterval);
    }
}

/// Ends with what keeps the server from telling about keys.
async::Task<Problem> ServerWatch::askAboutServer()
{
    std::vector<Command> both;
    both.emplace_back("INFO");
    both.emplace_back("INFO", "commandstats");
    const std::vector<Outcome> outcomes = co_await m_connection.submitAll(std::move(both));
    if (store::replyOf(outcomes.front()) == nullptr) {
        co_return Problem(); // the heartbeat knows more
    }
    const Problem problem = problemOf(outcomes.front()).value_or(Problem());
    if (store::isStateOfServer(problem)) {
        co_return problem;
    }
    takeInfo(store::serverInfoOf(outcomes.front()), store::callCountOf(outcomes.back(), "swapdb"));
    const auto kind = m_status.info.isLoading ? Problem::Kind::Loading : Problem::Kind::None;
    co_return Problem{kind, {}, {}, {}};
}

void ServerWatch::takeInfo(const store::ServerInfo& info, std::optional<std::uint64_t> swapCount)
{
    const store::ServerInfo before = std::exchange(m_status.info, info);
    m_book.meetServer(m_status.server, info.runId, info.mayHaveKeptData);
    const auto swapsBefore = std::exchange(m_swapCount, swapCount);
    if (info.isCluster) {
        m_book.keepApart(m_clock.now()); // a node of a cluster is no member of a Redlock set
    }
    if (!m_watcher) {
        return; // everything is looked at anyway
    }
    const bool isSwapped = swapsBefore && swapCount && *swapsBefore != *swapCount;
    if (isSwapped || isAnotherWorld(before, info)) {
        everythingChanged();
    }
    if (isNews(before, info)) {
        report();
    }
}

/// Nobody knows what holds any more, and looking may take a while.
void ServerWatch::everythingChanged()
{
    m_book.markUnconfirmed(m_status.server, m_clock.now());
    Q_EMIT bookHasNews();
    m_watcher->everythingChanged();
}

async::Task<void> ServerWatch::keepAsking()
{
    m_nextSearchForNews = m_clock.now() + kSearchForNewsInterval;
    Duration pause = kInfoInterval;
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + pause);
        const Instant askedAt = m_clock.now();
        const Problem problem = co_await askAboutServer();
        pause = std::max(kInfoInterval, kInfoShare * (m_clock.now() - askedAt));
        if (problem != m_stateOfServer) {
            m_stateOfServer = problem;
            judge();
        }
        const bool isBetter = co_await isAnotherWayBetter();
        if (isBetter) {
            startAnew();
            co_return;
        }
    }
}

async::Task<bool> ServerWatch::isAnotherWayBetter()
{
    const Instant now = m_clock.now();
    switch (m_status.live) {
    case LinkStatus::Live::None: co_return false;
    case LinkStatus::Live::Push: co_return mayBeWidened();
    case LinkStatus::Live::KeyspaceEvents: {
        const bool areOn = co_await areEventsOn();
        co_return !areOn;
    }
    case LinkStatus::Live::Polling: break;
    }
    if (now < m_nextSearchForNews || m_subscriber.clientId() == 0) {
        co_return false;
    }
    m_nextSearchForNews = now + kSearchForNewsInterval;
    const bool isTracking = co_await tryTracking();
    if (isTracking) {
        co_return true;
    }
    const bool areOn = co_await areEventsOn();
    co_return areOn;
}

bool ServerWatch::mayBeWidened() const
{
    return m_isNarrowed && m_clock.now() >= m_narrowedUntil
           && m_status.info.commandsPerSecond < kPushedPerSecondMax / 2;
}

void ServerWatch::judge()
{
    if (m_connection.state() != Connection::State::Online) {
        return;
    }
    const std::array<Problem, 3> all{m_heartbeat.problem(), m_stateOfServer,
                                     m_subscriber.heartbeat().problem()};
    const auto trouble = std::ranges::find_if(all, [](const Problem& problem) {
        return problem.kind != Problem::Kind::None;
    });
    if (trouble != all.end()) {
        stall(*trouble);
    } else {
        resume();
    }
}

void ServerWatch::stall(const Problem& problem)
{
    if (m_status.state == LinkStatus::State::Stalled && m_status.problem == problem) {
        return;
    }
    if (m_status.state != LinkStatus::State::Stalled) {
        m_status.state = LinkStatus::State::Stalled;
        m_status.stalledSince = m_clock.now();
        m_book.markUnconfirmed(m_status.server, m_clock.now());
        Q_EMIT bookHasNews();
    }
    m_status.problem = problem;
    report();
}

void ServerWatch::resume()
{
    if (m_status.state != LinkStatus::State::Stalled || !m_setUp.isFinished()) {
        return; // setUp() says so when it is done
    }
    m_status.state = LinkStatus::State::Online;
    m_status.problem = m_limit.kind != Problem::Kind::None ? m_limit : m_newsProblem;
    if (m_watcher) {
        m_watcher->resume();
    }
    report();
}

async::Task<void> ServerWatch::findNews()
{
    m_status.live = LinkStatus::Live::Polling;
    const Instant endOfPatience = m_clock.now() + kSubscriberPatience;
    m_isSubscriberAwaited = true;
    while (m_subscriber.clientId() == 0 && !m_subscriber.isRefused()
           && m_clock.now() < endOfPatience) {
        co_await m_subscriberGate.passBefore(m_clock, endOfPatience);
    }
    m_isSubscriberAwaited = false;
    if (m_subscriber.clientId() == 0) {
        m_newsProblem = m_subscriber.problem();
        co_return;
    }
    const bool isTracking = co_await tryTracking();
    if (isTracking) {
        m_status.live = LinkStatus::Live::Push;
        co_return;
    }
    const bool hasEvents = co_await tryKeyspaceEvents();
    if (hasEvents) {
        m_status.live = LinkStatus::Live::KeyspaceEvents;
    }
}

async::Task<bool> ServerWatch::tryTracking()
{
    if (std::exchange(m_isNarrowed, false)) {
        Command off("CLIENT", "TRACKING", "OFF"); // or the prefixes would stay
        co_await m_connection.submit(std::move(off));
    }
    Command command("CLIENT", "TRACKING", "ON", "REDIRECT", m_subscriber.clientId(), "BCAST");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    const std::optional<Problem> problem = problemOf(outcome);
    m_newsProblem = problem.value_or(Problem());
    co_return !problem;
}

async::Task<bool> ServerWatch::tryKeyspaceEvents()
{
    const bool areOn = co_await areEventsOn();
    if (!areOn) {
        co_return false;
    }
    const Problem problem =
        co_await m_subscriber.listenToKeyspace(m_connection.endpoint().database);
    co_return problem.kind == Problem::Kind::None;
}

async::Task<bool> ServerWatch::areEventsOn()
{
    Command command("CONFIG", "GET", "notify-keyspace-events");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    if (reply == nullptr) {
        co_return m_status.live == LinkStatus::Live::KeyspaceEvents; // no news about that
    }
    const store::Reply::Array* const pair = reply->array();
    co_return pair != nullptr && pair->size() == 2
        && (*pair)[1].text() != nullptr&& reportsLockChanges(*(*pair)[1].text());
}

async::Task<void> ServerWatch::narrowTracking()
{
    const std::vector<Bytes> names = m_book.names(m_status.server);
    const std::vector<Bytes> prefixes = inspect::trackingPrefixes(names, kPrefixesMax);
    if (prefixes.empty()) {
        co_return;
    }
    Command off("CLIENT", "TRACKING", "OFF");
    Command on("CLIENT", "TRACKING", "ON", "REDIRECT", m_subscriber.clientId(), "BCAST");
    for (const Bytes& prefix : prefixes) {
        on.append("PREFIX");
        on.append(prefix);
    }
    std::vector<Command> both;
    both.push_back(std::move(off));
    both.push_back(std::move(on));
    const std::vector<Outcome> outcomes = co_await m_connection.submitAll(std::move(both));
    if (problemOf(outcomes.back())) {
        co_await tryTracking(); // too much news is better than none
        co_return;
    }
    m_isNarrowed = true;
    m_narrowFor = std::clamp(2 * m_narrowFor, kNarrowedLeast, kNarrowedMost);
    m_narrowedUntil = m_clock.now() + m_narrowFor;
    if (m_watcher) {
        m_watcher->expectGaps();
    }
}

void ServerWatch::takeKeys(const std::vector<Bytes>& keys)
{
    m_pushedCount += keys.size();
    if (m_watcher) {
        for (const Bytes& key : keys) {
            m_watcher->keyChanged(key);
        }
    }
}

void ServerWatch::measureLoad()
{
    const Connection::Traffic traffic = m_connection.takeTraffic();
    const std::uint64_t pushed = std::exchange(m_pushedCount, 0);
    service::ServerLoad load;
    load.server = m_status.server;
    load.commandsPerSecond = static_cast<double>(traffic.commandCount);
    load.changesPerSecond = static_cast<double>(pushed);
    load.slowestCall = traffic.slowestCall;
    Q_EMIT loadMeasured(load);
    const bool isTooMuch = pushed > kPushedPerSecondMax && m_status.live == LinkStatus::Live::Push;
    if (isTooMuch && !m_isNarrowed && !m_options.isDeep) {
        m_narrowing = async::BackgroundTask(m_executor, narrowTracking());
    }
}

void ServerWatch::report()
{
    Q_EMIT linkChanged(m_status);
}

void ServerWatch::bookChanged()
{
    Q_EMIT bookHasNews();
}

void ServerWatch::sweepProgressed(std::uint16_t server, std::uint64_t scanned, std::uint64_t total,
                                  bool isDone, bool isDeep)
{
    Q_EMIT sweepProgress({server, scanned, total, isDone, isDeep, m_findings});
}

void ServerWatch::sweepFound(std::uint16_t, std::shared_ptr<const inspect::SweepFindings> findings)
{
    m_findings = std::move(findings);
}

void ServerWatch::limited(std::uint16_t, const Problem& problem)
{
    m_limit = problem;
    if (m_status.state == LinkStatus::State::Online) {
        m_status.problem = problem.kind != Problem::Kind::None ? problem : m_newsProblem;
        report();
    }
}

} // namespace lockscope::wire
