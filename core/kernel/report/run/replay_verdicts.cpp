#include "core/kernel/report/run/replay_verdicts.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/search/promise_terms.h"

#include <algorithm>
#include <utility>

namespace lockscope::report {

using search::ReplayedRun;

std::string complaintAbout(const CounterexampleFile& example, std::string_view name)
{
    const int revision = example.engineRevision;
    if (revision == kEngineRevision) {
        return {};
    }
    return KernelText::tr("%1 was saved by revision %2 of the engine, and this is revision %3: its "
                          "steps may have a different meaning. Search again with explore",
                          name, revision, kEngineRevision);
}

std::string complaintAbout(const CounterexampleFile& example, const ReplayedRun& run,
                           std::string_view name)
{
    if (!run.impossibleStep) {
        return {};
    }
    const std::size_t step = *run.impossibleStep;
    return KernelText::tr("%1, step %2 of %3, \"%4\": it is not possible there", name, step + 1,
                          example.steps.size(), toText(example.steps[step]));
}

const world::Violation* violationIn(const ReplayedRun& run, const CounterexampleFile& example)
{
    const auto found = std::ranges::find_if(run.violations, [&example](const auto& violation) {
        return violation.promise == example.promise && violation.kind == example.kind;
    });
    return found == run.violations.end() ? nullptr : &*found;
}

search::Finding findingOf(const ReplayedRun& run, const CounterexampleFile& example)
{
    const world::Violation* const violation = violationIn(run, example);
    search::Finding finding;
    finding.violation = violation != nullptr ? *violation : world::Violation();
    finding.steps = example.steps;
    finding.length = run.length;
    return finding;
}

std::vector<search::StoryLine> storyOf(const ReplayedRun& run, const CounterexampleFile& example,
                                       sim::LuaEngine& lua)
{
    auto story = search::tellStory(*example.protocol.protocol, example.plan,
                                   findingOf(run, example), lua);
    const bool hasShown = violationIn(run, example) != nullptr;
    if (!hasShown && !story.empty() && story.back().isViolation) {
        story.pop_back(); // it did not happen
    }
    return story;
}

namespace {

PromiseVerdict verdictOn(protocol::Promise promise, const SimulatedRun& run)
{
    using Status = PromiseVerdict::Status;
    PromiseVerdict verdict;
    verdict.promise = promise;
    verdict.isPromised = search::isPromised(promise, run.protocol, run.plan);
    verdict.chances = run.chances.of(promise);
    const auto violation = std::ranges::find(run.violations, promise, &world::Violation::promise);
    if (violation != run.violations.end()) {
        verdict.status = Status::Broken;
        verdict.kind = idOf(violation->kind);
        verdict.at = violation->at.time_since_epoch();
        verdict.summary = describe(*violation, run.plan.keyName(violation->lock));
        verdict.faults = world::faultsIn(run.steps);
    } else if (search::isApplicable(promise, run.protocol)) {
        verdict.status = verdict.chances > 0 ? Status::Held : Status::NotExercised;
    }
    return verdict;
}

} // namespace

std::vector<PromiseVerdict> verdictsOf(const SimulatedRun& run)
{
    std::vector<PromiseVerdict> verdicts;
    verdicts.reserve(static_cast<std::size_t>(protocol::Promise::PromiseCount));
    for (int i = 0; i < static_cast<int>(protocol::Promise::PromiseCount); ++i) {
        verdicts.push_back(verdictOn(static_cast<protocol::Promise>(i), run));
    }
    return verdicts;
}

std::vector<PromiseVerdict> verdictsOf(const ReplayedRun& run, const CounterexampleFile& example)
{
    return verdictsOf(SimulatedRun{example.protocol.info(), example.plan, example.steps,
                                   run.violations, run.chances});
}

} // namespace lockscope::report
