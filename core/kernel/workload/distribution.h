#pragma once

#include "core/kernel/base/rng.h"
#include "core/kernel/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockscope::workload {

/// How long something takes, drawn anew each time.
struct Distribution {
    enum class Kind : std::uint8_t {
        Constant,    // always `low`
        Uniform,     // between `low` and `high`
        Exponential, // with the mean `low`; at most ten times that
    };

    Kind kind = Kind::Constant;
    Duration low{0};
    Duration high{0};

    static Distribution constant(Duration value) { return {Kind::Constant, value, value}; }
    static Distribution uniform(Duration low, Duration high) { return {Kind::Uniform, low, high}; }
    static Distribution exponential(Duration mean) { return {Kind::Exponential, mean, mean}; }

    Duration draw(Rng& rng) const;
    /// The longest that can be drawn.
    Duration longest() const;

    friend bool operator==(const Distribution&, const Distribution&) = default;
};

/// "10ms" constant, "5ms..20ms" uniform, "~20ms" exponential with that mean. nullopt for anything
/// else.
std::optional<Distribution> parseDistribution(std::string_view text);

/// The inverse of parseDistribution().
std::string toText(const Distribution& distribution);

} // namespace lockscope::workload
