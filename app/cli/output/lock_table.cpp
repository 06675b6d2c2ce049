#include "app/cli/output/lock_table.h"

#include "app/cli/session/server_link.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/lock_sort_key.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::cli {

using inspect::LockPtr;
using inspect::LockRecord;
using report::LockField;

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNamedServersMax = 2; // of a Redlock row; more would take the whole line

std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

/// The mark comes first; a field with the place N is column N.
constexpr std::size_t kMarkColumn = 0;

/// Which column gives way first when a line is too long, and how far.
struct Squeeze {
    report::LockColumn column;
    std::size_t widthMin;
};
constexpr std::array<Squeeze, 6> kSqueezes{{{report::OwnerColumn, 20},
                                            {report::KeyColumn, 40},
                                            {report::ServerColumn, 16},
                                            {report::NodeColumn, 16},
                                            {report::WhyColumn, 20},
                                            {report::KeyColumn, 20}}};

/// By column; the mark has none.
const std::vector<const LockField*>& fieldsByColumn()
{
    static const auto kFields = [] {
        std::vector<const LockField*> fields(1);
        for (const LockField& field : report::lockFields()) {
            const auto place = static_cast<std::size_t>(field.terminal.place);
            if (field.hasTerminal()) {
                fields.resize(std::max(fields.size(), place + 1));
                fields[place] = &field;
            }
        }
        return fields;
    }();
    return kFields;
}

std::string_view titleOf(std::size_t column)
{
    return column == kMarkColumn ? std::string_view() : fieldsByColumn()[column]->terminal.title;
}

std::string markOf(const LockRecord& record)
{
    switch (inspect::severityOf(record)) {
    case 0: return " ";
    case 1: return "?";
    default: return "!";
    }
}

std::vector<std::string> cellsOf(const LockRecord& record,
                                 const std::vector<std::string>& serverNames, Instant now)
{
    std::vector<std::string> cells{markOf(record)};
    const bool isOfMany = record.id.server == inspect::LockId::kWholeSet
                          && serverNames.size() > kNamedServersMax;
    const std::string server = isOfMany ? "all " + std::to_string(serverNames.size())
                                        : serverNameOf(record, serverNames);
    for (const LockField* const field : std::span(fieldsByColumn()).subspan(1)) {
        cells.push_back(field->text({record, server, 0, now}));
    }
    return cells;
}

/// A column that says the usual in every row says nothing.
bool isBoring(std::span<const std::vector<std::string>> rows, std::size_t column,
              std::string_view usual)
{
    return std::ranges::all_of(rows, [&](const auto& cells) { return cells[column] == usual; });
}

std::vector<std::size_t> columnsFor(std::span<const std::vector<std::string>> rows,
                                    std::size_t serverCount)
{
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < fieldsByColumn().size(); ++column) {
        const auto described = column == kMarkColumn ? LockField::Terminal{.usual = " "}
                                                     : fieldsByColumn()[column]->terminal;
        const bool isLeftOut = (described.usual && isBoring(rows, column, *described.usual))
                               || (described.isForSeveralServers && serverCount < 2);
        if (!isLeftOut) {
            columns.push_back(column);
        }
    }
    return columns;
}

std::size_t columnWidth(std::span<const std::vector<std::string>> rows, std::size_t column)
{
    std::size_t width = widthOf(titleOf(column));
    for (const std::vector<std::string>& cells : rows) {
        width = std::max(width, widthOf(cells[column]));
    }
    return width;
}

/// Cuts long cells until the lines are short enough, or nothing more can be cut.
void squeeze(std::vector<std::vector<std::string>>& rows, std::span<const std::size_t> columns,
             std::size_t widthMax)
{
    std::size_t lineWidth = kGap * (columns.size() - 1);
    for (const std::size_t column : columns) {
        lineWidth += columnWidth(rows, column);
    }
    for (const auto& [squeezed, widthMin] : kSqueezes) {
        const auto column = static_cast<std::size_t>(report::lockField(squeezed).terminal.place);
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
        return report::isMoreUrgent(*a, *b);
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
    const std::vector<std::size_t> columns = columnsFor(all, serverNames.size());
    squeeze(all, columns, widthMax);
    std::vector<std::vector<std::string>> lines(1);
    for (const std::size_t column : columns) {
        lines.front().emplace_back(titleOf(column));
    }
    for (std::vector<std::string>& cells : all) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const std::size_t column : columns) {
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

std::string counted(std::uint64_t count, std::string_view one, std::string_view many)
{
    return countText(count) + ' ' + std::string(count == 1 ? one : many);
}

} // namespace lockscope::cli
