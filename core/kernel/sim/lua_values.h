#pragma once

#include "core/kernel/store/reply.h"

#include <string_view>

struct lua_State;

namespace lockscope::sim {

/// What a command answered, as Lua sees it: nil is false, a status {ok = …}, an error {err = …}.
/// Pushes one value.
void pushReply(lua_State* lua, const store::Reply& reply);

/// Pushes {err = …}. `text` begins with the kind of error behind a dash ("-WRONGTYPE …"), or is of
/// the kind ERR.
void pushError(lua_State* lua, std::string_view text);

/// What a script returned, as Redis answers it: numbers lose their fraction, nil and false are nil,
/// tables end at their first nil. Takes the value off the stack.
store::Reply popReply(lua_State* lua);

/// The beginning of an error of a script. A server sends all of it, but clients look at its first
/// words alone, and a search keeps it for each of its runs.
std::string_view shortError(std::string_view text);

/// The string at the place on the stack; empty when there is none.
std::string_view stringAt(lua_State* lua, int index);

} // namespace lockscope::sim
