#include "core/kernel/protocol/builtin/our_steps.h"

#include "core/kernel/protocol/builtin/steps.h"

#include <utility>

namespace lockscope::protocol::builtin {

Bytes companionKey(std::string_view key, std::string_view suffix)
{
    const bool hasTag = key.find('{') != std::string_view::npos;
    const Bytes tagged = hasTag ? Bytes(key) : Bytes("{").append(key).append("}");
    return Bytes(tagged).append(":").append(suffix);
}

AcquireOutcome listedOutcome(const store::Outcome& outcome, Grant grant)
{
    if (auto failure = acquireFailure(outcome, grant)) {
        return *failure;
    }
    const store::Reply::Array* const parts = replyOf(outcome)->array();
    const auto verdict = parts != nullptr && !parts->empty() ? parts->front().integer()
                                                             : std::nullopt;
    const auto number = verdict && parts->size() > 1 ? parts->at(1).integer() : std::nullopt;
    if (verdict == 1) {
        grant.fence = number;
        return grant;
    }
    if (verdict != 0) {
        return Uncertain{unexpectedReply(), std::move(grant)};
    }
    Refused refused;
    if (number && *number >= 0) {
        refused.remaining = std::chrono::milliseconds(*number);
    }
    return refused;
}

} // namespace lockscope::protocol::builtin
