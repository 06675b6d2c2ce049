#include "ui/models/lab/run_record.h"

#include "core/files/file_limits.h"
#include "core/kernel/exports/example_run.h"
#include "core/kernel/exports/verdict_run.h"
#include "core/kernel/report/run/replay_verdicts.h"
#include "core/kernel/report/run/scenario_file.h"
#include "core/kernel/report/wording.h"
#include "core/kernel/search/random_search.h"
#include "core/kernel/sim/lua_engine.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"
#include "ui/models/user_files.h"

#include <QFileInfo>

#include <utility>

namespace lockscope::models {

namespace {

search::RandomPath pathOf(const search::SearchTask& task, sim::LuaEngine& lua)
{
    const auto* const random = std::get_if<search::RandomSearch>(&task.method);
    if (random == nullptr) {
        return {};
    }
    search::RandomSetting setting{*task.protocol, task.plans, lua};
    setting.seed = random->seed;
    return search::firstRunOf(setting);
}

using Opened = std::variant<OpenedRun, QString>;

QString faultText(const QString& name, const protocol::FileError& error)
{
    if (error.line == 0) { // of a binary file
        return UiText::tr("%1, %2").arg(name, toQString(toText(error)));
    }
    return UiText::tr("%1, line %2: %3").arg(name).arg(error.line).arg(toQString(error.reason));
}

std::string replayCommand(const QString& path)
{
    return "lockscope-cli replay " + report::shellQuoted(path.toStdString());
}

Opened replayed(const QString& path, const report::CounterexampleFile& example, const QString& name)
{
    auto run = exports::replayed(example, name.toStdString());
    if (auto* const complaint = std::get_if<std::string>(&run)) {
        return toQString(*complaint) + u'.';
    }
    auto& file = std::get<report::RunFile>(run);
    file.command = replayCommand(path);
    return OpenedRun{std::move(file), example};
}

Opened runIn(const QString& path, std::string_view text)
{
    const QString name = QFileInfo(path).fileName();
    if (report::isRunFile(text)) {
        auto run = report::readRunFile(text);
        if (const auto* const error = std::get_if<protocol::FileError>(&run)) {
            return faultText(name, *error);
        }
        auto& file = std::get<report::RunFile>(run);
        if (file.command.empty()) { // of a scenario that was in a file: this shows the run again
            file.command = replayCommand(path);
        }
        return OpenedRun{std::move(file), std::nullopt};
    }
    const auto example = report::readCounterexample(text);
    if (const auto* const error = std::get_if<protocol::FileError>(&example)) {
        return faultText(name, *error);
    }
    return replayed(path, std::get<report::CounterexampleFile>(example), name);
}

} // namespace

TimelineNames namesIn(trace::RunLabels labels)
{
    const auto shared = std::make_shared<const trace::RunLabels>(std::move(labels));
    TimelineNames names;
    names.contender = [shared](trace::ContenderId id) { return toQString(shared->contender(id)); };
    names.lock = [shared](trace::LockId id) { return toQString(shared->lock(id)); };
    return names;
}

RunRecord recordOf(report::RunFile run)
{
    RunRecord record;
    trace::Chronicle chronicle = run.chronicle();
    record.run = std::make_shared<const report::RunFile>(std::move(run));
    if (!record.run->events.empty() || !record.run->serverHolds.empty()) {
        record.chronicle = std::make_shared<const trace::Chronicle>(std::move(chronicle));
        if (auto inSteps = record.run->chronicleInSteps()) {
            record.inSteps = std::make_shared<const trace::Chronicle>(*std::move(inSteps));
        }
    }
    record.names = namesIn(record.run->labels);
    return record;
}

RunRecord recordOf(const report::SavedProtocol& protocol, const report::CellVerdict& verdict,
                   const QString& command)
{
    report::RunFile run = exports::runFileOf(protocol, verdict);
    run.mode = verdict.seed ? "simulate" : "explore";
    run.seed = verdict.seed.value_or(run.seed);
    run.command = command.toStdString();
    return recordOf(std::move(run));
}

RunRecord sampleOf(const report::SavedProtocol& protocol, const search::SearchTask& task,
                   const QString& command)
{
    if (task.plans.empty()) {
        return {};
    }
    sim::LuaEngine lua;
    const search::RandomPath path = pathOf(task, lua);
    const world::WorldPlan& plan = task.plans[path.planIndex];
    search::RecordedRun recorded = search::recordRun(*task.protocol, plan, path.steps, lua);
    std::vector<report::PromiseVerdict> promises = report::verdictsOf(
        {protocol.info(), plan, path.steps, recorded.violations, recorded.chances});
    report::RunFile run = report::runFileOf(protocol, plan, std::move(recorded));
    run.promises = std::move(promises);
    run.story = search::tellRun(*task.protocol, plan, path.steps, lua);
    run.mode = std::holds_alternative<search::RandomSearch>(task.method) ? "simulate" : "explore";
    run.command = command.toStdString();
    return recordOf(std::move(run));
}

bool isScenarioFile(const QString& path)
{
    if (path.endsWith(toQString(report::kScenarioEnding))) {
        return true;
    }
    const QByteArray text = readFile(path, files::kScenarioFileMax).content; // a run is larger
    return report::isScenario({text.constData(), static_cast<std::size_t>(text.size())});
}

Opened openedRun(const QString& path)
{
    const ReadFile file = readFile(path, files::kRunFileMax);
    if (!file.isRead()) {
        return UiText::tr("Could not read %1: %2").arg(path, file.problem);
    }
    return runIn(path, {file.content.constData(), static_cast<std::size_t>(file.content.size())});
}

} // namespace lockscope::models
