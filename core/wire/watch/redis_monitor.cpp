#include "core/wire/watch/redis_monitor.h"

#include "core/service/value_types.h"
#include "core/wire/watch/cluster_watch.h"
#include "core/wire/watch/server_watch.h"

#include <QRandomGenerator>

#include <utility>

namespace lockscope::wire {

namespace {

/// One batch per frame of a 60 Hz screen: faster would not be visible.
constexpr auto kFlushInterval = std::chrono::milliseconds(16);

} // namespace

MonitorWorker::MonitorWorker() : m_executor(this), m_clock(this), m_flushTimer(this)
{
    m_flushTimer.setSingleShot(true);
    m_flushTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_flushTimer, &QTimer::timeout, this, &MonitorWorker::flush);
}

MonitorWorker::~MonitorWorker()
{
    close();
}

void MonitorWorker::open(const std::vector<store::Endpoint>& endpoints,
                         const service::WatchOptions& options)
{
    close();
    Q_EMIT opened(endpoints);
    m_book = std::make_unique<inspect::LockBook>(endpoints, options.formats);
    Rng rng(QRandomGenerator::system()->generate64()); // only spreads the attempts to reconnect
    for (const store::Endpoint& endpoint : endpoints) {
        auto watch = watchOf(endpoint, options, rng.split());
        connect(watch.get(), &EndpointWatch::linkChanged, this, &MonitorWorker::linkChanged);
        connect(watch.get(), &EndpointWatch::sweepProgress, this, &MonitorWorker::sweepProgressed);
        connect(watch.get(), &EndpointWatch::loadMeasured, this, &MonitorWorker::loadMeasured);
        connect(watch.get(), &EndpointWatch::bookHasNews, this, [this] {
            if (!m_flushTimer.isActive()) {
                m_flushTimer.start(kFlushInterval);
            }
        });
        watch->open();
        m_watches.push_back(std::move(watch));
    }
}

std::unique_ptr<EndpointWatch> MonitorWorker::watchOf(const store::Endpoint& endpoint,
                                                      const service::WatchOptions& options, Rng rng)
{
    const auto server = static_cast<std::uint16_t>(m_watches.size());
    if (endpoint.isCluster()) {
        return std::make_unique<ClusterWatch>(server, endpoint, options, m_executor, m_clock,
                                              *m_book, rng);
    }
    return std::make_unique<ServerWatch>(server, endpoint, options, m_executor, m_clock, *m_book,
                                         rng);
}

void MonitorWorker::close()
{
    m_watches.clear();
    m_flushTimer.stop();
    m_book.reset();
}

void MonitorWorker::resweep(bool isDeep)
{
    for (const auto& watch : m_watches) {
        watch->resweep(isDeep);
    }
}

void MonitorWorker::setPatterns(const std::vector<std::string>& patterns)
{
    for (const auto& watch : m_watches) {
        watch->setPatterns(patterns);
    }
}

void MonitorWorker::setFormats(const inspect::FormatTablePtr& formats)
{
    if (m_book) {
        m_book->setFormats(formats, m_clock.now());
    }
    for (const auto& watch : m_watches) {
        watch->setFormats(formats);
    }
}

void MonitorWorker::flush()
{
    const inspect::LockDelta delta = m_book->takeDelta();
    if (!delta.isEmpty()) {
        Q_EMIT locksChanged(delta);
    }
}

RedisMonitor::RedisMonitor(QObject* parent)
    : LockMonitor(parent),
      m_worker(QStringLiteral("monitor"))
{
    service::registerValueTypes();
    const MonitorWorker* const worker = m_worker.object();
    connect(worker, &MonitorWorker::opened, this, &RedisMonitor::opened);
    connect(worker, &MonitorWorker::linkChanged, this, &RedisMonitor::linkChanged);
    connect(worker, &MonitorWorker::sweepProgressed, this, &RedisMonitor::sweepProgressed);
    connect(worker, &MonitorWorker::locksChanged, this, &RedisMonitor::locksChanged);
    connect(worker, &MonitorWorker::loadMeasured, this, &RedisMonitor::loadMeasured);
}

RedisMonitor::~RedisMonitor() = default;

void RedisMonitor::open(std::vector<store::Endpoint> endpoints, service::WatchOptions options)
{
    m_worker.post([endpoints = std::move(endpoints),
                   options = std::move(options)](MonitorWorker& worker) {
        worker.open(endpoints, options);
    });
}

void RedisMonitor::close()
{
    m_worker.post([](MonitorWorker& worker) { worker.close(); });
}

void RedisMonitor::resweep(bool deep)
{
    m_worker.post([deep](MonitorWorker& worker) { worker.resweep(deep); });
}

void RedisMonitor::setPatterns(std::vector<std::string> patterns)
{
    m_worker.post([patterns = std::move(patterns)](MonitorWorker& worker) {
        worker.setPatterns(patterns);
    });
}

void RedisMonitor::setFormats(inspect::FormatTablePtr formats)
{
    m_worker.post([formats = std::move(formats)](MonitorWorker& worker) {
        worker.setFormats(formats);
    });
}

Instant RedisMonitor::now() const
{
    return LoopClock::present();
}

} // namespace lockscope::wire
