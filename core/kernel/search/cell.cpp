#include "core/kernel/search/cell.h"

#include "core/kernel/search/promise_terms.h"

#include <algorithm>
#include <utility>

namespace lockscope::search {

using protocol::Promise;
using Status = PromiseResult::Status;

namespace {

/// How far findSoon() looks into every plan at first, in runs, and how much further each time.
constexpr std::uint64_t kFirstLook = 32;
constexpr std::uint64_t kFurther = 8;

} // namespace

bool SearchReport::isAnyBroken() const
{
    return headline() != nullptr;
}

/// A break of what the protocol promises weighs more than a shorter one of what it does not.
const PromiseResult* SearchReport::headline() const
{
    const PromiseResult* best = nullptr;
    for (const PromiseResult& result : promises) {
        if (result.status != Status::Broken) {
            continue;
        }
        const bool isBetter = best == nullptr || (result.isPromised && !best->isPromised)
                              || (result.isPromised == best->isPromised
                                  && result.finding->length < best->finding->length);
        best = isBetter ? &result : best;
    }
    return best;
}

/// Completeness is true of nothing; each plan that is added can only take it away.
SearchReport emptyReport(const protocol::ProtocolInfo& info)
{
    SearchReport report;
    report.coverage.isComplete = true;
    for (int i = 0; i < static_cast<int>(Promise::PromiseCount); ++i) {
        PromiseResult result;
        result.promise = static_cast<Promise>(i);
        result.status = isApplicable(result.promise, info) ? Status::NotExercised
                                                           : Status::NotApplicable;
        result.isPromised = info.claimsPromise(result.promise);
        report.promises.push_back(std::move(result));
    }
    return report;
}

void addChances(SearchReport& report, const world::Chances& chances)
{
    for (PromiseResult& result : report.promises) {
        if (result.status == Status::NotApplicable) {
            continue;
        }
        result.chances += chances.of(result.promise);
        if (result.status == Status::NotExercised && result.chances > 0) {
            result.status = Status::Held;
        }
    }
}

void addTo(SearchReport& report, const Exploration& exploration, const protocol::ProtocolInfo& info,
           const world::WorldPlan& plan, std::size_t planIndex)
{
    const bool wasComplete = report.coverage.isComplete;
    report.coverage.add(exploration.coverage);
    report.coverage.isComplete = wasComplete && exploration.coverage.isComplete;
    addChances(report, exploration.coverage.chances);
    for (PromiseResult& result : report.promises) {
        const bool isPromisedHere = isPromised(result.promise, info, plan);
        const Finding* const finding = exploration.find(result.promise);
        if (result.status == Status::NotApplicable) {
            continue;
        }
        if (finding == nullptr) {
            // Held: promised only if every plan was within the claim. Broken: what it was broken
            // under decides, and plans in which it held say nothing against that.
            result.isPromised = result.isPromised
                                && (isPromisedHere || result.status == Status::Broken);
            continue;
        }
        const bool isBetter = result.status != Status::Broken
                              || (isPromisedHere && !result.isPromised)
                              || (isPromisedHere == result.isPromised
                                  && finding->length < result.finding->length);
        if (isBetter) {
            result.status = Status::Broken;
            result.isPromised = isPromisedHere;
            result.finding = *finding;
            result.planIndex = planIndex;
        }
    }
}

SearchReport searchPlans(const protocol::LockProtocol& protocol,
                         std::span<const world::WorldPlan> plans, sim::LuaEngine& lua,
                         const Bounds& bounds, const GoOn& goOn)
{
    SearchReport report = emptyReport(protocol.info());
    for (std::size_t i = 0; i < plans.size(); ++i) {
        Explorer explorer({protocol, plans[i], lua, bounds, std::nullopt, true, goOn});
        addTo(report, explorer.run(), protocol.info(), plans[i], i);
        if (goOn && !goOn(report.coverage)) {
            report.coverage.isComplete = report.coverage.isComplete && i + 1 == plans.size();
            break;
        }
    }
    return report;
}

std::optional<QuickFinding> findSoon(const protocol::LockProtocol& protocol,
                                     std::span<const world::WorldPlan> plans, sim::LuaEngine& lua,
                                     const Bounds& bounds)
{
    constexpr Goal kAnything{std::nullopt, std::nullopt, true};
    // Deeper and deeper, all plans each time: what shows at once in the last plan must not wait for
    // a full search of the first. To begin anew costs little, because each look goes much further.
    // (Iterative deepening, Korf 1985.)
    std::vector<bool> isSeenWhole(plans.size());
    Bounds look = bounds;
    for (std::uint64_t depth = kFirstLook;; depth *= kFurther) {
        look.schedulesMax = std::min(depth, bounds.schedulesMax);
        for (std::size_t i = 0; i < plans.size(); ++i) {
            if (isSeenWhole[i]) {
                continue;
            }
            Exploration seen = Explorer({protocol, plans[i], lua, look, kAnything, true, {}}).run();
            if (!seen.findings.empty()) {
                return QuickFinding{i, std::move(seen.findings.front())};
            }
            isSeenWhole[i] = seen.coverage.isComplete;
        }
        if (look.schedulesMax == bounds.schedulesMax) {
            return std::nullopt;
        }
    }
}

} // namespace lockscope::search
