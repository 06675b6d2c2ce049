#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/sim/sim_database.h"

#include <chrono>
#include <cmath>

namespace lockscope::world {

/// The clock of a simulated server: what it shows in the instants of the world.
struct ServerClock {
    /// What every server shows in the beginning: the first second of 2025.
    static constexpr sim::ServerTime kEpoch{std::chrono::seconds(1'735'689'600)};

    Duration offset{0}; // by which it jumped
    double rate = 1;    // seconds that it shows per second, greater than 0

    sim::ServerTime at(Instant now) const
    {
        const Duration passed = now.time_since_epoch();
        const Duration shown = rate == 1 ? passed : scaled(passed, rate);
        return kEpoch + shown + offset;
    }

    /// The first instant at which it shows this, or later.
    Instant whenItShows(sim::ServerTime then) const
    {
        const Duration shown = then - kEpoch - offset;
        if (rate == 1) {
            return Instant(shown);
        }
        // It has to be exact: one tick earlier nothing would be due yet, and the step that goes on
        // to this instant would lead nowhere.
        Instant instant(scaled(shown, 1 / rate));
        while (at(instant) < then) { // rounding may be off by one either way
            instant += Duration(1);
        }
        while (at(instant - Duration(1)) >= then) {
            instant -= Duration(1);
        }
        return instant;
    }

    friend bool operator==(const ServerClock&, const ServerClock&) = default;

private:
    static Duration scaled(Duration span, double factor)
    {
        return Duration(static_cast<Duration::rep>(std::floor(static_cast<double>(span.count())
                                                              * factor)));
    }
};

} // namespace lockscope::world
