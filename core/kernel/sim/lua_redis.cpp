#include "core/kernel/sim/lua_redis.h"

#include "core/kernel/base/sha1.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/lua_values.h"
#include "core/kernel/sim/server_identity.h"

#include <cmath>
#include <lua.hpp>

namespace lockscope::sim {

namespace {

// An error of Lua leaves a function by longjmp(): a function that may raise one has no objects
// with destructors by then.

/// The generator that Redis puts in the place of the C library's (the one of drand48).
constexpr std::uint64_t kRandomFactor = 0x5deece66dU;
constexpr std::uint64_t kRandomStep = 0xb;
constexpr std::uint64_t kRandomMask = (std::uint64_t{1} << 48U) - 1;
constexpr std::uint64_t kRandomRange = 0x7fffffff;

struct Constant {
    const char* name;
    int value;
};

constexpr Constant kConstants[] = {
    {"LOG_DEBUG", 0},  {"LOG_VERBOSE", 1},
    {"LOG_NOTICE", 2}, {"LOG_WARNING", 3},
    {"REPL_NONE", 0},  {"REPL_AOF", 1},
    {"REPL_SLAVE", 2}, {"REPL_REPLICA", 2},
    {"REPL_ALL", 3},   {"REDIS_VERSION_NUM", 0x0007000f},
};

void pushSha1(lua_State* lua)
{
    const std::string digest = sha1Hex(stringAt(lua, 1));
    lua_pushlstring(lua, digest.data(), digest.size());
}

int sha1hex(lua_State* lua)
{
    if (lua_gettop(lua) != 1) {
        pushError(lua, "wrong number of arguments");
        return lua_error(lua);
    }
    pushSha1(lua);
    return 1;
}

bool isOneString(lua_State* lua)
{
    return lua_gettop(lua) == 1 && lua_type(lua, 1) == LUA_TSTRING;
}

int statusReply(lua_State* lua)
{
    if (!isOneString(lua)) {
        pushError(lua, "wrong number or type of arguments");
        return 1;
    }
    lua_createtable(lua, 0, 1);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, -2, "ok");
    return 1;
}

int errorReply(lua_State* lua)
{
    if (!isOneString(lua)) {
        pushError(lua, "wrong number or type of arguments");
        return 1;
    }
    // Without a kind of its own the first word is taken for it.
    if (!stringAt(lua, 1).starts_with('-')) {
        lua_pushliteral(lua, "-");
        lua_insert(lua, 1);
        lua_concat(lua, 2);
    }
    pushError(lua, stringAt(lua, 1));
    return 1;
}

int log(lua_State* lua)
{
    if (lua_gettop(lua) < 2) {
        pushError(lua, "redis.log() requires two arguments or more.");
        return lua_error(lua);
    }
    if (lua_isnumber(lua, 1) == 0) {
        pushError(lua, "First argument must be a number (log level).");
        return lua_error(lua);
    }
    const lua_Number level = lua_tonumber(lua, 1);
    if (level < 0 || level > 3) {
        pushError(lua, "Invalid log level.");
        return lua_error(lua);
    }
    return 0; // the caller does not use it
}

/// Effects are what is replicated since Redis 7, whether asked for or not.
int replicateCommands(lua_State* lua)
{
    lua_pushboolean(lua, 1);
    return 1;
}

int ignore(lua_State*)
{
    return 0;
}

void setFunction(lua_State* lua, const char* name, lua_CFunction function, LuaEngine& engine)
{
    lua_pushlightuserdata(lua, &engine);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
}

} // namespace

LuaEngine& LuaRedisApi::engineOf(lua_State* lua)
{
    return *static_cast<LuaEngine*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int LuaRedisApi::call(lua_State* lua)
{
    return engineOf(lua).callCommand(lua) ? lua_error(lua) : 1;
}

int LuaRedisApi::protectedCall(lua_State* lua)
{
    engineOf(lua).callCommand(lua);
    return 1;
}

int LuaRedisApi::random(lua_State* lua)
{
    std::uint64_t& state = engineOf(lua).m_random;
    state = (state * kRandomFactor + kRandomStep) & kRandomMask;
    const auto drawn = static_cast<lua_Number>((state >> 17U) % kRandomRange)
                       / static_cast<lua_Number>(kRandomRange);
    switch (lua_gettop(lua)) {
    case 0: lua_pushnumber(lua, drawn); return 1;
    case 1: {
        const int upper = luaL_checkint(lua, 1);
        luaL_argcheck(lua, 1 <= upper, 1, "interval is empty");
        lua_pushnumber(lua, std::floor(drawn * upper) + 1);
        return 1;
    }
    case 2: {
        const int lower = luaL_checkint(lua, 1);
        const int upper = luaL_checkint(lua, 2);
        luaL_argcheck(lua, lower <= upper, 2, "interval is empty");
        const lua_Number span = static_cast<lua_Number>(upper) - lower + 1;
        lua_pushnumber(lua, std::floor(drawn * span) + lower);
        return 1;
    }
    default: return luaL_error(lua, "wrong number of arguments");
    }
}

int LuaRedisApi::seedRandom(lua_State* lua)
{
    const auto seed = static_cast<std::uint32_t>(luaL_checkint(lua, 1));
    engineOf(lua).m_random = std::uint64_t{seed} << 16U | kFirstRandom;
    return 0;
}

void LuaRedisApi::open(lua_State* lua, LuaEngine& engine)
{
    lua_newtable(lua);
    setFunction(lua, "call", call, engine);
    setFunction(lua, "pcall", protectedCall, engine);
    setFunction(lua, "sha1hex", sha1hex, engine);
    setFunction(lua, "status_reply", statusReply, engine);
    setFunction(lua, "error_reply", errorReply, engine);
    setFunction(lua, "log", log, engine);
    setFunction(lua, "replicate_commands", replicateCommands, engine);
    setFunction(lua, "set_repl", ignore, engine);
    for (const Constant& constant : kConstants) {
        lua_pushinteger(lua, constant.value);
        lua_setfield(lua, -2, constant.name);
    }
    lua_pushlstring(lua, kRedisVersion.data(), kRedisVersion.size());
    lua_setfield(lua, -2, "REDIS_VERSION");
    lua_setglobal(lua, "redis");

    lua_getglobal(lua, LUA_MATHLIBNAME);
    setFunction(lua, "random", random, engine);
    setFunction(lua, "randomseed", seedRandom, engine);
    lua_pop(lua, 1);
}

} // namespace lockscope::sim
