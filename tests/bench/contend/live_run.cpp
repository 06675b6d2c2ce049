#include "tests/bench/contend/live_run.h"

#include "core/wire/run/private_server.h"
#include "core/wire/run/redis_live_runner.h"

#include <QCoreApplication>

#include <cstdio>
#include <utility>

namespace lockscope::bench {

using workload::LiveRunProgress;
using Phase = LiveRunProgress::Phase;

namespace {

/// Reads the processor time when the run begins and when it ends.
class Watch {
public:
    explicit Watch(qint64 serverId) : m_serverId(serverId) {}

    void see(Phase phase, LiveRun& run)
    {
        if (phase == Phase::Running && !m_driverId) {
            m_isWatching = true;
            m_driverId = threadCalled("contenders 1");
            m_serverBefore = processorTimeOf(m_serverId);
            m_driverBefore = processorTimeOf(m_driverId.value_or(0));
        } else if (phase == Phase::Stopping && std::exchange(m_isWatching, false)) {
            run.server = processorTimeOf(m_serverId) - m_serverBefore;
            run.driver = processorTimeOf(m_driverId.value_or(0)) - m_driverBefore;
        }
    }

private:
    qint64 m_serverId;
    std::optional<qint64> m_driverId;
    bool m_isWatching = false;
    ProcessorTime m_serverBefore;
    ProcessorTime m_driverBefore;
};

double shareOf(std::chrono::nanoseconds part, Duration whole)
{
    return whole > Duration(0) ? std::chrono::duration<double>(part) / whole : 0.0;
}

} // namespace

double LiveRun::loadOf(const ProcessorTime& time) const
{
    return shareOf(time.worked, statistics.elapsed);
}

double LiveRun::waitedShare() const
{
    return shareOf(server.waited + driver.waited, statistics.elapsed);
}

std::optional<LiveRun> runLive(workload::LiveRunOrder order, const wire::PrivateServer& server)
{
    order.servers = {server.endpoint()};
    order.threadCount = 1;
    LiveRun run;
    Watch watch(server.processId());
    wire::RedisLiveRunner runner;
    QObject::connect(&runner, &service::LiveRunner::progressed, &runner,
                     [&watch, &run](const LiveRunProgress& progress) {
                         watch.see(progress.phase, run);
                         if (progress.phase == Phase::Finished || progress.phase == Phase::Failed) {
                             QCoreApplication::quit();
                         }
                     });
    runner.start(order);
    QCoreApplication::exec();
    if (runner.progress().phase != Phase::Finished) {
        std::fprintf(stderr, "bench_contention: %s\n", runner.progress().problem.detail.c_str());
        return std::nullopt;
    }
    run.statistics = runner.progress().statistics;
    return run;
}

} // namespace lockscope::bench
