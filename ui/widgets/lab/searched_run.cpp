#include "lab/searched_run.h"

#include "formatting.h"
#include "lab/run_view.h"
#include "sim/lua_engine.h"

#include <QtConcurrentRun>

namespace lockscope::widgets {

SearchedRun::SearchedRun(RunView& view, service::SearchOrder order,
                         std::vector<report::CellReport> reports)
    : QObject(&view),
      m_view(view),
      m_order(std::move(order)),
      m_reports(std::move(reports))
{
    connect(&view, &RunView::promiseSelected, this, &SearchedRun::showRunOf);
    connect(&m_turn, &QFutureWatcherBase::finished, this, [this] {
        if (m_turn.isCanceled()) {
            return; // nobody asks any more
        }
        if (const auto turn = m_turn.result()) {
            m_view.showTurningPoint(*turn);
        }
    });
    view.promises().show(m_reports);
    const int row = view.promises().headlineRow();
    if (row >= 0) {
        view.selectPromise(row);
    } else {
        showRunOf(row);
    }
}

SearchedRun::~SearchedRun()
{
    m_turn.cancel();
}

void SearchedRun::showRunOf(int row)
{
    const report::CellVerdict* const verdict = m_view.promises().verdictAt(row);
    m_turn.cancel(); // that of the story before is not wanted any more
    QString title;
    models::RunRecord record;
    if (verdict == nullptr) {
        record = models::sampleOf(m_order.tasks.front());
    } else {
        const service::SearchTask& task = taskOf(*m_view.promises().cellAt(row));
        record = models::recordOf(*task.protocol, *verdict);
        askForTurningPoint(task, *verdict);
        title = tr("Shortest story · %1")
                    .arg(models::countedText(verdict->result.finding->length, tr("step"),
                                             tr("steps")));
    }
    record.statistics = statistics();
    m_view.showRecord(std::move(record), title);
}

const service::SearchTask& SearchedRun::taskOf(const report::CellReport& cell) const
{
    return m_order.tasks[static_cast<std::size_t>(&cell - m_reports.data())];
}

/// Takes hundreds of runs: in the background. A newer question makes the answer to this one stay
/// away.
void SearchedRun::askForTurningPoint(const service::SearchTask& task,
                                     const report::CellVerdict& verdict)
{
    using Answer = std::optional<search::TurningPoint>;
    const auto look = [protocol = task.protocol, verdict](QPromise<Answer>& promise) {
        sim::LuaEngine lua;
        const search::Finding& finding = *verdict.result.finding;
        search::Sampling sampling;
        sampling.goOn = [&promise] { return !promise.isCanceled(); };
        promise.addResult(search::turningPointIn(
            search::tellStory(*protocol, verdict.plan, finding, lua),
            search::sampleContinuations(*protocol, verdict.plan, finding, lua, sampling)));
    };
    m_turn.setFuture(QtConcurrent::run(look));
}

/// Of all random runs together.
std::optional<trace::RunStatistics> SearchedRun::statistics() const
{
    std::optional<trace::RunStatistics> sum;
    for (const report::CellReport& cell : m_reports) {
        if (cell.statistics && sum) {
            sum->add(*cell.statistics);
        } else if (cell.statistics) {
            sum = cell.statistics;
        }
    }
    return sum;
}

} // namespace lockscope::widgets
