#pragma once

#include "core/kernel/report/cell_report.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Cells of the matrix that need not be searched again.
namespace lockscope::report {

/// What a cell was searched with; outlives its use.
struct CellOrigin {
    std::string_view protocol; // id
    ProtocolGroup group = ProtocolGroup::OneHolder;
    world::FaultKind fault = world::FaultKind::Interleaving;
    std::span<const world::WorldPlan> plans; // none: the fault makes no difference
};

/// The cells as two lines of JSON, a head and a list, with their stories and the steps of every run
/// in which something broke. Of systematic searches only: seeds and statistics are left out.
/// `version` names everything that the cells came of.
std::string savedCellsText(std::string_view version, std::span<const CellReport> cells);

/// Reads them back, a cell per origin in the same order. Plans are taken from the origins. Empty
/// when the text is of another version, or is not exactly what was written.
std::vector<CellReport> readSavedCells(std::string_view text, std::string_view version,
                                       std::span<const CellOrigin> origins);

} // namespace lockscope::report
