#pragma once

struct lua_State;

namespace lockscope::sim {

/// Replaces the functions of the table `string` at `index` that search for patterns. They do what
/// those of Lua 5.1 do, which may never end: here each step is counted (LuaLimits), and so is the
/// depth of the recursion.
void openPatterns(lua_State* lua, int index);

} // namespace lockscope::sim
