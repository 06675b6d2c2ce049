#pragma once

#include "core/kernel/report/lock_json.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/search/random_search.h"

#include <span>

// What searches found and saw, in files that only this program writes and reads: cells of the
// matrix that are kept, and shards of large searches. A digest guards each file, so that a reader
// only has to survive what is not one. Every read...() throws an Unreadable, or an exception of
// the JSON library.
namespace lockscope::report {

/// Thrown for anything that a file of ours cannot contain.
struct Unreadable {};

/// Length, violation and steps. The promise is told beside it.
Json savedFinding(const search::Finding& finding);
/// `plan` is the one in which it was found: clients and locks outside of it are not believed.
search::Finding readFinding(const nlohmann::json& json, protocol::Promise promise,
                            const world::WorldPlan& plan);

/// Without the chances to break each of the promises, which cells tell at their verdicts.
Json savedCoverage(const search::Coverage& coverage);
search::Coverage readCoverage(const nlohmann::json& json);

/// What one part of a search came to, without any loss. Plans are called by their numbers.
Json savedExploration(const search::Exploration& exploration);
search::Exploration readExploration(const nlohmann::json& json, const world::WorldPlan& plan);
Json savedRandomResult(const search::RandomResult& result);
/// Throws a protocol::FileFault for statistics that are not as they should be.
search::RandomResult readRandomResult(const nlohmann::json& json,
                                      std::span<const world::WorldPlan> plans);

} // namespace lockscope::report
