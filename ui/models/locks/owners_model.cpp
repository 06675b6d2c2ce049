#include "ui/models/locks/owners_model.h"

#include "core/kernel/report/lock_sort_key.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using inspect::LockPtr;
using inspect::LockRecord;

namespace {

constexpr quintptr kOfOwner = 0; // internalId() of the lines of owners; of locks: whose they are

const inspect::LockId& lockIdOf(const LockPtr& lock)
{
    return lock->id;
}

// What a line is of: the first character of its key says it.
constexpr char kOfToken = 't';
constexpr char kOfClient = 'c';
constexpr char kOfName = 'n';

std::string keyOfClient(const inspect::ClientInfo& client)
{
    return kOfClient + client.address + '\0' + client.name;
}

/// "billing-3 · 10.0.0.7:51622"
QString titleOf(const std::string& key)
{
    const std::string_view rest = std::string_view(key).substr(1);
    if (key.front() != kOfClient) {
        return key.front() == kOfName ? toQString(rest) : bytesText(rest);
    }
    const std::size_t end = rest.find('\0');
    const QString address = bytesText(rest.substr(0, end));
    const QString name = bytesText(rest.substr(end + 1));
    return name.isEmpty() ? address : name + u" · "_s + address;
}

/// As many as are known to wait.
QString waitersText(const std::vector<LockPtr>& locks)
{
    qlonglong sum = 0;
    bool isAllKnown = true;
    for (const LockPtr& lock : locks) {
        sum += lock->waiters.value_or(0);
        isAllKnown = isAllKnown && lock->waiters.has_value();
    }
    if (isAllKnown) {
        return countText(sum);
    }
    return sum > 0 ? u"≥ "_s + countText(sum) : u"?"_s;
}

qlonglong waitersIn(const std::vector<LockPtr>& locks)
{
    qlonglong sum = 0;
    for (const LockPtr& lock : locks) {
        sum += lock->waiters.value_or(0);
    }
    return sum;
}

/// The one that is held longest.
const LockRecord& oldestOf(const std::vector<LockPtr>& locks)
{
    return **std::ranges::min_element(locks, {}, [](const LockPtr& l) { return l->firstSeen; });
}

/// How soon: what never ends is last.
qlonglong sortKeyOf(std::optional<Instant> end)
{
    return end ? qlonglong(end->time_since_epoch().count()) : std::numeric_limits<qlonglong>::max();
}

/// How long: what is held longest is last.
qlonglong ageKeyOf(const LockRecord& lock)
{
    return -qlonglong(lock.firstSeen.time_since_epoch().count());
}

} // namespace

OwnersModel::OwnersModel(const LockTableModel& locks, QObject* parent)
    : QAbstractItemModel(parent),
      m_table(locks)
{
    connect(&locks, &LockTableModel::locksReplaced, this, &OwnersModel::apply);
}

void OwnersModel::setWatched(bool isWatched)
{
    if (m_isWatched == isWatched) {
        return;
    }
    m_isWatched = isWatched;
    follow();
}

void OwnersModel::setNames(operations::OwnerNamesPtr names)
{
    m_names = std::move(names);
    follow();
}

void OwnersModel::follow()
{
    m_known.clear();
    if (m_isWatched) {
        for (const LockPtr& lock : m_table.heldLocks()) {
            take(lock);
        }
        m_hasNews = true;
        refresh();
    }
}

std::string OwnersModel::groupOf(const inspect::Holder& holder) const
{
    if (holder.owner.empty()) {
        return {};
    }
    if (const auto known = m_names->find(holder.owner)) {
        return kOfName + known->who;
    }
    return holder.client() ? keyOfClient(*holder.client()) : kOfToken + holder.owner;
}

/// The first hold that the owner has of the lock.
int OwnersModel::holderOf(const LockRecord& lock, const std::string& owner) const
{
    const auto found = std::ranges::find_if(lock.holders, [&](const inspect::Holder& holder) {
        return groupOf(holder) == owner;
    });
    return static_cast<int>(found - lock.holders.begin());
}

std::optional<Instant> OwnersModel::endFor(const LockRecord& lock, const std::string& owner) const
{
    return endOf(lock, holderOf(lock, owner));
}

