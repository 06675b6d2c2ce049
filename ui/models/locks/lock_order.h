#pragma once

#include "core/kernel/report/lock_fields.h"
#include "ui/models/locks/lock_slots.h"

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace lockscope::models {

/// Hears how the rows change, in the vocabulary of an item model: every change of the number of
/// rows is one contiguous range, and everything else is a permutation or a change of contents.
class RowListener {
public:
    virtual ~RowListener() = default;

    virtual void beginInsert(int first, int last) = 0;
    virtual void endInsert() = 0;
    virtual void beginRemove(int first, int last) = 0;
    virtual void endRemove() = 0;
    virtual void beginPermute() = 0; // the rows are still the old ones
    virtual void endPermute() = 0;   // the same rows in another order
    virtual void rowsChanged(int first, int last) = 0;
};

/// One row of the table: a lock, or one of the holders of an expanded lock.
struct LockRow {
    static constexpr std::int32_t kWholeLock = -1;

    Slot slot = 0;
    std::int32_t holder = kWholeLock; // index into LockRecord::holders
    friend bool operator==(const LockRow&, const LockRow&) = default;
};

struct LockRowHash {
    std::size_t operator()(const LockRow& row) const
    {
        return std::hash<std::uint64_t>()((std::uint64_t(row.slot) << 32U)
                                          | static_cast<std::uint32_t>(row.holder));
    }
};

/// Which locks are shown, and in which order. It keeps all locks sorted, also those that the filter
/// hides, so that a keystroke in the filter box costs one pass and no sorting. Changes of few rows
/// are signalled range by range; changes of many scattered rows as one permutation and one range at
/// the end, which keeps them linear (docs/decisions/0003-own-view-order.md).
///
/// A lock whose sort key changes stays where it is until resort(): rows under the reader's eye do
/// not jump with every renewal.
class LockOrder {
public:
    using Accepts = std::function<bool(const inspect::LockRecord&)>;

    /// `listener` outlives this object.
    explicit LockOrder(RowListener& listener) : m_listener(listener) {}

    /// Adds locks and replaces records. Of several records of one lock the last one counts.
    void put(std::span<const inspect::LockPtr> locks);
    /// Removes locks with their rows. Unknown ids are ignored.
    void remove(std::span<const inspect::LockId> ids);
    void clear();

    /// Shows the locks that `accepts` lets pass; an empty function lets all pass.
    void setFilter(Accepts accepts);
    /// Asks the filter again about every lock: for filters that depend on more than the lock.
    void refilter();

    /// Sorts everything anew, by urgency without a column. Ties are broken by the name in natural
    /// order, then by the server, ascending.
    void setSort(const report::LockField::Column* column, bool isDescending);
    /// Moves the locks whose sort key changed to where they belong. False when every row stayed in
    /// its place.
    bool resort();

    /// Shows or hides the holders of a lock. Nothing happens for locks with fewer than two.
    void setExpanded(int row, bool isExpanded);
    bool isExpanded(int row) const { return hasMark(rowAt(row).slot, Expanded); }
    bool isExpandable(int row) const { return lockAt(row)->holders.size() > 1; }

    int rowCount() const { return static_cast<int>(m_rows.size()); }
    const LockRow& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    const inspect::LockPtr& lockAt(int row) const { return m_slots.at(rowAt(row).slot); }
    /// The row that shows the lock itself, -1 when it is hidden or unknown.
    int rowOf(const inspect::LockId& id) const;
    int rowOf(Slot slot) const;

    const LockSlots& slots() const { return m_slots; }
    std::size_t lockCount() const { return m_slots.lockCount(); }
    /// Locks that pass the filter.
    std::size_t shownLockCount() const { return m_shownLockCount; }

private:
    enum Mark : std::uint8_t {
        Shown = 1,
        Expanded = 2,
        Misplaced = 4, // sorted by an older record, kept in m_placedBy
        Touched = 8,   // used within one operation
        Aside = 16,    // probably data: behind all others, however they are sorted
    };
    bool hasMark(Slot slot, Mark mark) const { return (m_marks[slot] & mark) != 0; }
    void setMark(Slot slot, Mark mark, bool isSet);

    void notePlace(Slot slot);
    report::SortKey keyOf(const inspect::LockRecord& record) const;
    /// What decides where the keys are equal; empty for numbers.
    std::string_view sortTextOf(const inspect::LockRecord& record) const;
    bool isBefore(Slot left, Slot right) const;
    const inspect::LockRecord& placedRecord(Slot slot) const;
    std::int32_t childCount(Slot slot) const;
    std::vector<LockRow> wantedRows() const;

    void noteReplacement(Slot slot, inspect::LockPtr before);
    void insertIntoOrder(std::vector<Slot> arrivals);
    void applyFilterTo(std::span<const Slot> slots);
    void show(std::vector<Slot> slots);
    void hide(std::span<const Slot> slots);
    void tellChanged(std::span<const Slot> slots);

    int firstRowNotBefore(Slot slot) const;
    void insertRowsOf(Slot slot);
    void removeRowsOf(Slot slot);
    void fitChildren(Slot slot);
    void insertChildren(int row, std::int32_t first, std::int32_t count);
    void growTo(std::vector<LockRow> target);
    void removeRowsOfHidden();
    bool permuteTo(std::vector<LockRow> target);

    RowListener& m_listener;
    LockSlots m_slots;
    std::vector<report::SortKey> m_keys; // by slot
    std::vector<std::uint8_t> m_marks;   // by slot
    std::vector<Slot> m_order;           // all locks, sorted
    std::vector<LockRow> m_rows; // what is shown: m_order without the hidden, with the children
    std::unordered_map<Slot, inspect::LockPtr> m_placedBy;
    Accepts m_accepts;
    const report::LockField::Column* m_sortColumn = nullptr; // null: by urgency
    bool m_isDescending = false;
    std::size_t m_shownLockCount = 0;
    bool m_areRowsSorted = true; // false in the middle of a change of many rows
};

} // namespace lockscope::models
