#include "core/kernel/report/matrix_columns.h"

#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <tuple>

namespace lockscope::report {

using world::FaultGroup;
using world::FaultKind;

namespace {

/// The least is shown.
int rankOf(CellStanding standing)
{
    switch (standing) {
    case CellStanding::Harmed: return 0;
    case CellStanding::HarmedAnyway: return 1;
    case CellStanding::Unknown: return 2;
    case CellStanding::Untested: return 3;
    case CellStanding::NotExercised: return 4;
    case CellStanding::HeldSoFar: return 5;
    case CellStanding::Held: return 6;
    case CellStanding::NotApplicable: break;
    }
    return 7;
}

} // namespace

std::vector<MatrixColumn> matrixColumns(std::span<const FaultKind> faults,
                                        std::span<const FaultGroup> unfolded)
{
    std::vector<MatrixColumn> columns;
    for (const FaultGroup group : world::allFaultGroups()) {
        const bool isUnfolded = std::ranges::find(unfolded, group) != unfolded.end();
        bool isFirst = true;
        for (const FaultKind fault : faults) {
            if (infoOf(fault).group != group) {
                continue;
            }
            if (isFirst || isUnfolded) {
                columns.push_back({group, {}});
            }
            columns.back().faults.push_back(fault);
            isFirst = false;
        }
    }
    return columns;
}

std::string idOf(const MatrixColumn& column)
{
    return std::string(column.isFolded() ? idOf(column.group) : idOf(column.faults.front()));
}

const CellReport& worstOf(std::span<const CellReport* const> cells,
                          std::span<const search::Harm> never)
{
    const auto rank = [never](const CellReport* cell) {
        const CellView view = viewOf(*cell, never);
        const int length = view.isHarmed() ? view.verdict->result.finding->length : 0;
        return std::tuple(rankOf(view.standing), view.harm, length);
    };
    return **std::ranges::min_element(cells, {}, rank);
}

} // namespace lockscope::report
