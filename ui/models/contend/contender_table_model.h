#pragma once

#include "core/service/live_runner.h"

#include <QAbstractTableModel>

#include <span>
#include <vector>

namespace lockscope::models {

/// The contenders of a live run, one row each, in the order of their numbers. Rows come and go at
/// the end only; changes are signalled in ranges.
class ContenderTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        NumberColumn,
        StateColumn,
        KeyColumn,
        SinceColumn,
        AcquisitionsColumn,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole, // the raw value of the column
        ActivityRole,            // int(workload::Activity)
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// The keys by the numbers that contenders name them with.
    void setScenario(const workload::Scenario& scenario) { m_scenario = scenario; }

    /// `now` is on the time line of the contenders; the times since are shown as of then.
    void show(std::span<const workload::ContenderStatus> contenders, Instant now);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const workload::ContenderStatus& contender, int column) const;
    QVariant sortValueOf(const workload::ContenderStatus& contender, int column) const;
    void resizeTo(std::size_t count);

    workload::Scenario m_scenario;
    std::vector<workload::ContenderStatus> m_contenders;
    Instant m_now{};
};

/// "waiting", in the user's language.
QString activityText(workload::Activity activity);

} // namespace lockscope::models
