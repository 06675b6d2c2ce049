#include "ui/models/locks/lock_order.h"

#include "core/kernel/base/natural_order.h"

#include <algorithm>
#include <cassert>
#include <compare>

namespace lockscope::models {

using inspect::LockId;
using inspect::LockPtr;
using inspect::LockRecord;

namespace {

/// Up to so many, things are done one by one; above, in one pass over everything.
constexpr std::size_t kFew = 32;
constexpr std::size_t kMany = 2000;
/// Comparisons that find the place of one among a hundred thousand. Each goes to the records, which
/// are all over the memory: fewer of them are worth more than one pass over everything.
constexpr std::size_t kBisection = 16;

struct RowRange {
    int first = 0;
    int last = 0;
};

/// Sorted row numbers as contiguous ranges.
class RangeCollector {
public:
    void add(int row)
    {
        if (!m_ranges.empty() && m_ranges.back().last + 1 >= row) {
            m_ranges.back().last = row;
        } else {
            m_ranges.push_back({row, row});
        }
    }
    const std::vector<RowRange>& ranges() const { return m_ranges; }

private:
    std::vector<RowRange> m_ranges;
};

} // namespace

void LockOrder::setMark(Slot slot, Mark mark, bool isSet)
{
    m_marks[slot] = static_cast<std::uint8_t>(isSet ? m_marks[slot] | mark : m_marks[slot] & ~mark);
}

void LockOrder::put(std::span<const LockPtr> locks)
{
    std::vector<Slot> arrivals;
    std::vector<Slot> touched;
    std::vector<LockSlots::Put> replaced;
    for (const LockPtr& lock : locks) {
        LockSlots::Put put = m_slots.put(lock);
        m_keys.resize(m_slots.slotCount());
        m_marks.resize(m_slots.slotCount());
        if (hasMark(put.slot, Touched)) {
            continue; // what was shown before this batch is known already
        }
        setMark(put.slot, Touched, true);
        touched.push_back(put.slot);
        if (put.before == nullptr) {
            arrivals.push_back(put.slot);
        } else {
            replaced.push_back(std::move(put));
        }
    }
    for (const Slot slot : touched) {
        setMark(slot, Touched, false);
    }
    for (const Slot slot : arrivals) {
        notePlace(slot);
    }
    for (LockSlots::Put& put : replaced) {
        noteReplacement(put.slot, std::move(put.before));
    }
    for (const LockSlots::Put& put : replaced) {
        fitChildren(put.slot);
    }
    insertIntoOrder(std::move(arrivals));
    applyFilterTo(touched);
}

void LockOrder::remove(std::span<const LockId> ids)
{
    std::vector<Slot> leaving;
    std::vector<Slot> shown;
    for (const LockId& id : ids) {
        const std::optional<Slot> slot = m_slots.find(id);
        if (!slot || hasMark(*slot, Touched)) {
            continue;
        }
        setMark(*slot, Touched, true);
        leaving.push_back(*slot);
        if (hasMark(*slot, Shown)) {
            shown.push_back(*slot);
        }
    }
    hide(shown);
    if (leaving.size() <= kFew) {
        for (const Slot slot : leaving) {
            const auto at = std::lower_bound(m_order.begin(), m_order.end(), slot,
                                             [this](Slot l, Slot r) { return isBefore(l, r); });
            assert(at != m_order.end() && *at == slot);
            m_order.erase(at);
        }
    } else {
        std::erase_if(m_order, [this](Slot slot) { return hasMark(slot, Touched); });
    }
    for (const Slot slot : leaving) {
        m_placedBy.erase(slot);
        m_marks[slot] = 0;
        m_slots.remove(slot);
    }
}

void LockOrder::clear()
{
    const int count = rowCount();
    if (count > 0) {
        m_listener.beginRemove(0, count - 1);
    }
    m_rows.clear();
    m_order.clear();
    m_placedBy.clear();
    m_marks.clear();
    m_keys.clear();
    m_slots.clear();
    m_shownLockCount = 0;
    if (count > 0) {
        m_listener.endRemove();
    }
}

void LockOrder::setFilter(Accepts accepts)
{
    m_accepts = std::move(accepts);
    refilter();
}

void LockOrder::refilter()
{
    std::vector<Slot> appearing;
    std::vector<Slot> disappearing;
    // In the order of the slots, which is about that of the memory: in view order it would take ten
    // times as long.
    for (Slot slot = 0; slot < m_slots.slotCount(); ++slot) {
        const LockPtr& lock = m_slots.at(slot);
        const bool isWanted = lock != nullptr && (!m_accepts || m_accepts(*lock));
        if (isWanted != hasMark(slot, Shown)) {
            (isWanted ? appearing : disappearing).push_back(slot);
        }
    }
    hide(disappearing);
    show(std::move(appearing));
}

void LockOrder::setSort(const report::LockField::Column* column, bool isDescending)
{
    m_areRowsSorted = false;
    m_sortColumn = column;
    m_isDescending = isDescending;
    for (Slot slot = 0; slot < m_slots.slotCount(); ++slot) {
        if (m_slots.at(slot) != nullptr) {
            notePlace(slot);
            setMark(slot, Misplaced, false);
        }
    }
    m_placedBy.clear();
    std::sort(m_order.begin(), m_order.end(), [this](Slot l, Slot r) { return isBefore(l, r); });
    permuteTo(wantedRows());
    m_areRowsSorted = true;
}

bool LockOrder::resort()
{
    if (m_placedBy.empty()) {
        return false;
    }
    m_areRowsSorted = false;
    std::erase_if(m_order, [this](Slot slot) { return hasMark(slot, Misplaced); });
    std::vector<Slot> moving;
    moving.reserve(m_placedBy.size());
    for (const auto& [slot, record] : m_placedBy) {
        moving.push_back(slot);
        notePlace(slot);
        setMark(slot, Misplaced, false);
    }
    m_placedBy.clear();
    insertIntoOrder(std::move(moving));
    const bool hasMoved = permuteTo(wantedRows());
    m_areRowsSorted = true;
    return hasMoved;
}

void LockOrder::setExpanded(int row, bool isExpanded)
{
    const Slot slot = rowAt(row).slot;
    if (hasMark(slot, Expanded) == isExpanded || (isExpanded && !isExpandable(row))) {
        return;
    }
    setMark(slot, Expanded, isExpanded);
    fitChildren(slot);
    const int lockRow = rowOf(slot);
    m_listener.rowsChanged(lockRow, lockRow);
}

int LockOrder::rowOf(const LockId& id) const
{
    const std::optional<Slot> slot = m_slots.find(id);
    return slot ? rowOf(*slot) : -1;
}

int LockOrder::rowOf(Slot slot) const
{
    if (!hasMark(slot, Shown)) {
        return -1;
    }
    if (!m_areRowsSorted) {
        const auto found = std::find(m_rows.begin(), m_rows.end(),
                                     LockRow{slot, LockRow::kWholeLock});
        return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
    }
    const int row = firstRowNotBefore(slot);
    assert(row < rowCount() && rowAt(row).slot == slot);
    return row;
}

int LockOrder::firstRowNotBefore(Slot slot) const
{
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), slot,
                                     [this](const LockRow& l, Slot r) {
                                         return isBefore(l.slot, r);
                                     });
    return static_cast<int>(at - m_rows.begin());
}

