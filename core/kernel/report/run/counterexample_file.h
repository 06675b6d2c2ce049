#pragma once

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/world/world_plan.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::report {

/// The same plan and steps lead to the same world as long as this stays. Raised by every change of
/// protocols, simulated servers or worlds after which a saved run may go another way.
inline constexpr int kEngineRevision = 2;

/// A run in which a promise broke, with everything that it takes to run it again.
struct CounterexampleFile {
    SavedProtocol protocol;
    world::WorldPlan plan;
    std::vector<world::Step> steps;
    protocol::Promise promise = protocol::Promise::MutualExclusion;
    world::ViolationKind kind = world::ViolationKind::DoubleGrant;
    std::string summary;      // one sentence, for a reader who opens the file
    std::uint64_t digest = 0; // of the state in the end, see search::ReplayedRun
    int engineRevision = kEngineRevision;
};

/// JSON, see docs/json/counterexample.schema.json.
std::string counterexampleText(const CounterexampleFile& example);

/// Also of other engine revisions: the code that replays it checks the number.
std::variant<CounterexampleFile, protocol::FileError> readCounterexample(std::string_view text);

/// "0123456789abcdef"
std::string digestText(std::uint64_t digest);

} // namespace lockscope::report
