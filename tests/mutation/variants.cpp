#include "tests/mutation/variants.h"

#include "tests/mutation/lua_tokens.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace lockscope::mutation {

namespace {

constexpr std::string_view kSuffix = ":v2";
constexpr std::string_view kCompanion = "redis.call('incr', KEYS[1] .. ':seen')\n";

/// With all places of KEYS[n] or ARGV[n] put between `before` and `after`.
std::string wrapped(std::string_view script, std::string_view table, std::string_view index,
                    std::string_view before, std::string_view after)
{
    const std::vector<LuaToken> tokens = luaTokensOf(script);
    std::string text;
    std::size_t done = 0;
    for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
        if (tokens[i].text == table && (index.empty() || tokens[i + 2].text == index)) {
            const std::size_t end = tokens[i + 3].end();
            text += script.substr(done, tokens[i].begin - done);
            text += before;
            text += script.substr(tokens[i].begin, end - tokens[i].begin);
            text += after;
            done = end;
        }
    }
    text += script.substr(done);
    return text;
}

store::Command withOtherKey(store::Command command)
{
    constexpr std::array<std::string_view, 9> kOfOneKey{"SET",    "SETNX",  "GET",  "GETSET", "DEL",
                                                        "EXPIRE", "EXISTS", "HDEL", "PEXPIRE"};
    if (std::ranges::find(kOfOneKey, command.words.front()) != kOfOneKey.end()) {
        command.words[1] += kSuffix;
    }
    return command;
}

using Rewrite = std::function<std::string(std::string_view)>;

Mutant variant(const Subject& subject, const char* what, const Rewrite& rewrite)
{
    Mutant same{subject.id() + ": " + what, "", subject.protocol, {}, nullptr};
    for (const UsedScript& script : subject.scripts) {
        same.scripts.emplace_back(script.digest, rewrite(script.text));
    }
    return same;
}

/// Names of further keys are made of the names that it is given: they would not fit together.
bool areKeysPutTogether(const Subject& subject)
{
    return subject.id() == "redisson-read-write";
}

/// Protocols of which each script has the owner in its first argument, and no command goes without
/// a script.
bool areAllScriptsTheOwners(const Subject& subject)
{
    constexpr std::array<std::string_view, 5> kIds{"reentrant-hash", "lua-token-heartbeat",
                                                   "fenced-token", "semaphore", "counted-lock"};
    return std::ranges::find(kIds, subject.id()) != kIds.end();
}

} // namespace

std::vector<Mutant> variantsOf(const Subject& subject)
{
    std::vector<Mutant> variants;
    if (!areKeysPutTogether(subject)) {
        Mutant renamed = variant(subject, "other keys", [](std::string_view script) {
            return wrapped(script, "KEYS", "", "(", " .. '" + std::string(kSuffix) + "')");
        });
        renamed.commandChange = withOtherKey;
        variants.push_back(std::move(renamed));
    }
    if (!subject.scripts.empty()) {
        variants.push_back(variant(subject, "a key beside the lock", [](std::string_view script) {
            return std::string(kCompanion) + std::string(script);
        }));
    }
    if (areAllScriptsTheOwners(subject)) {
        variants.push_back(variant(subject, "owners with a prefix", [](std::string_view script) {
            return wrapped(script, "ARGV", "1", "('v1 ' .. ", ")");
        }));
    }
    return variants;
}

} // namespace lockscope::mutation
