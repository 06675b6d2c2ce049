#pragma once

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/world/world.h"

#include <string>
#include <string_view>

namespace lockscope::search {

/// "Line 3 of the script: return taken", for an error that a server reports of a
/// script; empty when it names no line. `script` is the text of the script.
std::string scriptLineText(std::string_view error, std::string_view script);

/// Why clients of the protocol are granted nothing, in the words of the server: one or two
/// sentences, by what it answers first in a run of the plan without any fault.
std::string reasonNeverGranted(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                               sim::LuaEngine& lua);

} // namespace lockscope::search
