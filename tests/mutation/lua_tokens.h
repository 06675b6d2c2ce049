#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::mutation {

/// A word of a Lua script.
struct LuaToken {
    enum class Kind : std::uint8_t { Name, Number, String, Sign };

    Kind kind = Kind::Sign;
    std::string_view text; // of a string with its quotes
    std::size_t begin = 0; // in the script
    int line = 1;

    std::size_t end() const { return begin + text.size(); }
};

/// The words of a script without its comments. Knows the Lua that lock scripts are written in: no
/// long strings and no long comments. The tokens refer to the script.
std::vector<LuaToken> luaTokensOf(std::string_view script);

} // namespace lockscope::mutation
