#include "core/kernel/base/rng.h"

#include <bit>
#include <cassert>

namespace lockscope {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): spreads any seed, also 0, over the whole state.
std::uint64_t splitMix(std::uint64_t& state)
{
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

} // namespace

Rng::Rng(std::uint64_t seed)
{
    for (std::uint64_t& word : m_state) {
        word = splitMix(seed);
    }
}

std::uint64_t Rng::next()
{
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t shifted = m_state[1] << 17U;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= shifted;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

std::uint64_t Rng::below(std::uint64_t bound)
{
    assert(bound >= 1);
    // 2^64 is rarely a multiple of the bound: the numbers below the remainder would make some
    // results likelier than others, so they are drawn again.
    const std::uint64_t remainder = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < remainder) {
        drawn = next();
    }
    return drawn % bound;
}

Duration Rng::between(Duration low, Duration high)
{
    assert(low <= high);
    // Unsigned arithmetic wraps where the distance of two extreme durations would overflow.
    const std::uint64_t span = static_cast<std::uint64_t>(high.count())
                               - static_cast<std::uint64_t>(low.count());
    const std::uint64_t offset = span + 1 == 0 ? next() : below(span + 1);
    return Duration(static_cast<Duration::rep>(static_cast<std::uint64_t>(low.count()) + offset));
}

double Rng::fraction()
{
    constexpr double kStep = 1.0 / 9007199254740992.0; // 2^-53
    return static_cast<double>(next() >> 11) * kStep;
}

Rng Rng::split()
{
    return Rng(next());
}

} // namespace lockscope