void LockOrder::notePlace(Slot slot)
{
    m_keys[slot] = keyOf(*m_slots.at(slot));
    setMark(slot, Aside, report::isProbablyData(*m_slots.at(slot)));
}

report::SortKey LockOrder::keyOf(const LockRecord& record) const
{
    return m_sortColumn != nullptr ? m_sortColumn->sortKey(record) : report::urgencyOf(record);
}

std::string_view LockOrder::sortTextOf(const LockRecord& record) const
{
    if (m_sortColumn == nullptr) {
        return record.id.name;
    }
    return m_sortColumn->sortText != nullptr ? m_sortColumn->sortText(record) : std::string_view();
}

bool LockOrder::isBefore(Slot left, Slot right) const
{
    if (left == right) {
        return false;
    }
    if (hasMark(left, Aside) != hasMark(right, Aside)) {
        return hasMark(right, Aside);
    }
    std::strong_ordering order = m_keys[left] <=> m_keys[right];
    if (order == 0) {
        order = naturalOrder(sortTextOf(placedRecord(left)), sortTextOf(placedRecord(right)));
    }
    if (order != 0) {
        return m_isDescending ? order > 0 : order < 0;
    }
    return report::orderByName(m_slots.at(left)->id, m_slots.at(right)->id) < 0;
}

/// The record by which the lock was put where it is.
const LockRecord& LockOrder::placedRecord(Slot slot) const
{
    return hasMark(slot, Misplaced) ? *m_placedBy.at(slot) : *m_slots.at(slot);
}

std::int32_t LockOrder::childCount(Slot slot) const
{
    const std::size_t holderCount = m_slots.at(slot)->holders.size();
    return hasMark(slot, Expanded) && holderCount > 1 ? static_cast<std::int32_t>(holderCount) : 0;
}

