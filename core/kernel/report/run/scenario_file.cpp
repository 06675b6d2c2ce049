#include "core/kernel/report/run/scenario_file.h"

#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/plan_members.h"
#include "core/kernel/report/run/world_plan_json.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::report {

using protocol::FileError;
using protocol::FileSection;

namespace {

/// nullopt: no hold of the plan is renewed.
std::optional<Duration> shortestRenewedLease(const world::WorldPlan& plan)
{
    std::optional<Duration> shortest;
    for (const world::ClientPlan& client : plan.clients) {
        for (const world::Act& act : client.acts) {
            if (act.kind == world::Act::Kind::Acquire && act.isRenewed) {
                shortest = std::min(shortest.value_or(act.span), act.span);
            }
        }
    }
    return shortest;
}

} // namespace

world::WorldPlan ScenarioFile::planFor(const protocol::ProtocolInfo& info) const
{
    world::WorldPlan complete = plan;
    if (const auto lease = shortestRenewedLease(plan); lease && !hasRenewal) {
        complete.renewal = info.defaults.renewalFor(*lease);
        // As long as files can say it without a fraction; not so short that it would mean never.
        const auto period = std::chrono::floor<std::chrono::milliseconds>(complete.renewal.period);
        const bool isShort = complete.renewal.isOn() && period == period.zero();
        complete.renewal.period = isShort ? std::chrono::milliseconds(1) : period;
    }
    return complete;
}

bool isScenario(std::string_view text)
{
    bool isPlan = false;
    const auto error = protocol::readJsonFile(text, [&isPlan](const nlohmann::json& root) {
        isPlan = root.is_object() && root.contains("plan") && !root.contains("format");
    });
    return !error && isPlan;
}

std::variant<ScenarioFile, FileError> readScenario(std::string_view text)
{
    ScenarioFile scenario;
    auto error = protocol::readJsonFile(text, [&scenario](const nlohmann::json& root) {
        const FileSection file(root, "", {"protocol", "plan"});
        scenario.plan = readWorldPlan(file.at("plan"), file.pathOf("plan"));
        scenario.hasRenewal = file.at("plan").contains(kRenewalMember);
        if (!file.has("protocol")) {
            return;
        }
        scenario.protocol = readSavedProtocol(file);
        if (auto complaint = complaintAbout(scenario.plan, scenario.protocol.info())) {
            file.fail("plan", std::move(*complaint));
        }
    });
    if (error) {
        return std::move(*error);
    }
    return scenario;
}

std::string scenarioText(const ScenarioFile& scenario)
{
    Json file = Json::object();
    if (scenario.protocol.protocol) {
        file["protocol"] = savedProtocolJson(scenario.protocol);
    }
    file["plan"] = worldPlanJson(scenario.plan);
    return file.dump(2) + '\n';
}

} // namespace lockscope::report
