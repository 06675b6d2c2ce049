#include "core/kernel/lint/script_mistakes.h"

#include "core/kernel/base/bytes.h"
#include "core/kernel/protocol/json_places.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace lockscope::lint {

using protocol::FileError;
using protocol::OwnStep;

namespace {

/// Lua quotes what it has read last, which may be a text of any length.
constexpr std::size_t kReasonMax = 500;

void addStep(std::vector<NamedStep>& steps, const char* path, const std::optional<OwnStep>& step)
{
    if (step) {
        steps.push_back({path, &*step});
    }
}

} // namespace

ScriptMistake mistakeIn(const std::string& problem)
{
    constexpr std::string_view kScript = "user_script:";
    const std::size_t at = problem.find(kScript);
    if (at == std::string::npos) {
        return {1, problem};
    }
    const std::string_view rest = std::string_view(problem).substr(at + kScript.size());
    ScriptMistake mistake;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), mistake.line);
    const std::string_view reason = rest.substr(static_cast<std::size_t>(end - rest.data()));
    if (error != std::errc() || !reason.starts_with(": ")) {
        return {1, problem};
    }
    mistake.reason = elidedEnd(reason.substr(2), kReasonMax);
    return mistake;
}

std::vector<NamedStep> stepsOf(const protocol::OwnLockPlan& plan)
{
    std::vector<NamedStep> steps;
    addStep(steps, "/acquire/check", plan.acquireCheck);
    steps.push_back({"/acquire", &plan.acquire});
    addStep(steps, "/renew/check", plan.renewCheck);
    addStep(steps, "/renew", plan.renew);
    addStep(steps, "/release/check", plan.releaseCheck);
    steps.push_back({"/release", &plan.release});
    return steps;
}

std::string pathOfScriptLine(std::string_view fileText, const std::string& stepPath, int line)
{
    const std::string path = stepPath + "/script";
    const auto file = nlohmann::json::parse(fileText);
    return file.at(nlohmann::json::json_pointer(path)).is_array()
               ? path + '/' + std::to_string(line - 1)
               : path;
}

std::vector<FileError> scriptMistakesIn(const protocol::OwnLockPlan& plan,
                                        std::string_view fileText, sim::LuaEngine& lua)
{
    const protocol::JsonPlaces places(fileText);
    std::vector<FileError> mistakes;
    for (const NamedStep& named : stepsOf(plan)) {
        const std::string& script = named.step->script;
        if (const auto problem = lua.compile(lua.digestOf(script), script)) {
            const ScriptMistake mistake = mistakeIn(*problem);
            const auto place = places.of(pathOfScriptLine(fileText, named.path, mistake.line));
            FileError error;
            error.line = place.line;
            error.column = place.column;
            error.reason = mistake.reason + '.';
            mistakes.push_back(std::move(error));
        }
    }
    return mistakes;
}

} // namespace lockscope::lint
