#pragma once

#include "core/kernel/report/cell_report.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/service/search_runner.h"
#include "ui/widgets/lab/turning_point_search.h"

#include <QObject>

#include <vector>

namespace lockscope::widgets {

class RunView;

/// What a search came to, in a view: for the promise that is selected there, the run that breaks
/// it. Lives as long as the view.
class SearchedRun : public QObject {
    Q_OBJECT
public:
    /// One report per task of the order, all of which are about one protocol.
    SearchedRun(RunView& view, report::SavedProtocol protocol, service::SearchOrder order,
                std::vector<report::CellReport> reports,
                std::optional<protocol::Promise> promise = std::nullopt);

    /// The reports are what was found, as of SearchRunner::findings(): they are shown as they are
    /// until the others come.
    static SearchedRun* ofFindings(RunView& view, report::SavedProtocol protocol,
                                   service::SearchOrder order,
                                   std::vector<report::CellReport> findings);
    /// The same promise stays selected.
    void complete(std::vector<report::CellReport> reports);

private:
    SearchedRun(RunView& view, report::SavedProtocol protocol, service::SearchOrder order);
    void showReports(std::vector<report::CellReport> reports,
                     std::optional<protocol::Promise> promise);
    void showVerdict(const report::CellVerdict& verdict);
    void showTotals();
    QString sampleTitle() const;
    void showRunOf(int row);
    const search::SearchTask& taskOf(const report::CellReport& cell) const;

    RunView& m_view;
    report::SavedProtocol m_protocol;
    service::SearchOrder m_order;
    std::vector<report::CellReport> m_reports; // the promises of the view refer to them
    std::optional<protocol::Promise> m_shown;  // whose run is shown
    bool m_isComplete = true;                  // false: findings alone
    bool m_isReplacing = false;                // what the view says meanwhile means nothing
    TurningPointSearch m_turn;                 // of the story that is shown
};

} // namespace lockscope::widgets
