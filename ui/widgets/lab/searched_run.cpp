#include "lab/searched_run.h"

#include "formatting.h"
#include "lab/run_view.h"

namespace lockscope::widgets {

SearchedRun::SearchedRun(RunView& view, service::SearchOrder order,
                         std::vector<report::CellReport> reports)
    : QObject(&view),
      m_view(view),
      m_order(std::move(order)),
      m_reports(std::move(reports))
{
    connect(&view, &RunView::promiseSelected, this, &SearchedRun::showRunOf);
    view.promises().show(m_reports);
    const int row = view.promises().headlineRow();
    if (row >= 0) {
        view.selectPromise(row);
    } else {
        showRunOf(row);
    }
}

void SearchedRun::showRunOf(int row)
{
    const report::CellVerdict* const verdict = m_view.promises().verdictAt(row);
    QString title;
    models::RunRecord record;
    if (verdict == nullptr) {
        record = models::sampleOf(m_order.tasks.front());
    } else {
        record = models::recordOf(protocolOf(*m_view.promises().cellAt(row)), *verdict);
        title = tr("Shortest story · %1")
                    .arg(models::countedText(verdict->result.finding->length, tr("step"),
                                             tr("steps")));
    }
    record.statistics = statistics();
    m_view.showRecord(std::move(record), title);
}

const protocol::LockProtocol& SearchedRun::protocolOf(const report::CellReport& cell) const
{
    const auto index = static_cast<std::size_t>(&cell - m_reports.data());
    return *m_order.tasks[index].protocol;
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
