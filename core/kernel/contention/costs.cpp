#include "core/kernel/contention/costs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace lockscope::contention {

namespace {

Work delayAfter(Work slept, const std::vector<Costs::WakeUp>& known, Work Costs::WakeUp::*delay)
{
    const auto longer = std::ranges::lower_bound(known, slept, {}, &Costs::WakeUp::asleepFor);
    if (longer == known.begin()) {
        return known.front().*delay;
    }
    const Costs::WakeUp& shorter = *std::prev(longer);
    if (longer == known.end()) {
        return shorter.*delay;
    }
    const std::chrono::duration<double, Work::period> beyond = slept - shorter.asleepFor;
    const double part = beyond / (longer->asleepFor - shorter.asleepFor);
    const Work more = (*longer).*delay - shorter.*delay;
    return shorter.*delay + Work(std::llround(part * static_cast<double>(more.count())));
}

} // namespace

Moment IdleTimer::awakeAfter(Work Costs::WakeUp::*delay, Moment now)
{
    const Work slept = now - m_since;
    const Moment awake = now + delayAfter(slept, m_costs.wakeUps, delay);
    m_warmAt = slept >= m_costs.coldAfter ? awake + m_costs.coldFor : awake;
    return awake;
}

Moment IdleTimer::wakeUp(Moment now)
{
    return awakeAfter(&Costs::WakeUp::byMessage, now);
}

Moment IdleTimer::wakeUpByTimer(Moment now)
{
    return awakeAfter(&Costs::WakeUp::byTimer, now);
}

Work IdleTimer::timeFor(Work work, Moment now) const
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
