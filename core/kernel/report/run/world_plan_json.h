#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/world/world_plan.h"

#include <optional>
#include <string>

namespace lockscope::report {

/// Everything in the plan, as docs/json/scenario.schema.json has it. Clients are called by their
/// letters, servers and keys by their numbers from 0, durations are texts ("10s"). What is as usual
/// is left out of acts and renewals.
Json worldPlanJson(const world::WorldPlan& plan);

/// Reads it back. What is missing keeps the default of WorldPlan, but there has to be a
/// client. Throws a protocol::FileFault; `path` is where the plan stands in its file.
world::WorldPlan readWorldPlan(const nlohmann::json& json, const std::string& path);

/// What in the plan the protocol cannot do, in one sentence: readers, several servers, permits.
std::optional<std::string> complaintAbout(const world::WorldPlan& plan,
                                          const protocol::ProtocolInfo& info);

} // namespace lockscope::report
