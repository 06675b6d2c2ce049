#pragma once

#include "core/kernel/store/command.h"

#include <span>
#include <string_view>

namespace lockscope::mutation {

/// A mistake in a command that clients send without a script.
struct CommandChange {
    std::string_view operation; // docs/mutation.md
    std::string_view verb;      // of the commands that it is about: "SET"
    /// The same command where the mistake is not about it. Otherwise one whose answer reads like
    /// that of the right one.
    store::Command (*change)(store::Command);
};

std::span<const CommandChange> commandChanges();

} // namespace lockscope::mutation
