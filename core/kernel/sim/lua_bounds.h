#pragma once

struct lua_State;

namespace lockscope::sim {

/// Replaces what would get past the limits of a run (LuaLimits) in the libraries that are open:
/// loops in C whose length a script chooses, memory that is not Lua's, code that is no text.
void boundLibraries(lua_State* lua);

} // namespace lockscope::sim
