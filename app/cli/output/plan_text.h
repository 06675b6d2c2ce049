#pragma once

#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/store/endpoint.h"
#include "core/operations/lock_inspector.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::cli {

/// What a release does, for people: its steps, numbered, then the command with its script in lines
/// of its own. Every line begins with `indent`.
std::string planText(const inspect::ReleasePlan& plan, std::string_view indent);

/// What `release --dry-run` prints; each plan for the first of its servers, which have these names.
std::string dryRunText(std::span<const inspect::ReleasePlan> plans,
                       const std::vector<std::string>& serverNames);
report::Json dryRunJson(std::span<const inspect::ReleasePlan> plans,
                        const std::vector<std::string>& serverNames);

/// Names the masters that the plans are sent to in place of replicas, a sentence for each.
std::vector<std::string> mastersText(std::span<const inspect::ReleasePlan> plans,
                                     const std::vector<std::string>& serverNames);
/// The server as JSON has it: with its master, if one of the plans is sent there instead.
report::Json serverJson(std::span<const inspect::ReleasePlan> plans, std::uint16_t server,
                        const std::vector<std::string>& serverNames);

/// Why nothing of what was seen can be released.
std::string unsupportedReason(const operations::InspectedLock& inspected);

/// That the value does not fit the format that the user decided, and which formats it fits. Empty:
/// it fits, or nothing was decided.
std::string misfitSentence(const operations::InspectedLock& inspected);
std::string misfitSentence(const inspect::Treatment& decision,
                           const std::vector<std::string_view>& fitting);

/// Why a key is not released that nothing proves to be a lock, and the call that releases it.
std::string unprovenSentence(const inspect::ReleasePlan& plan,
                             const std::vector<store::Endpoint>& endpoints);

} // namespace lockscope::cli
