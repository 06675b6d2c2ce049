#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/base/time.h"

#include <algorithm>

namespace lockscope::store {

/// How long to wait before the next attempt to connect: doubling from 100 ms to a second, each time
/// a random point in the upper half of that span, so that many clients do not come back in step.
/// Not longer: an attempt costs next to nothing, and a server that is back is to be seen at once.
class Backoff {
public:
    static constexpr Duration kFirst = std::chrono::milliseconds(100);
    static constexpr Duration kLongest = std::chrono::seconds(1);

    explicit Backoff(Rng rng, Duration longest = kLongest) : m_rng(rng), m_longest(longest) {}

    Duration next()
    {
        ++m_attempt;
        const Duration span = m_span;
        m_span = std::min(m_span * 2, m_longest);
        return m_rng.between(span / 2, span);
    }

    void reset()
    {
        m_attempt = 0;
        m_span = kFirst;
    }

    /// How many times next() was called since the last reset().
    int attempt() const { return m_attempt; }

private:
    Rng m_rng;
    Duration m_longest;
    Duration m_span = kFirst;
    int m_attempt = 0;
};

} // namespace lockscope::store
