#pragma once

#include <cstdint>

struct lua_State;

namespace lockscope::sim {

class LuaEngine;

/// The table `redis` that scripts find, and the random numbers of `math`.
struct LuaRedisApi {
    /// What Redis seeds its generator with.
    static constexpr std::uint64_t kFirstRandom = 0x330e;

    /// Adds both to the globals. `engine` outlives the interpreter.
    static void open(lua_State* lua, LuaEngine& engine);

private:
    static LuaEngine& engineOf(lua_State* lua);
    static int call(lua_State* lua);
    static int protectedCall(lua_State* lua);
    static int random(lua_State* lua);
    static int seedRandom(lua_State* lua);
};

} // namespace lockscope::sim
