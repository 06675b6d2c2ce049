#pragma once

#include "core/kernel/lint/pattern.h"
#include "core/kernel/protocol/own_lock.h"
#include "core/kernel/sim/lua_engine.h"

#include <optional>
#include <string>
#include <vector>

namespace lockscope::lint {

/// A pattern that a lock shows.
struct Suspect {
    Pattern pattern = Pattern::ScriptError;
    std::string path;                // in the file, of what shows it: "/release"
    std::optional<int> scriptLine{}; // of the script of that step, from 1
    std::string detail{};            // what the server answered; empty: nothing to add
};

/// Tries the steps on a simulated server, with other clients before and behind, and looks at the
/// scripts. One per pattern and step at most. What it says is no proof: nothing goes wrong in a
/// trial, and no clients run at once.
std::vector<Suspect> suspectsIn(const protocol::OwnLockPlan& plan, sim::LuaEngine& lua);

} // namespace lockscope::lint
