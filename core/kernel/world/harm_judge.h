#pragma once

#include "core/kernel/world/probe.h"
#include "core/kernel/world/sim_client.h"
#include "core/kernel/world/violation.h"

#include <optional>

namespace lockscope::world {

/// What a command that wrote over the hold of another client has done to it. What stands on a
/// server may change without any harm: by a mark of a client's own beside the hold, or a longer
/// life of the key around it. So the protocol is asked whether the hold is still there, and whether
/// it ends when it did.
class HarmJudge {
public:
    /// What is referred to outlives this.
    HarmJudge(const Probe& probe, const SimClient& victim, int lock)
        : m_probe(probe),
          m_victim(victim),
          m_lock(lock)
    {}

    /// `before`: what the server had before the command. nullopt: no harm, or it is not known.
    std::optional<ViolationKind> harmBy(Purpose purpose, const Probe::Instead& before) const;

private:
    bool isGone(const Probe::Instead& before) const;

    const Probe& m_probe;
    const SimClient& m_victim;
    int m_lock;
};

} // namespace lockscope::world
