#pragma once

#include "core/kernel/store/problem.h"

namespace lockscope::inspect {

// Why not everything that a server has is taken note of; see store/limits.h.

store::Problem tooManyLocks();
store::Problem tooManyClients();
/// Of keys of which nothing is known for that.
store::Problem namesTooLong();

} // namespace lockscope::inspect
