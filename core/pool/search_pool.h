#pragma once

#include "core/kernel/base/clock.h"
#include "core/pool/pause_gate.h"
#include "core/pool/search_part.h"
#include "core/pool/worker_pool.h"
#include "core/service/search_runner.h"

#include <QTimer>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::pool {

/// The search runner of both programs.
class SearchPool final : public service::SearchRunner {
    Q_OBJECT
public:
    /// The clock, of the owner's thread, outlives the pool: it tells how fast the search is.
    explicit SearchPool(const Clock& clock, QObject* parent = nullptr);
    ~SearchPool() override;

    void start(const service::SearchOrder& order) override;
    /// Does only the parts of a shard, and adds nothing up: results() has what they came to.
    void startShard(const service::SearchOrder& order, const Shard& shard);
    /// Goes on where all parts have been done: adds them up, and tells what broke. One result for
    /// each of the parts of partsOf().
    void startTelling(const service::SearchOrder& order, std::vector<PartResult> results);
    void cancel() override;
    void setPaused(bool isPaused) override;
    const service::SearchProgress& progress() const override { return m_progress; }
    const std::vector<report::CellReport>& reports() const override { return m_reports; }
    const std::vector<report::CellReport>& findings() const override { return m_findings; }

    /// Of a shard that is over, in the order of partsOf().
    const std::vector<PartResult>& results() const { return m_results; }

private:
    /// What the workers have seen so far, for the progress.
    struct Counters {
        std::atomic<std::uint64_t> schedules{0};
        std::atomic<std::uint64_t> states{0};
        std::atomic<int> longest{0};
    };

    void begin(const service::SearchOrder& order);
    void search();
    void addUp();
    void tellStories();
    void end(service::SearchProgress::Phase phase);
    void phaseEnded();
    void enter(service::SearchProgress::Phase phase, std::vector<WorkerPool::Job> jobs);
    void look();
    void publish(service::SearchProgress::Phase phase);
    void searchOne(std::size_t part, sim::LuaEngine& lua);
    void endPause();
    Duration elapsed() const;

    const Clock& m_clock;
    QTimer m_ticker;
    service::SearchOrder m_order;
    std::optional<Shard> m_shard; // nullopt: everything
    std::vector<SearchPart> m_parts;
    std::vector<PartResult> m_results; // each written by one worker
    std::vector<report::CellReport> m_reports;
    std::vector<report::CellReport> m_findings; // m_reports before the workers tell them
    service::SearchProgress m_progress;
    Counters m_counters;
    PauseGate m_pauseGate;
    Instant m_startedAt{}; // later by every pause that is over
    Instant m_pausedAt{};
    Duration m_searchedFor{0};
    std::unique_ptr<WorkerPool> m_workers; // last: its threads use everything above
};

} // namespace lockscope::pool
