#include "search/inevitability.h"

#include "search/random_pick.h"

#include <algorithm>

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
bool breaksInTheEnd(World& world, protocol::Promise promise, Rng rng)
{
    RandomPicker picker(rng, static_cast<int>(world.plan().clients.size()), Picking::Uniform, 0);
    for (int length = 0; length < kLengthMax && !breaks(world, promise); ++length) {
        const std::span<const Step> steps = world.steps();
        if (steps.empty()) {
            world.conclude();
            break;
        }
        world.takeKnown(steps[picker.pick(steps)]);
    }
    return breaks(world, promise);
}

} // namespace

std::vector<Continuation> sampleContinuations(const protocol::LockProtocol& protocol,
                                              const world::WorldPlan& plan, const Finding& finding,
                                              sim::LuaEngine& lua, int sampleCount,
                                              std::uint64_t seed)
{
    std::vector<Continuation> continuations;
    Rng rng(seed);
    for (std::size_t kept = 0; kept <= finding.steps.size(); ++kept) {
        Continuation continuation;
        continuation.stepCount = kept;
        continuation.sampleCount = sampleCount;
        for (int sample = 0; sample < sampleCount; ++sample) {
            World world(protocol, plan, lua);
            for (std::size_t i = 0; i < kept; ++i) {
                world.takeKnown(finding.steps[i]);
            }
            const bool isBroken = breaksInTheEnd(world, finding.violation.promise, rng.split());
            continuation.brokenCount += isBroken ? 1 : 0;
        }
        continuations.push_back(continuation);
    }
    return continuations;
}

std::size_t inevitableAfter(const std::vector<Continuation>& continuations)
{
    std::size_t after = continuations.empty() ? 0 : continuations.back().stepCount;
    for (auto place = continuations.rbegin();
         place != continuations.rend() && place->isInevitable(); ++place) {
        after = place->stepCount;
    }
    return after;
}

} // namespace lockscope::search
