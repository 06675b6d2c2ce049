#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

namespace lockscope::testing {

/// What may differ between the answers of two servers that do the same: how much time is left, and
/// the order of what has none.
struct Allowance {
    bool forTime = false;
    bool forOrder = false;

    /// For the answer to the command. What EXEC and EVALSHA answer may be anything.
    static Allowance of(const store::Command& command);
};

bool agree(const store::Reply& a, const store::Reply& b, Allowance allowance);

} // namespace lockscope::testing
