#include "core/kernel/trace/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockscope::trace {

namespace {

// The first 128 bars are one microsecond wide. Behind them each power of two is cut into 64 bars,
// so a bar is never wider than 1/64 of what it counts, and its middle is within 1 %.
constexpr std::uint64_t kExact = 128;
constexpr std::uint64_t kBarsPerDoubling = 64;
constexpr std::uint64_t kExactBits = 7;

} // namespace

std::size_t Histogram::indexOf(Duration value)
{
    const auto us = static_cast<std::uint64_t>(std::max<Duration::rep>(value.count(), 0));
    if (us < kExact) {
        return us;
    }
    const auto doubling = static_cast<std::uint64_t>(std::bit_width(us)) - 1 - kExactBits;
    const std::uint64_t within = (us >> (doubling + 1)) - kBarsPerDoubling;
    return std::min<std::size_t>(kExact + doubling * kBarsPerDoubling + within, kBarCount - 1);
}

Histogram::Bar Histogram::barAt(std::size_t index) const
{
    if (index < kExact) {
        const auto us = static_cast<Duration::rep>(index);
        return {Duration(us), Duration(us + 1), m_bars[index]};
    }
    const std::size_t doubling = (index - kExact) / kBarsPerDoubling;
    const std::size_t within = (index - kExact) % kBarsPerDoubling;
    const auto from = static_cast<Duration::rep>((kBarsPerDoubling + within) << (doubling + 1));
    const auto width = static_cast<Duration::rep>(std::uint64_t{1} << (doubling + 1));
    return {Duration(from), Duration(from + width), m_bars[index]};
}

void Histogram::add(Duration value, std::uint32_t times)
{
    if (times == 0) {
        return;
    }
    m_bars[indexOf(value)] += times;
    m_count += times;
    m_max = std::max(m_max, value);
}

void Histogram::merge(const Histogram& other)
{
    for (std::size_t i = 0; i < kBarCount; ++i) {
        m_bars[i] += other.m_bars[i];
    }
    m_count += other.m_count;
    m_max = std::max(m_max, other.m_max);
}

Duration Histogram::quantile(double share) const
{
    if (m_count == 0) {
        return Duration(0);
    }
    const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(m_count);
    const auto rank = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(wanted)), 1);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kBarCount; ++i) {
        seen += m_bars[i];
        if (seen >= rank) {
            const Bar bar = barAt(i);
            return std::min(bar.from + (bar.to - bar.from) / 2, m_max);
        }
    }
    return m_max;
}

} // namespace lockscope::trace
