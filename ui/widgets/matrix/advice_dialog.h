#pragma once

#include "core/kernel/report/advice.h"
#include "ui/models/matrix/advice_model.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QTableView;

namespace lockscope::widgets {

/// Which lock should I use? What must not happen and what may go wrong are chosen above the matrix;
/// here is what else the lock has to be. The answer follows both.
class AdviceDialog : public QDialog {
    Q_OBJECT
public:
    /// Both outlive the dialog. `searcher`: for this dialog alone.
    AdviceDialog(const models::MatrixModel& matrix, service::SearchRunner& searcher,
                 const search::Bounds& bounds, QWidget* parent = nullptr);
    ~AdviceDialog() override;

private:
    void createNeeds();
    void createAnswer();
    report::AdviceQuestion needs() const;
    void answer();
    void giveReasonsRoom();
    void searchRemedies();
    void takeProgress(const service::SearchProgress& progress);
    void showAdditions(bool isSearching);

    const models::MatrixModel& m_matrix;
    service::SearchRunner& m_searcher;
    search::Bounds m_bounds;
    models::AdviceModel m_advice;
    QLabel* m_question = nullptr;
    QSpinBox* m_servers = nullptr;
    QCheckBox* m_reentrant = nullptr;
    QCheckBox* m_readers = nullptr;
    QCheckBox* m_permits = nullptr;
    QComboBox* m_library = nullptr;
    QLabel* m_summary = nullptr;
    QTableView* m_table = nullptr;
    QLabel* m_additions = nullptr;
};

} // namespace lockscope::widgets
