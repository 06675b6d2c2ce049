#include "core/kernel/sim/lua_message_pack.h"

#include "core/kernel/sim/lua_values.h"

#include <nlohmann/json.hpp>

#include <lua.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace lockscope::sim {

namespace {

using nlohmann::json;

/// Builds on the stack what is read. Whatever comes goes into the table below it, if there is one:
/// at the next index of an array, or under the name that was pushed before.
class StackBuilder : public nlohmann::json_sax<json> {
public:
    explicit StackBuilder(lua_State* lua) : m_lua(lua) {}

    bool null() override
    {
        lua_pushnil(m_lua);
        return place();
    }
    bool boolean(bool value) override
    {
        lua_pushboolean(m_lua, value ? 1 : 0);
        return place();
    }
    bool number_integer(json::number_integer_t value) override
    {
        return number(static_cast<lua_Number>(value));
    }
    bool number_unsigned(json::number_unsigned_t value) override
    {
        return number(static_cast<lua_Number>(value));
    }
    bool number_float(json::number_float_t value, const std::string&) override
    {
        return number(value);
    }
    bool string(std::string& value) override
    {
        lua_pushlstring(m_lua, value.data(), value.size());
        return place();
    }
    /// The library in Redis does not know the kind.
    bool binary(json::binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(kNames); }
    bool key(std::string& name) override
    {
        lua_pushlstring(m_lua, name.data(), name.size());
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(0); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const json::exception&) override
    {
        return false;
    }

private:
    static constexpr int kNames = -1;

    bool number(lua_Number value)
    {
        lua_pushnumber(m_lua, value);
        return place();
    }

    bool open(int lastIndex)
    {
        m_lastIndexes.push_back(lastIndex);
        lua_newtable(m_lua);
        constexpr int kPlacesOfALevel = 3; // a table, a name, a value
        return lua_checkstack(m_lua, kPlacesOfALevel) != 0;
    }

    bool close()
    {
        m_lastIndexes.pop_back();
        return place();
    }

    bool place()
    {
        if (m_lastIndexes.empty()) {
            return true;
        }
        if (m_lastIndexes.back() == kNames) {
            lua_rawset(m_lua, -3);
        } else {
            lua_rawseti(m_lua, -2, ++m_lastIndexes.back());
        }
        return true;
    }

    lua_State* m_lua;
    std::vector<int> m_lastIndexes; // of the arrays that are open; kNames: a map
};

/// Pushes each of the values that stand one behind the other. Nothing in here leaves by an error of
/// Lua's: it would jump over destructors.
bool pushAll(lua_State* lua, std::string_view packed)
{
    std::istringstream bytes{std::string(packed)};
    while (bytes.rdbuf()->in_avail() > 0) {
        StackBuilder builder(lua);
        const bool isWhole = lua_checkstack(lua, 2) != 0
                             && json::sax_parse(bytes, &builder, json::input_format_t::msgpack,
                                                false);
        if (!isWhole) {
            return false;
        }
    }
    return true;
}

int unpack(lua_State* lua)
{
    luaL_checkstring(lua, 1);
    const std::string_view packed = stringAt(lua, 1);
    if (!pushAll(lua, packed)) {
        return luaL_error(lua, "Bad data format in input.");
    }
    return lua_gettop(lua) - 1;
}

} // namespace

void openMessagePack(lua_State* lua)
{
    lua_newtable(lua);
    lua_pushcfunction(lua, unpack);
    lua_setfield(lua, -2, "unpack");
    lua_setglobal(lua, "cmsgpack");
}

} // namespace lockscope::sim