/// nullopt: none of them runs out.
std::optional<Instant> OwnersModel::firstEndOf(const Line& line) const
{
    std::optional<Instant> first;
    for (const LockPtr& lock : line.locks) {
        const std::optional<Instant> end = endFor(*lock, line.owner);
        if (end && (!first || *end < *first)) {
            first = end;
        }
    }
    return first;
}

std::vector<Bytes> OwnersModel::tokensOf(const Line& line) const
{
    std::vector<Bytes> tokens;
    for (const LockPtr& lock : line.locks) {
        for (const inspect::Holder& holder : lock->holders) {
            if (groupOf(holder) == line.owner) {
                tokens.push_back(holder.owner);
            }
        }
    }
    std::ranges::sort(tokens);
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    return tokens;
}

QString OwnersModel::filterOf(const Line& line) const
{
    if (line.owner.front() == kOfClient) {
        const std::string address = line.owner.substr(1, line.owner.find('\0') - 1);
        return filterWord(u"client"_s, bytesText(address), false);
    }
    const std::vector<Bytes> tokens = tokensOf(line);
    return tokens.size() == 1 ? filterWord(u"owner"_s, bytesText(tokens.front()), false)
                              : QString();
}

/// Its tokens, where the line is not called by its token.
QString OwnersModel::toolTipOf(const Line& line) const
{
    constexpr std::size_t kTokensShown = 8;
    QStringList lines{titleOf(line.owner)};
    if (line.owner.front() != kOfToken) {
        const std::vector<Bytes> tokens = tokensOf(line);
        for (std::size_t i = 0; i < std::min(tokens.size(), kTokensShown); ++i) {
            lines += bytesText(tokens[i]);
        }
        if (tokens.size() > kTokensShown) {
            lines += UiText::tr("and %1 more").arg(countText(tokens.size() - kTokensShown));
        }
    }
    return lines.join(u'\n');
}

void OwnersModel::apply(const std::vector<LockTransition>& transitions)
{
    if (!m_isWatched) {
        return;
    }
    for (const LockTransition& transition : transitions) {
        if (transition.before != nullptr) {
            drop(*transition.before);
        }
        if (transition.after != nullptr) {
            take(transition.after);
        }
    }
    m_hasNews = m_hasNews || !transitions.empty();
}

void OwnersModel::take(const LockPtr& lock)
{
    if (report::isProbablyData(*lock)) {
        return;
    }
    for (const inspect::Holder& holder : lock->holders) {
        if (const std::string group = groupOf(holder); !group.empty()) {
            Locks& locks = m_known[group];
            const auto place = std::ranges::lower_bound(locks, lock->id, {}, lockIdOf);
            if (place == locks.end() || (*place)->id != lock->id) { // it may hold it twice
                locks.insert(place, lock);
            }
        }
    }
}

void OwnersModel::drop(const LockRecord& lock)
{
    for (const inspect::Holder& holder : lock.holders) {
        const auto known = m_known.find(groupOf(holder));
        if (known == m_known.end()) {
            continue;
        }
        Locks& locks = known->second;
        const auto place = std::ranges::lower_bound(locks, lock.id, {}, lockIdOf);
        if (place != locks.end() && (*place)->id == lock.id) {
            locks.erase(place);
        }
        if (locks.empty()) {
            m_known.erase(known);
        }
    }
}

/// Those with the most locks; among equals the first by name, so that they do not take turns.
std::unordered_map<std::string, const OwnersModel::Locks*> OwnersModel::wantedLines() const
{
    using Entry = std::pair<const std::string, Locks>;
    std::vector<const Entry*> most;
    most.reserve(m_known.size());
    for (const Entry& entry : m_known) {
        most.push_back(&entry);
    }
    const auto wanted = most.begin()
                        + static_cast<std::ptrdiff_t>(std::min(most.size(), kOwnersAtMost));
    std::partial_sort(most.begin(), wanted, most.end(), [](const Entry* left, const Entry* right) {
        return left->second.size() != right->second.size()
                   ? left->second.size() > right->second.size()
                   : left->first < right->first;
    });
    std::unordered_map<std::string, const Locks*> lines;
    for (auto entry = most.begin(); entry != wanted; ++entry) {
        lines.emplace((*entry)->first, &(*entry)->second);
    }
    return lines;
}

