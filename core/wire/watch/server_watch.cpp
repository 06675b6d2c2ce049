#include "core/wire/watch/server_watch.h"

#include "core/wire/connection/read_only_gate.h"

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

/// The situation of a server is looked at about so often. INFO costs it some 50 microseconds; where
/// the answer is under way for long, the line is spared.
constexpr Duration kInfoInterval = 1s;
constexpr int kInfoShare = 20; // of the time at most, one part in so many
/// A server that loads or is busy is asked again after this.
constexpr Duration kStateInterval = 250ms;
/// Something that is worth a report; what only counts on is not.
bool isNews(store::ServerInfo before, store::ServerInfo after)
{
    for (store::ServerInfo* const info : {&before, &after}) {
        info->commandsPerSecond = 0;
        info->masterSilentFor.reset();
    }
    return before != after;
}

/// All keys become others at once by these, which not all kinds of news tell of.
bool replacesAllKeys(std::string_view command)
{
    return command == "swapdb" || command == "flushall" || command == "flushdb";
}

/// May change keys. `command` as statistics name it: "client|list".
bool mayWrite(std::string_view command)
{
    const std::size_t bar = std::min(command.find('|'), command.size());
    Command named(command.substr(0, bar));
    if (bar < command.size()) {
        named.append(command.substr(bar + 1));
    }
    return !isReadCommand(named);
}

/// The keys may be others than before, and no news told.
bool isAnotherWorld(const store::ServerInfo& before, const store::ServerInfo& after)
{
    return before.runId != after.runId || before.role != after.role || before.master != after.master
           || before.isSyncing != after.isSyncing || before.isLoading != after.isLoading;
}

} // namespace

