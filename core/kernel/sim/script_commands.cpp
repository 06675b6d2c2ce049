#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/number_text.h"

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

constexpr std::size_t kDigestLength = 40;

/// As evalGenericCommand() in eval.c.
std::optional<Reply> badKeyCount(const Call& call)
{
    const auto keyCount = parseInteger(call.word(2));
    if (!keyCount) {
        return replies::notAnInteger();
    }
    if (*keyCount > static_cast<std::int64_t>(call.size()) - 3) {
        return replies::error("Number of keys can't be greater than number of args");
    }
    if (*keyCount < 0) {
        return replies::error("Number of keys can't be negative");
    }
    return std::nullopt;
}

Reply unknownScript()
{
    return Reply::ofError("NOSCRIPT No matching script. Please use EVAL.");
}

/// `shownDigest` is how errors call the script.
Reply runScript(Call& call, const CachedScript& script, std::string_view shownDigest)
{
    return call.context.lua.run(ScriptRun{call.database, call.context, script, shownDigest,
                                          call.words,
                                          static_cast<std::size_t>(*parseInteger(call.word(2))),
                                          call.spec.name.ends_with("_ro")});
}

} // namespace

Reply eval(Call& call)
{
    if (std::optional<Reply> error = badKeyCount(call)) {
        return std::move(*error);
    }
    LuaEngine& lua = call.context.lua;
    const std::string_view digest = lua.digestOf(call.word(1));
    const CachedScript* script = call.database.findScript(digest);
    // EVAL leaves the script in the cache: the next EVALSHA finds it.
    if (script == nullptr) {
        if (std::optional<std::string> problem = lua.compile(digest, call.word(1))) {
            return replies::error(*problem);
        }
        script = &call.database.remember(digest, call.word(1));
    }
    return runScript(call, *script, script->digest);
}

Reply evalsha(Call& call)
{
    const Bytes& digest = call.word(1);
    // Before the number of keys is looked at, as in evalShaCommand() (eval.c).
    if (digest.size() != kDigestLength) {
        return unknownScript();
    }
    if (std::optional<Reply> error = badKeyCount(call)) {
        return std::move(*error);
    }
    const CachedScript* script = call.database.findScript(digest); // most write it in lower case
    if (script == nullptr) {
        script = call.database.findScript(lowered(digest));
    }
    return script != nullptr ? runScript(call, *script, digest) : unknownScript();
}

Reply evalRo(Call& call)
{
    return eval(call);
}

Reply evalshaRo(Call& call)
{
    return evalsha(call);
}

Reply scriptLoad(Call& call)
{
    LuaEngine& lua = call.context.lua;
    const Bytes digest(lua.digestOf(call.word(2)));
    if (call.database.findScript(digest) == nullptr) {
        if (std::optional<std::string> problem = lua.compile(digest, call.word(2))) {
            return replies::error(*problem);
        }
        call.database.remember(digest, call.word(2));
    }
    return Reply::ofBulk(digest);
}

Reply scriptExists(Call& call)
{
    Reply::Array known;
    for (std::size_t i = 2; i < call.size(); ++i) {
        const bool isKnown = call.database.findScript(lowered(call.word(i))) != nullptr;
        known.push_back(replies::number(std::int64_t{isKnown}));
    }
    return Reply::ofArray(std::move(known));
}

Reply scriptFlush(Call& call)
{
    const bool isKnown = call.size() == 2
                         || (call.size() == 3
                             && (equalsIgnoringCase(call.word(2), "sync")
                                 || equalsIgnoringCase(call.word(2), "async")));
    if (!isKnown) {
        return replies::error("SCRIPT FLUSH only support SYNC|ASYNC option");
    }
    call.database.forgetScripts();
    return replies::ok();
}

} // namespace lockscope::sim::handlers
