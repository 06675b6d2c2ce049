#include "core/kernel/sim/lua_values.h"

#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <lua.hpp>
#include <string>
#include <variant>

namespace lockscope::sim {

using store::Reply;

namespace {

void pushString(lua_State* lua, std::string_view text)
{
    lua_pushlstring(lua, text.data(), text.size());
}

void pushField(lua_State* lua, const char* field, std::string_view text)
{
    lua_createtable(lua, 0, 1);
    pushString(lua, text);
    lua_setfield(lua, -2, field);
}

std::string_view trimmed(std::string_view text)
{
    while (text.starts_with('\r') || text.starts_with('\n')) {
        text.remove_prefix(1);
    }
    while (text.ends_with('\r') || text.ends_with('\n')) {
        text.remove_suffix(1);
    }
    return text;
}

std::string onOneLine(std::string_view text)
{
    std::string line(text);
    std::ranges::replace(line, '\r', ' ');
    std::ranges::replace(line, '\n', ' ');
    return line;
}

/// How x86-64 cuts a number to 64 bits, which is what scripts on real servers see.
std::int64_t truncated(double number)
{
    constexpr double kLimit = 9223372036854775808.0; // 2^63
    if (!(number >= -kLimit && number < kLimit)) {
        return std::numeric_limits<std::int64_t>::min();
    }
    return static_cast<std::int64_t>(number);
}

/// Up to the first nil, as Redis has it (redis.io, "Redis Lua API reference").
Reply::Array popArray(lua_State* lua)
{
    Reply::Array items;
    for (int i = 1;; ++i) {
        lua_rawgeti(lua, -1, i);
        if (lua_isnil(lua, -1)) {
            lua_pop(lua, 1);
            return items;
        }
        items.push_back(popReply(lua));
    }
}

/// Pushes a field of the table on top without asking its metatable.
int rawField(lua_State* lua, const char* field)
{
    lua_pushstring(lua, field);
    lua_rawget(lua, -2);
    return lua_type(lua, -1);
}

/// A table that stands for an error, a status or a number with a fraction.
std::optional<Reply> specialReply(lua_State* lua)
{
    std::optional<Reply> reply;
    if (rawField(lua, "err") == LUA_TSTRING) {
        reply = Reply::ofError(onOneLine(trimmed(shortError(stringAt(lua, -1)))));
    }
    lua_pop(lua, 1);
    if (!reply && rawField(lua, "ok") == LUA_TSTRING) {
        reply = Reply::ofStatus(onOneLine(stringAt(lua, -1)));
        lua_pop(lua, 1);
    } else if (!reply) {
        lua_pop(lua, 1);
        if (rawField(lua, "double") == LUA_TNUMBER) {
            reply = Reply::ofBulk(formatScore(lua_tonumber(lua, -1)));
        }
        lua_pop(lua, 1);
    }
    return reply;
}

Reply tableReply(lua_State* lua)
{
    if (std::optional<Reply> special = specialReply(lua)) {
        return std::move(*special);
    }
    return Reply::ofArray(popArray(lua));
}

/// Pushes a reply, by its kind.
struct Pusher {
    lua_State* lua;

    void operator()(const store::Nil&) const { lua_pushboolean(lua, 0); }
    void operator()(std::int64_t number) const
    {
        lua_pushnumber(lua, static_cast<lua_Number>(number));
    }
    void operator()(const Bytes& bytes) const { pushString(lua, bytes); }
    void operator()(const store::Status& status) const { pushField(lua, "ok", status.text); }
    void operator()(const store::ServerError& error) const
    {
        pushField(lua, "err", error.text);
        lua_pushboolean(lua, 1);
        lua_setfield(lua, -2, "ignore_error_stats_update");
    }
    void operator()(const store::Oversized& string) const
    {
        pushString(lua, string.beginning); // of the wire alone: no simulated server says this
    }
    void operator()(const Reply::Array& items) const
    {
        lua_createtable(lua, static_cast<int>(items.size()), 0);
        int index = 0;
        for (const Reply& item : items) {
            pushReply(lua, item);
            lua_rawseti(lua, -2, ++index);
        }
    }
};

} // namespace

void pushReply(lua_State* lua, const Reply& reply)
{
    // Replies of commands are at most a few levels deep.
    luaL_checkstack(lua, 4, "too many results");
    std::visit(Pusher{lua}, reply.value());
}

void pushError(lua_State* lua, std::string_view text)
{
    std::string_view kind = "ERR";
    if (text.starts_with('-')) {
        text.remove_prefix(1);
        const std::size_t space = text.find(' ');
        if (space != std::string_view::npos) {
            kind = text.substr(0, space);
            text.remove_prefix(space + 1);
        }
    }
    text = trimmed(text);
    lua_createtable(lua, 0, 3); // source and line come when it is raised
    pushString(lua, kind);
    lua_pushliteral(lua, " ");
    pushString(lua, text);
    lua_concat(lua, 3);
    lua_setfield(lua, -2, "err");
}

Reply popReply(lua_State* lua)
{
    if (lua_checkstack(lua, 4) == 0) {
        lua_pop(lua, 1);
        return Reply::ofError("ERR reached lua stack limit");
    }
    Reply reply;
    switch (lua_type(lua, -1)) {
    case LUA_TSTRING: reply = Reply::ofBulk(Bytes(stringAt(lua, -1))); break;
    case LUA_TBOOLEAN:
        if (lua_toboolean(lua, -1) != 0) {
            reply = Reply::ofInteger(1);
        }
        break;
    case LUA_TNUMBER: reply = Reply::ofInteger(truncated(lua_tonumber(lua, -1))); break;
    case LUA_TTABLE: reply = tableReply(lua); break;
    default: break;
    }
    lua_pop(lua, 1);
    return reply;
}

std::string_view shortError(std::string_view text)
{
    constexpr std::size_t kErrorMax = 4'096;
    return text.substr(0, kErrorMax);
}

std::string_view stringAt(lua_State* lua, int index)
{
    std::size_t length = 0;
    const char* const text = lua_tolstring(lua, index, &length);
    return text != nullptr ? std::string_view(text, length) : std::string_view();
}

} // namespace lockscope::sim
