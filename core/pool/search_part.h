#pragma once

#include "core/kernel/search/random_search.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/service/search_runner.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

// What one worker does at a time, and how the parts are added up: plain functions that know nothing
// of threads.
namespace lockscope::pool {

/// Of one task: one plan that is searched through, or some of the random runs.
struct SearchPart {
    std::size_t task = 0;
    std::size_t plan = 0;       // of a systematic search
    std::uint64_t firstRun = 0; // of a random one
    std::uint64_t runCount = 0;
};

/// One of several processes that share the parts of a search among them, perhaps on several
/// machines.
struct Shard {
    std::size_t number = 1; // from 1 to count
    std::size_t count = 1;

    /// Whether it is the one that does this part. Neighbours are alike, so each shard has as much
    /// to do as any other.
    bool does(std::size_t part) const { return part % count == number - 1; }

    friend bool operator==(const Shard&, const Shard&) = default;
};

/// What a part came to; monostate: it was never begun.
using PartResult = std::variant<std::monostate, search::Exploration, search::RandomResult>;

/// The parts of all tasks, task by task. How a task is cut does not depend on who does the parts.
std::vector<SearchPart> partsOf(std::span<const search::SearchTask> tasks);

/// Roughly how long it takes: the longest parts are begun first.
std::uint64_t weightOf(const SearchPart& part, std::span<const search::SearchTask> tasks);

PartResult searchPart(const SearchPart& part, const search::SearchTask& task, sim::LuaEngine& lua,
                      const search::GoOn& goOn);

/// Adds up the parts of one task; `parts` and `results` are all of its own, in order.
report::CellReport addedUp(const search::SearchTask& task, std::span<const SearchPart> parts,
                           std::span<const PartResult> results);

/// Leaves of random runs, all of one task, only what addedUp() may need of them: of what they found
/// the shortest; sums are in the first part that was done.
void condense(std::span<PartResult> results);

/// Tells what broke. Makes what is shown first short before, and everything that random runs broke.
/// `goOn` is asked again and again; false leaves what is left untold or as long as it is.
void tell(report::CellReport& report, const search::SearchTask& task, sim::LuaEngine& lua,
          const std::function<bool()>& goOn);

} // namespace lockscope::pool
