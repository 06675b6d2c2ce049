#pragma once

#include "async/task.h"
#include "base/clock.h"
#include "inspect/decoder.h"
#include "inspect/observation.h"
#include "inspect/release_plan.h"
#include "store/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// One lock of one server, read closely.
struct Examination {
    Sighting sighting;
    std::vector<Reading> readings; // best first; empty: nothing is there, or nobody recognises it
    /// When each key of the sighting runs out, by the server's clock; nullopt: never. Taken
    /// together with the values: no other hold came in between, unless it ends in the same
    /// millisecond.
    std::vector<std::optional<std::int64_t>> expiresAtMs;

    /// The lock as the best reading has it; null without one.
    LockPtr record() const;
};

/// Reads what is under a name: the key itself, or the keys of the pair that the name stands for.
async::Task<std::variant<Examination, store::Problem>> examine(store::Store& store, Clock& clock,
                                                               std::uint16_t server, Bytes name);

/// The plan for releasing (or capping) what was examined; nullopt when there is nothing to release
/// or the format cannot be released safely.
std::optional<ReleasePlan> planFor(const Examination& examination, ReleaseAction action,
                                   Duration cap = Duration(0));

} // namespace lockscope::inspect
