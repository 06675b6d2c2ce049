#pragma once

#include "core/kernel/store/reply.h"

#include <string>

namespace lockscope::testing {

/// A reply on one line: 5, "bulk", +status, -ERR error, nil, [1, [2], nil].
std::string replyText(const store::Reply& reply);

} // namespace lockscope::testing
