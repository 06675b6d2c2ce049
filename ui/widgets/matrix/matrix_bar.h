#pragma once

#include "ui/widgets/controls/strip.h"
#include "ui/widgets/matrix/matrix_export.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockscope::models {
class MatrixFill;
} // namespace lockscope::models

namespace lockscope::widgets {

/// Starts and stops the searches for the matrix, shows how far they are, sorts the rows, and
/// exports what is known.
class MatrixBar : public Strip {
    Q_OBJECT
public:
    explicit MatrixBar(QWidget* parent = nullptr);

    void showProgress(const models::MatrixFill& fill, const models::MatrixModel& matrix);
    /// In place of the numbers, until they change.
    void showNotice(const QString& text);

Q_SIGNALS:
    void computeRequested();
    void stopRequested();
    void sortRequested();
    void exportRequested(lockscope::widgets::MatrixFormat format);

private:
    void createExportMenu();

    QPushButton* m_compute = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_sort = nullptr; // enabled while rows are out of their order
    QPushButton* m_export = nullptr;
    QLabel* m_numbers = nullptr;
    QProgressBar* m_progress = nullptr;
};

/// "protocol 5 of 24: redisson-lock · 12,345 schedules/s"
QString matrixProgressText(const models::MatrixFill& fill, const models::MatrixModel& matrix);

} // namespace lockscope::widgets
