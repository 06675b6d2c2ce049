#pragma once

#include "core/kernel/world/step_runner.h"

#include <memory>
#include <vector>

namespace lockscope::world {

/// Judges how a run ended: repairs everything except who is dead, and lets a new client ask for
/// each lock that was left behind. If it is not granted in any time that a library may take, the
/// lock is stuck.
///
/// That is liveness by experiment: in a finite run no one can see that a lock will never be free,
/// but with all faults over, one schedule in which it is granted is enough to acquit the protocol.
/// What the oracle does is no part of the run: its length stays what it was.
class EndOracle {
public:
    /// What is referred to outlives the oracle.
    EndOracle(const protocol::ProtocolInfo& info, const WorldPlan& plan,
              const StepRunner::Parts& parts, StepRunner& runner);

    /// To be called when nothing may happen any more, and once.
    void conclude();

private:
    void heal();
    bool mayBeStuck(int lock) const;
    bool isGranted(int lock);
    void judgePermits(int lock);
    void noteStuck(int lock);
    const WorldPlan& planFor(int lock);

    const protocol::ProtocolInfo& m_info;
    const WorldPlan& m_plan;
    StepRunner::Parts m_parts;
    StepRunner& m_runner;
    std::vector<std::unique_ptr<WorldPlan>> m_askerPlans; // the clients refer to them
    bool m_hasConcluded = false;
};

} // namespace lockscope::world
