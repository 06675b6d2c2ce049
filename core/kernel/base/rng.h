#pragma once

#include "core/kernel/base/time.h"

#include <cstdint>

namespace lockscope {

/// A small seeded generator (xoshiro256**, Blackman and Vigna 2018, seeded by SplitMix64). The same
/// seed gives the same numbers with every compiler and standard library, which library
/// distributions do not. Not for secrets.
class Rng {
public:
    explicit Rng(std::uint64_t seed);

    std::uint64_t next();

    /// Uniform in [0, bound). `bound` of at least 1.
    std::uint64_t below(std::uint64_t bound);

    /// Uniform in [low, high], microsecond steps.
    Duration between(Duration low, Duration high);

    /// Uniform in [0, 1), in steps of 2^-53.
    double fraction();

    /// An independent generator; the next split differs.
    Rng split();

private:
    std::uint64_t m_state[4];
};

} // namespace lockscope
