#include "core/wire/watch/hold_watch.h"

#include "core/kernel/inspect/lock_inspection.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace lockscope::wire {

using store::Command;
using store::Outcome;

namespace {

/// Between two looks at a lock that is touched all the time, by its other readers for example.
constexpr Duration kPause = std::chrono::milliseconds(100);
/// What is shorter is no token but a flag: it does not tell our hold from another one.
constexpr std::size_t kTokenLengthMin = 8;

} // namespace

HoldWatch::HoldWatch(const store::Endpoint& server, async::Executor& executor, Clock& clock,
                     Rng rng, Bytes key, Bytes token, bool suspectsAtOnce)
    : m_clock(clock),
      m_key(std::move(key)),
      m_token(std::move(token)),
      m_wasOurs(suspectsAtOnce),
      m_connection(server, executor, clock, rng.split()),
      m_subscriber(server, executor, clock, rng.split())
{
    // Tracking is a property of both connections: it is asked for again when one of them is new.
    const auto linkChanged = [this] {
        m_isTracking = false;
        Q_EMIT watching(false);
        m_news.open();
    };
    connect(&m_connection, &Connection::stateChanged, this, linkChanged);
    connect(&m_subscriber, &Subscriber::ready, this, linkChanged);
    connect(&m_subscriber, &Subscriber::lost, this, linkChanged);
    connect(&m_subscriber, &Subscriber::keysChanged, this, [this] { m_news.open(); });
    connect(&m_subscriber, &Subscriber::everythingChanged, this, [this] { m_news.open(); });
    m_connection.followMaster();
    m_connection.open();
    m_subscriber.open();
    m_task = async::BackgroundTask(executor, watch());
}

HoldWatch::~HoldWatch()
{
    m_connection.disconnect(this);
    m_subscriber.disconnect(this);
    m_task = {};
    m_subscriber.close();
}

async::Task<void> HoldWatch::watch()
{
    while (true) {
        const Instant next = m_clock.now() + kPause;
        const bool isTracking = co_await track();
        if (isTracking) {
            co_await look();
            co_await m_clock.wakeAt(next);
        }
        co_await m_news.pass();
    }
}

async::Task<bool> HoldWatch::track()
{
    const bool isPossible = m_connection.state() == Connection::State::Online
                            && m_subscriber.clientId() != 0;
    if (m_isTracking || !isPossible) {
        co_return m_isTracking;
    }
    m_isTracking = true; // until something changes while we wait
    Command command("CLIENT", "TRACKING", "ON", "REDIRECT", m_subscriber.clientId());
    const Outcome outcome = co_await m_connection.submit(std::move(command));
    m_isTracking = m_isTracking && !problemOf(outcome);
    co_return m_isTracking;
}

async::Task<void> HoldWatch::look()
{
    const auto found = co_await inspect::inspectLock(m_connection, m_clock, 0, m_key);
    const auto* const inspection = std::get_if<inspect::LockInspection>(&found);
    if (inspection == nullptr) {
        co_return; // it could not be read: that proves nothing
    }
    const bool wasOurs = std::exchange(m_wasOurs, isOurs(*inspection));
    if (wasOurs && !m_wasOurs) {
        Q_EMIT lost(inspection->decodedLocks.empty());
    } else if (m_wasOurs) {
        Q_EMIT watching(m_isTracking); // which may have ended while it was read
    }
}

bool HoldWatch::isOurs(const inspect::LockInspection& inspection) const
{
    if (m_token.size() < kTokenLengthMin) {
        return !inspection.decodedLocks.empty();
    }
    return std::ranges::any_of(
        inspection.decodedLocks, [this](const inspect::DecodedLock& decoded) {
            return std::ranges::any_of(decoded.holders, [this](const inspect::Holder& holder) {
                return holder.owner.find(m_token) != Bytes::npos;
            });
        });
}

} // namespace lockscope::wire
