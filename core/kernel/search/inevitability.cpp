#include "core/kernel/search/inevitability.h"

#include "core/kernel/search/random_pick.h"
#include "core/kernel/search/replayed_run.h"
#include "core/kernel/search/rewindable_world.h"

#include <algorithm>
#include <memory>
#include <span>

namespace lockscope::search {

using world::Step;
using world::World;

namespace {

constexpr int kLengthMax = 500;

bool breaks(const World& world, protocol::Promise promise)
{
    return std::ranges::find(world.violations(), promise, &world::Violation::promise)
           != world.violations().end();
}

/// Whether the promise is broken in the end when the run goes on at random.
/// Uniformly and with faults: the question is what may still happen.
bool breaksInTheEnd(RewindableWorld& stage, protocol::Promise promise, Rng rng)
{
    const World& world = stage.world();
    RandomPicker picker(rng, static_cast<int>(world.plan().clients.size()), Picking::Uniform, 0);
    for (int length = 0; length < kLengthMax && !breaks(world, promise); ++length) {
        const std::span<const Step> steps = stage.steps();
        if (steps.empty()) {
            stage.conclude();
            break;
        }
        const Step step = steps[picker.pick(steps)];
        stage.takeKnownStep(step);
    }
    return breaks(world, promise);
}

void takeFromBeginning(RewindableWorld& stage, std::span<const Step> steps)
{
    stage.putBackToBeginning();
    for (const Step& step : steps) {
        stage.takeKnownStep(step);
    }
}

} // namespace

std::vector<Continuation> sampleContinuations(const protocol::LockProtocol& protocol,
                                              const world::WorldPlan& plan, const Finding& finding,
                                              sim::LuaEngine& lua, const Sampling& sampling)
{
    if (replaySteps(protocol, plan, finding.steps, lua).impossibleStep) {
        return {};
    }
    std::vector<Continuation> continuations;
    Rng rng(sampling.seed);
    const std::unique_ptr<Arena> arena = Arena::take();
    RewindableWorld stage({protocol, plan, lua}, arena.get());
    const std::uint64_t scriptsStopped = lua.stoppedCount();
    for (std::size_t kept = 0; kept <= finding.steps.size(); ++kept) {
        const std::span prefix(finding.steps.data(), kept);
        takeFromBeginning(stage, prefix);
        const RewindableWorld::Image image = stage.save();
        Continuation continuation;
        continuation.stepCount = kept;
        continuation.sampleCount = sampling.sampleCount;
        for (int sample = 0; sample < sampling.sampleCount; ++sample) {
            const bool isEndless = lua.stoppedCount() != scriptsStopped;
            if (isEndless || (sampling.goOn && !sampling.goOn())) {
                return {};
            }
            if (image != RewindableWorld::kNoImage) {
                stage.putBack(image);
            } else {
                takeFromBeginning(stage, prefix);
            }
            // Each sample has its own stream, so one that ends early does not change the next.
            const bool isBroken = breaksInTheEnd(stage, finding.violation.promise, rng.split());
            continuation.brokenCount += isBroken ? 1 : 0;
        }
        continuations.push_back(continuation);
        if (image != RewindableWorld::kNoImage) {
            stage.forget(image);
        }
    }
    return continuations;
}

/// From the end backwards: a place in the middle from which all samples broke by chance does not
/// count when a later one could still be saved.
std::size_t inevitableAfter(const std::vector<Continuation>& continuations)
{
    std::size_t after = continuations.empty() ? 0 : continuations.back().stepCount;
    for (auto place = continuations.rbegin();
         place != continuations.rend() && place->isInevitable(); ++place) {
        after = place->stepCount;
    }
    return after;
}

std::optional<TurningPoint> turningPointIn(const std::vector<StoryLine>& story,
                                           const std::vector<Continuation>& continuations)
{
    const std::size_t after = inevitableAfter(continuations);
    if (after == 0 || after >= continuations.size() || !continuations[after].isInevitable()) {
        return std::nullopt;
    }
    const auto line = std::ranges::find_if(story, [after](const StoryLine& candidate) {
        return candidate.step >= static_cast<int>(after) - 1;
    });
    if (line == story.end()) {
        return std::nullopt;
    }
    return TurningPoint{static_cast<std::size_t>(line - story.begin()),
                        continuations[after].sampleCount, continuations[after - 1].brokenCount};
}

} // namespace lockscope::search
