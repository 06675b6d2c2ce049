#include "core/kernel/report/saved_cells.h"

#include "core/kernel/base/sha1.h"
#include "core/kernel/report/saved_search.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope::report {

using Parsed = nlohmann::json;
using protocol::Promise;
using search::PromiseResult;

namespace {

constexpr std::string_view kCellsFormat = "lockscope-cells";
constexpr std::array<std::string_view, 4> kStatusIds{"held", "broken", "not-exercised",
                                                     "not-applicable"};

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
        json.update(savedFinding(*result.finding));
        json["story"] = storyJson(verdict.story);
    }
    return json;
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

search::StoryLine readLine(const Parsed& json)
{
    return {Instant(Duration(json.at("atUs").get<Duration::rep>())), json.at("step").get<int>(),
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
    result.finding = readFinding(json, result.promise, verdict.plan);
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

CellReport readCell(const Parsed& json, const CellOrigin& origin)
{
    CellReport cell;
    cell.protocol = origin.protocol;
    cell.group = origin.group;
    cell.fault = origin.fault;
    cell.isApplicable = json.at("applicable").get<bool>();
    cell.isSearched = true;
    cell.coverage = readCoverage(json.at("coverage"));
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
