#pragma once

struct lua_State;

namespace lockscope::sim {

/// Where the stack of a fresh interpreter keeps what every run needs.
struct LuaPlaces {
    static constexpr int kErrorHandler = 1;
    static constexpr int kGlobals = 2;     // the table with the real globals
    static constexpr int kEnvironment = 3; // what scripts see of it
};

/// The libraries that Redis gives to scripts, and nothing of the rest. Leaves the stack with the
/// values of LuaPlaces. `_G` is read-only for scripts, and so are the libraries; reading a global
/// that is not there is an error.
void openSandbox(lua_State* lua);

/// Closes the door behind openSandbox(), after the embedder's own globals were added.
void sealSandbox(lua_State* lua);

} // namespace lockscope::sim