std::vector<LockRow> LockOrder::wantedRows() const
{
    std::vector<LockRow> rows;
    rows.reserve(m_order.size());
    for (const Slot slot : m_order) {
        if (!hasMark(slot, Shown)) {
            continue;
        }
        rows.push_back({slot, LockRow::kWholeLock});
        if (hasMark(slot, Expanded)) {
            for (std::int32_t holder = 0; holder < childCount(slot); ++holder) {
                rows.push_back({slot, holder});
            }
        }
    }
    return rows;
}

void LockOrder::noteReplacement(Slot slot, LockPtr before)
{
    if (hasMark(slot, Misplaced)) {
        return;
    }
    const LockRecord& record = *m_slots.at(slot);
    const bool isInPlace = keyOf(record) == m_keys[slot]
                           && sortTextOf(record) == sortTextOf(*before)
                           && report::isProbablyData(record) == hasMark(slot, Aside);
    if (!isInPlace) {
        setMark(slot, Misplaced, true);
        m_placedBy.emplace(slot, std::move(before));
    }
}

void LockOrder::insertIntoOrder(std::vector<Slot> arrivals)
{
    const auto before = [this](Slot l, Slot r) { return isBefore(l, r); };
    if (arrivals.size() <= kFew) {
        for (const Slot slot : arrivals) {
            m_order.insert(std::lower_bound(m_order.begin(), m_order.end(), slot, before), slot);
        }
        return;
    }
    std::sort(arrivals.begin(), arrivals.end(), before);
    if (arrivals.size() * kBisection > m_order.size()) {
        const auto oldCount = std::ssize(m_order);
        m_order.insert(m_order.end(), arrivals.begin(), arrivals.end());
        std::inplace_merge(m_order.begin(), m_order.begin() + oldCount, m_order.end(), before);
        return;
    }
    std::vector<Slot> merged;
    merged.reserve(m_order.size() + arrivals.size());
    auto from = m_order.begin();
    for (const Slot slot : arrivals) {
        const auto at = std::lower_bound(from, m_order.end(), slot, before);
        merged.insert(merged.end(), from, at);
        merged.push_back(slot);
        from = at;
    }
    merged.insert(merged.end(), from, m_order.end());
    m_order = std::move(merged);
}

void LockOrder::applyFilterTo(std::span<const Slot> slots)
{
    std::vector<Slot> appearing;
    std::vector<Slot> disappearing;
    std::vector<Slot> changed;
    for (const Slot slot : slots) {
        const bool isWanted = !m_accepts || m_accepts(*m_slots.at(slot));
        const bool isShown = hasMark(slot, Shown);
        if (isWanted && isShown) {
            changed.push_back(slot);
        } else if (isWanted != isShown) {
            (isWanted ? appearing : disappearing).push_back(slot);
        }
    }
    hide(disappearing);
    tellChanged(changed);
    show(std::move(appearing));
}

void LockOrder::show(std::vector<Slot> slots)
{
    m_shownLockCount += slots.size();
    if (slots.size() <= kFew) {
        for (const Slot slot : slots) {
            insertRowsOf(slot);
        }
        return;
    }
    for (const Slot slot : slots) {
        setMark(slot, Shown, true);
    }
    growTo(wantedRows());
}

void LockOrder::hide(std::span<const Slot> slots)
{
    m_shownLockCount -= slots.size();
    if (slots.size() <= kFew) {
        for (const Slot slot : slots) {
            removeRowsOf(slot);
        }
        return;
    }
    for (const Slot slot : slots) {
        setMark(slot, Shown, false);
    }
    removeRowsOfHidden();
}

void LockOrder::tellChanged(std::span<const Slot> slots)
{
    if (slots.size() > kMany) {
        m_listener.rowsChanged(0, rowCount() - 1); // finding each would cost more than asking for
                                                   // all again
        return;
    }
    std::vector<int> rows;
    for (const Slot slot : slots) {
        const int row = rowOf(slot);
        for (std::int32_t i = 0; i <= childCount(slot); ++i) {
            rows.push_back(row + i);
        }
    }
    std::sort(rows.begin(), rows.end());
    RangeCollector collector;
    for (const int row : rows) {
        collector.add(row);
    }
    for (const RowRange& range : collector.ranges()) {
        m_listener.rowsChanged(range.first, range.last);
    }
}

void LockOrder::insertRowsOf(Slot slot)
{
    const int row = firstRowNotBefore(slot);
    const std::int32_t children = childCount(slot);
    m_listener.beginInsert(row, row + children);
    setMark(slot, Shown, true);
    m_rows.insert(m_rows.begin() + row, {slot, LockRow::kWholeLock});
    insertChildren(row + 1, 0, children);
    m_listener.endInsert();
}

