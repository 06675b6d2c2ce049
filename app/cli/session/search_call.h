#pragma once

#include "app/cli/commands/command_list.h"
#include "app/cli/context.h"
#include "core/kernel/async/task.h"
#include "core/pool/search_part.h"
#include "core/service/search_runner.h"

#include <variant>
#include <vector>

// What explore, simulate and matrix do, whether the search is done here and now or was done in
// shards before.
namespace lockscope::cli {

using SearchCall = std::variant<ExploreArguments, SimulateArguments, MatrixArguments>;

service::SearchOrder orderOf(const SearchCall& call);

/// Searches, or does its shard, and prints what came of it. `known` is what all parts came to, if
/// they were searched before. Ends with the exit code.
async::Task<int> carryOut(Context context, SearchCall call,
                          std::vector<pool::PartResult> known = {});

} // namespace lockscope::cli