ServerWatch::ServerWatch(std::uint16_t server, const store::Endpoint& endpoint,
                         service::WatchOptions options, async::Executor& executor, Clock& clock,
                         inspect::LockBook& book, Rng rng, QObject* parent)
    : EndpointWatch(server, parent),
      m_options(std::move(options)),
      m_executor(executor),
      m_clock(clock),
      m_book(book),
      m_connection(endpoint, executor, clock, rng.split(), this),
      m_store(executor, m_connection),
      m_account(m_store),
      m_subscriber(endpoint, executor, clock, rng.split(), this),
      m_feed(
          m_connection, m_subscriber, executor, clock, [this] { return interest(); }, this),
      m_heartbeat(m_connection, executor, clock, rng.split(), this),
      m_loadTimer(this)
{
    m_connection.leaveNoTrace();
    m_connection.followMaster();
    // Queued, so that no coroutine is destroyed from inside a call that it made itself.
    connect(&m_connection, &Connection::stateChanged, this, &ServerWatch::follow,
            Qt::QueuedConnection);
    connect(
        &m_connection, &Connection::gateSettled, this,
        [this] {
            m_status.isHeldToOwnList = m_connection.isHeldToOwnList();
            report();
        },
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
    connect(&m_feed, &ChangeFeed::scopeChanged, this, &ServerWatch::takeScope,
            Qt::QueuedConnection);
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
    m_feed.stop();
    m_watcher.reset();
    m_heartbeat.stop();
    m_subscriber.close();
}

void ServerWatch::open()
{
    m_connection.open();
    m_loadTimer.start(1s);
}

void ServerWatch::resweep(bool isDeep)
{
    m_options.isDeep = isDeep;
    if (m_watcher) {
        m_feed.interestChanged();
        m_watcher->resweep(isDeep);
    }
}

void ServerWatch::setPatterns(const std::vector<std::string>& patterns)
{
    m_options.patterns = patterns;
    if (m_watcher) {
        m_watcher->setPatterns(patterns);
        m_feed.interestChanged();
    }
}

void ServerWatch::setFormats(const inspect::FormatTablePtr& formats)
{
    m_options.formats = formats;
    if (m_watcher) {
        m_watcher->setFormats(formats);
        m_feed.interestChanged();
    }
}

void ServerWatch::follow()
{
    m_status.node = m_connection.node();
    switch (m_connection.state()) {
    case Connection::State::Online:
        m_heartbeat.start();
        m_wasAccepted = true;
        openSubscriber();
        startAnew();
        return;
    case Connection::State::Waiting:
        stopWatching();
        m_status.state = LinkStatus::State::Waiting;
        m_status.problem = m_connection.problem();
        m_status.attempt = m_connection.attempt();
        m_status.nextAttempt = m_connection.nextAttempt();
        m_wasAccepted = m_wasAccepted && m_status.nextAttempt < Instant::max();
        report();
        return;
    case Connection::State::Connecting:
    case Connection::State::Greeting:
        openSubscriber();
        m_status.state = LinkStatus::State::Connecting;
        report();
        return;
    case Connection::State::Closed: return;
    }
}

/// Beside the other connection where the server has accepted who we are before: what is asked of
/// Sentinels, and each round trip of a login, is then waited for once. A server that has not would
/// refuse it, too.
void ServerWatch::openSubscriber()
{
    if (m_wasAccepted && !m_subscriber.isOpen()) {
        m_subscriber.open();
    }
}

void ServerWatch::stopWatching()
{
    m_setUp = {};
    m_asking = {};
    m_feed.stop();
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
    m_isSubscriberAwaited = true; // from now on: it may be ready before it is asked for
    m_limit = {};
    // The server was not watched for a moment.
    m_book.markUnconfirmed(m_status.server, m_clock.now());
    Q_EMIT bookHasNews();
    co_await waitUntilUsable();
    if (!store::hasNothingToShow(m_status.info)) {
        co_await waitForSubscriber();
        m_isSubscriberAwaited = false;
        co_await m_feed.begin(m_writesPerSecond);
        createWatcher();
    }
    m_isSubscriberAwaited = false;
    m_asking = async::BackgroundTask(m_executor, keepAsking());
    m_status.state = LinkStatus::State::Online;
    m_status.problem = m_feed.problem();
    report();
    judge();
}

void ServerWatch::createWatcher()
{
    inspect::WatchSettings settings;
    settings.server = m_status.server;
    settings.isDeep = m_options.isDeep;
    settings.patterns = m_options.patterns;
    settings.formats = m_options.formats;
    settings.budget = m_options.budgetOf(m_connection.endpoint());
    m_status.live = m_feed.live();
    m_status.isNarrow = m_feed.hasGaps();
    settings.hasPush = m_status.live != LinkStatus::Live::Polling;
    settings.hasGaps = m_feed.hasGaps();
    m_status.pollInterval = settings.hasPush ? Duration(0) : settings.pollInterval;
    inspect::WatchObserver& observer = *this;
    m_watcher = std::make_unique<inspect::LockWatcher>(m_executor, m_clock, m_store, m_book,
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
    const std::vector<Outcome> outcomes = co_await m_store.submitAll(std::move(both));
    if (store::replyOf(outcomes.front()) == nullptr) {
        co_return Problem(); // the heartbeat knows more
    }
    const Problem problem = problemOf(outcomes.front()).value_or(Problem());
    if (store::isStateOfServer(problem)) {
        co_return problem;
    }
    takeInfo(store::serverInfoOf(outcomes.front()), outcomes.back());
    const auto kind = m_status.info.isLoading ? Problem::Kind::Loading : Problem::Kind::None;
    co_return Problem{kind, {}, {}, {}};
}

void ServerWatch::takeInfo(const store::ServerInfo& info, const Outcome& commandStatistics)
{
    const store::ServerInfo before = std::exchange(m_status.info, info);
    takeWriteCount(store::callCountOf(commandStatistics, mayWrite));
    m_account.takeStatistics(commandStatistics);
    m_book.meetServer(m_status.server, info.runId, info.mayHaveKeptData);
    if (!m_status.node.empty() && info.role == store::ServerInfo::Role::Replica) {
        m_connection.giveUp({Problem::Kind::MasterChanging, m_status.node, {}, {}});
    }
    const auto replacements = store::callCountOf(commandStatistics, replacesAllKeys);
    const auto replacementsBefore = std::exchange(m_replacementCount, replacements);
    if (info.isCluster) {
        m_book.keepApart(m_clock.now()); // a node of a cluster is no member of a Redlock set
    }
    if (!m_watcher) {
        return; // everything is looked at anyway
    }
    const bool wereAllReplaced = replacementsBefore && replacements
                                 && *replacementsBefore != *replacements;
    if (wereAllReplaced || isAnotherWorld(before, info)) {
        everythingChanged();
    }
    if (isNews(before, info)) {
        report();
    }
}

/// Where the server does not tell, everything that it does may be writing.
void ServerWatch::takeWriteCount(std::optional<std::uint64_t> count)
{
    const Instant now = m_clock.now();
    const auto countBefore = std::exchange(m_writeCount, count);
    const Duration passed = now - std::exchange(m_writesCountedAt, now);
    if (countBefore && count && passed > Duration(0)) {
        const std::uint64_t writes = *count - std::min(*count, *countBefore);
        m_writesPerSecond = static_cast<double>(writes)
                            / std::chrono::duration<double>(passed).count();
    } else {
        m_writesPerSecond = static_cast<double>(m_status.info.commandsPerSecond);
    }
}

/// All that is known may be outdated, and looking may take a while.
void ServerWatch::everythingChanged()
{
    m_book.markUnconfirmed(m_status.server, m_clock.now());
    Q_EMIT bookHasNews();
    m_watcher->everythingChanged();
}

async::Task<void> ServerWatch::keepAsking()
{
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
        const bool isBetter = co_await m_feed.isAnotherWayBetter();
        if (isBetter) {
            startAnew();
            co_return;
        }
    }
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
    m_status.problem = m_limit.kind != Problem::Kind::None ? m_limit : m_feed.problem();
    if (m_watcher) {
        m_watcher->resume();
    }
    report();
}

async::Task<void> ServerWatch::waitForSubscriber()
{
    const Instant endOfPatience = m_clock.now() + kSubscriberPatience;
    while (m_subscriber.clientId() == 0 && !m_subscriber.isRefused()
           && m_clock.now() < endOfPatience) {
        co_await m_subscriberGate.passBefore(m_clock, endOfPatience);
    }
}

ChangeFeed::Interest ServerWatch::interest() const
{
    std::vector<std::string> patterns = m_options.formats->lockNames();
    patterns.insert(patterns.end(), m_options.patterns.begin(), m_options.patterns.end());
    return {m_book.names(m_status.server), std::move(patterns), m_options.isDeep};
}

void ServerWatch::takeScope()
{
    if (!m_watcher) {
        return;
    }
    m_watcher->setGaps(m_feed.hasGaps());
    m_status.isNarrow = m_feed.hasGaps();
    report();
}

void ServerWatch::takeKeys(const std::vector<Bytes>& keys)
{
    m_messageCount += keys.size();
    m_account.takeMessages(keys);
    if (!m_watcher) {
        return;
    }
    const std::uint64_t before = m_watcher->changeCount();
    for (const Bytes& key : keys) {
        m_watcher->keyChanged(key);
    }
    const std::uint64_t ofInterest = m_watcher->changeCount() - before;
    m_changeCount += ofInterest;
    m_feed.count(keys.size(), ofInterest);
}

void ServerWatch::measureLoad()
{
    const Connection::Traffic traffic = m_connection.takeTraffic();
    service::ServerLoad load;
    load.server = m_status.server;
    load.budget = m_options.budgetOf(m_connection.endpoint());
    const std::uint64_t commandCount = traffic.commandCount
                                       + m_subscriber.takeTraffic().commandCount;
    load.commandsPerSecond = static_cast<double>(commandCount);
    load.messagesPerSecond = static_cast<double>(std::exchange(m_messageCount, 0));
    load.changesPerSecond = static_cast<double>(std::exchange(m_changeCount, 0));
    load.slowestCall = traffic.slowestCall;
    inspect::WatchWork work = m_feed.work();
    work.messagesPerSecond = load.messagesPerSecond;
    m_account.addSecondTo(work, commandCount);
    load.bytesPerSecond = work.bytesPerSecond;
    load.coreShare = inspect::coreShareOf(work);
    Q_EMIT loadMeasured(load);
    m_feed.endSecond(m_writesPerSecond);
}

void ServerWatch::interestChanged()
{
    m_feed.interestChanged();
}

void ServerWatch::limitChanged()
{
    m_status.problem = m_limit.kind != Problem::Kind::None ? m_limit : m_feed.problem();
    report();
}

} // namespace lockscope::wire
