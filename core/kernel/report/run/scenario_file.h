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
};

/// {"protocol": …, "plan": {…}}, see docs/json/scenario.schema.json.
std::variant<ScenarioFile, protocol::FileError> readScenario(std::string_view text);

/// The text of the file: what readScenario() reads back as the same. Planted scripts of the plan
/// are not saved.
std::string scenarioText(const ScenarioFile& scenario);

} // namespace lockscope::report