void LockOrder::removeRowsOf(Slot slot)
{
    const int row = rowOf(slot);
    const int last = row + childCount(slot);
    m_listener.beginRemove(row, last);
    setMark(slot, Shown, false);
    m_rows.erase(m_rows.begin() + row, m_rows.begin() + last + 1);
    m_listener.endRemove();
}

/// Gives an expanded lock as many child rows as it has holders now, and others none.
void LockOrder::fitChildren(Slot slot)
{
    const int row = rowOf(slot);
    if (row < 0) {
        return;
    }
    int shown = 0;
    while (row + shown + 1 < rowCount() && rowAt(row + shown + 1).slot == slot) {
        ++shown;
    }
    const std::int32_t wanted = childCount(slot);
    const int firstSurplus = row + 1 + std::min(shown, wanted);
    if (shown > wanted) {
        m_listener.beginRemove(firstSurplus, row + shown);
        m_rows.erase(m_rows.begin() + firstSurplus, m_rows.begin() + row + shown + 1);
        m_listener.endRemove();
    } else if (shown < wanted) {
        m_listener.beginInsert(firstSurplus, row + wanted);
        insertChildren(firstSurplus, shown, wanted - shown);
        m_listener.endInsert();
    }
}

/// The slot is the one of the row above.
void LockOrder::insertChildren(int row, std::int32_t first, std::int32_t count)
{
    const Slot slot = rowAt(row - 1).slot;
    m_rows.insert(m_rows.begin() + row, static_cast<std::size_t>(count), {slot, first});
    for (std::int32_t i = 0; i < count; ++i) {
        m_rows[static_cast<std::size_t>(row) + static_cast<std::size_t>(i)].holder = first + i;
    }
}

/// `target` holds the rows of now, in the same order, and others among them.
void LockOrder::growTo(std::vector<LockRow> target)
{
    RangeCollector collector;
    std::vector<LockRow> entering;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (kept < m_rows.size() && target[i] == m_rows[kept]) {
            ++kept;
        } else {
            collector.add(static_cast<int>(i));
            entering.push_back(target[i]);
        }
    }
    assert(kept == m_rows.size());
    m_areRowsSorted = false;
    if (collector.ranges().size() > kFew) {
        m_listener.beginInsert(rowCount(), rowCount() + static_cast<int>(entering.size()) - 1);
        m_rows.insert(m_rows.end(), entering.begin(), entering.end());
        m_listener.endInsert();
        permuteTo(std::move(target));
    } else {
        // From the top, so that a range stands where it will stand in the end.
        for (const RowRange& range : collector.ranges()) {
            m_listener.beginInsert(range.first, range.last);
            m_rows.insert(m_rows.begin() + range.first, target.begin() + range.first,
                          target.begin() + range.last + 1);
            m_listener.endInsert();
        }
    }
    m_areRowsSorted = true;
}

void LockOrder::removeRowsOfHidden()
{
    RangeCollector collector;
    std::vector<LockRow> target;
    std::vector<LockRow> leaving;
    target.reserve(m_rows.size());
    for (int row = 0; row < rowCount(); ++row) {
        const bool isLeaving = !hasMark(rowAt(row).slot, Shown);
        (isLeaving ? leaving : target).push_back(rowAt(row));
        if (isLeaving) {
            collector.add(row);
        }
    }
    if (collector.ranges().size() > kFew) {
        m_areRowsSorted = false;
        const int keptCount = static_cast<int>(target.size());
        target.insert(target.end(), leaving.begin(), leaving.end());
        permuteTo(std::move(target));
        m_listener.beginRemove(keptCount, rowCount() - 1);
        m_rows.resize(static_cast<std::size_t>(keptCount));
        m_listener.endRemove();
        m_areRowsSorted = true;
        return;
    }
    for (auto range = collector.ranges().rbegin(); range != collector.ranges().rend(); ++range) {
        m_listener.beginRemove(range->first, range->last);
        m_rows.erase(m_rows.begin() + range->first, m_rows.begin() + range->last + 1);
        m_listener.endRemove();
    }
}

/// `target` holds the rows of now in another order. False when it is the same order.
bool LockOrder::permuteTo(std::vector<LockRow> target)
{
    assert(target.size() == m_rows.size());
    if (target == m_rows) {
        return false;
    }
    m_listener.beginPermute();
    m_rows = std::move(target);
    m_listener.endPermute();
    return true;
}

} // namespace lockscope::models
