#include "ui/models/contend/contender_table_model.h"

#include "ui/models/contend/latency_text.h"
#include "ui/models/formatting.h"

namespace lockscope::models {

using workload::Activity;
using workload::ContenderStatus;

namespace {

bool isAtALock(Activity activity)
{
    return activity == Activity::Waiting || activity == Activity::Holding
           || activity == Activity::Paused || activity == Activity::Crashed;
}

Qt::Alignment alignmentOfContenderColumn(int column)
{
    const bool isNumber = column == ContenderTableModel::NumberColumn
                          || column == ContenderTableModel::SinceColumn
                          || column == ContenderTableModel::AcquisitionsColumn;
    return (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

bool isSame(const ContenderStatus& one, const ContenderStatus& other)
{
    return one.activity == other.activity && one.lock == other.lock && one.since == other.since
           && one.acquisitions == other.acquisitions;
}

} // namespace

QString activityText(Activity activity)
{
    switch (activity) {
    case Activity::Thinking: return ContenderTableModel::tr("thinking");
    case Activity::Waiting: return ContenderTableModel::tr("waiting");
    case Activity::Holding: return ContenderTableModel::tr("holding");
    case Activity::Paused: return ContenderTableModel::tr("paused");
    case Activity::Parked: return ContenderTableModel::tr("parked");
    case Activity::Crashed: return ContenderTableModel::tr("crashed");
    case Activity::Finished: return ContenderTableModel::tr("finished");
    }
    return {};
}

void ContenderTableModel::show(std::span<const ContenderStatus> contenders, Instant now)
{
    resizeTo(contenders.size());
    m_now = now;
    // The time since changes in every row; the other cells of most rows stay as they are.
    std::size_t row = 0;
    while (row < contenders.size()) {
        if (isSame(m_contenders[row], contenders[row])) {
            ++row;
            continue;
        }
        const std::size_t first = row;
        for (; row < contenders.size() && !isSame(m_contenders[row], contenders[row]); ++row) {
            m_contenders[row] = contenders[row];
        }
        Q_EMIT dataChanged(index(static_cast<int>(first), NumberColumn),
                           index(static_cast<int>(row) - 1, AcquisitionsColumn));
    }
    if (!contenders.empty()) {
        Q_EMIT dataChanged(index(0, SinceColumn), index(rowCount() - 1, SinceColumn));
    }
}

void ContenderTableModel::resizeTo(std::size_t count)
{
    const auto before = m_contenders.size();
    if (count > before) {
        beginInsertRows({}, static_cast<int>(before), static_cast<int>(count) - 1);
        m_contenders.resize(count);
        for (std::size_t i = before; i < count; ++i) {
            m_contenders[i].id = static_cast<trace::ContenderId>(i);
        }
        endInsertRows();
    } else if (count < before) {
        beginRemoveRows({}, static_cast<int>(count), static_cast<int>(before) - 1);
        m_contenders.resize(count);
        endRemoveRows();
    }
}

int ContenderTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_contenders.size());
}

int ContenderTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ContenderTableModel::textOf(const ContenderStatus& contender, int column) const
{
    switch (column) {
    case NumberColumn: return QString::number(contender.id);
    case StateColumn: return activityText(contender.activity);
    case KeyColumn:
        return isAtALock(contender.activity) ? bytesText(m_scenario.keyAt(contender.lock))
                                             : QString();
    case SinceColumn: {
        const bool isTold = contender.activity != Activity::Finished && m_now >= contender.since;
        return isTold ? latencyText(m_now - contender.since) : QString();
    }
    case AcquisitionsColumn: return countText(static_cast<std::int64_t>(contender.acquisitions));
    default: return {};
    }
}

QVariant ContenderTableModel::sortValueOf(const ContenderStatus& contender, int column) const
{
    switch (column) {
    case NumberColumn: return contender.id;
    case StateColumn: return static_cast<int>(contender.activity);
    case KeyColumn: return isAtALock(contender.activity) ? int{contender.lock} : -1;
    // The longest first when sorted downwards.
    case SinceColumn: return QVariant::fromValue<qint64>((m_now - contender.since).count());
    case AcquisitionsColumn: return QVariant::fromValue<quint64>(contender.acquisitions);
    default: return {};
    }
}

QVariant ContenderTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const ContenderStatus& contender = m_contenders[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return textOf(contender, index.column());
    case Qt::TextAlignmentRole: return alignmentOfContenderColumn(index.column()).toInt();
    case SortRole: return sortValueOf(contender, index.column());
    case ActivityRole: return static_cast<int>(contender.activity);
    default: return {};
    }
}

QVariant ContenderTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignmentOfContenderColumn(section).toInt();
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NumberColumn: return tr("Contender");
    case StateColumn: return tr("State");
    case KeyColumn: return tr("Key");
    case SinceColumn: return tr("For");
    case AcquisitionsColumn: return tr("Acquisitions");
    default: return {};
    }
}

} // namespace lockscope::models
