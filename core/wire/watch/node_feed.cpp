#include "core/wire/watch/node_feed.h"

#include "core/kernel/store/server_info.h"

#include <chrono>
#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Outcome;
using store::Problem;

namespace {

using namespace std::chrono_literals;

/// Without it the first sweep would wait; push is found later, too.
constexpr Duration kSubscriberPatience = 1s;
constexpr Duration kAskInterval = 1s;

} // namespace

NodeFeed::NodeFeed(Connection& connection, async::Executor& executor, Clock& clock,
                   std::function<ChangeFeed::Interest()> interest, Rng rng, QObject* parent)
    : QObject(parent),
      m_connection(connection),
      m_executor(executor),
      m_clock(clock),
      m_subscriber(connection.endpoint(), executor, clock, rng.split(), this),
      m_feed(connection, m_subscriber, executor, clock, std::move(interest), this),
      m_heartbeat(connection, executor, clock, rng.split(), this)
{
    // Queued, so that no coroutine is destroyed from inside a call that it made itself.
    connect(&m_connection, &Connection::stateChanged, this, &NodeFeed::follow,
            Qt::QueuedConnection);
    const auto subscriberChanged = [this] {
        m_subscriberGate.open();
        if (m_connection.state() == Connection::State::Online && !m_isSubscriberAwaited) {
            startAnew(); // the news come another way from now on
        }
    };
    connect(&m_subscriber, &Subscriber::ready, this, subscriberChanged, Qt::QueuedConnection);
    connect(&m_subscriber, &Subscriber::lost, this, subscriberChanged, Qt::QueuedConnection);
    connect(&m_subscriber, &Subscriber::keysChanged, this, &NodeFeed::keysChanged);
    connect(&m_subscriber, &Subscriber::everythingChanged, this, &NodeFeed::everythingChanged);
    connect(&m_feed, &ChangeFeed::scopeChanged, this, &NodeFeed::scopeChanged,
            Qt::QueuedConnection);
    connect(
        &m_heartbeat, &Heartbeat::changed, this,
        [this] {
            // Nothing that waits for a silent node may hold up what the others answer.
            if (m_heartbeat.problem().kind == Problem::Kind::ReplyTimedOut) {
                m_connection.giveUp(m_heartbeat.problem());
            }
            Q_EMIT changed();
        },
        Qt::QueuedConnection);
    if (m_connection.state() == Connection::State::Online) {
        follow();
    }
}

NodeFeed::~NodeFeed()
{
    m_connection.disconnect(this);
    m_subscriber.disconnect(this);
    detach();
    m_connection.giveUp({Problem::Kind::MasterMoved, {}, {}, {}});
}

Problem NodeFeed::loss() const
{
    switch (m_connection.state()) {
    case Connection::State::Online: return m_heartbeat.problem();
    case Connection::State::Waiting:
    case Connection::State::Closed: return m_connection.problem();
    case Connection::State::Connecting:
    case Connection::State::Greeting: break;
    }
    return m_connection.problem();
}

void NodeFeed::detach()
{
    m_setUp = {};
    m_asking = {};
    m_feed.stop();
    m_heartbeat.stop();
    m_subscriber.close();
    m_isAttached = false;
}

void NodeFeed::follow()
{
    const Connection::State state = m_connection.state();
    if (state == Connection::State::Online) {
        m_heartbeat.start();
        if (!m_subscriber.isOpen()) {
            m_subscriber.open();
        }
        startAnew();
    }
    if (state == Connection::State::Waiting) {
        detach();
    }
    Q_EMIT changed();
}

void NodeFeed::startAnew()
{
    m_setUp = async::BackgroundTask(m_executor, setUp());
}

async::Task<void> NodeFeed::setUp()
{
    m_asking = {};
    const Instant endOfPatience = m_clock.now() + kSubscriberPatience;
    m_isSubscriberAwaited = true;
    while (m_subscriber.clientId() == 0 && !m_subscriber.isRefused()
           && m_clock.now() < endOfPatience) {
        co_await m_subscriberGate.passBefore(m_clock, endOfPatience);
    }
    m_isSubscriberAwaited = false;
    co_await askAboutNode();
    co_await m_feed.begin(m_writesPerSecond);
    m_asking = async::BackgroundTask(m_executor, keepAsking());
    m_isAttached = true;
    Q_EMIT attached();
    Q_EMIT changed();
}

/// All that it does may be writing.
async::Task<void> NodeFeed::askAboutNode()
{
    const Instant askedAt = m_clock.now();
    std::vector<Command> questions;
    questions.emplace_back("INFO", "stats");
    questions.emplace_back("INFO", "replication");
    const std::vector<Outcome> outcomes = co_await m_connection.submitAll(std::move(questions));
    const store::ServerInfo info = store::serverInfoOf(outcomes.front());
    m_writesPerSecond = static_cast<double>(info.commandsPerSecond);
    m_copies.saw(askedAt, store::replicationOffsetsOf(outcomes.back()));
}

async::Task<void> NodeFeed::keepAsking()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + kAskInterval);
        co_await askAboutNode();
        const bool isBetter = co_await m_feed.isAnotherWayBetter();
        if (isBetter) {
            startAnew();
            co_return;
        }
    }
}

} // namespace lockscope::wire
