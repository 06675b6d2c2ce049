#include "core/pool/search_part.h"

#include "core/kernel/search/cell.h"
#include "core/kernel/search/first_answer.h"
#include "core/kernel/search/promise_terms.h"
#include "core/kernel/search/shrinker.h"
#include "core/kernel/search/story.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lockscope::pool {

using report::CellReport;
using report::CellVerdict;
using search::Exploration;
using search::Finding;
using search::PromiseResult;
using search::RandomResult;
using search::RandomSearch;
using search::SearchTask;
using search::SystematicSearch;

namespace {

/// Random runs of one part: enough that beginning it costs nothing, and few enough that every
/// thread has some. A run is a function of its seed, wherever the cut falls.
constexpr std::uint64_t kRunsPerPart = 128;

/// For every search that making a run shorter takes.
constexpr search::Bounds kShorteningBounds{5'000, 1'000'000, 60};

/// Adds up what random runs did, but not what they found.
void addSums(RandomResult& sum, const RandomResult& other)
{
    sum.coverage.add(other.coverage);
    sum.statistics.add(other.statistics);
    sum.priorityRuns.add(other.priorityRuns);
}

/// What random runs found, told apart: of what is alike only the shortest is shown.
using FindingKey = std::tuple<std::size_t, protocol::Promise, world::ViolationKind>;

FindingKey keyOf(const RandomResult::Found& found)
{
    const world::Violation& violation = found.finding.violation;
    return {found.planIndex, violation.promise, violation.kind};
}

/// Adds the parts of one task up, in their order.
class Sum {
public:
    explicit Sum(const SearchTask& task)
        : m_task(task),
          m_info(task.protocol->info()),
          m_report(search::emptyReport(m_info))
    {}

    void add(const SearchPart& part, const Exploration& exploration)
    {
        search::addTo(m_report, exploration, m_info, m_task.plans[part.plan], part.plan);
    }

    void add(const SearchPart&, const RandomResult& result)
    {
        addSums(m_random, result);
        m_random.found.insert(m_random.found.end(), result.found.begin(), result.found.end());
        m_isRandom = true;
    }

    CellReport report(bool isWhole)
    {
        if (m_isRandom) {
            addRandom();
        }
        CellReport report;
        report.protocol = m_info.id;
        report.group = report::groupOf(m_info);
        report.fault = m_task.fault;
        report.isSearched = true;
        report.coverage = m_report.coverage;
        report.coverage.isComplete = report.coverage.isComplete && isWhole && !m_isRandom;
        if (m_isRandom) {
            report.statistics = m_random.statistics;
            report.priorities = chanceOf(m_random.priorityRuns, m_task.plans);
        }
        for (PromiseResult& result : m_report.promises) {
            report.verdicts.push_back(verdictOf(std::move(result)));
        }
        return report;
    }

private:
    /// Findings plan by plan: whether a promise was given depends on the plan.
    void addRandom()
    {
        for (std::size_t plan = 0; plan < m_task.plans.size(); ++plan) {
            Exploration exploration;
            for (const RandomResult::Found& found : m_random.found) {
                if (found.planIndex == plan) {
                    exploration.findings.push_back(found.finding);
                }
            }
            std::ranges::stable_sort(exploration.findings, {}, &Finding::length);
            search::addTo(m_report, exploration, m_info, m_task.plans[plan], plan);
        }
        search::addChances(m_report, m_random.coverage.chances);
        m_report.coverage = m_random.coverage;
    }

    CellVerdict verdictOf(PromiseResult result) const
    {
        CellVerdict verdict;
        verdict.result = std::move(result);
        if (!verdict.isBroken()) {
            return verdict;
        }
        const PromiseResult& broken = verdict.result;
        verdict.plan = m_task.plans[broken.planIndex];
        for (const RandomResult::Found& found : m_random.found) {
            const bool isThisOne = found.planIndex == broken.planIndex
                                   && found.finding.violation == broken.finding->violation
                                   && found.finding.steps == broken.finding->steps;
            if (isThisOne && !verdict.seed) {
                verdict.seed = found.seed;
            }
        }
        return verdict;
    }

    const SearchTask& m_task;
    const protocol::ProtocolInfo& m_info;
    search::SearchReport m_report;
    RandomResult m_random;
    bool m_isRandom = false;
};

CellReport notApplicable(const SearchTask& task)
{
    CellReport report;
    report.protocol = task.protocol->info().id;
    report.group = report::groupOf(task.protocol->info());
    report.fault = task.fault;
    report.isApplicable = false;
    report.isSearched = true;
    report.coverage.isComplete = true;
    for (PromiseResult& result : search::emptyReport(task.protocol->info()).promises) {
        result.status = PromiseResult::Status::NotApplicable;
        report.verdicts.push_back({std::move(result), {}, {}, {}});
    }
    return report;
}

/// Takes the shorter run. One in which something else is promised would be another finding, except
/// of random runs: only when they are short it is known what it took.
void take(search::Counterexample shorter, CellVerdict& verdict, const SearchTask& task)
{
    const bool isPromised = search::isPromised(verdict.result.promise, task.protocol->info(),
                                               shorter.plan);
    if (isPromised == verdict.result.isPromised || verdict.seed) {
        verdict.result.isPromised = isPromised;
        verdict.plan = std::move(shorter.plan);
        verdict.result.finding = std::move(shorter.finding);
    }
}

/// What a search found is the shortest run of its plan, and some runs tell whether it takes less
/// than that; of a random run nothing is known, and searches find its shortest.
void shorten(CellVerdict& verdict, const SearchTask& task, sim::LuaEngine& lua,
             const std::function<bool()>& goOn)
{
    search::Counterexample example{verdict.plan, *verdict.result.finding};
    const bool isRandom = std::holds_alternative<RandomSearch>(task.method);
    take(isRandom ? search::shrink(*task.protocol, std::move(example), lua, kShorteningBounds,
                                   [&goOn](const auto&) { return goOn(); })
                  : search::strip(*task.protocol, std::move(example), lua),
         verdict, task);
}

} // namespace

std::vector<SearchPart> partsOf(std::span<const SearchTask> tasks)
{
    std::vector<SearchPart> parts;
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        const std::size_t planCount = tasks[task].plans.size();
        const auto* const random = std::get_if<RandomSearch>(&tasks[task].method);
        if (random == nullptr) {
            for (std::size_t plan = 0; plan < planCount; ++plan) {
                parts.push_back({task, plan, 0, 0});
            }
            continue;
        }
        for (std::uint64_t first = 0; first < random->runCount; first += kRunsPerPart) {
            parts.push_back({task, 0, first, std::min(kRunsPerPart, random->runCount - first)});
        }
    }
    return parts;
}

