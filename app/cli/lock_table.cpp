#include "cli/lock_table.h"

#include "base/bytes.h"
#include "cli/server_link.h"
#include "report/wording.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::cli {

using inspect::LockPtr;
using inspect::LockRecord;

namespace {

constexpr std::size_t kGap = 2;
constexpr std::string_view kUnknown = "?";
constexpr std::string_view kNothing = "–";

std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

enum Column {
    MarkColumn,
    KeyColumn,
    OwnerColumn,
    FormatColumn,
    ModeColumn,
    HoldsColumn,
    ExpiresColumn,
    WaitersColumn,
    ServerColumn,
    WhyColumn,
    ColumnCount
};

constexpr std::array<std::string_view, ColumnCount> kTitles{
    "", "KEY", "OWNER", "FORMAT", "MODE", "HOLDS", "EXPIRES IN", "WAITERS", "SERVER", "WARNINGS"};

/// Which column gives way first when a line is too long, and how far.
struct Squeeze {
    Column column;
    std::size_t widthMin;
};
constexpr std::array<Squeeze, 5> kSqueezes{
    {{OwnerColumn, 20}, {KeyColumn, 40}, {ServerColumn, 16}, {WhyColumn, 20}, {KeyColumn, 20}}};

std::string markOf(const LockRecord& record)
{
    switch (inspect::severityOf(record.flags)) {
    case 0: return " ";
    case 1: return "?";
    default: return "!";
    }
}

std::vector<std::string> cellsOf(const LockRecord& record,
                                 const std::vector<std::string>& serverNames, Instant now)
{
    std::vector<std::string> cells(ColumnCount);
    cells[MarkColumn] = markOf(record);
    cells[KeyColumn] = escaped(record.id.name);
    cells[OwnerColumn] = ownerText(record);
    cells[FormatColumn] = formatText(record);
    cells[ModeColumn] = report::modeText(record.mode);
    cells[HoldsColumn] = std::to_string(record.holds());
    cells[ExpiresColumn] = expiresText(record, now);
    cells[WaitersColumn] = record.waiters ? std::to_string(*record.waiters) : std::string(kUnknown);
    cells[ServerColumn] = serverNameOf(record, serverNames);
    cells[WhyColumn] = report::whyLook(record, now);
    return cells;
}

/// A column that says `usual` in every row says nothing.
bool isBoring(std::span<const std::vector<std::string>> rows, Column column, std::string_view usual)
{
    return std::ranges::all_of(rows, [&](const auto& cells) { return cells[column] == usual; });
}

std::vector<Column> columnsFor(std::span<const std::vector<std::string>> rows,
                               std::size_t serverCount)
{
    std::vector<Column> columns;
    for (int i = 0; i < ColumnCount; ++i) {
        const auto column = static_cast<Column>(i);
        const bool isLeftOut = (column == MarkColumn && isBoring(rows, column, " "))
                               || (column == ModeColumn && isBoring(rows, column, "exclusive"))
                               || (column == HoldsColumn && isBoring(rows, column, "1"))
                               || (column == WaitersColumn && isBoring(rows, column, kUnknown))
                               || (column == WhyColumn && isBoring(rows, column, ""))
                               || (column == ServerColumn && serverCount < 2);
        if (!isLeftOut) {
            columns.push_back(column);
        }
    }
    return columns;
}

std::size_t columnWidth(std::span<const std::vector<std::string>> rows, Column column)
{
    std::size_t width = widthOf(kTitles[column]);
    for (const std::vector<std::string>& cells : rows) {
        width = std::max(width, widthOf(cells[column]));
    }
    return width;
}

/// Cuts long cells until the lines are short enough, or nothing more can be cut.
void squeeze(std::vector<std::vector<std::string>>& rows, std::span<const Column> columns,
             std::size_t widthMax)
{
    std::size_t lineWidth = kGap * (columns.size() - 1);
    for (const Column column : columns) {
        lineWidth += columnWidth(rows, column);
    }
    for (const auto& [column, widthMin] : kSqueezes) {
        const std::size_t width = columnWidth(rows, column);
        const bool isShown = std::ranges::find(columns, column) != columns.end();
        if (lineWidth <= widthMax || !isShown || width <= widthMin) {
            continue;
        }
        const std::size_t target = std::max(widthMin,
                                            width - std::min(width, lineWidth - widthMax));
        for (std::vector<std::string>& cells : rows) {
            cells[column] = elidedMiddle(cells[column], target);
        }
        lineWidth -= width - columnWidth(rows, column);
    }
}

} // namespace

void sortByUrgency(std::vector<LockPtr>& rows)
{
    std::ranges::sort(rows, [](const LockPtr& a, const LockPtr& b) {
        const auto rank = [](const LockRecord& record) {
            return -inspect::severityOf(record.flags);
        };
        return std::pair(rank(*a), std::tie(a->id.name, a->id.server))
               < std::pair(rank(*b), std::tie(b->id.name, b->id.server));
    });
}

std::string lockTable(std::span<const LockPtr> rows, const std::vector<std::string>& serverNames,
                      Instant now, std::size_t widthMax)
{
    if (rows.empty()) {
        return {};
    }
    std::vector<std::vector<std::string>> all;
    all.reserve(rows.size());
    for (const LockPtr& row : rows) {
        all.push_back(cellsOf(*row, serverNames, now));
    }
    const std::vector<Column> columns = columnsFor(all, serverNames.size());
    squeeze(all, columns, widthMax);
    std::vector<std::vector<std::string>> lines(1);
    for (const Column column : columns) {
        lines.front().emplace_back(kTitles[column]);
    }
    for (std::vector<std::string>& cells : all) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const Column column : columns) {
            line.push_back(std::move(cells[column]));
        }
    }
    return alignedColumns(lines);
}

std::string alignedColumns(std::span<const std::vector<std::string>> lines)
{
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        for (std::size_t i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], widthOf(line[i]));
        }
    }
    std::string text;
    for (const std::vector<std::string>& line : lines) {
        std::string aligned;
        for (std::size_t i = 0; i < line.size(); ++i) {
            aligned += line[i] + std::string(widths[i] - widthOf(line[i]) + kGap, ' ');
        }
        aligned.resize(aligned.find_last_not_of(' ') + 1);
        text += aligned + '\n';
    }
    return text;
}

std::string countText(std::uint64_t count)
{
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3; at -= 3) {
        digits.insert(at - 3, 1, ',');
    }
    return digits;
}

std::string ownerText(const LockRecord& record)
{
    if (record.holders.size() > 1) {
        return std::to_string(record.holders.size()) + " holders";
    }
    const bool isKnown = !record.holders.empty() && !record.holders.front().owner.empty();
    return isKnown ? escaped(record.holders.front().owner) : std::string(kNothing);
}

std::string expiresText(const LockRecord& record, Instant now)
{
    return record.expiresAt ? report::durationText(*record.expiresAt - now) : "never";
}

std::string formatText(const LockRecord& record)
{
    std::string text(record.format);
    if (record.quorum.total > 0) {
        text += ' ' + std::to_string(record.quorum.held) + " of "
                + std::to_string(record.quorum.total);
        text += record.quorum.unknown > 0
                    ? ", " + std::to_string(record.quorum.unknown) + " unknown"
                    : std::string();
    }
    return text;
}

} // namespace lockscope::cli
