#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/service/lock_monitor.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/endpoint_watch.h"
#include "core/wire/worker_thread.h"

#include <QTimer>

#include <memory>
#include <vector>

namespace lockscope::wire {

/// The part of RedisMonitor that runs on the worker thread: the watched servers and the book of
/// their locks.
class MonitorWorker final : public QObject {
    Q_OBJECT
public:
    MonitorWorker();
    ~MonitorWorker() override;

    void open(const std::vector<store::Endpoint>& endpoints, const service::WatchOptions& options);
    void close();
    void resweep(bool isDeep);
    void setPatterns(const std::vector<std::string>& patterns);
    void setFormats(const inspect::FormatTablePtr& formats);

Q_SIGNALS:
    /// The first signal about the new servers; whatever came before was about the old ones.
    void opened(const std::vector<lockscope::store::Endpoint>& endpoints);
    void linkChanged(const lockscope::service::LinkStatus& status);
    void sweepProgressed(const lockscope::service::SweepProgress& progress);
    void locksChanged(const lockscope::inspect::LockDelta& delta);
    void loadMeasured(const lockscope::service::ServerLoad& load);

private:
    std::unique_ptr<EndpointWatch> watchOf(const store::Endpoint& endpoint,
                                           const service::WatchOptions& options, Rng rng);
    void flush();

    LoopExecutor m_executor;
    LoopClock m_clock;
    QTimer m_flushTimer;
    std::unique_ptr<inspect::LockBook> m_book;
    std::vector<std::unique_ptr<EndpointWatch>> m_watches;
};

/// Watches real servers from a thread of its own.
class RedisMonitor final : public service::LockMonitor {
    Q_OBJECT
public:
    explicit RedisMonitor(QObject* parent = nullptr);
    ~RedisMonitor() override;

    void open(std::vector<store::Endpoint> endpoints, service::WatchOptions options) override;
    void close() override;
    void resweep(bool deep) override;
    void setPatterns(std::vector<std::string> patterns) override;
    void setFormats(inspect::FormatTablePtr formats) override;
    Instant now() const override;

private:
    WorkerThread<MonitorWorker> m_worker;
};

} // namespace lockscope::wire
