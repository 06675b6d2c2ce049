#pragma once

#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/run_file.h"
#include "core/kernel/search/default_plans.h"
#include "core/kernel/search/recorded_run.h"

#include <vector>

namespace lockscope::testing {

/// A run with a bit of everything: A is granted the lock and stands still beyond its lease, B is
/// granted it, too, and both believe. With server holds, messages, an overlap.
inline report::RunFile recordedExample()
{
    sim::LuaEngine lua;
    const protocol::LockProtocol& protocol = *protocol::findProtocol("set-nx-px-token");
    const auto plans = search::defaultPlans(protocol.info(), world::FaultKind::Pause);
    const std::vector steps{world::Step::serve(0, 0, world::LinkRole::Commands),
                            world::Step::ofFault(world::FaultKind::Pause, 0, 0)};
    report::RunFile run = report::runFileOf(report::SavedProtocol::builtin("set-nx-px-token"),
                                            plans.front(),
                                            search::recordRun(protocol, plans.front(), steps, lua));
    run.mode = "replay";
    run.command = "lockscope-cli replay 'my run.json'";
    report::PromiseVerdict broken;
    broken.status = report::PromiseVerdict::Status::Broken;
    broken.kind = "double-belief";
    broken.isPromised = true;
    broken.at = std::chrono::milliseconds(10'001);
    broken.summary = "A and B both hold k";
    report::PromiseVerdict held;
    held.promise = protocol::Promise::Progress;
    held.status = report::PromiseVerdict::Status::Held;
    run.promises = {broken, held};
    run.faults = {"pause: a client stands still"};
    run.story = {{Instant(), 0, "A sends SET k *1* NX: OK", false, 1},
                 {Instant(std::chrono::seconds(10)), 3, "A and B both hold k", true, 2}};
    run.assumptions = {"The protocol promises it as long as nobody is late."};
    return run;
}

} // namespace lockscope::testing
