#include "core/kernel/sim/lua_bounds.h"

#include "core/kernel/sim/lua_limits.h"
#include "core/kernel/sim/lua_patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <lua.hpp>

namespace lockscope::sim {

namespace {

// Every function here may leave by an error of Lua's, so none has an object with a destructor.
// The last upvalue of each is the function that it replaces; those before are that one's own.

/// The default of cjson.
constexpr int kJsonDepthMax = 1000;
/// At most, with which a byte of JSON or MessagePack becomes a value: an empty table in a table.
constexpr std::size_t kMemoryPerJsonByte = 128;
/// At least, of a string: "\u0000".
constexpr std::int64_t kJsonPerByte = 6;
constexpr std::int64_t kJsonPerNumber = 32;
/// Comparisons for each value of a table that is sorted: log2 of many.
constexpr std::int64_t kComparisonsPerValue = 16;
constexpr std::size_t kMemoryPerStep = 64; // that the garbage collector goes through

/// Goes on as the function that is replaced, with the same arguments and upvalues. It is no call of
/// Lua's: the errors of the function name the line of the script, as those of a server do.
int callReplaced(lua_State* lua)
{
    int last = 1;
    while (lua_type(lua, lua_upvalueindex(last + 1)) != LUA_TNONE) {
        ++last;
    }
    return lua_tocfunction(lua, lua_upvalueindex(last))(lua);
}

/// Lua's own goes through all repetitions even of an empty text.
int repeat(lua_State* lua)
{
    std::size_t size = 0;
    luaL_checklstring(lua, 1, &size);
    const int count = luaL_checkint(lua, 2);
    if (size == 0 || count <= 0) {
        lua_pushliteral(lua, "");
        return 1;
    }
    if (static_cast<std::size_t>(count) > LuaLimits::kBlockMax / size) {
        LuaLimits::of(lua).stop(lua, LuaLimits::Limit::Memory);
    }
    LuaLimits::of(lua).work(lua, count / 8);
    lua_settop(lua, 2);
    return callReplaced(lua);
}

int sort(lua_State* lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    const auto count = static_cast<int>(lua_objlen(lua, 1));
    constexpr std::size_t kBytesPerComparison = 16;
    LuaLimits& limits = LuaLimits::of(lua);
    for (int i = 1; i <= count; ++i) {
        lua_rawgeti(lua, 1, i);
        const std::size_t size = lua_type(lua, -1) == LUA_TSTRING ? lua_objlen(lua, -1) : 0;
        lua_pop(lua, 1);
        limits.work(lua, kComparisonsPerValue
                             * static_cast<std::int64_t>(1 + size / kBytesPerComparison));
    }
    return callReplaced(lua);
}

int collectGarbage(lua_State* lua)
{
    LuaLimits& limits = LuaLimits::of(lua);
    limits.work(lua, static_cast<std::int64_t>(limits.used() / kMemoryPerStep));
    return callReplaced(lua);
}

/// The Lua of Redis reads text alone. Code that was made up can do anything.
bool isCode(const char* text, std::size_t size)
{
    return size > 0 && text[0] == LUA_SIGNATURE[0];
}

int loadString(lua_State* lua)
{
    std::size_t size = 0;
    const char* const text = luaL_checklstring(lua, 1, &size);
    LuaLimits::of(lua).work(lua, static_cast<std::int64_t>(size));
    if (isCode(text, size)) {
        lua_pushnil(lua);
        lua_pushliteral(lua, "unexpected symbol near 'char(27)'");
        return 2;
    }
    return callReplaced(lua);
}

/// The next piece of what load() reads, from the function in the first place of the stack.
const char* nextPiece(lua_State* lua, void* isFirst, std::size_t* size)
{
    luaL_checkstack(lua, 2, "too many nested functions");
    lua_pushvalue(lua, 1);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) {
        *size = 0;
        return nullptr;
    }
    if (lua_isstring(lua, -1) == 0) {
        luaL_error(lua, "reader function must return a string");
    }
    lua_replace(lua, 3); // where it stays as long as it is read
    const char* const piece = lua_tolstring(lua, 3, size);
    LuaLimits::of(lua).work(lua, static_cast<std::int64_t>(*size));
    if (*static_cast<bool*>(isFirst) && isCode(piece, *size)) {
        luaL_error(lua, "unexpected symbol near 'char(27)'");
    }
    *static_cast<bool*>(isFirst) = false;
    return piece;
}

int load(lua_State* lua)
{
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    const char* const name = luaL_optstring(lua, 2, "=(load)");
    lua_settop(lua, 3);
    bool isFirst = true;
    if (lua_load(lua, nextPiece, &isFirst, name) == 0) {
        return 1;
    }
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
}

/// Counts what cjson would write of the value on top, of which it allocates the memory without
/// asking Lua. A table that is in two places is written twice, and a list with a gap as a long one.
void countJson(lua_State* lua, int depth)
{
    LuaLimits& limits = LuaLimits::of(lua);
    limits.work(lua, kJsonPerNumber);
    if (lua_type(lua, -1) == LUA_TSTRING) {
        limits.work(lua, kJsonPerByte * static_cast<std::int64_t>(lua_objlen(lua, -1)));
    }
    if (!lua_istable(lua, -1) || depth > kJsonDepthMax) {
        return; // nested deeper, it is refused
    }
    luaL_checkstack(lua, 3, "too many nested tables");
    for (lua_pushnil(lua); lua_next(lua, -2) != 0;) {
        if (lua_type(lua, -2) == LUA_TSTRING) {
            limits.work(lua, kJsonPerByte * static_cast<std::int64_t>(lua_objlen(lua, -2)));
        } else if (lua_type(lua, -2) == LUA_TNUMBER) {
            const lua_Number key = std::min<lua_Number>(lua_tonumber(lua, -2), LuaLimits::kWorkMax);
            limits.work(lua, kJsonPerNumber + (key > 0 ? std::llround(key) : 0));
        }
        countJson(lua, depth + 1);
        lua_pop(lua, 1);
    }
}

int encodeJson(lua_State* lua)
{
    if (lua_gettop(lua) == 1) {
        countJson(lua, 0);
    }
    return callReplaced(lua);
}

/// Reads JSON or MessagePack. These readers have memory of their own, which an error of Lua's would
/// leak: enough of Lua's memory is reserved first.
int decode(lua_State* lua)
{
    if (lua_type(lua, 1) == LUA_TSTRING) {
        const std::size_t size = lua_objlen(lua, 1);
        LuaLimits& limits = LuaLimits::of(lua);
        if (size > LuaLimits::kMemoryMax / 2 / kMemoryPerJsonByte) {
            limits.stop(lua, LuaLimits::Limit::Memory);
        }
        limits.reserve(lua, size * kMemoryPerJsonByte);
        limits.work(lua, static_cast<std::int64_t>(size));
    }
    return callReplaced(lua);
}

/// Deeper ones would use up the stack.
int setJsonDepth(lua_State* lua)
{
    if (lua_gettop(lua) > 0 && lua_tonumber(lua, 1) > kJsonDepthMax) {
        return luaL_error(lua, "bad argument #1 to '?' (expected integer between 1 and %d)",
                          kJsonDepthMax);
    }
    return callReplaced(lua);
}

/// In the table on top of the stack.
void replace(lua_State* lua, const char* name, lua_CFunction function)
{
    lua_getfield(lua, -1, name);
    const int replaced = lua_gettop(lua);
    int count = 1;
    while (lua_getupvalue(lua, replaced, count) != nullptr) {
        ++count;
    }
    lua_pushvalue(lua, replaced);
    lua_pushcclosure(lua, function, count);
    lua_setfield(lua, replaced - 1, name);
    lua_settop(lua, replaced - 1);
}

void remove(lua_State* lua, const char* name)
{
    lua_pushnil(lua);
    lua_setfield(lua, -2, name);
}

} // namespace

void boundLibraries(lua_State* lua)
{
    lua_pushvalue(lua, LUA_GLOBALSINDEX);
    replace(lua, "collectgarbage", collectGarbage);
    replace(lua, "loadstring", loadString);
    replace(lua, "load", load);
    // A function that the garbage collector calls would run in another script, or after all.
    remove(lua, "newproxy");

    lua_getfield(lua, -1, "string");
    replace(lua, "rep", repeat);
    openPatterns(lua, lua_gettop(lua));
    lua_pop(lua, 1);

    lua_getfield(lua, -1, "table");
    replace(lua, "sort", sort);
    lua_pop(lua, 1);

    lua_getfield(lua, -1, "cjson");
    replace(lua, "encode", encodeJson);
    replace(lua, "decode", decode);
    replace(lua, "encode_max_depth", setJsonDepth);
    replace(lua, "decode_max_depth", setJsonDepth);
    remove(lua, "new"); // it would have all of them as they were
    lua_pop(lua, 1);

    lua_getfield(lua, -1, "cmsgpack");
    replace(lua, "unpack", decode);
    lua_pop(lua, 2);
}

} // namespace lockscope::sim
