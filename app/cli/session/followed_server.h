#pragma once

#include "app/cli/output/output.h"
#include "app/cli/session/server_news.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/endpoint.h"
#include "core/operations/metrics/server_metrics.h"
#include "core/service/lock_monitor.h"
#include "core/wire/watch/redis_monitor.h"

#include <QObject>
#include <QTimer>

namespace lockscope::cli {

/// A server that is watched on its own for its metrics. It is followed for as long as this lives:
/// where the watch gives up (a wrong password), it begins anew a minute later.
class FollowedServer final : public QObject {
    Q_OBJECT
public:
    /// `metrics` are those of this server alone. Clock and output outlive this.
    FollowedServer(store::Endpoint endpoint, service::WatchOptions options,
                   metrics::ServerMetrics metrics, Clock& clock, Output& output);

    const metrics::ServerMetrics& metrics() const { return m_metrics; }

private:
    void open();
    void takeLink(const service::LinkStatus& status);
    void takeSweep(const service::SweepProgress& progress);
    void takeLoad(const service::ServerLoad& load);

    store::Endpoint m_endpoint;
    service::WatchOptions m_options;
    metrics::ServerMetrics m_metrics;
    Clock& m_clock;
    ServerNews m_news;
    QTimer m_newAttempt;
    wire::MonitorWorker m_monitor; // last: it calls this
};

} // namespace lockscope::cli
