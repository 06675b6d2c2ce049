#pragma once

#include <cstdlib>

namespace lockscope::testing {

/// The fuzzer keeps the input of whatever aborts.
inline void check(bool condition)
{
    if (!condition) {
        std::abort();
    }
}

} // namespace lockscope::testing
