#pragma once

#include "core/operations/owner_names.h"
#include "ui/models/locks/lock_table_model.h"

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockscope::models {

/// Who holds what: a line per owner, and below it a line per lock. Tokens of one client are one
/// owner, where the client is known; so are those that the user calls by one name. It follows the
/// held locks of a LockTableModel, whatever the filter of that hides, but only while somebody
/// looks: a million locks cost nothing otherwise. Locks without a recorded owner, and keys that are
/// probably data, are nobody's.
///
/// Lines stand in no order; OwnersOrder gives them one. Times are those of the moment they are
/// asked for.
class OwnersModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { OwnerColumn, LocksColumn, HeldColumn, ExpiresColumn, WaitersColumn, ColumnCount };
    enum Role {
        LockIdRole = Qt::UserRole, // inspect::LockId; invalid for an owner
        FilterRole, // QString: the term of a filter that finds the owner's locks; empty: none does
        SortRole,   // qlonglong, or QString
    };

    /// The owners with the most locks have lines.
    static constexpr std::size_t kOwnersAtMost = 200;
    /// Below one owner; a last line counts the others.
    static constexpr std::size_t kLocksAtMost = 1000;

    /// `locks` outlives the model.
    explicit OwnersModel(const LockTableModel& locks, QObject* parent = nullptr);

    void setWatched(bool isWatched);
    /// As the user calls owners from now on. Never null.
    void setNames(operations::OwnerNamesPtr names);

    /// Shows what came and went. To be called a few times a second at most.
    void refresh();

    /// All owners, and those that have no line.
    qsizetype ownerCount() const { return std::ssize(m_known); }
    qsizetype hiddenOwnerCount() const { return std::ssize(m_known) - std::ssize(m_lines); }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Locks = std::vector<inspect::LockPtr>; // by their ids
    struct Line {
        std::string owner; // as groupOf() has it
        Locks locks;
        quintptr number = 0; // of this owner, as long as it has a line
    };

    void apply(const std::vector<lockscope::models::LockTransition>& transitions);
    void follow();
    /// Whose line a holder belongs to; empty: nobody's.
    std::string groupOf(const inspect::Holder& holder) const;
    QString filterOf(const Line& line) const;
    QString toolTipOf(const Line& line) const;
    int holderOf(const inspect::LockRecord& lock, const std::string& owner) const;
    std::optional<Instant> endFor(const inspect::LockRecord& lock, const std::string& owner) const;
    std::optional<Instant> firstEndOf(const Line& line) const;
    std::vector<Bytes> tokensOf(const Line& line) const;
    void take(const inspect::LockPtr& lock);
    void drop(const inspect::LockRecord& lock);
    std::unordered_map<std::string, const Locks*> wantedLines() const;
    void removeLines(int first, int last);
    void turnInto(int row, const Locks& wanted);
    void replaceLocks(int row, const Locks& wanted);
    void mergeLocks(int row, const Locks& wanted);

    const Line* lineOf(const QModelIndex& parent) const;
    static int childCount(const Locks& locks);
    QVariant ownerData(const Line& line, int column, int role) const;
    QVariant lockData(const Line& line, int child, int column, int role) const;

    const LockTableModel& m_table;
    operations::OwnerNamesPtr m_names = std::make_shared<const operations::OwnerNames>();
    bool m_isWatched = false;
    bool m_hasNews = false;
    std::unordered_map<std::string, Locks> m_known;
    std::vector<Line> m_lines;
    quintptr m_lastNumber = 0;
};

/// The owners in an order: by a column, and where that says the same, by name.
class OwnersOrder : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace lockscope::models
