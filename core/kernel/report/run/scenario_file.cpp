#include "core/kernel/report/run/scenario_file.h"

#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/world_plan_json.h"

#include <utility>

namespace lockscope::report {

using protocol::FileError;
using protocol::FileSection;

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
