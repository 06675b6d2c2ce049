#include "ui/models/locks/lock_counts_model.h"

#include "core/kernel/report/lock_sort_key.h"
#include "core/kernel/report/wording.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

using inspect::LockRecord;
using inspect::LockState;

namespace {

/// A key whose first separator comes later than this has no prefix worth a line.
constexpr std::size_t kLongestPrefix = 48;

/// Keys made of nothing but random prefixes must not fill the memory: further prefixes are not
/// counted until others are gone.
constexpr std::size_t kPrefixesCountedAtMost = 20'000;

constexpr auto kStateCount = static_cast<std::size_t>(LockState::StateCount);

QString headingOf(LockCountsModel::Group group)
{
    switch (group) {
    case LockCountsModel::Group::State: return UiText::tr("State");
    case LockCountsModel::Group::Format: return UiText::tr("Format");
    case LockCountsModel::Group::Prefix: return UiText::tr("Prefix");
    }
    return {};
}

LockState stateOfWord(std::string_view word)
{
    for (std::size_t i = 0; i < kStateCount; ++i) {
        if (inspect::idOf(static_cast<LockState>(i)) == word) {
            return static_cast<LockState>(i);
        }
    }
    return LockState::Held;
}

/// A word for the filter box; quoted when it holds what the language gives a meaning.
QString filterOf(LockCountsModel::Group group, const std::string& word)
{
    switch (group) {
    case LockCountsModel::Group::State: return QStringLiteral("state:") + toQString(word);
    case LockCountsModel::Group::Format: return QStringLiteral("format:") + toQString(word);
    case LockCountsModel::Group::Prefix:
        return filterWord(QStringLiteral("key"), bytesText(word), true);
    }
    return {};
}

} // namespace

std::string_view prefixOf(std::string_view key)
{
    const std::size_t separator = key.find_first_of(":./");
    // Without a separator the position is npos, which is beyond every limit.
    return separator >= kLongestPrefix ? std::string_view() : key.substr(0, separator + 1);
}

LockCountsModel::LockCountsModel(QObject* parent)
    : QAbstractListModel(parent),
      m_lines(wantedLines())
{}

void LockCountsModel::apply(const std::vector<LockTransition>& transitions)
{
    for (const LockTransition& transition : transitions) {
        if (transition.before != nullptr) {
            count(*transition.before, -1);
        }
        if (transition.after != nullptr) {
            count(*transition.after, 1);
        }
    }
    if (!transitions.empty()) {
        turnInto(wantedLines());
    }
}

void LockCountsModel::setFormats(inspect::FormatTablePtr formats)
{
    m_titles = std::move(formats);
    Q_EMIT dataChanged(index(0), index(static_cast<int>(m_lines.size()) - 1));
}

QString LockCountsModel::textOf(const Line& line) const
{
    switch (line.group) {
    case Group::State: return toQString(report::stateText(stateOfWord(line.word)));
    case Group::Format: return toQString(report::formatTitle(line.word, m_titles->recognisers()));
    case Group::Prefix: return bytesText(line.word);
    }
    return {};
}

int LockCountsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

QVariant LockCountsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return line.isHeading ? headingOf(line.group) : textOf(line);
    case Qt::AccessibleTextRole:
        return line.isHeading ? headingOf(line.group)
                              : QStringLiteral("%1: %2").arg(textOf(line), countText(line.count));
    case Qt::ToolTipRole: return line.isHeading ? QString() : filterOf(line.group, line.word);
    case GroupRole: return static_cast<int>(line.group);
    case IsHeadingRole: return line.isHeading;
    case CountRole: return line.isHeading ? QVariant() : QVariant(line.count);
    case FilterRole: return line.isHeading ? QVariant() : QVariant(filterOf(line.group, line.word));
    case StateRole:
        return line.group == Group::State && !line.isHeading
                   ? QVariant(static_cast<int>(stateOfWord(line.word)))
                   : QVariant();
    default: return {};
    }
}

Qt::ItemFlags LockCountsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractListModel::flags(index);
    if (index.isValid() && m_lines[static_cast<std::size_t>(index.row())].isHeading) {
        flags.setFlag(Qt::ItemIsSelectable, false);
    }
    return flags;
}

