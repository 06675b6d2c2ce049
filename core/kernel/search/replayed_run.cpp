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
        if (!world.takeStep(steps[i])) {
            run.impossibleStep = i;
        }
    }
    if (!run.impossibleStep && world.steps().empty()) {
        world.conclude();
    }
    run.violations = world.violations();
    run.digest = world.stateHash();
    run.virtualTime = world.elapsed();
    run.length = world.cost();
    return run;
}

} // namespace lockscope::search
