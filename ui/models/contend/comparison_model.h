#pragma once

#include "ui/models/contend/figures_text.h"

#include <QAbstractTableModel>

#include <vector>

namespace lockscope::models {

/// Two runs side by side, a row for each metric.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { MetricColumn, OursColumn, TheirsColumn, DifferenceColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// The titles of the runs stand above their columns.
    void showRows(std::vector<ComparisonRow> rows, const QString& ours, const QString& theirs);
    void clear() { showRows({}, {}, {}); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString titleOf(int column) const;

    std::vector<ComparisonRow> m_rows;
    QString m_ours;
    QString m_theirs;
};

} // namespace lockscope::models
