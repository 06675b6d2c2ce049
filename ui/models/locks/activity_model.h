#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace lockscope::models {

enum class ActivityKind {
    Appeared,
    HandedOver, // the same lock, another hold
    Released,
    Expired,
    OurRelease, // what we did ourselves, or tried to
    OurLock,    // what became of a lock that we took by hand
    Connection,
    Alert, // one fired, or is over
    Problem,
};

/// One line of the activity log.
struct ActivityEntry {
    WallTime at{};
    ActivityKind kind = ActivityKind::Appeared;
    std::optional<inspect::LockId> lock; // none: it is about the connection
    QString text;
    QString place{}; // the server, or a key, where there is no lock of the table to name
};

/// What happened, oldest first. It keeps the latest entries and drops the oldest.
class ActivityModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, KindColumn, KeyColumn, TextColumn, ColumnCount };
    enum Role {
        KindRole = Qt::UserRole, // int(ActivityKind)
        LockIdRole,              // inspect::LockId; invalid when it is not about a lock
        IsoTimeRole,             // QString: ISO 8601, in UTC, with milliseconds
    };
    static constexpr int kEntriesAtMost = 10'000;

    /// Wall-clock time of an instant of the monitor.
    using WallTimeOf = std::function<WallTime(Instant)>;

    explicit ActivityModel(WallTimeOf wallTimeOf, QObject* parent = nullptr);

    /// Logs what happened to locks. Renewals and locks that were there at the first look are not
    /// news.
    void apply(const inspect::LockDelta& delta);
    void append(ActivityEntry entry);
    void append(std::vector<ActivityEntry> entries);
    void clear();

    /// What happened to one lock, a line each, oldest first: the latest `most` of what is kept.
    QStringList linesOf(const inspect::LockId& lock, int most) const;

    const ActivityEntry& entryAt(int row) const { return m_entries[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<ActivityEntry> entryOf(const inspect::LockChange& change) const;
    void makeRoomFor(std::size_t count);

    WallTimeOf m_wallTimeOf;
    std::deque<ActivityEntry> m_entries;
};

} // namespace lockscope::models
