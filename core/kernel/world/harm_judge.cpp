#include "core/kernel/world/harm_judge.h"

namespace lockscope::world {

bool HarmJudge::isGone(const Probe::Instead& before) const
{
    const protocol::Grant* const grant = m_victim.grantOf(m_lock);
    return grant != nullptr && m_probe.isHeld(m_victim.identity(), *grant, before) == true
           && m_probe.isHeld(m_victim.identity(), *grant) == false;
}

std::optional<ViolationKind> HarmJudge::harmBy(Purpose purpose, const Probe::Instead& before) const
{
    if (isGone(before)) {
        const bool isOpen = m_probe.ask(m_lock) == Probe::Answer::Granted;
        return isOpen ? ViolationKind::WrongRelease : ViolationKind::Takeover;
    }
    if (purpose != Purpose::Acquire) {
        return std::nullopt; // whose expiry it moved the ledger has judged
    }
    const Probe::FreeFrom then = m_probe.freeFrom(m_lock, before);
    const Probe::FreeFrom now = m_probe.freeFrom(m_lock);
    const bool isMoved = then.isKnown && now.isKnown && then != now;
    return isMoved ? std::optional(ViolationKind::WrongExtension) : std::nullopt;
}

} // namespace lockscope::world
