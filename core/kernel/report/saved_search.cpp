#include "core/kernel/report/saved_search.h"

#include "core/kernel/report/exact_statistics.h"
#include "core/kernel/report/run/typed_column.h"
#include "core/kernel/world/step.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::report {

using Parsed = nlohmann::json;
using protocol::Promise;
using search::Coverage;
using search::Exploration;
using search::Finding;
using search::RandomResult;
using world::Chances;
using world::Violation;

namespace {

template<class Value>
Value needed(std::optional<Value> value)
{
    return value ? std::move(*value) : throw Unreadable();
}

Instant instantIn(const Parsed& json)
{
    return Instant(Duration(json.get<Duration::rep>()));
}

Json violationJson(const Violation& violation)
{
    return Json{{"kind", idOf(violation.kind)},
                {"atUs", violation.at.time_since_epoch().count()},
                {"stepCount", violation.stepCount},
                {"lock", violation.lock},
                {"client", violation.client},
                {"other", violation.other},
                {"otherSinceUs", violation.otherSince.time_since_epoch().count()}};
}

Violation readViolation(const Parsed& json, Promise promise, const world::WorldPlan& plan)
{
    Violation violation;
    violation.promise = promise;
    violation.kind = needed(world::violationKindOf(json.at("kind").get<std::string>()));
    violation.at = instantIn(json.at("atUs"));
    violation.stepCount = json.at("stepCount").get<int>();
    violation.lock = json.at("lock").get<int>();
    violation.client = json.at("client").get<int>();
    violation.other = json.at("other").get<int>();
    violation.otherSince = instantIn(json.at("otherSinceUs"));
    // A client that finds a lock stuck forever counts as one more client.
    const auto clientMax = static_cast<int>(plan.clients.size());
    const bool fitsPlan = violation.lock >= 0 && violation.lock < plan.keyCount()
                          && violation.client >= 0 && violation.client <= clientMax
                          && violation.other >= -1 && violation.other <= clientMax;
    return fitsPlan ? violation : throw Unreadable();
}

/// What the promises had is told elsewhere.
Json savedGrants(const Chances& chances)
{
    return Json::array({chances.requests, chances.grants, chances.cleanGrants,
                        chances.cleanFailures, chances.errors});
}

void readGrants(const Parsed& json, Chances& chances)
{
    chances.requests = json.at(0).get<std::uint64_t>();
    chances.grants = json.at(1).get<std::uint64_t>();
    chances.cleanGrants = json.at(2).get<std::uint64_t>();
    chances.cleanFailures = json.at(3).get<std::uint64_t>();
    chances.errors = json.at(4).get<std::uint64_t>();
}

/// A part is added to others, so it needs everything.
Json wholeCoverage(const Coverage& coverage)
{
    Json json = savedCoverage(coverage);
    json["preemptionsLeftOut"] = coverage.arePreemptionsLeftOut;
    json["chances"] = coverage.chances.counts;
    return json;
}

Coverage readWholeCoverage(const Parsed& json)
{
    Coverage coverage = readCoverage(json);
    coverage.arePreemptionsLeftOut = json.at("preemptionsLeftOut").get<bool>();
    const auto counts = json.at("chances").get<std::vector<std::uint64_t>>();
    if (counts.size() != coverage.chances.counts.size()) {
        throw Unreadable();
    }
    std::ranges::copy(counts, coverage.chances.counts.begin());
    return coverage;
}

Json namedFinding(const Finding& finding)
{
    Json json{{"promise", idOf(finding.violation.promise)}};
    json.update(savedFinding(finding));
    return json;
}

Finding readNamedFinding(const Parsed& json, const world::WorldPlan& plan)
{
    const auto promise = protocol::promiseNamed(json.at("promise").get<std::string>());
    return readFinding(json, needed(promise), plan);
}

/// Typed columns are bytes, which JSON has not: they become lists of numbers.
Json plainColumns(const Json& json)
{
    Json plain = Json::object();
    for (const auto& [name, value] : json.items()) {
        if (value.is_binary()) {
            plain[name] = needed(numbersInTypedColumn(Parsed(value)));
        } else {
            plain[name] = value.is_object() ? plainColumns(value) : value;
        }
    }
    return plain;
}

/// Runs by priorities.
Json prioritiesJson(const search::PriorityRuns& runs)
{
    return Json{{"counts", runs.counts}, {"longest", runs.longest}};
}

} // namespace

