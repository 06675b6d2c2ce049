#pragma once

#include "core/kernel/protocol/json_file.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/kernel/world/world_plan.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lockscope::report {

/// Who does what with which lock, and what may go wrong meanwhile.
struct ScenarioFile {
    SavedProtocol protocol; // without one: the file leaves it to the call
    world::WorldPlan plan;
    bool hasRenewal = true; // the plan says how holds are renewed, or that they are not

    /// The plan for this protocol, which renews as it does by default where the plan says nothing:
    /// in the proportion to the shortest lease that is renewed.
    world::WorldPlan planFor(const protocol::ProtocolInfo& info) const;
};

/// What the names of files end with whose format is to be known without a look at what is in them.
inline constexpr std::string_view kScenarioEnding = ".scenario.json";

/// Whether the text is JSON with a plan, and none of the other files that have one. Not whether
/// readScenario() finds it sound.
bool isScenario(std::string_view text);

/// {"protocol": …, "plan": {…}}, see docs/json/scenario.schema.json.
std::variant<ScenarioFile, protocol::FileError> readScenario(std::string_view text);

/// The text of the file: what readScenario() reads back as the same. Planted scripts of the plan
/// are not saved.
std::string scenarioText(const ScenarioFile& scenario);

} // namespace lockscope::report
