#pragma once

struct lua_State;

namespace lockscope::sim {

/// Makes the global table `cmsgpack` of scripts, with all that lock libraries use of it: unpack().
/// The names in a map have to be texts.
void openMessagePack(lua_State* lua);

} // namespace lockscope::sim