Json savedFinding(const Finding& finding)
{
    Json json{{"length", finding.length},
              {"violation", violationJson(finding.violation)},
              {"steps", Json::array()}};
    for (const world::Step& step : finding.steps) {
        json["steps"].push_back(world::toText(step));
    }
    return json;
}

Finding readFinding(const Parsed& json, Promise promise, const world::WorldPlan& plan)
{
    Finding finding;
    finding.violation = readViolation(json.at("violation"), promise, plan);
    finding.length = json.at("length").get<int>();
    for (const Parsed& step : json.at("steps")) {
        finding.steps.push_back(needed(world::parseStep(step.get<std::string>())));
    }
    return finding;
}

Json savedCoverage(const Coverage& coverage)
{
    return Json{{"schedules", coverage.schedules},
                {"states", coverage.states},
                {"commands", coverage.commands},
                {"longest", coverage.longest},
                {"complete", coverage.isComplete},
                {"virtualUs", coverage.virtualTime.count()},
                {"scriptStopped", coverage.isScriptStopped},
                {"granted", savedGrants(coverage.chances)},
                {"endedRuns", coverage.endedRuns},
                {"cutRuns", coverage.cutRuns}};
}

Coverage readCoverage(const Parsed& json)
{
    Coverage coverage;
    coverage.schedules = json.at("schedules").get<std::uint64_t>();
    coverage.states = json.at("states").get<std::uint64_t>();
    coverage.commands = json.at("commands").get<std::uint64_t>();
    coverage.longest = json.at("longest").get<int>();
    coverage.isComplete = json.at("complete").get<bool>();
    coverage.virtualTime = Duration(json.at("virtualUs").get<Duration::rep>());
    coverage.isScriptStopped = json.at("scriptStopped").get<bool>();
    readGrants(json.at("granted"), coverage.chances);
    coverage.endedRuns = json.at("endedRuns").get<std::uint64_t>();
    coverage.cutRuns = json.at("cutRuns").get<std::uint64_t>();
    return coverage;
}

Json savedExploration(const Exploration& exploration)
{
    Json json{{"coverage", wholeCoverage(exploration.coverage)}, {"findings", Json::array()}};
    for (const Finding& finding : exploration.findings) {
        json["findings"].push_back(namedFinding(finding));
    }
    return json;
}

Exploration readExploration(const Parsed& json, const world::WorldPlan& plan)
{
    Exploration exploration;
    exploration.coverage = readWholeCoverage(json.at("coverage"));
    for (const Parsed& finding : json.at("findings")) {
        exploration.findings.push_back(readNamedFinding(finding, plan));
    }
    return exploration;
}

Json savedRandomResult(const RandomResult& result)
{
    Json json{{"coverage", wholeCoverage(result.coverage)},
              {"priorities", prioritiesJson(result.priorityRuns)},
              {"statistics", plainColumns(exactStatisticsJson(result.statistics))},
              {"found", Json::array()}};
    for (const RandomResult::Found& found : result.found) {
        Json finding{{"plan", found.planIndex}, {"seed", found.seed}};
        finding.update(namedFinding(found.finding));
        json["found"].push_back(std::move(finding));
    }
    return json;
}

RandomResult readRandomResult(const Parsed& json, std::span<const world::WorldPlan> plans)
{
    RandomResult result;
    result.coverage = readWholeCoverage(json.at("coverage"));
    const Parsed& priorities = json.at("priorities");
    result.priorityRuns.counts = priorities.at("counts").get<std::vector<std::uint64_t>>();
    result.priorityRuns.longest = priorities.at("longest").get<int>();
    const protocol::FileSection section(json, "",
                                        {"coverage", "priorities", "statistics", "found"});
    result.statistics = readExactStatistics(section, "statistics");
    if (result.priorityRuns.counts.size() > plans.size()) {
        throw Unreadable();
    }
    for (const Parsed& found : json.at("found")) {
        const auto plan = found.at("plan").get<std::size_t>();
        if (plan >= plans.size()) {
            throw Unreadable();
        }
        result.found.push_back({readNamedFinding(found, plans[plan]), plan,
                                found.at("seed").get<std::uint64_t>()});
    }
    return result;
}

} // namespace lockscope::report
