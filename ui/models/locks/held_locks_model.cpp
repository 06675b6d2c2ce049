#include "ui/models/locks/held_locks_model.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/kept_lock_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

using service::KeptLock;

namespace {

Qt::Alignment alignmentOfHeldLocksColumn(int column)
{
    const bool isNumber = column == HeldLocksModel::LeftColumn
                          || column == HeldLocksModel::RenewalsColumn;
    return (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

} // namespace

HeldLocksModel::HeldLocksModel(std::function<Instant()> now, QObject* parent)
    : QAbstractTableModel(parent),
      m_now(std::move(now))
{}

void HeldLocksModel::takeKeptLock(const KeptLock& lock)
{
    const auto found = std::find_if(m_locks.begin(), m_locks.end(),
                                    [&lock](const KeptLock& known) { return known.id == lock.id; });
    const int row = static_cast<int>(found - m_locks.begin());
    if (found == m_locks.end()) {
        if (!lock.isOver()) {
            beginInsertRows({}, row, row);
            m_locks.push_back(lock);
            endInsertRows();
        }
    } else if (lock.isOver()) {
        beginRemoveRows({}, row, row);
        m_locks.erase(found);
        endRemoveRows();
    } else {
        *found = lock;
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
}

void HeldLocksModel::refreshTimes()
{
    if (!m_locks.empty()) {
        Q_EMIT dataChanged(index(0, StateColumn), index(rowCount() - 1, LeftColumn));
    }
}

int HeldLocksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_locks.size());
}

int HeldLocksModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString HeldLocksModel::textAt(const KeptLock& lock, int column) const
{
    switch (column) {
    case KeyColumn: return bytesText(lock.key);
    case ProtocolColumn: return toQString(lock.protocolId);
    case StateColumn: return textOf(lock, m_now()).state;
    case LeftColumn: return timeLeftText(lock, m_now());
    case RenewalsColumn: return countText(lock.renewalCount);
    case ServerColumn: return toQString(lock.server);
    default: return {};
    }
}

QVariant HeldLocksModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const KeptLock& lock = lockAt(index.row());
    switch (role) {
    case Qt::DisplayRole: return textAt(lock, index.column());
    case Qt::TextAlignmentRole: return alignmentOfHeldLocksColumn(index.column()).toInt();
    case Qt::ToolTipRole: return textOf(lock, m_now()).detail;
    case IdRole: return QVariant::fromValue<quint64>(lock.id);
    case ToneRole: return static_cast<int>(textOf(lock, m_now()).tone);
    default: return {};
    }
}

QVariant HeldLocksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignmentOfHeldLocksColumn(section).toInt();
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case KeyColumn: return tr("Key");
    case ProtocolColumn: return tr("Protocol");
    case StateColumn: return tr("State");
    case LeftColumn: return tr("Time left");
    case RenewalsColumn: return tr("Renewals");
    case ServerColumn: return tr("Server");
    default: return {};
    }
}

} // namespace lockscope::models
