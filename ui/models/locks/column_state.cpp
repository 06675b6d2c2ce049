#include "ui/models/locks/column_state.h"

#include "core/kernel/report/lock_fields.h"
#include "ui/models/formatting.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kVersion = "1"_L1;
constexpr auto kFitted = "fitted"_L1;
constexpr auto kResized = "resized"_L1;
constexpr auto kAutomatic = "automatic"_L1;
constexpr auto kChosen = "chosen"_L1;
constexpr auto kUnsorted = "unsorted"_L1;
constexpr auto kAscending = "ascending"_L1;
constexpr auto kDescending = "descending"_L1;
constexpr auto kHidden = "hidden"_L1;
constexpr int kHeadWords = 4; // before the columns
constexpr qsizetype kTextMax = 4096;
constexpr int kWidthMax = 10'000;

QString nameOf(int column)
{
    return toQString(report::lockField(static_cast<report::LockColumn>(column)).filter.name);
}

std::optional<int> columnNamed(const QString& name)
{
    for (int column = 0; column < report::ColumnCount; ++column) {
        if (nameOf(column) == name) {
            return column;
        }
    }
    return std::nullopt;
}

/// The one of two words that is there; nullopt for neither.
std::optional<bool> isSecond(const QString& word, QLatin1StringView first, QLatin1StringView second)
{
    return word == first || word == second ? std::optional(word == second) : std::nullopt;
}

/// False if the word makes no sense.
bool readSorting(const QString& word, ColumnState& state)
{
    const QStringList parts = word.split(u':');
    const auto isDescending = isSecond(parts.value(1), kAscending, kDescending);
    if (word == kUnsorted || parts.size() != 2 || !isDescending) {
        return word == kUnsorted;
    }
    if (const auto column = columnNamed(parts.front())) {
        state.sortColumn = *column;
        state.sortOrder = *isDescending ? Qt::DescendingOrder : Qt::AscendingOrder;
    }
    return true;
}

bool readColumn(const QString& word, ColumnState& state)
{
    const QStringList parts = word.split(u':');
    bool isNumber = false;
    const int width = parts.value(1).toInt(&isNumber);
    const bool isHidden = parts.size() == 3;
    if (!isNumber || width < 0 || width > kWidthMax || parts.size() > 3
        || (isHidden && parts.back() != kHidden)) {
        return false;
    }
    const auto column = columnNamed(parts.front());
    if (column && std::ranges::count(state.columns, *column, &ColumnState::Column::column) > 0) {
        return false;
    }
    if (column) {
        state.columns.append({*column, width, isHidden});
    }
    return true;
}

} // namespace

QString textOf(const ColumnState& state)
{
    QStringList words{kVersion, state.areFitted ? kFitted : kResized,
                      state.hasChosen ? kChosen : kAutomatic};
    const bool isDescending = state.sortOrder == Qt::DescendingOrder;
    words += state.sortColumn < 0
                 ? QString(kUnsorted)
                 : nameOf(state.sortColumn) + u':' + (isDescending ? kDescending : kAscending);
    for (const ColumnState::Column& each : state.columns) {
        words += nameOf(each.column) + u':' + QString::number(each.width)
                 + (each.isHidden ? u':' + kHidden : QString());
    }
    return words.join(u' ');
}

std::optional<ColumnState> columnStateOf(const QString& text)
{
    const QStringList words = text.left(kTextMax + 1).split(u' ');
    ColumnState state;
    const auto isResized = isSecond(words.value(1), kFitted, kResized);
    const auto hasChosen = isSecond(words.value(2), kAutomatic, kChosen);
    if (text.size() > kTextMax || words.front() != kVersion || !isResized || !hasChosen
        || !readSorting(words.value(3), state)) {
        return std::nullopt;
    }
    state.areFitted = !*isResized;
    state.hasChosen = *hasChosen;
    for (const QString& word : words.mid(kHeadWords)) {
        if (!readColumn(word, state)) {
            return std::nullopt;
        }
    }
    return state;
}

} // namespace lockscope::models
