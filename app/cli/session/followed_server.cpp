#include "app/cli/session/followed_server.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace lockscope::cli {

using service::LinkStatus;

namespace {

/// Somebody may have mended what made the watch give up.
constexpr auto kNewAttemptInterval = std::chrono::minutes(1);

std::uint64_t countOf(double perSecond)
{
    return static_cast<std::uint64_t>(std::max(perSecond, 0.0)); // it was a count of one second
}

} // namespace

FollowedServer::FollowedServer(store::Endpoint endpoint, service::WatchOptions options,
                               metrics::ServerMetrics metrics, Clock& clock, Output& output)
    : m_endpoint(std::move(endpoint)),
      m_options(std::move(options)),
      m_metrics(std::move(metrics)),
      m_clock(clock),
      m_news(m_endpoint, m_options.isDeep, output)
{
    m_newAttempt.setSingleShot(true);
    connect(&m_newAttempt, &QTimer::timeout, this, &FollowedServer::open);
    connect(&m_monitor, &wire::MonitorWorker::linkChanged, this, &FollowedServer::takeLink);
    connect(&m_monitor, &wire::MonitorWorker::sweepProgressed, this, &FollowedServer::takeSweep);
    connect(&m_monitor, &wire::MonitorWorker::loadMeasured, this, &FollowedServer::takeLoad);
    connect(&m_monitor, &wire::MonitorWorker::locksChanged, this,
            [this](const inspect::LockDelta& delta) { m_metrics.takeDelta(delta, m_clock.now()); });
    open();
}

void FollowedServer::open()
{
    m_metrics.forgetLocks(); // the watch does
    m_monitor.open({m_endpoint}, m_options);
}

void FollowedServer::takeLink(const LinkStatus& status)
{
    m_news.take(status);
    switch (status.state) {
    case LinkStatus::State::Online: m_metrics.setUp(true); break;
    case LinkStatus::State::Stalled: m_metrics.setUp(false); break;
    case LinkStatus::State::Closed:
    case LinkStatus::State::Connecting:
    case LinkStatus::State::Waiting: m_metrics.setLost(); break;
    }
    if (m_news.isHopeless() && !m_newAttempt.isActive()) {
        m_newAttempt.start(kNewAttemptInterval);
    }
}

void FollowedServer::takeSweep(const service::SweepProgress& progress)
{
    m_news.take(progress);
    if (progress.isDone) {
        m_metrics.takeSweep(m_clock.now(),
                            progress.findings ? progress.findings->unreadCount() : 0);
    }
}

void FollowedServer::takeLoad(const service::ServerLoad& load)
{
    m_metrics.takeCost({countOf(load.commandsPerSecond), countOf(load.messagesPerSecond),
                        load.coreShare, load.slowestCall, countOf(load.bytesPerSecond)});
}

} // namespace lockscope::cli
