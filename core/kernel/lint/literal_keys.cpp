#include "core/kernel/lint/literal_keys.h"

#include <algorithm>
#include <array>
#include <re2/re2.h>
#include <string>

namespace lockscope::lint {

namespace {

/// What stands behind their name is no key.
constexpr std::array<std::string_view, 10> kKeyless{"publish", "time",   "ping", "echo", "select",
                                                    "info",    "script", "eval", "role", "pubsub"};

bool isKeyless(std::string command)
{
    std::ranges::transform(command, command.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::find(kKeyless, command) != kKeyless.end();
}

} // namespace

/// A key that is not declared is a text, something of ARGV, or an element of KEYS that goes on with
/// "..". Scripts may be of any length, and std::regex goes deeper with every character.
std::optional<int> lineOfUndeclaredKey(std::string_view script)
{
    static const RE2 kCall(R"re(redis\s*\.\s*p?call\s*\(\s*(?:"(\w+)"|'(\w+)')\s*,\s*)re"
                           R"re(((?:["']|ARGV\b|KEYS\s*\[\s*\d+\s*\]\s*\.\.)?))re");
    re2::StringPiece rest(script.data(), script.size());
    std::string inDoubleQuotes;
    std::string inSingleQuotes;
    std::string undeclared;
    while (RE2::FindAndConsume(&rest, kCall, &inDoubleQuotes, &inSingleQuotes, &undeclared)) {
        if (!undeclared.empty() && !isKeyless(inDoubleQuotes + inSingleQuotes)) {
            // The call begins in the line of its name.
            const std::string_view before(script.data(),
                                          static_cast<std::size_t>(rest.data() - script.data()));
            const std::size_t call = before.rfind("redis");
            return static_cast<int>(std::count(before.begin(),
                                               before.begin() + static_cast<std::ptrdiff_t>(call),
                                               '\n'))
                   + 1;
        }
    }
    return std::nullopt;
}

} // namespace lockscope::lint
