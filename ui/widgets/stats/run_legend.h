#pragma once

#include <QWidget>

namespace lockscope::widgets {

/// Which line of the charts is which run.
class RunLegend : public QWidget {
    Q_OBJECT
public:
    explicit RunLegend(QWidget* parent = nullptr);

    void showRuns(const QString& ours, const QString& theirs);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_ours;
    QString m_theirs;
};

} // namespace lockscope::widgets
