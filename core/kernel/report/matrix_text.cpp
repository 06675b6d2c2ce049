#include "core/kernel/report/matrix_text.h"

#include "core/kernel/report/csv_text.h"
namespace lockscope::report {

std::string cellText(const CellReport& cell)
{
    if (!cell.isApplicable) {
        return "-";
    }
    if (!cell.isSearched) {
        return {};
    }
    if (cell.isNeverGranted() || cell.isNothingExercised()) {
        return "!";
    }
    const CellVerdict* const first = cell.headline();
    if (first == nullptr) {
        return cell.coverage.isComplete ? "ok" : "ok?";
    }
    const std::string length = std::to_string(first->result.finding->length);
    return first->result.isPromised ? length : '(' + length + ')';
}

std::vector<std::vector<std::string>> matrixRows(std::span<const CellReport> cells)
{
    std::vector<std::vector<std::string>> rows{{"protocol"}};
    for (const CellReport& cell : cells) {
        if (rows.size() == 1 || rows.back().front() != cell.protocol) {
            rows.push_back({cell.protocol});
        }
        if (rows.size() == 2) {
            rows.front().push_back(cell.faultName());
        }
        rows.back().push_back(cellText(cell));
    }
    return rows;
}

std::string_view matrixLegend()
{
    return "7    a promise breaks in 7 steps\n(7)  only something that is not promised under this "
           "fault breaks, in 7 steps\nok   no violation: all runs within the plans were "
           "explored\nok?  no violation in the runs explored before the bound was reached\n!    "
           "nothing was tested: no acquisition was ever granted, or no promise could have "
           "broken\n-    the fault has no effect on the protocol\n";
}

std::string matrixMarkdown(std::span<const CellReport> cells)
{
    std::string text;
    for (const std::vector<std::string>& row : matrixRows(cells)) {
        const bool isHead = text.empty();
        text += '|';
        for (const std::string& cell : row) {
            text += ' ' + cell + " |";
        }
        text += '\n';
        if (isHead) {
            text += '|';
            for (std::size_t i = 0; i < row.size(); ++i) {
                text += "---|";
            }
            text += '\n';
        }
    }
    return text;
}

std::string matrixCsv(std::span<const CellReport> cells)
{
    std::string text =
        "protocol,fault,promise,status,promised,kind,length,schedules,complete,chances\n";
    for (const CellReport& cell : cells) {
        const std::vector<PromiseVerdict> verdicts = verdictsOf(cell);
        for (std::size_t i = 0; i < verdicts.size(); ++i) {
            const PromiseVerdict& verdict = verdicts[i];
            const auto& finding = cell.verdicts[i].result.finding;
            text += csvField(cell.protocol) + ',' + csvField(cell.faultName()) + ',';
            text += std::string(idOf(verdict.promise)) + ',' + std::string(idOf(verdict.status));
            text += verdict.isPromised ? ",true," : ",false,";
            text += std::string(verdict.kind) + ',';
            text += (finding ? std::to_string(finding->length) : std::string()) + ',';
            text += std::to_string(cell.coverage.schedules)
                    + (cell.coverage.isComplete ? ",true," : ",false,");
            text += std::to_string(verdict.chances) + '\n';
        }
    }
    return text;
}

} // namespace lockscope::report
