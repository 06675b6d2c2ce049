#include "core/kernel/search/replayed_run.h"

namespace lockscope::search {

ReplayedRun replaySteps(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                        std::span<const world::Step> steps, sim::LuaEngine& lua,
                        world::Observer* observer)
{
    world::World world(protocol, plan, lua);
    world.observeWith(observer);
    ReplayedRun run;
    for (std::size_t i = 0; i < steps.size() && !run.impossibleStep; ++i) {
        // With the check: steps may come from a file, of another revision of the engine or of the
        // user.
        if (!world.takeStep(steps[i])) {
            run.impossibleStep = i;
        }
    }
    // As the search did: a violation that only the end shows belongs to a run that has one.
    if (!run.impossibleStep && world.steps().empty()) {
        world.conclude();
    }
    run.violations = world.violations();
    run.chances = world.chances();
    run.digest = world.stateHash();
    run.virtualTime = world.elapsed();
    run.length = world.cost();
    return run;
}

} // namespace lockscope::search
