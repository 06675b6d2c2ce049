#include "server_watch.h"

#include "inspect/tracking_prefixes.h"

#include <algorithm>
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
      m_loadTimer(this)
{
    m_status.server = server;
    // Queued, so that no coroutine is destroyed from inside a call that it made itself.
    connect(&m_connection, &Connection::stateChanged, this, &ServerWatch::follow,
            Qt::QueuedConnection);
    connect(&m_subscriber, &Subscriber::keysChanged, this, &ServerWatch::takeKeys);
    connect(&m_subscriber, &Subscriber::everythingChanged, this, [this] {
        if (m_watcher) {
            m_watcher->everythingChanged();
        }
    });
    const auto subscriberChanged = [this] {
        m_subscriberGate.open();
        if (m_connection.state() == Connection::State::Online && !m_isSubscriberAwaited) {
            m_setUp = async::BackgroundTask(m_executor, setUp()); // the news come another way from
                                                                  // now on
        }
    };
    connect(&m_subscriber, &Subscriber::ready, this, subscriberChanged, Qt::QueuedConnection);
    connect(&m_subscriber, &Subscriber::lost, this, subscriberChanged, Qt::QueuedConnection);
    connect(&m_loadTimer, &QTimer::timeout, this, &ServerWatch::measureLoad);
}

ServerWatch::~ServerWatch()
{
    m_connection.disconnect(this);
    m_subscriber.disconnect(this);
    m_setUp = {};
    m_narrowing = {};
    m_watcher.reset();
    m_subscriber.close();
}

void ServerWatch::open()
{
    m_connection.open();
    m_subscriber.open();
    m_loadTimer.start(1s);
}

void ServerWatch::resweep(bool isDeep)
{
    m_options.isDeep = isDeep;
    if (m_watcher) {
        m_watcher->resweep(isDeep);
    }
}

void ServerWatch::follow()
{
    switch (m_connection.state()) {
    case Connection::State::Online: m_setUp = async::BackgroundTask(m_executor, setUp()); return;
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
    m_narrowing = {};
    m_watcher.reset();
    m_book.markUnconfirmed(m_status.server, m_clock.now());
    Q_EMIT bookHasNews();
    m_status.live = LinkStatus::Live::None;
}

async::Task<void> ServerWatch::setUp()
{
    m_watcher.reset();
    m_narrowing = {};
    m_isNarrowed = false;
    m_isSubscriberAwaited = false; // an earlier set-up may have been dropped while it waited
    m_book.setLive(m_status.server, false); // nobody watched for a moment
    co_await askAboutServer();
    co_await findNews();
    m_status.state = LinkStatus::State::Online;
    m_status.problem = m_newsProblem;
    inspect::WatchSettings settings;
    settings.server = m_status.server;
    settings.isDeep = m_options.isDeep;
    settings.patterns = m_options.patterns;
    settings.hasPush = m_status.live != LinkStatus::Live::Polling;
    m_status.pollInterval = settings.hasPush ? Duration(0) : settings.pollInterval;
    report();
    inspect::WatchObserver& observer = *this;
    m_watcher = std::make_unique<inspect::LockWatcher>(m_executor, m_clock, m_connection, m_book,
                                                       observer, std::move(settings));
}

async::Task<void> ServerWatch::askAboutServer()
{
    Command command("INFO");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    m_status.info = store::serverInfoOf(outcome);
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
    Command command("CLIENT", "TRACKING", "ON", "REDIRECT", m_subscriber.clientId(), "BCAST");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    const std::optional<Problem> problem = problemOf(outcome);
    m_newsProblem = problem.value_or(Problem());
    co_return !problem;
}

async::Task<bool> ServerWatch::tryKeyspaceEvents()
{
    Command command("CONFIG", "GET", "notify-keyspace-events");
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    const store::Reply* const reply = replyOf(outcome);
    const store::Reply::Array* const pair = reply != nullptr ? reply->array() : nullptr;
    if (pair == nullptr || pair->size() != 2 || (*pair)[1].text() == nullptr
        || !reportsLockChanges(*(*pair)[1].text())) {
        co_return false;
    }
    const Problem problem =
        co_await m_subscriber.listenToKeyspace(m_connection.endpoint().database);
    co_return problem.kind == Problem::Kind::None;
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
        m_isNarrowed = true;
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
    Q_EMIT sweepProgress({server, scanned, total, isDone, isDeep});
}

void ServerWatch::limited(std::uint16_t, const Problem& problem)
{
    m_status.problem = problem.kind != Problem::Kind::None ? problem : m_newsProblem;
    report();
}

} // namespace lockscope::wire
