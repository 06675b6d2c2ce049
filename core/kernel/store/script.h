#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"
#include "core/kernel/store/reply.h"
#include "core/kernel/store/store.h"

#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::store {

/// A Lua script that the server runs as one step. The texts live in .lua files and are embedded by
/// the build, together with their digests.
struct Script {
    std::string_view name; // of its file, without the ending
    std::string_view text;
    std::string_view digest; // SHA1 of the text, lower-case hexadecimal: what EVALSHA wants. Empty
                             // for a script that the build did not know: it runs by EVAL
};

/// Keys or arguments of a script: words of text or whole numbers.
template<class... Words>
std::vector<Bytes> wordsOf(Words&&... words)
{
    return std::move(Command(std::forward<Words>(words)...).words);
}

/// NOSCRIPT: the server does not know the digest that it was sent.
bool isUnknownScript(const Reply& reply);

/// Runs the script by its digest, and by its text when the server does not know it (any more):
/// EVALSHA, and EVAL after NOSCRIPT, which also teaches it to the server. NOSCRIPT means that
/// nothing was done, so the second command repeats nothing.
async::Task<Outcome> runScript(Store& store, Script script, std::vector<Bytes> keys,
                               std::vector<Bytes> arguments);

} // namespace lockscope::store
