#include "core/kernel/report/matrix_text.h"

#include "core/kernel/report/csv_text.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>

namespace lockscope::report {

namespace {

struct RankedRow {
    std::span<const CellReport> cells;
    RowVerdict verdict;
};

/// One per protocol, in the order of their groups, and the best of each group first.
std::vector<RankedRow> rankedRows(std::span<const CellReport> cells,
                                  std::span<const search::Harm> never)
{
    std::vector<RankedRow> ranked;
    for (const std::span<const CellReport> row : rowsOf(cells)) {
        std::vector<const CellReport*> all;
        for (const CellReport& cell : row) {
            all.push_back(&cell);
        }
        ranked.push_back({row, verdictOfRow(all, never)});
    }
    std::ranges::stable_sort(ranked, ranksBefore, &RankedRow::verdict);
    return ranked;
}

/// The cell that the row shows in the column.
const CellReport& shownIn(const MatrixColumn& column, const RankedRow& row,
                          std::span<const search::Harm> never)
{
    std::vector<const CellReport*> cells;
    for (const CellReport& cell : row.cells) {
        if (cell.fault && std::ranges::find(column.faults, *cell.fault) != column.faults.end()) {
            cells.push_back(&cell);
        }
    }
    return worstOf(cells, never);
}

std::string markdownRow(const TextRow& row)
{
    std::string text = "|";
    for (const std::string& cell : row) {
        text += ' ' + cell + " |";
    }
    return text + '\n';
}

} // namespace

std::vector<MatrixColumn> columnsOf(std::span<const CellReport> cells, const MatrixLook& look)
{
    const auto rows = rowsOf(cells);
    std::vector<world::FaultKind> faults;
    for (const CellReport& cell : rows.empty() ? cells : rows.front()) {
        if (cell.fault) {
            faults.push_back(*cell.fault);
        }
    }
    return matrixColumns(faults, look.unfolded);
}

MatrixTable matrixTable(std::span<const CellReport> cells, const MatrixLook& look)
{
    MatrixTable table{{"protocol", "verdict"}, {}};
    const std::vector<MatrixColumn> columns = columnsOf(cells, look);
    for (const MatrixColumn& column : columns) {
        table.head.push_back(idOf(column));
    }
    for (const RankedRow& row : rankedRows(cells, look.never)) {
        if (table.sections.empty() || table.sections.back().group != row.verdict.group) {
            table.sections.push_back({row.verdict.group, {}});
        }
        TextRow texts{row.cells.front().protocol, rowText(row.verdict)};
        for (const MatrixColumn& column : columns) {
            texts.push_back(cellText(shownIn(column, row, look.never), look.never));
        }
        table.sections.back().rows.push_back(std::move(texts));
    }
    return table;
}

std::string matrixLegend(std::span<const search::Harm> never)
{
    std::string text = "What must not happen: ";
    for (const search::Harm harm : never) {
        text += (harm == never.front() ? "" : ", ")
                + (never.size() > 1 ? search::wordOf(harm) + " (" + search::nameOf(harm) + ')'
                                    : search::nameOf(harm));
    }
    return text
           + ".\n7    it happens in 7 steps, although the protocol promises otherwise\n(7)  it "
             "happens in 7 steps; the protocol does not promise otherwise under this fault\n"
             "ok   it does not happen: all runs within the plans were explored\nok?  it did not "
             "happen in the runs explored before the bound was reached\n.    in none of the runs "
             "it could have happened\n!    nothing was tested: no acquisition was ever granted, "
             "or no promise could have broken\n-    the fault has no effect on the protocol, or "
             "the protocol has nothing that could go wrong this way\n";
}

std::string matrixMarkdown(std::span<const CellReport> cells, const MatrixLook& look)
{
    const MatrixTable table = matrixTable(cells, look);
    std::string text;
    for (const MatrixSection& section : table.sections) {
        text += (text.empty() ? "**" : "\n**") + nameOf(section.group) + "**\n\n"
                + markdownRow(table.head) + '|';
        for (std::size_t i = 0; i < table.head.size(); ++i) {
            text += "---|";
        }
        text += '\n';
        for (const TextRow& row : section.rows) {
            text += markdownRow(row);
        }
    }
    return text;
}

std::string matrixCsv(std::span<const CellReport> cells)
{
    std::string text = "protocol,fault,promise,harm,status,promised,kind,length,schedules,complete,"
                       "chances,group,faultGroup\n";
    for (const CellReport& cell : cells) {
        const std::vector<PromiseVerdict> verdicts = verdictsOf(cell);
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            const PromiseVerdict& verdict = verdicts[i];
            const auto& finding = cell.verdicts[i].result.finding;
            text += csvField(cell.protocol) + ',' + csvField(cell.faultName()) + ',';
            text += std::string(idOf(verdict.promise)) + ',';
            text += std::string(idOf(search::harmOf(verdict.promise))) + ',';
            text += idOf(verdict.status);
            text += verdict.isPromised ? ",true," : ",false,";
            text += std::string(verdict.kind) + ',';
            text += (finding ? std::to_string(finding->length) : std::string()) + ',';
            text += std::to_string(cell.coverage.schedules)
                    + (cell.coverage.isComplete ? ",true," : ",false,");
            text += std::to_string(verdict.chances) + ',' + std::string(idOf(cell.group)) + ',';
            text += (cell.fault ? std::string(idOf(infoOf(*cell.fault).group)) : "") + '\n';
        }
    }
    return text;
}

} // namespace lockscope::report