void LockCountsModel::count(const LockRecord& record, int step)
{
    if (report::isProbablyData(record)) {
        return;
    }
    m_states[static_cast<std::size_t>(inspect::stateOf(record))] += step;
    const auto format = m_formats.try_emplace(record.format(), 0).first;
    format->second += step;
    if (format->second <= 0) {
        m_formats.erase(format);
    }
    const std::string_view prefix = prefixOf(record.id.name);
    if (prefix.empty()) {
        return;
    }
    auto known = m_prefixes.find(std::string(prefix));
    if (known == m_prefixes.end()) {
        if (step < 0 || m_prefixes.size() >= kPrefixesCountedAtMost) {
            return;
        }
        known = m_prefixes.emplace(prefix, 0).first;
    }
    known->second += step;
    if (known->second <= 0) {
        m_prefixes.erase(known);
    }
}

std::vector<LockCountsModel::Line> LockCountsModel::wantedLines() const
{
    std::vector<Line> lines;
    addStates(lines);
    addFormats(lines);
    addPrefixes(lines);
    return lines;
}

/// All states stand there always, so that nothing jumps when the first one turns suspicious; only
/// what follows a broken connection shows up when it happens.
void LockCountsModel::addStates(std::vector<Line>& lines) const
{
    lines.push_back({Group::State, true, {}, 0});
    for (std::size_t i = 0; i < kStateCount; ++i) {
        const auto state = static_cast<LockState>(i);
        if (state != LockState::Unconfirmed || m_states[i] > 0) {
            lines.push_back({Group::State, false, std::string(inspect::idOf(state)), m_states[i]});
        }
    }
}

void LockCountsModel::addFormats(std::vector<Line>& lines) const
{
    if (m_formats.empty()) {
        return;
    }
    lines.push_back({Group::Format, true, {}, 0});
    const auto first = std::ssize(lines);
    for (const auto& [format, count] : m_formats) {
        lines.push_back({Group::Format, false, std::string(format), count});
    }
    std::stable_sort(lines.begin() + first, lines.end(),
                     [](const Line& left, const Line& right) { return left.count > right.count; });
}

void LockCountsModel::addPrefixes(std::vector<Line>& lines) const
{
    if (m_prefixes.empty()) {
        return;
    }
    using Entry = std::pair<const std::string, qint64>;
    std::vector<const Entry*> largest(std::min<std::size_t>(m_prefixes.size(), kPrefixesAtMost));
    std::vector<const Entry*> entries;
    entries.reserve(m_prefixes.size());
    for (const Entry& entry : m_prefixes) {
        entries.push_back(&entry);
    }
    std::partial_sort_copy(entries.begin(), entries.end(), largest.begin(), largest.end(),
                           [](const Entry* left, const Entry* right) {
                               return left->second != right->second ? left->second > right->second
                                                                    : left->first < right->first;
                           });
    lines.push_back({Group::Prefix, true, {}, 0});
    for (const Entry* entry : largest) {
        lines.push_back({Group::Prefix, false, entry->first, entry->second});
    }
}

/// Changes the lines one by one, so that a selected line stays selected wherever it moves.
void LockCountsModel::turnInto(const std::vector<Line>& wanted)
{
    const auto isSame = [](const Line& left, const Line& right) {
        return left.group == right.group && left.isHeading == right.isHeading
               && left.word == right.word;
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const int row = static_cast<int>(i);
        const auto here = m_lines.begin() + row;
        const auto found = std::find_if(here, m_lines.end(),
                                        [&](const Line& line) { return isSame(line, wanted[i]); });
        if (found == m_lines.end()) {
            beginInsertRows({}, row, row);
            m_lines.insert(here, wanted[i]);
            endInsertRows();
            continue;
        }
        if (found != here) {
            beginMoveRows({}, static_cast<int>(found - m_lines.begin()),
                          static_cast<int>(found - m_lines.begin()), {}, row);
            std::rotate(here, found, found + 1);
            endMoveRows();
        }
        if (m_lines[i].count != wanted[i].count) {
            m_lines[i].count = wanted[i].count;
            Q_EMIT dataChanged(index(row), index(row));
        }
    }
    if (m_lines.size() > wanted.size()) {
        beginRemoveRows({}, static_cast<int>(wanted.size()), static_cast<int>(m_lines.size()) - 1);
        m_lines.resize(wanted.size());
        endRemoveRows();
    }
}

} // namespace lockscope::models
