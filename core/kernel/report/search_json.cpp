#include "core/kernel/report/search_json.h"

#include "core/kernel/search/harm.h"
#include "core/kernel/world/fault_info.h"

namespace lockscope::report {

namespace {

/// Behind what runs of all kinds say about a promise.
void addFinding(Json& json, const CellVerdict& verdict)
{
    if (!verdict.isBroken()) {
        return;
    }
    json["length"] = verdict.result.finding->length;
    json["plan"] = verdict.plan.name;
    if (verdict.seed) {
        json["seed"] = *verdict.seed;
    }
}

Json coverageJson(const search::Coverage& coverage)
{
    return Json{{"schedules", coverage.schedules},
                {"states", coverage.states},
                {"deepest", coverage.longest},
                {"endedRuns", coverage.endedRuns},
                {"cutRuns", coverage.cutRuns},
                {"complete", coverage.isComplete},
                {"preemptionsLeftOut", coverage.arePreemptionsLeftOut},
                {"scriptStopped", coverage.isScriptStopped},
                {"grants", coverage.chances.grants},
                {"errorAnswers", coverage.chances.errors}};
}

Json chanceJson(const search::PriorityChance& chance)
{
    return Json{{"orderings", chance.depth},     {"steps", chance.stepCount},
                {"threads", chance.threadCount}, {"runs", chance.runCount},
                {"longest", chance.longest},     {"perRun", chance.perRun},
                {"atLeast", chance.together}};
}

Json cellJson(const CellReport& cell)
{
    Json json{{"fault", cell.faultName()}, {"applicable", cell.isApplicable}};
    json.update(coverageJson(cell.coverage));
    Json promises = Json::array();
    for (std::size_t i = 0; i < cell.verdicts.size(); ++i) {
        Json promise = promiseJson(verdictsOf(cell)[i]);
        addFinding(promise, cell.verdicts[i]);
        promises.push_back(std::move(promise));
    }
    json["promises"] = std::move(promises);
    if (cell.priorities) {
        json["priorities"] = chanceJson(*cell.priorities);
    }
    return json;
}

} // namespace

RunReport searchReport(std::string_view mode, std::span<const CellReport> cells)
{
    RunReport report;
    report.protocol = cells.empty() ? std::string() : cells.front().protocol;
    report.mode = mode;
    const search::Coverage coverage = coverageOf(cells);
    report.schedules = coverage.schedules;
    report.states = coverage.states;
    report.isBoundReached = !coverage.isComplete;
    report.virtualTime = coverage.virtualTime;
    report.promises = verdictsOf(cells);
    report.untested = untestedText(cells);
    if (const CellReport* const best = headlineOf(cells)) {
        report.story = textsOf(best->headline()->story);
    }
    for (const CellReport& cell : cells) {
        if (cell.statistics) {
            report.statistics = *cell.statistics; // random runs come in one piece
        }
    }
    return report;
}

Json searchJson(const RunReport& report, std::span<const CellReport> cells)
{
    Json json = runJson(report);
    json["complete"] = !report.isBoundReached;
    json["faults"] = Json::array();
    for (const CellReport& cell : cells) {
        json["faults"].push_back(cellJson(cell));
    }
    return json;
}

std::vector<Json> matrixEntries(const CellReport& cell)
{
    std::vector<Json> entries;
    const std::vector<PromiseVerdict> verdicts = verdictsOf(cell);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const CellVerdict& cellVerdict = cell.verdicts[i];
        Json json{{"protocol", cell.protocol},
                  {"group", idOf(cell.group)},
                  {"fault", cell.faultName()}};
        if (cell.fault) {
            json["faultGroup"] = idOf(infoOf(*cell.fault).group);
        }
        Json promise = promiseJson(verdicts[i]);
        json["promise"] = promise["id"];
        json["harm"] = idOf(search::harmOf(verdicts[i].promise));
        promise.erase("id");
        json.update(promise);
        json["schedules"] = cell.coverage.schedules;
        json["complete"] = cell.coverage.isComplete;
        json["grants"] = cell.coverage.chances.grants;
        addFinding(json, cellVerdict);
        json["story"] = textsOf(cellVerdict.story);
        entries.push_back(std::move(json));
    }
    return entries;
}

} // namespace lockscope::report
