#include "ui/models/locks/activity_model.h"

#include "core/kernel/report/lock_json.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>

namespace lockscope::models {

using inspect::ChangeKind;
using inspect::LockChange;
using inspect::LockRecord;

namespace {

QString kindText(ActivityKind kind)
{
    switch (kind) {
    case ActivityKind::Appeared: return UiText::tr("taken");
    case ActivityKind::HandedOver: return UiText::tr("handed over");
    case ActivityKind::Released: return UiText::tr("released");
    case ActivityKind::Expired: return UiText::tr("expired");
    case ActivityKind::OurRelease: return UiText::tr("our release");
    case ActivityKind::OurLock: return UiText::tr("our lock");
    case ActivityKind::Connection: return UiText::tr("connection");
    case ActivityKind::Alert: return UiText::tr("alert");
    case ActivityKind::Problem: return UiText::tr("problem");
    }
    return {};
}

QString whoText(const LockRecord& record)
{
    const QString client = clientText(record);
    const bool isUnrecorded = record.holders.size() == 1 && record.holders.front().owner.empty();
    const QString owner = isUnrecorded ? UiText::tr("an unrecorded owner") : ownerText(record);
    return client.isEmpty() ? owner : QStringLiteral("%1 (%2)").arg(owner, client);
}

QString endText(const LockChange& change)
{
    return UiText::tr("%1, held %2").arg(whoText(*change.lock), heldText(*change.lock, change.at));
}

/// The monitor gives a hold that began before its eyes the moment it began.
bool isNewHold(const LockChange& change)
{
    return change.lock->isTakenWhileWatching && change.lock->firstSeen == change.at;
}

} // namespace

ActivityModel::ActivityModel(WallTimeOf wallTimeOf, QObject* parent)
    : QAbstractTableModel(parent),
      m_wallTimeOf(std::move(wallTimeOf))
{}

void ActivityModel::apply(const inspect::LockDelta& delta)
{
    std::vector<ActivityEntry> entries;
    for (const LockChange& change : delta.changes) {
        if (std::optional<ActivityEntry> entry = entryOf(change)) {
            entries.push_back(std::move(*entry));
        }
    }
    append(std::move(entries));
}

void ActivityModel::append(ActivityEntry entry)
{
    std::vector<ActivityEntry> entries;
    entries.push_back(std::move(entry));
    append(std::move(entries));
}

void ActivityModel::append(std::vector<ActivityEntry> entries)
{
    constexpr std::size_t kMost = kEntriesAtMost;
    if (entries.size() > kMost) {
        entries.erase(entries.begin(), entries.end() - kMost);
    }
    if (entries.empty()) {
        return;
    }
    makeRoomFor(entries.size());
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(entries.size()) - 1);
    std::move(entries.begin(), entries.end(), std::back_inserter(m_entries));
    endInsertRows();
}

void ActivityModel::clear()
{
    if (!m_entries.empty()) {
        beginRemoveRows({}, 0, rowCount() - 1);
        m_entries.clear();
        endRemoveRows();
    }
}

QStringList ActivityModel::linesOf(const inspect::LockId& lock, int most) const
{
    QStringList lines;
    for (auto entry = m_entries.rbegin(); entry != m_entries.rend() && lines.size() < most;
         ++entry) {
        if (entry->lock == lock) {
            lines.prepend(QStringList{timeOfDayText(entry->at), kindText(entry->kind), entry->text}
                              .join(QStringLiteral("  ")));
        }
    }
    return lines;
}

int ActivityModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int ActivityModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ActivityModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const ActivityEntry& entry = entryAt(index.row());
    if (role == KindRole) {
        return static_cast<int>(entry.kind);
    }
    if (role == LockIdRole) {
        return entry.lock ? QVariant::fromValue(*entry.lock) : QVariant();
    }
    if (role == IsoTimeRole) {
        return toQString(report::isoTime(entry.at));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
    case TimeColumn: return timeOfDayText(entry.at);
    case KindColumn: return kindText(entry.kind);
    case KeyColumn: return entry.lock ? bytesText(entry.lock->name) : entry.place;
    case TextColumn: return entry.text;
    default: return {};
    }
}

QVariant ActivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case TimeColumn: return UiText::tr("Time");
    case KindColumn: return UiText::tr("What");
    case KeyColumn: return UiText::tr("Key");
    case TextColumn: return UiText::tr("Details");
    default: return {};
    }
}

std::optional<ActivityEntry> ActivityModel::entryOf(const LockChange& change) const
{
    const auto entry = [&](ActivityKind kind, const QString& text) {
        return ActivityEntry{m_wallTimeOf(change.at), kind, change.lock->id, text, {}};
    };
    switch (change.kind) {
    case ChangeKind::Appeared:
        return change.lock->isTakenWhileWatching
                   ? std::optional(entry(ActivityKind::Appeared,
                                         UiText::tr("by %1").arg(whoText(*change.lock))))
                   : std::nullopt;
    case ChangeKind::Changed:
        return isNewHold(change)
                   ? std::optional(entry(ActivityKind::HandedOver,
                                         UiText::tr("to %1").arg(whoText(*change.lock))))
                   : std::nullopt;
    case ChangeKind::Released:
        return entry(ActivityKind::Released, UiText::tr("by %1").arg(endText(change)));
    case ChangeKind::Expired:
        return entry(ActivityKind::Expired, UiText::tr("of %1").arg(endText(change)));
    case ChangeKind::Renewed:
    case ChangeKind::Unwatched: break; // nothing became of the lock
    }
    return std::nullopt;
}

/// Drops in blocks of a tenth, so that a full log does not remove a row for every row it adds.
void ActivityModel::makeRoomFor(std::size_t count)
{
    constexpr std::size_t kMost = kEntriesAtMost;
    if (m_entries.size() + count <= kMost) {
        return;
    }
    const std::size_t surplus = std::min(m_entries.size(),
                                         std::max(m_entries.size() + count - kMost, kMost / 10));
    beginRemoveRows({}, 0, static_cast<int>(surplus) - 1);
    m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(surplus));
    endRemoveRows();
}

} // namespace lockscope::models
