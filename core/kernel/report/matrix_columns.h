#pragma once

#include "core/kernel/report/cell_view.h"
#include "core/kernel/world/fault_group.h"

#include <span>
#include <string>
#include <vector>

namespace lockscope::report {

/// A column of the matrix: one kind of fault, or a folded group of them.
struct MatrixColumn {
    world::FaultGroup group = world::FaultGroup::Order;
    std::vector<world::FaultKind> faults; // at least one

    bool isFolded() const { return faults.size() > 1; }
    bool operator==(const MatrixColumn&) const = default;
};

/// The columns for the faults, in the order of the groups. A group has one column for all of its
/// faults, or one for each if it is unfolded.
std::vector<MatrixColumn> matrixColumns(std::span<const world::FaultKind> faults,
                                        std::span<const world::FaultGroup> unfolded);

/// "clients" of a folded group, "pause" of a fault.
std::string idOf(const MatrixColumn& column);

/// The cell that a folded column shows of a protocol: what the protocol promises not to do comes
/// first, then what it does, the worst harm and the shortest run; then what is not known, not
/// tested, or not searched completely. The first of equal cells. `cells`: at least one.
const CellReport& worstOf(std::span<const CellReport* const> cells,
                          std::span<const search::Harm> never);

} // namespace lockscope::report
