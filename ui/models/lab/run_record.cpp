#include "ui/models/lab/run_record.h"

#include "core/kernel/exports/verdict_run.h"
#include "core/kernel/search/random_search.h"
#include "core/kernel/sim/lua_engine.h"
#include "ui/models/formatting.h"

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
    report::RunFile run = report::runFileOf(protocol, plan,
                                            search::recordRun(*task.protocol, plan, path.steps,
                                                              lua));
    run.mode = std::holds_alternative<search::RandomSearch>(task.method) ? "simulate" : "explore";
    run.command = command.toStdString();
    return recordOf(std::move(run));
}

} // namespace lockscope::models
