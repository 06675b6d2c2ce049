#pragma once

#include "core/service/lock_keeper.h"

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace lockscope::models {

/// The locks that are held by hand, or on the way there, in the order of asking. One that is over
/// disappears.
class HeldLocksModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        KeyColumn,
        StateColumn,
        LeftColumn,
        RenewalsColumn,
        ProtocolColumn,
        ServerColumn,
        ColumnCount
    };
    enum Role {
        IdRole = Qt::UserRole, // quint64, as LockKeeper names it
        ToneRole,              // int(KeptLockText::Tone)
    };

    explicit HeldLocksModel(std::function<Instant()> now, QObject* parent = nullptr);

    void takeKeptLock(const service::KeptLock& lock);
    /// The times left, as of now.
    void refreshTimes();

    const service::KeptLock& lockAt(int row) const
    {
        return m_locks[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textAt(const service::KeptLock& lock, int column) const;

    std::function<Instant()> m_now;
    std::vector<service::KeptLock> m_locks;
};

} // namespace lockscope::models
