#pragma once

#include "core/kernel/report/cell_report.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/story.h"
#include "core/kernel/sim/lua_engine.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// A cell of the matrix as a small search finds it, on this thread. `hasStories`: what broke is
/// told as well, which takes longer than the search.
inline report::CellReport searchedCell(const protocol::LockProtocol& protocol,
                                       std::optional<world::FaultKind> fault,
                                       const std::vector<world::WorldPlan>& plans,
                                       std::uint64_t schedulesMax, sim::LuaEngine& lua,
                                       bool hasStories = false)
{
    search::Bounds bounds;
    bounds.schedulesMax = schedulesMax;
    search::SearchReport found = searchPlans(protocol, plans, lua, bounds);
    report::CellReport cell;
    cell.protocol = protocol.info().id;
    cell.group = report::groupOf(protocol.info());
    cell.fault = fault;
    cell.isApplicable = cell.isSearched = !plans.empty();
    cell.coverage = found.coverage;
    for (search::PromiseResult& result : found.promises) {
        report::CellVerdict verdict;
        if (result.finding) {
            verdict.plan = plans[result.planIndex];
        }
        if (result.finding && hasStories) {
            verdict.story = tellStory(protocol, verdict.plan, *result.finding, lua);
        }
        verdict.result = std::move(result);
        cell.verdicts.push_back(std::move(verdict));
    }
    return cell;
}

} // namespace lockscope::testing
