#pragma once

#include "core/kernel/world/probe.h"
#include "core/kernel/world/sim_client.h"
#include "core/kernel/world/violation.h"

#include <optional>

namespace lockscope::world {

/// Judges the harm that a command did to the hold of another client by writing over it. The data of
/// a server may change without harm: a refused client leaves a mark of its own next to the hold, or
/// the key lives longer than the hold in it. So the protocol is asked whether the hold still
/// stands, and whether it still ends at the same instant.
class HarmJudge {
public:
    /// The probe and the victim outlive the judge.
    HarmJudge(const Probe& probe, const SimClient& victim, int lock)
        : m_probe(probe),
          m_victim(victim),
          m_lock(lock)
    {}

    /// `before` is the data of the server before the command. Returns nullopt if the command did no
    /// harm, or if that is not known.
    std::optional<ViolationKind> harmBy(Purpose purpose, const Probe::Instead& before) const;

private:
    bool isGone(const Probe::Instead& before) const;

    const Probe& m_probe;
    const SimClient& m_victim;
    int m_lock;
};

} // namespace lockscope::world
