#include "ui/widgets/lab/searched_run.h"

#include "core/kernel/sim/lua_engine.h"
#include "ui/models/formatting.h"
#include "ui/widgets/lab/run_view.h"

#include <QtConcurrentRun>

namespace lockscope::widgets {

SearchedRun::SearchedRun(RunView& view, report::SavedProtocol protocol, service::SearchOrder order,
                         std::vector<report::CellReport> reports)
    : QObject(&view),
      m_view(view),
      m_protocol(std::move(protocol)),
      m_order(std::move(order)),
      m_reports(std::move(reports))
{
    connect(&view, &RunView::promiseSelected, this, &SearchedRun::showRunOf);
    connect(&m_turn, &QFutureWatcherBase::finished, this, [this] {
        if (m_turn.isCanceled()) {
            return; // the answer is not wanted any more
        }
        if (const auto turn = m_turn.result()) {
            m_view.showTurningPoint(*turn);
        }
    });
    view.promises().show(m_reports);
    showTotals();
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

/// Random runs are counted together.
void SearchedRun::showTotals()
{
    std::optional<trace::RunStatistics> totals;
    for (const report::CellReport& cell : m_reports) {
        if (cell.statistics && totals) {
            totals->add(*cell.statistics);
        } else if (cell.statistics) {
            totals = cell.statistics;
        }
    }
    if (totals) {
        m_view.setTotals(*totals);
    }
}

void SearchedRun::showRunOf(int row)
{
    const report::CellVerdict* const verdict = m_view.promises().verdictAt(row);
    m_turn.cancel(); // that of the story before is not wanted any more
    if (verdict == nullptr) {
        m_view.showRecord(models::sampleOf(m_protocol, m_order.tasks.front(), m_view.command()),
                          {});
        return;
    }
    const QString length = models::countedText(verdict->result.finding->length, tr("step"),
                                               tr("steps"));
    m_view.showRecord(models::recordOf(m_protocol, *verdict, m_view.command()),
                      tr("Shortest counterexample · %1").arg(length));
    askForTurningPoint(taskOf(*m_view.promises().cellAt(row)), *verdict);
}

const search::SearchTask& SearchedRun::taskOf(const report::CellReport& cell) const
{
    return m_order.tasks[static_cast<std::size_t>(&cell - m_reports.data())];
}

/// Takes hundreds of runs: in the background. A newer question makes the answer to this one stay
/// away.
void SearchedRun::askForTurningPoint(const search::SearchTask& task,
                                     const report::CellVerdict& verdict)
{
    using Place = std::optional<search::TurningPoint>;
    const auto look = [protocol = task.protocol, verdict](QPromise<Place>& promise) {
        sim::LuaEngine lua;
        const search::Finding& finding = *verdict.result.finding;
        search::Sampling sampling;
        sampling.goOn = [&promise] { return !promise.isCanceled(); };
        const auto continuations = search::sampleContinuations(*protocol, verdict.plan, finding,
                                                               lua, sampling);
        promise.addResult(continuations.empty()
                              ? Place()
                              : search::turningPointIn(search::tellStory(*protocol, verdict.plan,
                                                                         finding, lua),
                                                       continuations));
    };
    m_turn.setFuture(QtConcurrent::run(look));
}

} // namespace lockscope::widgets
