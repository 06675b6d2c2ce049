#pragma once

#include "core/kernel/base/boxed.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/store/reply.h"

#include <variant>

namespace lockscope::store {

/// The command was never sent, so it was certainly not applied.
struct Unreachable {
    Boxed<Problem> problem = Problem{};
    friend bool operator==(const Unreachable&, const Unreachable&) = default;
};

/// The command was sent and no answer came: it may or may not have been applied.
struct Unknown {
    Boxed<Problem> problem = Problem{};
    friend bool operator==(const Unknown&, const Unknown&) = default;
};

/// What became of a command. A Reply may itself be a ServerError; the three cases are never merged.
/// Small, because the frames of coroutines are full of them: a problem has a place of its own.
using Outcome = std::variant<Reply, Unreachable, Unknown>;

inline const Reply* replyOf(const Outcome& outcome)
{
    return std::get_if<Reply>(&outcome);
}

/// What kept the outcome from being a useful reply: the link's problem or the server's error,
/// classified. nullopt for a reply that is no error.
std::optional<Problem> problemOf(const Outcome& outcome);

} // namespace lockscope::store
