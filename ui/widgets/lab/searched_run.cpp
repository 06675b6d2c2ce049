#include "ui/widgets/lab/searched_run.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/story.h"
#include "core/kernel/sim/lua_engine.h"
#include "ui/models/formatting.h"
#include "ui/widgets/lab/run_view.h"

#include <optional>
#include <utility>

namespace lockscope::widgets {

SearchedRun::SearchedRun(RunView& view, report::SavedProtocol protocol, service::SearchOrder order)
    : QObject(&view),
      m_view(view),
      m_protocol(std::move(protocol)),
      m_order(std::move(order)),
      m_turn(view)
{
    connect(&view, &RunView::promiseSelected, this, &SearchedRun::showRunOf);
}

SearchedRun::SearchedRun(RunView& view, report::SavedProtocol protocol, service::SearchOrder order,
                         std::vector<report::CellReport> reports,
                         std::optional<protocol::Promise> promise)
    : SearchedRun(view, std::move(protocol), std::move(order))
{
    showReports(std::move(reports), promise);
}

SearchedRun* SearchedRun::ofFindings(RunView& view, report::SavedProtocol protocol,
                                     service::SearchOrder order,
                                     std::vector<report::CellReport> findings)
{
    auto* const run = new SearchedRun(view, std::move(protocol), std::move(order));
    run->m_isComplete = false;
    run->showReports(std::move(findings), std::nullopt);
    return run;
}

void SearchedRun::complete(std::vector<report::CellReport> reports)
{
    m_isComplete = true;
    showReports(std::move(reports), m_shown);
}

void SearchedRun::showReports(std::vector<report::CellReport> reports,
                              std::optional<protocol::Promise> promise)
{
    m_isReplacing = true;
    m_view.promises().clear(); // it refers to those before
    m_reports = std::move(reports);
    m_view.promises().show(m_reports);
    m_isReplacing = false;
    showTotals();
    const int wanted = promise ? m_view.promises().rowOf(*promise) : -1;
    const int row = wanted >= 0 ? wanted : m_view.promises().headlineRow();
    if (row >= 0) {
        m_view.selectPromise(row);
    } else {
        showRunOf(row);
    }
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
    if (m_isReplacing) {
        return;
    }
    const report::CellVerdict* const verdict = m_view.promises().verdictAt(row);
    m_turn.cancel(); // that of the story before is not wanted any more
    m_shown = verdict != nullptr ? std::optional(verdict->result.promise) : std::nullopt;
    if (verdict == nullptr) {
        m_view.showRecord(models::sampleOf(m_protocol, m_order.tasks.front(), m_view.command()),
                          sampleTitle());
        return;
    }
    showVerdict(*verdict);
    if (m_isComplete) {
        m_turn.ask(taskOf(*m_view.promises().cellAt(row)).protocol, verdict->plan,
                   *verdict->result.finding);
    }
}

/// A finding has no story yet; as long as its run is, it is told here.
void SearchedRun::showVerdict(const report::CellVerdict& verdict)
{
    const QString length = models::countedText(verdict.result.finding->length, tr("step"),
                                               tr("steps"));
    const QString plan = models::toQString(KernelText::lookUp(verdict.plan.name));
    if (m_isComplete) {
        m_view.showRecord(models::recordOf(m_protocol, verdict, m_view.command()),
                          tr("Shortest counterexample · %1 · plan “%2”").arg(length, plan));
        return;
    }
    report::CellVerdict told = verdict;
    sim::LuaEngine lua;
    told.story = search::tellStory(*m_protocol.protocol, told.plan, *told.result.finding, lua);
    m_view.showRecord(models::recordOf(m_protocol, told, m_view.command()),
                      tr("As found, being shortened · %1 · plan “%2”").arg(length, plan));
}

/// Of a run in which nothing is said to break.
QString SearchedRun::sampleTitle() const
{
    if (m_view.promises().headlineRow() >= 0) {
        return tr("A run in which this did not break");
    }
    if (!report::untestedText(m_reports).empty()) {
        return tr("Nothing was tested · a run");
    }
    const search::Coverage coverage = report::coverageOf(m_reports);
    const QString runs = models::countedText(static_cast<std::int64_t>(coverage.schedules),
                                             tr("run"), tr("runs"));
    return coverage.isComplete ? tr("Nothing broke in any run (%1) · a typical one").arg(runs)
                               : tr("Nothing broke in %1 so far · a typical run").arg(runs);
}

const search::SearchTask& SearchedRun::taskOf(const report::CellReport& cell) const
{
    return m_order.tasks[static_cast<std::size_t>(&cell - m_reports.data())];
}

} // namespace lockscope::widgets
