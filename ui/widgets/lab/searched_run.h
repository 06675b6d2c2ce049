#pragma once

#include "report/cell_report.h"
#include "search_runner.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lockscope::widgets {

class RunView;

/// What a search came to, in a view: for the promise that is selected there, the run that breaks
/// it. Lives as long as the view.
class SearchedRun : public QObject {
    Q_OBJECT
public:
    /// One report per task of the order.
    SearchedRun(RunView& view, service::SearchOrder order, std::vector<report::CellReport> reports);

private:
    void showRunOf(int row);
    const protocol::LockProtocol& protocolOf(const report::CellReport& cell) const;
    std::optional<trace::RunStatistics> statistics() const;

    RunView& m_view;
    service::SearchOrder m_order;
    std::vector<report::CellReport> m_reports; // the promises of the view refer to them
};

} // namespace lockscope::widgets
