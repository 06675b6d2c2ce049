#pragma once

#include "core/kernel/workload/live_server_holds.h"
#include "core/service/live_runner.h"
#include "core/wire/run/contention_worker.h"
#include "core/wire/run/private_server.h"
#include "core/wire/watch/holder_watcher.h"
#include "core/wire/worker_thread.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lockscope::wire {

/// Runs contenders on worker threads against real servers, or against private ones that it starts
/// and stops.
class RedisLiveRunner final : public service::LiveRunner {
    Q_OBJECT
public:
    explicit RedisLiveRunner(QObject* parent = nullptr);
    ~RedisLiveRunner() override;

    /// By which the servers are read from the next run on.
    void setFormats(inspect::FormatTablePtr formats) { m_formats = std::move(formats); }

    void start(const workload::LiveRunOrder& order) override;
    void pause() override;
    void resume() override;
    void stop() override;

    const workload::LiveRunProgress& progress() const override { return m_progress; }
    const std::vector<trace::Event>& events() const override { return m_events; }
    std::vector<trace::Event> takeEvents() override { return std::exchange(m_events, {}); }
    std::vector<trace::ServerHold> serverHolds() const override
    {
        return m_serverHolds.serverHolds();
    }

private:
    using Phase = workload::LiveRunProgress::Phase;

    /// One worker, and what it has reported that was not added up yet.
    struct WorkerSlot {
        std::unique_ptr<WorkerThread<ContentionWorker>> worker;
        std::vector<trace::Event> pendingEvents;
        Instant until{};
        bool isPrepared = false;
        bool hasEnded = false;
    };

    void startPrivateServers();
    void privateServerReady();
    void employ();
    void connectWorker(std::size_t index);
    void watchHolders();
    void workerPrepared(std::size_t index);
    void takeReport(std::size_t index, const WorkerReport& report);
    void workerEnded(std::size_t index);
    void addUpEvents(bool isLast);
    void lookForLeftovers();
    void conclude(std::vector<workload::Leftover> leftBehind);
    void fail(store::Problem problem);
    void dismiss();
    void tick();
    void setPhase(Phase phase);
    void measureRecentRate();

    workload::LiveRunOrder m_order;
    workload::LiveRunProgress m_progress;
    std::vector<std::unique_ptr<PrivateServer>> m_privateServers;
    std::vector<WorkerSlot> m_workerSlots;
    std::unique_ptr<WorkerThread<HolderWatcher>> m_watcher;
    workload::LiveServerHolds m_serverHolds;
    inspect::FormatTablePtr m_formats = inspect::builtinFormatTable();
    std::shared_ptr<workload::SharedPage> m_page;
    std::unique_ptr<trace::StatisticsCollector> m_collector;
    std::vector<trace::Event> m_events;
    Instant m_phaseSince{};  // of Running or Parked
    Duration m_runBefore{0}; // of the running phases that are over
    std::vector<std::pair<Instant, std::uint64_t>> m_rateSamples;
    QTimer m_ticker;
};

} // namespace lockscope::wire
