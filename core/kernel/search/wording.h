#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"
#include "core/kernel/world/step.h"
#include "core/kernel/world/world_plan.h"

#include <string>
#include <string_view>

// How stories call things.
namespace lockscope::search {

/// "SET k 5f0c… NX PX 10000", "the script redisson_lock for k": no word longer than a reader can
/// keep in mind.
std::string commandText(const store::Command& command);
/// The same without an article, for what stands behind "the" or "its".
std::string commandNoun(const store::Command& command);

/// "OK", "nil", "1", "an error (NOSCRIPT …)".
std::string answerText(const store::Reply& reply);

/// What went wrong, in one sentence without a full stop. `concerned`: the command that it
/// happened to; may be null.
std::string faultText(const world::Step& step, const store::Command* concerned,
                      const world::WorldPlan& plan);

} // namespace lockscope::search
