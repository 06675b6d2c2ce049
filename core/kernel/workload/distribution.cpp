#include "core/kernel/workload/distribution.h"

#include "core/kernel/base/duration_text.h"

#include <algorithm>
#include <cmath>

namespace lockscope::workload {

namespace {

constexpr int kExponentialMax = 10; // times the mean
constexpr std::string_view kRange = "..";

} // namespace

Duration Distribution::draw(Rng& rng) const
{
    switch (kind) {
    case Kind::Constant: return low;
    case Kind::Uniform: return rng.between(low, high);
    case Kind::Exponential: break;
    }
    // 1 - fraction() is never 0, so the logarithm is finite.
    const double factor = std::min(-std::log(1.0 - rng.fraction()),
                                   static_cast<double>(kExponentialMax));
    return Duration(static_cast<Duration::rep>(static_cast<double>(low.count()) * factor));
}

Duration Distribution::longest() const
{
    return kind == Kind::Exponential ? kExponentialMax * low : high;
}

std::optional<Distribution> parseDistribution(std::string_view text)
{
    if (text.starts_with('~')) {
        const auto mean = parseDuration(text.substr(1));
        return mean ? std::optional(Distribution::exponential(*mean)) : std::nullopt;
    }
    if (const std::size_t range = text.find(kRange); range != std::string_view::npos) {
        const auto low = parseDuration(text.substr(0, range));
        const auto high = parseDuration(text.substr(range + kRange.size()));
        return low && high && *low <= *high ? std::optional(Distribution::uniform(*low, *high))
                                            : std::nullopt;
    }
    const auto value = parseDuration(text);
    return value ? std::optional(Distribution::constant(*value)) : std::nullopt;
}

std::string toText(const Distribution& distribution)
{
    switch (distribution.kind) {
    case Distribution::Kind::Constant: return durationWord(distribution.low);
    case Distribution::Kind::Uniform:
        return durationWord(distribution.low)
            .append(kRange)
            .append(durationWord(distribution.high));
    case Distribution::Kind::Exponential: return "~" + durationWord(distribution.low);
    }
    return {};
}

} // namespace lockscope::workload
