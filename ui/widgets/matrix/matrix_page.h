#pragma once

#include "core/kernel/search/matrix_tasks.h"
#include "core/service/search_runner.h"
#include "ui/models/locks/cell_cache.h"
#include "ui/models/matrix/matrix_fill.h"
#include "ui/models/matrix/matrix_model.h"
#include "ui/models/protocol_list_model.h"
#include "ui/widgets/matrix/matrix_export.h"

#include <QPointer>
#include <QWidget>

#include <vector>

namespace lockscope::widgets {

class AdviceDialog;
class MatrixBar;
class MatrixLegend;
class MatrixView;
struct Settings;

/// Which lock breaks under which fault: every protocol against every kind of fault. It fills by
/// itself when it is shown for the first time, and goes on while other pages are looked at.
class MatrixPage : public QWidget {
    Q_OBJECT
public:
    /// All of it outlives the page.
    struct Context {
        service::SearchRunner& searcher;       // for this page alone
        service::SearchRunner& remedySearcher; // for its advice
        models::ProtocolListModel& protocols;
        models::CellCache& cache;
        Prompter& prompter;
        Settings& settings;
        std::vector<world::FaultKind> faults = search::matrixFaults(); // the columns
        search::Bounds bounds = search::matrixBounds();                // of every plan
    };

    explicit MatrixPage(Context context, QWidget* parent = nullptr);
    ~MatrixPage() override;

Q_SIGNALS:
    /// The user wants to see the counterexample of a cell: what was searched, and what came of it.
    /// `promise`: which of those that broke is to be shown first.
    void cellOpened(const lockscope::service::SearchOrder& order,
                    const std::vector<lockscope::report::CellReport>& reports,
                    lockscope::protocol::Promise promise);

protected:
    void showEvent(QShowEvent* event) override;

private:
    class Detail;

    void createParts();
    void connectParts();
    void advise();

    void takeProtocols();
    void compute();
    void showProgress();
    void refresh();
    void toggle(world::FaultGroup group);
    void open(const QModelIndex& cell);
    void askWhereTo(MatrixFormat format);
    void save(MatrixFormat format, const QString& path);

    Context m_context;
    models::MatrixModel m_matrix;
    models::MatrixFill m_fill;

    MatrixBar* m_bar = nullptr;
    MatrixLegend* m_legend = nullptr;
    MatrixView* m_view = nullptr;
    Detail* m_detail = nullptr;
    QPointer<AdviceDialog> m_advice;
};

} // namespace lockscope::widgets
