#pragma once

#include "core/kernel/report/cell_report.h"
#include "core/kernel/search/harm.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What a cell of the matrix says, which depends on what must not happen.
namespace lockscope::report {

bool isAmong(search::Harm harm, std::span<const search::Harm> harms);

/// Worst first.
enum class CellStanding : std::uint8_t {
    Harmed,        // although the protocol promises otherwise
    HarmedAnyway,  // and the protocol does not promise otherwise under that fault
    Held,          // everything within the plans was seen
    HeldSoFar,     // the search was cut by its bound
    NotExercised,  // in no run it could have happened
    Untested,      // nothing was granted, or no promise could have broken
    NotApplicable, // the fault makes no difference to the protocol, or there is nothing to harm
    Unknown,       // not searched yet
};

/// A cell, seen by somebody who cares for some harms and not for others.
struct CellView {
    CellStanding standing = CellStanding::Unknown;
    /// Harmed, HarmedAnyway: the worst harm, and the run that does it; where there are several, one
    /// that the protocol promises not to have, and among those the shortest. Of the cell.
    std::optional<search::Harm> harm;
    const CellVerdict* verdict = nullptr;
    /// What happens besides, cared for or not, worst first.
    std::vector<search::Harm> others;
    /// Of what is cared for, what could have happened in no run.
    std::vector<search::Harm> untested;

    bool isHarmed() const { return verdict != nullptr; }
};

/// `never`: what must not happen. The cell outlives the view.
CellView viewOf(const CellReport& cell, std::span<const search::Harm> never);

/// What stands in a cell of the matrix: "7" what must not happen does so in 7 steps, "(7)"
/// likewise, but it is not promised, "ok" it does not, "ok?" it did not before the search was cut,
/// "." it could in no run, "!" nothing could, "-" the fault makes no difference to the protocol, ""
/// not searched. With the word of the harm, "stuck 7", where there are several that must not
/// happen.
std::string cellText(const CellReport& cell, std::span<const search::Harm> never);

} // namespace lockscope::report
