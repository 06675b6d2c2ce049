#include "ui/models/locks/lock_table_model.h"

#include "core/kernel/report/alike_filter.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/lock_cells.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace lockscope::models {

using inspect::LockChange;
using inspect::LockPtr;
using inspect::LockRecord;

namespace {

const report::LockField::Column& infoOf(int column)
{
    return report::lockField(static_cast<report::LockColumn>(column)).column;
}

/// The last change of every lock, in the order in which they happened.
std::vector<const LockChange*> lastOfEachLock(const std::vector<LockChange>& changes)
{
    const auto hash = [](const inspect::LockId* id) { return inspect::LockIdHash()(*id); };
    const auto equal = [](const inspect::LockId* l, const inspect::LockId* r) { return *l == *r; };
    std::unordered_set<const inspect::LockId*, decltype(hash), decltype(equal)> seen(changes.size(),
                                                                                     hash, equal);
    std::vector<const LockChange*> last;
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
        if (seen.insert(&change->lock->id).second) {
            last.push_back(&*change);
        }
    }
    std::reverse(last.begin(), last.end());
    return last;
}

} // namespace

LockTableModel::LockTableModel(NowFunction now, QObject* parent)
    : QAbstractTableModel(parent),
      m_now(std::move(now))
{
    m_order.setFilter(filterFunction());
}

void LockTableModel::apply(const inspect::LockDelta& delta)
{
    if (delta.isEmpty()) {
        return;
    }
    if (isPaused()) {
        for (const LockChange& change : delta.changes) {
            m_waiting.insert_or_assign(change.lock->id, change);
        }
        m_pausedChangeCount += std::ssize(delta.changes);
        Q_EMIT pausedChangeCountChanged(m_pausedChangeCount);
        return;
    }
    applyNow(delta.changes);
    advance(m_now());
}

void LockTableModel::clear()
{
    std::vector<LockTransition> transitions;
    for (const LockPtr& lock : heldLocks()) {
        transitions.push_back({lock, nullptr});
    }
    m_fades.clear();
    m_fresh.clear();
    m_waiting.clear();
    m_order.clear();
    if (m_pausedChangeCount != 0) {
        m_pausedChangeCount = 0;
        Q_EMIT pausedChangeCountChanged(0);
    }
    tellReplaced(transitions);
}

void LockTableModel::setServers(std::vector<std::string> names, int database)
{
    std::vector<Place> places(names.size());
    std::ranges::transform(names, places.begin(), [database](const std::string& name) {
        return Place{name, database};
    });
    takeServers(std::move(names), std::move(places));
}

void LockTableModel::setEndpoints(const std::vector<store::Endpoint>& endpoints)
{
    std::vector<Place> places(endpoints.size());
    std::ranges::transform(endpoints, places.begin(), [](const store::Endpoint& endpoint) {
        return Place{store::serverName(endpoint), endpoint.database};
    });
    takeServers(store::namesBeside(endpoints), std::move(places));
}

void LockTableModel::takeServers(std::vector<std::string> names, std::vector<Place> places)
{
    m_servers = std::move(names);
    m_places = std::move(places);
    m_latestRule = {};
    m_order.refilter(); // it may ask for names of servers
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, ServerColumn), index(rowCount() - 1, ServerColumn));
    }
    Q_EMIT serversChanged();
}

void LockTableModel::setHasClusters(bool hasClusters)
{
    if (std::exchange(m_hasClusters, hasClusters) != hasClusters) {
        Q_EMIT serversChanged();
    }
}

LockTableModel::Place LockTableModel::placeOf(const inspect::LockId& id) const
{
    if (id.server < m_places.size()) {
        return m_places[id.server];
    }
    Place all;
    for (const Place& place : m_places) {
        all.server += (all.server.empty() ? "" : ",") + place.server;
    }
    all.database = m_places.empty() ? 0 : m_places.front().database;
    return all;
}

QString LockTableModel::serverText(const inspect::LockId& id) const
{
    if (id.server < m_servers.size()) {
        return toQString(m_servers[id.server]);
    }
    QStringList names;
    for (const std::string& name : m_servers) {
        names.append(toQString(name));
    }
    return names.join(u',');
}

QString LockTableModel::unknownServersText(const inspect::Quorum& quorum) const
{
    QStringList names;
    for (std::uint16_t server = 0; server < m_servers.size(); ++server) {
        if (quorum.isUnknown(server)) {
            names.append(toQString(m_servers[server]));
        }
    }
    return listed(names);
}

void LockTableModel::setFilter(inspect::LockFilter filter)
{
    m_filter = std::move(filter);
    m_filterNow = now();
    m_order.setFilter(filterFunction());
}

