#include "core/kernel/report/saved_cells.h"

#include "core/kernel/base/sha1.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/world/step.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace lockscope::report {

using Parsed = nlohmann::json;
using protocol::Promise;
using search::PromiseResult;
using world::Violation;

namespace {

constexpr std::string_view kCellsFormat = "lockscope-cells";
constexpr std::array<std::string_view, 4> kStatusIds{"held", "broken", "not-exercised",
                                                     "not-applicable"};

/// Thrown for anything that a file of ours cannot contain.
struct Unreadable {};

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

Json storyJson(const std::vector<search::StoryLine>& story)
{
    Json lines = Json::array();
    for (const search::StoryLine& line : story) {
        lines.push_back(Json{{"atUs", line.at.time_since_epoch().count()},
                             {"step", line.step},
                             {"text", line.text},
                             {"isViolation", line.isViolation},
                             {"number", line.number}});
    }
    return lines;
}

Json verdictJson(const CellVerdict& verdict)
{
    const PromiseResult& result = verdict.result;
    Json json{{"status", kStatusIds.at(static_cast<std::size_t>(result.status))},
              {"promised", result.isPromised},
              {"chances", result.chances}};
    if (verdict.isBroken()) {
        json["plan"] = result.planIndex;
        json["length"] = result.finding->length;
        json["violation"] = violationJson(result.finding->violation);
        json["steps"] = Json::array();
        for (const world::Step& step : result.finding->steps) {
            json["steps"].push_back(world::toText(step));
        }
        json["story"] = storyJson(verdict.story);
    }
    return json;
}

/// What the promises had is told at their verdicts.
Json savedGrants(const world::Chances& chances)
{
    return Json::array({chances.requests, chances.grants, chances.cleanGrants,
                        chances.cleanFailures, chances.errors});
}

Json savedCoverage(const search::Coverage& coverage)
{
    return Json{{"schedules", coverage.schedules},
                {"states", coverage.states},
                {"commands", coverage.commands},
                {"longest", coverage.longest},
                {"complete", coverage.isComplete},
                {"virtualUs", coverage.virtualTime.count()},
                {"scriptStopped", coverage.isScriptStopped},
                {"granted", savedGrants(coverage.chances)}};
}

Json savedCell(const CellReport& cell)
{
    Json json{{"applicable", cell.isApplicable},
              {"reasonNeverGranted", cell.reasonNeverGranted},
              {"coverage", savedCoverage(cell.coverage)},
              {"verdicts", Json::array()}};
    for (const CellVerdict& verdict : cell.verdicts) {
        json["verdicts"].push_back(verdictJson(verdict));
    }
    return json;
}

Instant instantIn(const Parsed& json)
{
    return Instant(Duration(json.get<Duration::rep>()));
}

template<class Value>
Value needed(std::optional<Value> value)
{
    return value ? std::move(*value) : throw Unreadable();
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

search::StoryLine readLine(const Parsed& json)
{
    return {instantIn(json.at("atUs")), json.at("step").get<int>(),
            json.at("text").get<std::string>(), json.at("isViolation").get<bool>(),
            json.at("number").get<int>()};
}

void readBroken(const Parsed& json, std::span<const world::WorldPlan> plans, CellVerdict& verdict)
{
    PromiseResult& result = verdict.result;
    result.planIndex = json.at("plan").get<std::size_t>();
    if (result.planIndex >= plans.size()) {
        throw Unreadable();
    }
    verdict.plan = plans[result.planIndex];
    search::Finding finding;
    finding.violation = readViolation(json.at("violation"), result.promise, verdict.plan);
    finding.length = json.at("length").get<int>();
    for (const Parsed& step : json.at("steps")) {
        finding.steps.push_back(needed(world::parseStep(step.get<std::string>())));
    }
    result.finding = std::move(finding);
    for (const Parsed& line : json.at("story")) {
        verdict.story.push_back(readLine(line));
    }
}

CellVerdict readVerdict(const Parsed& json, Promise promise,
                        std::span<const world::WorldPlan> plans)
{
    const std::string status = json.at("status").get<std::string>();
    const auto* const found = std::ranges::find(kStatusIds, status);
    if (found == kStatusIds.end()) {
        throw Unreadable();
    }
    CellVerdict verdict;
    verdict.result.promise = promise;
    verdict.result.status = static_cast<PromiseResult::Status>(found - kStatusIds.begin());
    verdict.result.isPromised = json.at("promised").get<bool>();
    verdict.result.chances = json.at("chances").get<std::uint64_t>();
    if (verdict.isBroken()) {
        readBroken(json, plans, verdict);
    }
    return verdict;
}

void readGrants(const Parsed& json, world::Chances& chances)
{
    chances.requests = json.at(0).get<std::uint64_t>();
    chances.grants = json.at(1).get<std::uint64_t>();
    chances.cleanGrants = json.at(2).get<std::uint64_t>();
    chances.cleanFailures = json.at(3).get<std::uint64_t>();
    chances.errors = json.at(4).get<std::uint64_t>();
}

CellReport readCell(const Parsed& json, const CellOrigin& origin)
{
    CellReport cell;
    cell.protocol = origin.protocol;
    cell.fault = origin.fault;
    cell.isApplicable = json.at("applicable").get<bool>();
    cell.isSearched = true;
    const Parsed& coverage = json.at("coverage");
    cell.coverage.schedules = coverage.at("schedules").get<std::uint64_t>();
    cell.coverage.states = coverage.at("states").get<std::uint64_t>();
    cell.coverage.commands = coverage.at("commands").get<std::uint64_t>();
    cell.coverage.longest = coverage.at("longest").get<int>();
    cell.coverage.isComplete = coverage.at("complete").get<bool>();
    cell.coverage.virtualTime = Duration(coverage.at("virtualUs").get<Duration::rep>());
    cell.coverage.isScriptStopped = coverage.at("scriptStopped").get<bool>();
    readGrants(coverage.at("granted"), cell.coverage.chances);
    cell.reasonNeverGranted = json.at("reasonNeverGranted").get<std::string>();
    const Parsed& verdicts = json.at("verdicts");
    if (verdicts.size() != static_cast<std::size_t>(Promise::PromiseCount)) {
        throw Unreadable();
    }
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        cell.verdicts.push_back(readVerdict(verdicts[i], static_cast<Promise>(i), origin.plans));
        cell.coverage.chances.counts.at(i) = cell.verdicts.back().result.chances;
    }
    return cell;
}

std::vector<CellReport> readCells(const Parsed& saved, std::span<const CellOrigin> origins)
{
    std::vector<CellReport> cells;
    for (std::size_t i = 0; i < saved.size() && saved.size() == origins.size(); ++i) {
        cells.push_back(readCell(saved[i], origins[i]));
    }
    return cells;
}

} // namespace

std::string savedCellsText(std::string_view version, std::span<const CellReport> cells)
{
    Json list = Json::array();
    for (const CellReport& cell : cells) {
        list.push_back(savedCell(cell));
    }
    const std::string text = list.dump();
    // Files lose their ends and disks their bits: what does not fit its digest is not believed.
    const Json head{{"format", kCellsFormat}, {"version", version}, {"digest", sha1Hex(text)}};
    return head.dump() + '\n' + text;
}

std::vector<CellReport> readSavedCells(std::string_view text, std::string_view version,
                                       std::span<const CellOrigin> origins)
{
    const std::size_t headEnd = text.find('\n');
    if (headEnd == std::string_view::npos) {
        return {};
    }
    const std::string_view list = text.substr(headEnd + 1);
    try {
        const Parsed head = Parsed::parse(text.substr(0, headEnd));
        const bool isOurs = head.at("format") == kCellsFormat && head.at("version") == version
                            && head.at("digest") == sha1Hex(list);
        return isOurs ? readCells(Parsed::parse(list), origins) : std::vector<CellReport>();
    } catch (const Parsed::exception&) {
        return {};
    } catch (const Unreadable&) {
        return {};
    }
}

} // namespace lockscope::report
