#pragma once

#include "core/kernel/search/search_task.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// What the matrix is made of, for the window and for the command line.
namespace lockscope::search {

/// How far a search of a cell goes, per plan, by default.
inline constexpr std::uint64_t kMatrixSchedules = 3'000;

/// Every kind of fault, in the order of the columns.
std::vector<world::FaultKind> matrixFaults();

/// Of every plan.
Bounds matrixBounds();

/// A row of the matrix: the protocol against each of the faults alone, by the default plans.
std::vector<SearchTask> matrixRow(const std::shared_ptr<const protocol::LockProtocol>& protocol,
                                  std::span<const world::FaultKind> faults, const Bounds& bounds);

} // namespace lockscope::search
