#include "core/kernel/store/script.h"

#include <utility>

namespace lockscope::store {

namespace {

Command commandFor(std::string_view verb, std::string_view scriptWord,
                   const std::vector<Bytes>& keys, const std::vector<Bytes>& arguments)
{
    Command command;
    command.words.reserve(3 + keys.size() + arguments.size());
    command.append(verb);
    command.append(scriptWord);
    command.append(keys.size());
    command.words.insert(command.words.end(), keys.begin(), keys.end());
    command.words.insert(command.words.end(), arguments.begin(), arguments.end());
    return command;
}

bool isNotKnownThere(const Outcome& outcome)
{
    const Reply* const reply = replyOf(outcome);
    return reply != nullptr && isUnknownScript(*reply);
}

} // namespace

bool isUnknownScript(const Reply& reply)
{
    return reply.isError() && reply.error()->code() == "NOSCRIPT";
}

async::Task<Outcome> runScript(Store& store, Script script, std::vector<Bytes> keys,
                               std::vector<Bytes> arguments)
{
    if (script.digest.empty()) {
        co_return co_await store.submit(commandFor("EVAL", script.text, keys, arguments));
    }
    Outcome outcome = co_await store.submit(commandFor("EVALSHA", script.digest, keys, arguments));
    if (isNotKnownThere(outcome)) {
        outcome = co_await store.submit(commandFor("EVAL", script.text, keys, arguments));
    }
    co_return outcome;
}

} // namespace lockscope::store
