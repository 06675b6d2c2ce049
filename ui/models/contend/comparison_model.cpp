#include "ui/models/contend/comparison_model.h"

namespace lockscope::models {

namespace {

QString textOf(const ComparisonRow& row, int column)
{
    switch (column) {
    case ComparisonModel::MetricColumn: return row.metric;
    case ComparisonModel::OursColumn: return row.ours;
    case ComparisonModel::TheirsColumn: return row.theirs;
    case ComparisonModel::DifferenceColumn: return row.difference;
    default: return {};
    }
}

int alignmentOfComparisonColumn(int column)
{
    const bool isNumber = column != ComparisonModel::MetricColumn;
    const Qt::Alignment alignment = (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
    return static_cast<int>(alignment.toInt());
}

} // namespace

void ComparisonModel::showRows(std::vector<ComparisonRow> rows, const QString& ours,
                               const QString& theirs)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_ours = ours;
    m_theirs = theirs;
    endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return textOf(m_rows[static_cast<std::size_t>(index.row())], index.column());
    case Qt::TextAlignmentRole: return alignmentOfComparisonColumn(index.column());
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: return titleOf(section);
    case Qt::TextAlignmentRole: return alignmentOfComparisonColumn(section);
    case Qt::ToolTipRole:
        return section == DifferenceColumn ? tr("%1, measured by %2").arg(m_ours, m_theirs)
                                           : titleOf(section);
    default: return {};
    }
}

QString ComparisonModel::titleOf(int column) const
{
    switch (column) {
    case MetricColumn: return tr("Figure");
    case OursColumn: return m_ours;
    case TheirsColumn: return m_theirs;
    case DifferenceColumn: return tr("Difference");
    default: return {};
    }
}

} // namespace lockscope::models
