#pragma once

#include "core/kernel/base/time.h"

#include <QTableView>

namespace lockscope::models {
class EventListModel;
} // namespace lockscope::models

namespace lockscope::widgets {

/// What happened in a run as a table. The row that is selected and the time that is looked at are
/// one: choosing a row tells the time, and a time selects its row.
class EventTable : public QTableView {
    Q_OBJECT
public:
    /// The model must outlive it.
    explicit EventTable(models::EventListModel& events, QWidget* parent = nullptr);

    /// Selects the last row that is not later, without a signal.
    void selectTime(Instant at);
    /// The selected rows, a line each, with tabs between the cells.
    QString selectedText() const;

    QSize sizeHint() const override;

Q_SIGNALS:
    /// The user came to another row.
    void timeChosen(lockscope::Instant at);
    /// Along with it, when that is a command that was sent; its index in the chronicle.
    void messageChosen(int message);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void createColumns();
    void copy() const;

    models::EventListModel& m_events;
    bool m_isTelling = true;
};

} // namespace lockscope::widgets
