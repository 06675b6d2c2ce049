#include "core/kernel/lint/literal_keys.h"

#include <algorithm>
#include <array>
#include <regex>
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

/// A text, something of ARGV, or an element of KEYS that goes on with "..".
bool isUndeclared(const std::string& key)
{
    static const std::regex kUndeclared(R"re(^(["']|ARGV\b|KEYS\s*\[\s*\d+\s*\]\s*\.\.))re");
    return std::regex_search(key, kUndeclared);
}

} // namespace

std::optional<int> lineOfUndeclaredKey(std::string_view script)
{
    static const std::regex kCall(R"re(redis\s*\.\s*p?call\s*\(\s*(["'])(\w+)\1\s*,\s*([^,)]*))re");
    const std::string text(script);
    for (auto call = std::sregex_iterator(text.begin(), text.end(), kCall);
         call != std::sregex_iterator(); ++call) {
        if (!isKeyless((*call)[2]) && isUndeclared((*call)[3])) {
            return static_cast<int>(std::count(text.begin(), text.begin() + call->position(), '\n'))
                   + 1;
        }
    }
    return std::nullopt;
}

} // namespace lockscope::lint
