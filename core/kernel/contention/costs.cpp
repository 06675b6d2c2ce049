#include "contention/costs.h"

#include <cstdint>

namespace lockscope::contention {

Moment Slumber::awakeAt(Moment when, bool isCold)
{
    m_warmAt = isCold ? when + m_costs.coldFor : when;
    return when;
}

Moment Slumber::wakeUp(Moment now)
{
    const bool isDeep = isDeepAt(now);
    return awakeAt(now + (isDeep ? m_costs.deepWakeUp : m_costs.wakeUp), isDeep);
}

Moment Slumber::wakeUpByTimer(Moment now)
{
    return awakeAt(now + m_costs.timerDelay, isDeepAt(now));
}

Work Slumber::timeFor(Work work, Moment now) const
{
    if (now >= m_warmAt) {
        return work;
    }
    return Work(static_cast<std::int64_t>(static_cast<double>(work.count()) * m_costs.coldFactor));
}

Work serviceOf(const store::Command& command, const Costs::Server& server)
{
    const Bytes& name = command.words.front();
    if (name != "EVALSHA" && name != "EVAL") {
        return server.plain;
    }
    const auto known = command.words.size() > 1 ? server.scripts.find(command.words[1])
                                                : server.scripts.end();
    return known != server.scripts.end() ? known->second : server.script;
}

} // namespace lockscope::contention
