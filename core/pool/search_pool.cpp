#include "core/pool/search_pool.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockscope::pool {

using search::Coverage;
using service::SearchOrder;
using service::SearchProgress;
using Phase = SearchProgress::Phase;
using namespace std::chrono_literals;

namespace {

constexpr auto kTick = 100ms;

/// Tells the counters how a coverage has grown since it was asked last.
template<class Counters>
class Growth {
public:
    explicit Growth(Counters& counters) : m_counters(counters) {}

    void see(const Coverage& now)
    {
        m_counters.schedules += now.schedules - m_schedules;
        m_counters.states += now.states - m_states;
        m_schedules = now.schedules;
        m_states = now.states;
        int longest = m_counters.longest;
        while (longest < now.longest
               && !m_counters.longest.compare_exchange_weak(longest, now.longest)) {}
    }

private:
    Counters& m_counters;
    std::uint64_t m_schedules = 0;
    std::uint64_t m_states = 0;
};

const Coverage* coverageIn(const PartResult& result)
{
    if (const auto* const exploration = std::get_if<search::Exploration>(&result)) {
        return &exploration->coverage;
    }
    const auto* const random = std::get_if<search::RandomResult>(&result);
    return random != nullptr ? &random->coverage : nullptr;
}

} // namespace

SearchPool::SearchPool(const Clock& clock, QObject* parent) : SearchRunner(parent), m_clock(clock)
{
    m_ticker.setInterval(kTick);
    connect(&m_ticker, &QTimer::timeout, this, &SearchPool::look);
}

SearchPool::~SearchPool()
{
    m_pauseGate.end();
}

void SearchPool::start(const SearchOrder& order)
{
    begin(order);
    search();
}

void SearchPool::startShard(const SearchOrder& order, const Shard& shard)
{
    begin(order);
    m_shard = shard;
    search();
}

void SearchPool::startTelling(const SearchOrder& order, std::vector<PartResult> results)
{
    begin(order);
    Q_ASSERT(results.size() == m_parts.size());
    m_results = std::move(results);
    addUp();
    tellStories();
}

void SearchPool::begin(const SearchOrder& order)
{
    m_pauseGate.end();
    m_workers = nullptr; // waits for its threads
    m_pauseGate.open();
    m_progress = {};
    m_workers = std::make_unique<WorkerPool>();
    connect(m_workers.get(), &WorkerPool::finished, this, &SearchPool::phaseEnded);
    m_order = order;
    m_shard.reset();
    m_parts = partsOf(m_order.tasks);
    m_results.assign(m_parts.size(), PartResult());
    m_reports.clear();
    m_findings.clear();
    m_counters.schedules = 0;
    m_counters.states = 0;
    m_counters.longest = 0;
    m_startedAt = m_clock.now();
    m_searchedFor = Duration(0);
}

void SearchPool::cancel()
{
    if (m_workers && !m_progress.isOver()) {
        endPause();
        m_pauseGate.end();
        m_workers->dismiss();
        m_progress.isStopping = true;
        publish(m_progress.phase);
    }
}

void SearchPool::setPaused(bool isPaused)
{
    if (!m_progress.isUnderWay() || m_pauseGate.isOver() || isPaused == m_progress.isPaused) {
        return;
    }
    if (isPaused) {
        m_pausedAt = m_clock.now();
        m_progress.isPaused = true;
        m_pauseGate.close();
    } else {
        endPause();
        m_pauseGate.open();
    }
    look();
}

void SearchPool::endPause()
{
    if (m_progress.isPaused) {
        m_progress.isPaused = false;
        m_startedAt += m_clock.now() - m_pausedAt;
    }
}

Duration SearchPool::elapsed() const
{
    return (m_progress.isPaused ? m_pausedAt : m_clock.now()) - m_startedAt;
}