void LockTableModel::setColorRules(ColorRules rules)
{
    m_latestRule = {};
    m_rules = std::move(rules);
    if (rowCount() > 0) {
        rowsChanged(0, rowCount() - 1);
    }
}

const ColorRule* LockTableModel::ruleOf(const LockRecord& lock) const
{
    return m_rules.match(lock, {now(), m_servers});
}

/// A lock that is gone has no mark: there is nothing left to do about it.
const ColorRule* LockTableModel::ruleOfRow(const LockRow& row) const
{
    if (m_rules.isEmpty() || fadeOf(row.slot) != nullptr) {
        return nullptr;
    }
    const LockPtr& lock = m_order.slots().at(row.slot);
    const Instant present = now();
    if (m_latestRule.lock != lock || present - m_latestRule.at >= kRuleAge) {
        m_latestRule = {lock, present, ruleOf(*lock)};
    }
    return m_latestRule.rule;
}

QString LockTableModel::toolTipOf(const LockRow& row, int column) const
{
    QString text = cellToolTip(cellOf(row), column);
    const ColorRule* const rule = ruleOfRow(row);
    if (rule == nullptr) {
        return text;
    }
    const QString mark = UiText::tr("Colour rule: %1").arg(rule->name);
    return text.isEmpty() ? mark : text + u'\n' + mark;
}

std::vector<std::string> LockTableModel::knownTexts(std::string_view filterField) const
{
    constexpr std::size_t kMost = 500;
    if (filterField == report::lockField(ServerColumn).filter.name) {
        return m_servers;
    }
    const auto fields = report::lockFields();
    const auto field = std::ranges::find_if(fields, [filterField](const auto& f) {
        return f.filter.name == filterField && f.column.sortText != nullptr;
    });
    std::unordered_set<std::string_view> texts;
    for (Slot slot = 0; field != fields.end() && slot < m_order.slots().slotCount(); ++slot) {
        const LockPtr& lock = m_order.slots().at(slot);
        if (lock != nullptr && texts.size() < kMost) {
            texts.insert(field->column.sortText(*lock));
        }
    }
    texts.erase(std::string_view());
    return {texts.begin(), texts.end()};
}

QString LockTableModel::alikeFilter(const QModelIndex& index) const
{
    const LockPtr lock = lockAt(index);
    if (lock == nullptr) {
        return {};
    }
    const std::string server = serverText(lock->id).toStdString();
    return toQString(
        report::alikeFilter(report::lockField(static_cast<report::LockColumn>(index.column())),
                            {*lock, server, placeOf(lock->id).database, now()}));
}

void LockTableModel::setShowsProbableData(bool isShown)
{
    m_showsProbableData = isShown;
    m_order.setFilter(filterFunction());
}

qsizetype LockTableModel::hiddenDataCount() const
{
    return m_showsProbableData || !m_filter.isEmpty() ? 0 : m_probableDataCount;
}

void LockTableModel::sort(int column, Qt::SortOrder order)
{
    const bool isByUrgency = column < 0 || column >= ColumnCount;
    m_order.setSort(isByUrgency ? nullptr : &infoOf(column),
                    !isByUrgency && order == Qt::DescendingOrder);
}

void LockTableModel::setPaused(bool isPaused)
{
    if (isPaused == this->isPaused()) {
        return;
    }
    if (isPaused) {
        m_pausedAt = m_now();
        Q_EMIT pausedChanged(true);
        return;
    }
    m_pausedAt.reset();
    std::vector<LockChange> changes;
    changes.reserve(m_waiting.size());
    for (const auto& [id, change] : m_waiting) {
        changes.push_back(change);
    }
    m_waiting.clear();
    m_pausedChangeCount = 0;
    applyNow(changes);
    advance(m_now());
    Q_EMIT pausedChangeCountChanged(0);
    Q_EMIT pausedChanged(false);
}

void LockTableModel::advance(Instant now)
{
    if (isPaused()) {
        return;
    }
    removeFaded(now);
    std::erase_if(m_fresh, [now](const auto& entry) { return entry.second.until <= now; });
    if (now - m_lastResort < kResortInterval) {
        return;
    }
    m_lastResort = now;
    m_order.resort();
    if (m_filter.dependsOnTime()) {
        m_filterNow = now;
        m_order.refilter();
    }
}

Instant LockTableModel::now() const
{
    return m_pausedAt ? *m_pausedAt : m_now();
}

LockPtr LockTableModel::lockAt(const QModelIndex& index) const
{
    return index.isValid() ? m_order.lockAt(index.row()) : nullptr;
}