void OwnersModel::refresh()
{
    if (!m_isWatched || !std::exchange(m_hasNews, false)) {
        return;
    }
    auto wanted = wantedLines();
    for (int row = static_cast<int>(m_lines.size()) - 1; row >= 0; --row) {
        const auto found = wanted.find(m_lines[static_cast<std::size_t>(row)].owner);
        if (found == wanted.end()) {
            removeLines(row, row);
        } else {
            turnInto(row, *found->second);
            wanted.erase(found);
        }
    }
    if (wanted.empty()) {
        return;
    }
    const int first = static_cast<int>(m_lines.size());
    beginInsertRows({}, first, first + static_cast<int>(wanted.size()) - 1);
    for (const auto& [owner, locks] : wanted) {
        m_lines.push_back({owner, *locks, ++m_lastNumber});
    }
    endInsertRows();
}

void OwnersModel::removeLines(int first, int last)
{
    beginRemoveRows({}, first, last);
    m_lines.erase(m_lines.begin() + first, m_lines.begin() + last + 1);
    endRemoveRows();
}

void OwnersModel::turnInto(int row, const Locks& wanted)
{
    const Line& line = m_lines[static_cast<std::size_t>(row)];
    if (line.locks == wanted) {
        return;
    }
    const QModelIndex owner = index(row, 0);
    if (line.locks.size() > kLocksAtMost || wanted.size() > kLocksAtMost) {
        replaceLocks(row, wanted);
    } else {
        mergeLocks(row, wanted);
    }
    Q_EMIT dataChanged(owner, index(row, ColumnCount - 1));
    Q_EMIT dataChanged(index(0, 0, owner),
                       index(childCount(line.locks) - 1, ColumnCount - 1, owner));
}

void OwnersModel::replaceLocks(int row, const Locks& wanted)
{
    Line& line = m_lines[static_cast<std::size_t>(row)];
    beginRemoveRows(index(row, 0), 0, childCount(line.locks) - 1);
    line.locks.clear();
    endRemoveRows();
    beginInsertRows(index(row, 0), 0, childCount(wanted) - 1);
    line.locks = wanted;
    endInsertRows();
}

/// Lock by lock, so that what is selected stays so.
void OwnersModel::mergeLocks(int row, const Locks& wanted)
{
    Line& line = m_lines[static_cast<std::size_t>(row)];
    const QModelIndex owner = index(row, 0);
    std::size_t at = 0;
    while (at < line.locks.size() || at < wanted.size()) {
        const int child = static_cast<int>(at);
        if (at == wanted.size()
            || (at < line.locks.size() && line.locks[at]->id < wanted[at]->id)) {
            beginRemoveRows(owner, child, child);
            line.locks.erase(line.locks.begin() + child);
            endRemoveRows();
        } else if (at == line.locks.size() || wanted[at]->id < line.locks[at]->id) {
            beginInsertRows(owner, child, child);
            line.locks.insert(line.locks.begin() + child, wanted[at]);
            endInsertRows();
            ++at;
        } else {
            line.locks[at] = wanted[at];
            ++at;
        }
    }
}

const OwnersModel::Line* OwnersModel::lineOf(const QModelIndex& parent) const
{
    const bool isOwner = parent.isValid() && parent.internalId() == kOfOwner;
    return isOwner ? &m_lines[static_cast<std::size_t>(parent.row())] : nullptr;
}

int OwnersModel::childCount(const Locks& locks)
{
    return static_cast<int>(std::min(locks.size(), kLocksAtMost + 1)); // the last counts the others
}

QModelIndex OwnersModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    const Line* const line = lineOf(parent);
    return createIndex(row, column, line != nullptr ? line->number : kOfOwner);
}

QModelIndex OwnersModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kOfOwner) {
        return {};
    }
    const auto line = std::ranges::find(m_lines, index.internalId(), &Line::number);
    return line != m_lines.end()
               ? createIndex(static_cast<int>(line - m_lines.begin()), 0, kOfOwner)
               : QModelIndex();
}

int OwnersModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) {
        return static_cast<int>(m_lines.size());
    }
    const Line* const line = parent.column() == 0 ? lineOf(parent) : nullptr;
    return line != nullptr ? childCount(line->locks) : 0;
}

int OwnersModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant OwnersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (index.column() == OwnerColumn ? Qt::AlignLeft
                                                                    : Qt::AlignRight));
    }
    const QModelIndex above = index.parent();
    return above.isValid() ? lockData(*lineOf(above), index.row(), index.column(), role)
                           : ownerData(*lineOf(index), index.column(), role);
}

QVariant OwnersModel::ownerData(const Line& line, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case OwnerColumn: return titleOf(line.owner);
        case LocksColumn: return countText(line.locks.size());
        case HeldColumn: return heldText(oldestOf(line.locks), m_table.now());
        case ExpiresColumn: return expiresText(firstEndOf(line), m_table.now());
        case WaitersColumn: return waitersText(line.locks);
        default: return {};
        }
    case Qt::ToolTipRole: return column == OwnerColumn ? toolTipOf(line) : QString();
    case FilterRole: return filterOf(line);
    case SortRole:
        switch (column) {
        case OwnerColumn: return titleOf(line.owner);
        case LocksColumn: return qlonglong(line.locks.size());
        case HeldColumn: return ageKeyOf(oldestOf(line.locks));
        case ExpiresColumn: return sortKeyOf(firstEndOf(line));
        case WaitersColumn: return waitersIn(line.locks);
        default: return {};
        }
    default: return {};
    }
}

QVariant OwnersModel::lockData(const Line& line, int child, int column, int role) const
{
    const auto place = static_cast<std::size_t>(child);
    if (place >= kLocksAtMost) {
        const auto rest = static_cast<int>(line.locks.size() - kLocksAtMost);
        return role == Qt::DisplayRole && column == OwnerColumn
                   ? QVariant(UiText::tr("and %1 more").arg(countText(rest)))
                   : QVariant();
    }
    const LockRecord& lock = *line.locks[place];
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case OwnerColumn: return bytesText(lock.id.name);
        case HeldColumn: return heldText(lock, m_table.now());
        case ExpiresColumn: return expiresText(endFor(lock, line.owner), m_table.now());
        case WaitersColumn: return waitersText({line.locks[place]});
        default: return {};
        }
    case Qt::ToolTipRole: return column == OwnerColumn ? bytesText(lock.id.name) : QString();
    case LockIdRole: return QVariant::fromValue(lock.id);
    case FilterRole: return filterOf(line);
    case SortRole:
        switch (column) {
        case OwnerColumn: return bytesText(lock.id.name);
        case HeldColumn: return ageKeyOf(lock);
        case ExpiresColumn: return sortKeyOf(endFor(lock, line.owner));
        case WaitersColumn: return qlonglong(lock.waiters.value_or(0));
        default: return {};
        }
    default: return {};
    }
}

QVariant OwnersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (section == OwnerColumn ? Qt::AlignLeft : Qt::AlignRight));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case OwnerColumn: return UiText::tr("Owner");
    case LocksColumn: return UiText::tr("Locks");
    case HeldColumn: return UiText::tr("Oldest hold");
    case ExpiresColumn: return UiText::tr("Shortest TTL");
    case WaitersColumn: return UiText::tr("Waiters");
    default: return {};
    }
}

bool OwnersOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(OwnersModel::SortRole);
    const QVariant b = right.data(OwnersModel::SortRole);
    if (a != b) {
        return left.column() == OwnersModel::OwnerColumn ? a.toString() < b.toString()
                                                         : a.toLongLong() < b.toLongLong();
    }
    // By name from A to Z, whichever way the rest goes.
    const QString name = left.siblingAtColumn(OwnersModel::OwnerColumn).data().toString();
    const QString other = right.siblingAtColumn(OwnersModel::OwnerColumn).data().toString();
    return sortOrder() == Qt::AscendingOrder ? name < other : other < name;
}

} // namespace lockscope::models
