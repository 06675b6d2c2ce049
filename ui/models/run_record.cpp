#include "run_record.h"

#include "formatting.h"
#include "report/run_verdicts.h"
#include "search/random_search.h"
#include "search/recorded_run.h"
#include "sim/lua_engine.h"

#include <QCoreApplication>

namespace lockscope::models {

namespace {

TimelineNames namesIn(const world::WorldPlan& plan)
{
    TimelineNames names;
    names.contender = [](trace::ContenderId contender) {
        return toQString(world::clientName(static_cast<int>(contender)));
    };
    names.lock = [plan](trace::LockId lock) { return toQString(plan.keyName(lock)); };
    return names;
}

TimelineNames namesIn(workload::Scenario scenario, const Bytes& keyPrefix)
{
    if (!keyPrefix.empty()) {
        scenario.keyPrefix = keyPrefix;
    }
    TimelineNames names;
    names.contender = [](trace::ContenderId contender) {
        return QCoreApplication::translate("RunRecord", "contender %1").arg(contender);
    };
    names.lock = [scenario](trace::LockId lock) { return bytesText(scenario.keyAt(lock)); };
    return names;
}

RunRecord simulated(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                    std::span<const world::Step> steps, sim::LuaEngine& lua)
{
    RunRecord record;
    auto run = search::recordRun(protocol, plan, steps, lua);
    record.chronicle = std::make_shared<const trace::Chronicle>(std::move(run.chronicle));
    record.names = namesIn(plan);
    record.contenderCount = static_cast<int>(plan.clients.size());
    return record;
}

std::vector<trace::Event> countedFromTheFirst(std::span<const trace::Event> events)
{
    std::vector<trace::Event> counted(events.begin(), events.end());
    for (trace::Event& event : counted) {
        event.at = Instant(event.at - events.front().at);
    }
    return counted;
}

} // namespace

RunRecord recordOf(const protocol::LockProtocol& protocol, const report::CellVerdict& verdict)
{
    sim::LuaEngine lua;
    RunRecord record = simulated(protocol, verdict.plan, verdict.result.finding->steps, lua);
    record.story = verdict.story.empty()
                       ? search::tellStory(protocol, verdict.plan, *verdict.result.finding, lua)
                       : verdict.story;
    return record;
}

RunRecord sampleOf(const service::SearchTask& task)
{
    if (task.plans.empty()) {
        return {};
    }
    sim::LuaEngine lua;
    search::RandomPath path;
    if (const auto* const random = std::get_if<service::RandomSearch>(&task.method)) {
        search::RandomSetting setting{*task.protocol, task.plans, lua};
        setting.seed = random->seed;
        path = search::firstRunOf(setting);
    }
    return simulated(*task.protocol, task.plans[path.planIndex], path.steps, lua);
}

RunRecord recordOf(const service::LiveRunOrder& order, const service::LiveRunProgress& progress,
                   std::span<const trace::Event> events)
{
    RunRecord record;
    record.names = namesIn(order.scenario, progress.keyPrefix);
    record.contenderCount = order.scenario.contenderCount;
    record.statistics = progress.statistics;
    record.story = report::storyOfFirstOverlap(events);
    if (!events.empty()) {
        const std::vector<trace::Event> counted = countedFromTheFirst(events);
        record.chronicle = std::make_shared<const trace::Chronicle>(
            trace::chronicleOf(counted, counted.back().at, order.scenario.permits));
    }
    return record;
}

} // namespace lockscope::models
