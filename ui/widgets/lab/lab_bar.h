#pragma once

#include "search_runner.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace lockscope::widgets {

/// Starts a search and ends it, and shows how far it is.
class LabBar : public QWidget {
    Q_OBJECT
public:
    explicit LabBar(QWidget* parent = nullptr);

    void showProgress(const service::SearchProgress& progress);

Q_SIGNALS:
    void findRequested();
    void cancelRequested();
    void copyCommandRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPushButton* m_find = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_copy = nullptr;
    QLabel* m_numbers = nullptr;
    QProgressBar* m_progress = nullptr;
};

/// "12,345 schedules · 98,765/s · 5,432 states · deepest 31 steps · 0.4 s"
QString progressText(const service::SearchProgress& progress);

} // namespace lockscope::widgets