std::uint64_t weightOf(const SearchPart& part, std::span<const SearchTask> tasks)
{
    const SearchTask& task = tasks[part.task];
    if (part.runCount > 0) {
        return part.runCount;
    }
    const world::WorldPlan& plan = task.plans[part.plan];
    std::uint64_t actCount = 0;
    for (const world::ClientPlan& client : plan.clients) {
        actCount += client.acts.size();
    }
    return actCount * plan.clients.size() * static_cast<std::uint64_t>(plan.nodeCount);
}

PartResult searchPart(const SearchPart& part, const SearchTask& task, sim::LuaEngine& lua,
                      const search::GoOn& goOn)
{
    if (const auto* const random = std::get_if<RandomSearch>(&task.method)) {
        search::RandomSetting setting{*task.protocol, task.plans, lua};
        setting.seed = random->seed + part.firstRun;
        setting.runCount = part.runCount;
        setting.goOn = goOn;
        return search::searchRandomly(setting);
    }
    const search::Bounds& bounds = std::get<SystematicSearch>(task.method).bounds;
    search::Explorer explorer({*task.protocol, task.plans[part.plan], lua, bounds, std::nullopt,
                               true, goOn});
    return explorer.run();
}

CellReport addedUp(const SearchTask& task, std::span<const SearchPart> parts,
                   std::span<const PartResult> results)
{
    if (task.plans.empty()) {
        return notApplicable(task);
    }
    Sum sum(task);
    std::size_t doneCount = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (const auto* const exploration = std::get_if<Exploration>(&results[i])) {
            sum.add(parts[i], *exploration);
            ++doneCount;
        } else if (const auto* const random = std::get_if<RandomResult>(&results[i])) {
            sum.add(parts[i], *random);
            ++doneCount;
        }
    }
    CellReport report = sum.report(doneCount == parts.size());
    report.isSearched = doneCount > 0;
    return report;
}

void condense(std::span<PartResult> results)
{
    std::map<FindingKey, int> shortest;
    RandomResult* first = nullptr;
    for (PartResult& result : results) {
        auto* const random = std::get_if<RandomResult>(&result);
        if (random == nullptr) {
            continue;
        }
        for (const RandomResult::Found& found : random->found) {
            const int length = found.finding.length;
            const auto known = shortest.try_emplace(keyOf(found), length).first;
            known->second = std::min(known->second, length);
        }
        if (first == nullptr) {
            first = random;
            continue;
        }
        addSums(*first, *random);
        *random = RandomResult{std::move(random->found), {}, {}, {}};
    }
    for (PartResult& result : results) {
        if (auto* const random = std::get_if<RandomResult>(&result)) {
            std::erase_if(random->found, [&shortest](const RandomResult::Found& found) {
                const auto known = shortest.find(keyOf(found));
                const bool isShown = known != shortest.end()
                                     && known->second == found.finding.length;
                if (isShown) {
                    shortest.erase(known); // another one of that length came later
                }
                return !isShown;
            });
        }
    }
}

void tell(CellReport& report, const SearchTask& task, sim::LuaEngine& lua,
          const std::function<bool()>& goOn)
{
    if (report.isNeverGranted()) {
        report.reasonNeverGranted = search::reasonNeverGranted(*task.protocol, task.plans.front(),
                                                               lua);
    }
    for (CellVerdict& verdict : report.verdicts) {
        if (!verdict.isBroken() || !goOn()) {
            continue;
        }
        shorten(verdict, task, lua, goOn);
        verdict.story = search::tellStory(*task.protocol, verdict.plan, *verdict.result.finding,
                                          lua);
    }
}

} // namespace lockscope::pool