QModelIndex LockTableModel::indexOf(const inspect::LockId& id) const
{
    const int row = m_order.rowOf(id);
    return row < 0 ? QModelIndex() : index(row, KeyColumn);
}

bool LockTableModel::hides(const inspect::LockId& id) const
{
    const std::optional<Slot> slot = m_order.slots().find(id);
    // One that is over has no row soon, filter or not; while its row goes it is known still.
    return slot && m_order.rowOf(id) < 0 && fadeOf(*slot) == nullptr;
}

void LockTableModel::setExpanded(const QModelIndex& index, bool isExpanded)
{
    if (index.isValid()) {
        m_order.setExpanded(index.row(), isExpanded);
    }
}

std::vector<LockPtr> LockTableModel::heldLocks() const
{
    std::vector<LockPtr> held;
    for (Slot slot = 0; slot < m_order.slots().slotCount(); ++slot) {
        const LockPtr& lock = m_order.slots().at(slot);
        if (lock != nullptr && fadeOf(slot) == nullptr) {
            held.push_back(lock);
        }
    }
    return held;
}

qsizetype LockTableModel::heldLockCount() const
{
    return static_cast<qsizetype>(m_order.lockCount() - m_fades.size());
}

qsizetype LockTableModel::shownLockCount() const
{
    return static_cast<qsizetype>(m_order.shownLockCount());
}

int LockTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_order.rowCount();
}

int LockTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LockTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const LockRow& row = m_order.rowAt(index.row());
    const LockPtr& lock = m_order.slots().at(row.slot);
    const int column = index.column();
    if (row.holder >= std::ssize(lock->holders)) {
        return {}; // its row is about to go
    }
    switch (role) {
    case Qt::DisplayRole: return cellText(cellOf(row), column);
    case Qt::ToolTipRole: return toolTipOf(row, column);
    case Qt::AccessibleTextRole: return cellAccessibleText(cellOf(row), column);
    case Qt::AccessibleDescriptionRole:
    case RuleNameRole: {
        const ColorRule* const rule = ruleOfRow(row);
        return rule != nullptr ? rule->name : QString();
    }
    case RuleColorRole: {
        const ColorRule* const rule = ruleOfRow(row);
        return rule != nullptr ? QVariant(static_cast<int>(rule->color)) : QVariant();
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (infoOf(column).isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case RecordRole: return QVariant::fromValue(lock);
    case LockIdRole: return QVariant::fromValue(lock->id);
    case HolderIndexRole: return row.holder;
    case ExpiresAtRole: return QVariant::fromValue(endOf(*lock, row.holder));
    case StateRole: return static_cast<int>(inspect::stateOf(*lock));
    case SeverityRole: return inspect::severityOf(*lock);
    case FadeRole: return cellOf(row).gone;
    case IsExpandableRole:
        return row.holder == LockRow::kWholeLock && m_order.isExpandable(index.row());
    case IsExpandedRole:
        return m_order.isExpandable(index.row()) && m_order.isExpanded(index.row());
    case SecondaryTextRole: return cellSecondaryText(cellOf(row), column);
    case IsStaleRole: return !lock->isConfirmed;
    case IsFreshRole: return isFresh(row, column);
    default: return {};
    }
}

QVariant LockTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: return toQString(infoOf(section).title());
    case Qt::ToolTipRole: return toQString(infoOf(section).explanation());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (infoOf(section).isNumber ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

void LockTableModel::beginInsert(int first, int last)
{
    beginInsertRows({}, first, last);
}

void LockTableModel::endInsert()
{
    endInsertRows();
}

void LockTableModel::beginRemove(int first, int last)
{
    beginRemoveRows({}, first, last);
}

void LockTableModel::endRemove()
{
    endRemoveRows();
}

void LockTableModel::beginPermute()
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    m_persistentBefore = persistentIndexList();
    m_persistentRows.clear();
    for (const QModelIndex& persistent : m_persistentBefore) {
        m_persistentRows.push_back(m_order.rowAt(persistent.row()));
    }
}

void LockTableModel::endPermute()
{
    const RowMap newRows = rowsOf(m_persistentRows);
    QModelIndexList after;
    after.reserve(m_persistentBefore.size());
    for (qsizetype i = 0; i < m_persistentBefore.size(); ++i) {
        const int row = newRows.at(m_persistentRows[static_cast<std::size_t>(i)]);
        after.append(index(row, m_persistentBefore[i].column()));
    }
    changePersistentIndexList(m_persistentBefore, after);
    m_persistentBefore.clear();
    m_persistentRows.clear();
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void LockTableModel::rowsChanged(int first, int last)
{
    Q_EMIT dataChanged(index(first, 0), index(last, ColumnCount - 1));
}

void LockTableModel::applyNow(const std::vector<LockChange>& changes)
{
    m_filterNow = now();
    std::vector<LockPtr> records;
    std::vector<LockTransition> transitions;
    records.reserve(changes.size());
    transitions.reserve(changes.size());
    for (const LockChange* change : lastOfEachLock(changes)) {
        takeOver(*change, records, transitions);
    }
    m_order.put(records);
    tellReplaced(transitions);
}

void LockTableModel::takeOver(const LockChange& change, std::vector<LockPtr>& records,
                              std::vector<LockTransition>& transitions)
{
    const std::optional<Slot> slot = m_order.slots().find(change.lock->id);
    const LockPtr heldBefore = slot && fadeOf(*slot) == nullptr ? m_order.slots().at(*slot)
                                                                : nullptr;
    if (!isEnding(change.kind)) {
        if (slot) {
            m_fades.erase(*slot);
        }
        if (const CellSet cells = heldBefore ? changedCells(*heldBefore, *change.lock) : 0) {
            m_fresh.insert_or_assign(*slot, Fresh{cells, now() + kFreshDuration});
        }
        transitions.push_back({heldBefore, change.lock});
        records.push_back(change.lock);
    } else if (heldBefore != nullptr) {
        m_fades.emplace(*slot, Fade{change.kind, now() + kFadeDuration});
        m_fresh.erase(*slot);
        transitions.push_back({heldBefore, nullptr});
        records.push_back(change.lock);
    }
}

void LockTableModel::tellReplaced(const std::vector<LockTransition>& transitions)
{
    for (const LockTransition& transition : transitions) {
        m_probableDataCount -= transition.before && report::isProbablyData(*transition.before) ? 1
                                                                                               : 0;
        m_probableDataCount += transition.after && report::isProbablyData(*transition.after) ? 1
                                                                                             : 0;
    }
    Q_EMIT locksReplaced(transitions);
}

void LockTableModel::removeFaded(Instant now)
{
    std::vector<inspect::LockId> ids;
    std::vector<Slot> slots;
    for (const auto& [slot, fade] : m_fades) {
        if (fade.until <= now) {
            ids.push_back(m_order.slots().at(slot)->id);
            slots.push_back(slot);
        }
    }
    m_order.remove(ids);
    for (const Slot slot : slots) {
        m_fades.erase(slot);
    }
}

LockOrder::Accepts LockTableModel::filterFunction() const
{
    if (m_filter.isEmpty()) {
        return m_showsProbableData ? LockOrder::Accepts() : std::not_fn(report::isProbablyData);
    }
    return [this](const LockRecord& record) {
        return m_filter.matches(record, inspect::FilterContext{m_filterNow, m_servers});
    };
}

const LockTableModel::Fade* LockTableModel::fadeOf(Slot slot) const
{
    const auto found = m_fades.find(slot);
    return found == m_fades.end() ? nullptr : &found->second;
}

bool LockTableModel::isFresh(const LockRow& row, int column) const
{
    if (m_fresh.empty() || row.holder != LockRow::kWholeLock) {
        return false;
    }
    const auto found = m_fresh.find(row.slot);
    return found != m_fresh.end() && found->second.until > now()
           && (found->second.cells >> static_cast<unsigned>(column) & 1U) != 0;
}

LockCell LockTableModel::cellOf(const LockRow& row) const
{
    const LockRecord& record = *m_order.slots().at(row.slot);
    const Fade* fade = fadeOf(row.slot);
    return {record,
            row.holder,
            now(),
            fade != nullptr ? goneText(fade->kind) : QString(),
            serverText(record.id),
            unknownServersText(record.quorum()),
            m_formats->recognisers()};
}

void LockTableModel::setFormats(inspect::FormatTablePtr formats)
{
    m_formats = std::move(formats);
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, report::FormatColumn),
                           index(rowCount() - 1, report::FormatColumn));
    }
}

LockTableModel::RowMap LockTableModel::rowsOf(const std::vector<LockRow>& wanted) const
{
    // In the middle of an operation the rows need not be sorted, so they are looked up by walking.
    RowMap rows;
    for (const LockRow& row : wanted) {
        rows.emplace(row, -1);
    }
    std::size_t missing = rows.size();
    for (int row = 0; missing > 0 && row < m_order.rowCount(); ++row) {
        const auto found = rows.find(m_order.rowAt(row));
        if (found != rows.end()) {
            found->second = row;
            --missing;
        }
    }
    return rows;
}

} // namespace lockscope::models