/// The heaviest parts first, so that no thread has to wait for one at the end.
void SearchPool::search()
{
    std::vector<std::size_t> order(m_parts.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater(), [this](std::size_t part) {
        return weightOf(m_parts[part], m_order.tasks);
    });
    std::vector<WorkerPool::Job> jobs;
    jobs.reserve(order.size());
    for (const std::size_t part : order) {
        if (!m_shard || m_shard->does(part)) {
            jobs.emplace_back([this, part](sim::LuaEngine& lua) { searchOne(part, lua); });
        }
    }
    enter(Phase::Searching, std::move(jobs));
}

void SearchPool::searchOne(std::size_t part, sim::LuaEngine& lua)
{
    Growth growth(m_counters);
    const auto goOn = [this, &growth](const Coverage& coverage) {
        growth.see(coverage);
        return m_pauseGate.pass();
    };
    lua.endWhen([this] { return m_pauseGate.isOver(); });
    PartResult& result = m_results[part];
    result = searchPart(m_parts[part], m_order.tasks[m_parts[part].task], lua, goOn);
    if (const Coverage* const coverage = coverageIn(result)) {
        growth.see(*coverage);
    }
}

void SearchPool::addUp()
{
    std::size_t first = 0;
    for (std::size_t task = 0; task < m_order.tasks.size(); ++task) {
        std::size_t end = first;
        while (end < m_parts.size() && m_parts[end].task == task) {
            ++end;
        }
        m_reports.push_back(addedUp(m_order.tasks[task],
                                    std::span(m_parts).subspan(first, end - first),
                                    std::span(m_results).subspan(first, end - first)));
        first = end;
    }
    m_findings = m_reports;
    m_results.clear();
}

void SearchPool::tellStories()
{
    std::vector<WorkerPool::Job> jobs;
    for (std::size_t i = 0; i < m_reports.size(); ++i) {
        if (m_reports[i].headline() != nullptr || m_reports[i].isNeverGranted()) {
            jobs.emplace_back([this, i](sim::LuaEngine& lua) {
                lua.endWhen([this] { return m_pauseGate.isOver(); });
                tell(m_reports[i], m_order.tasks[i], lua, [this] { return m_pauseGate.pass(); });
            });
        }
    }
    enter(Phase::Telling, std::move(jobs));
}

void SearchPool::enter(Phase phase, std::vector<WorkerPool::Job> jobs)
{
    const bool isPaused = m_progress.isPaused && !m_pauseGate.isOver();
    m_progress = {};
    m_progress.isPaused = isPaused;
    m_progress.partCount = jobs.size();
    m_ticker.start();
    const int count = m_order.threadCount > 0 ? m_order.threadCount : WorkerPool::coreCount();
    m_workers->start(std::move(jobs), count);
    publish(phase);
}

void SearchPool::phaseEnded()
{
    if (m_progress.phase == Phase::Searching && !m_shard) {
        m_searchedFor = elapsed();
        addUp();
        if (!m_pauseGate.isOver()) {
            tellStories();
            return;
        }
    }
    end(m_pauseGate.isOver() ? Phase::Cancelled : Phase::Finished);
}

void SearchPool::end(Phase phase)
{
    m_ticker.stop();
    endPause();
    m_progress.isStopping = false;
    publish(phase);
}

void SearchPool::look()
{
    publish(m_progress.phase);
}

void SearchPool::publish(Phase phase)
{
    m_progress.phase = phase;
    m_progress.elapsed = elapsed();
    m_progress.doneCount = m_workers->doneCount();
    m_progress.coverage.schedules = m_counters.schedules;
    m_progress.coverage.states = m_counters.states;
    m_progress.coverage.longest = m_counters.longest;
    const Duration searched = phase == Phase::Searching ? m_progress.elapsed : m_searchedFor;
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(1, toMs(searched)));
    m_progress.schedulesPerSecond = m_progress.coverage.schedules * 1000 / ms;
    Q_EMIT progressed(m_progress);
}

} // namespace lockscope::pool
