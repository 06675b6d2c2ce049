#include "core/kernel/trace/run_steps.h"

#include <algorithm>
#include <optional>

namespace lockscope::trace {

namespace {

Message inSteps(Message message)
{
    const auto replace = [](std::optional<Instant>& at, std::uint32_t step) {
        at = at ? std::optional(instantOfStep(step)) : std::nullopt;
    };
    const std::uint32_t applied = std::max(message.sentStep, message.appliedStep);
    message.sentAt = instantOfStep(message.sentStep);
    replace(message.appliedAt, applied);
    replace(message.answeredAt, std::max(applied, message.answeredStep));
    return message;
}

ServerHold inSteps(ServerHold serverHold)
{
    serverHold.from = instantOfStep(serverHold.fromStep);
    serverHold.to = instantOfStep(std::max(serverHold.fromStep, serverHold.toStep));
    return serverHold;
}

} // namespace

Instant RunSteps::timeOf(std::uint32_t step) const
{
    return step < times.size() ? times[step] : times.back();
}

std::uint32_t RunSteps::stepAt(Instant time) const
{
    const auto found = std::ranges::lower_bound(times, time);
    return static_cast<std::uint32_t>(std::min(found, times.end() - 1) - times.begin());
}

Chronicle chronicleInSteps(std::span<const Event> events, const Chronicle& run,
                           const RunSteps& steps, int permits)
{
    std::vector<Event> moved(events.begin(), events.end());
    for (std::size_t i = 0; i < moved.size() && i < steps.eventSteps.size(); ++i) {
        moved[i].at = instantOfStep(steps.eventSteps[i]);
    }
    // What the last step led to is to be seen as well.
    const auto end = instantOfStep(static_cast<std::uint32_t>(steps.times.size()));
    Chronicle chronicle = chronicleOf(moved, end, permits, InstantOrder::AsRecorded);
    chronicle.axis = Chronicle::Axis::Steps;
    for (const ServerHold& serverHold : run.serverHolds) {
        chronicle.serverHolds.push_back(inSteps(serverHold));
        if (serverHold.end == SpanEnd::Open) {
            chronicle.serverHolds.back().to = end;
        }
    }
    for (const Message& message : run.messages) {
        chronicle.messages.push_back(inSteps(message));
    }
    return chronicle;
}

} // namespace lockscope::trace
