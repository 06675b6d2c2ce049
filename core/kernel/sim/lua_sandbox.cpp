#include "core/kernel/sim/lua_sandbox.h"

#include "core/kernel/sim/lua_bounds.h"
#include "core/kernel/sim/lua_message_pack.h"

#include <lua.hpp>

extern "C" {
#include <lua-cjson.h>
}

#include <cstring>
#include <initializer_list>

namespace lockscope::sim {

namespace {

// Every function here runs under Lua, which leaves it by longjmp() on an error: none of them has an
// object with a destructor.

constexpr const char* kReadOnly = "Attempt to modify a readonly table";

/// A field of the metatables that protect; scripts cannot read them.
constexpr const char* kSealedMark = "__sealed";

int refuseWrite(lua_State* lua)
{
    return luaL_error(lua, kReadOnly);
}

/// The same from inside a function of C, which has no line to show.
int refuseWriteOfC(lua_State* lua)
{
    lua_pushstring(lua, kReadOnly);
    return lua_error(lua);
}

int refuseUnknownGlobal(lua_State* lua)
{
    if (lua_isstring(lua, 2) == 0) {
        return luaL_error(lua, "Second argument to luaProtectedTableError must be a string or "
                               "number");
    }
    return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'",
                      lua_tostring(lua, 2));
}

bool isSealed(lua_State* lua, int index)
{
    if (lua_getmetatable(lua, index) == 0) {
        return false;
    }
    lua_pushstring(lua, kSealedMark);
    lua_rawget(lua, -2);
    const bool isMarked = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 2);
    return isMarked;
}

int rawSet(lua_State* lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    luaL_checkany(lua, 2);
    luaL_checkany(lua, 3);
    if (isSealed(lua, 1)) {
        return refuseWriteOfC(lua);
    }
    lua_settop(lua, 3);
    lua_rawset(lua, 1);
    return 1;
}

/// Stands before Lua's own, which is the upvalue.
int setMetatable(lua_State* lua)
{
    if (lua_istable(lua, 1) && isSealed(lua, 1)) {
        return refuseWriteOfC(lua);
    }
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 1);
    return 1;
}

/// pcall() hands a script the text of an error, not the table that carries it, as scripts written
/// before Redis 7 expect it (luaRedisPcall() in script_lua.c).
int protectedCall(lua_State* lua)
{
    luaL_checkany(lua, 1);
    const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
    if (status != 0 && lua_istable(lua, -1)) {
        lua_getfield(lua, -1, "err");
        if (lua_isstring(lua, -1) != 0) {
            lua_replace(lua, -2);
        } else {
            lua_pop(lua, 1);
        }
    }
    lua_pushboolean(lua, status == 0 ? 1 : 0);
    lua_insert(lua, 1);
    return lua_gettop(lua);
}

/// Pushes the text of an error that is no table.
void pushErrorText(lua_State* lua, int index)
{
    lua_pushliteral(lua, "ERR ");
    if (lua_isstring(lua, index) != 0) {
        lua_pushvalue(lua, index);
    } else if (lua_isboolean(lua, index)) {
        lua_pushstring(lua, lua_toboolean(lua, index) != 0 ? "true" : "false");
    } else {
        lua_pushstring(lua, luaL_typename(lua, index));
    }
    lua_concat(lua, 2);
}

/// Where the error came from: the function that raised it, or its caller when it is one of C.
bool findOrigin(lua_State* lua, lua_Debug& info)
{
    for (int level = 1; level <= 2; ++level) {
        if (lua_getstack(lua, level, &info) == 0) {
            return false;
        }
        lua_getinfo(lua, "nSl", &info);
        if (std::strcmp(info.what, "C") != 0) {
            return true;
        }
    }
    return true;
}

/// Makes a table of every error, which knows where it was raised.
int handleError(lua_State* lua)
{
    if (!lua_istable(lua, 1)) {
        lua_createtable(lua, 0, 3);
        pushErrorText(lua, 1);
        lua_setfield(lua, -2, "err");
        lua_replace(lua, 1);
    }
    lua_Debug info;
    if (findOrigin(lua, info)) {
        lua_pushstring(lua, info.source);
        lua_setfield(lua, 1, "source");
        lua_pushinteger(lua, info.currentline);
        lua_setfield(lua, 1, "line");
    }
    lua_settop(lua, 1);
    return 1;
}

void openLibrary(lua_State* lua, const char* name, lua_CFunction open)
{
    lua_pushcfunction(lua, open);
    lua_pushstring(lua, name);
    lua_call(lua, 1, 0);
}

void removeGlobal(lua_State* lua, const char* name)
{
    lua_pushnil(lua);
    lua_setglobal(lua, name);
}

/// Replaces the table on top by an empty one through which it can be read, but not written. The
/// Lua of Redis can mark a table read-only (lua_enablereadonlytable), plain Lua 5.1 cannot. With
/// rawset() and setmetatable() a script could get past the empty table, so both are replaced above.
void sealTop(lua_State* lua)
{
    lua_newtable(lua);
    lua_createtable(lua, 0, 4);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, refuseWrite);
    lua_setfield(lua, -2, "__newindex");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, kSealedMark);
    lua_setmetatable(lua, -2);
    lua_remove(lua, -2);
}

void sealLibrary(lua_State* lua, const char* name)
{
    lua_getfield(lua, LuaPlaces::kGlobals, name);
    sealTop(lua);
    lua_setfield(lua, LuaPlaces::kGlobals, name);
}

/// The methods of strings must not lead to a library that can be written.
void sealStringMethods(lua_State* lua)
{
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_getfield(lua, LuaPlaces::kGlobals, "string");
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 2);
}

} // namespace

void openSandbox(lua_State* lua)
{
    openLibrary(lua, "", luaopen_base);
    openLibrary(lua, LUA_TABLIBNAME, luaopen_table);
    openLibrary(lua, LUA_STRLIBNAME, luaopen_string);
    openLibrary(lua, LUA_MATHLIBNAME, luaopen_math);
    lua_pushcfunction(lua, luaopen_cjson);
    lua_call(lua, 0, 1);
    lua_setglobal(lua, "cjson");
    openMessagePack(lua);
    boundLibraries(lua);
    // The deny_list of script_lua.c.
    for (const char* const name : {"dofile", "loadfile", "print"}) {
        removeGlobal(lua, name);
    }
    lua_register(lua, "pcall", protectedCall);
    lua_register(lua, "rawset", rawSet);
    lua_getglobal(lua, "setmetatable");
    lua_pushcclosure(lua, setMetatable, 1);
    lua_setglobal(lua, "setmetatable");
    lua_settop(lua, 0);
    lua_pushcfunction(lua, handleError);
    lua_pushvalue(lua, LUA_GLOBALSINDEX);
}

void sealSandbox(lua_State* lua)
{
    lua_settop(lua, LuaPlaces::kGlobals);
    for (const char* const name :
         {"string", "table", "math", "coroutine", "cjson", "cmsgpack", "redis"}) {
        sealLibrary(lua, name);
    }
    sealStringMethods(lua);
    lua_createtable(lua, 0, 1);
    lua_pushcfunction(lua, refuseUnknownGlobal);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, LuaPlaces::kGlobals);

    lua_pushvalue(lua, LuaPlaces::kGlobals);
    sealTop(lua); // now at kEnvironment
    lua_pushvalue(lua, LuaPlaces::kEnvironment);
    lua_setfield(lua, LuaPlaces::kGlobals, "_G");
    lua_pushvalue(lua, LuaPlaces::kEnvironment);
    lua_replace(lua, LUA_GLOBALSINDEX);
}

} // namespace lockscope::sim
