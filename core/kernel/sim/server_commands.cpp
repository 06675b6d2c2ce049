#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <limits>

namespace lockscope::sim::handlers {

using store::Reply;

Reply ping(Call& call)
{
    if (call.size() > 2) {
        return replies::wrongArity(call.spec.name);
    }
    return call.size() == 2 ? replies::bulk(call.word(1)) : Reply::ofStatus("PONG");
}

Reply echo(Call& call)
{
    return replies::bulk(call.word(1));
}

Reply select(Call& call)
{
    const auto index = parseInteger(call.word(1));
    if (!index) {
        return replies::notAnInteger();
    }
    if (*index < std::numeric_limits<int>::min() || *index > std::numeric_limits<int>::max()) {
        return replies::error(
            "value is out of range, value must between -2147483648 and 2147483647");
    }
    return *index == 0 ? replies::ok() : replies::error("DB index is out of range");
}

Reply time(Call& call)
{
    const std::int64_t us = call.context.now.time_since_epoch().count();
    Reply::Array parts;
    parts.push_back(Reply::ofBulk(std::to_string(us / 1'000'000)));
    parts.push_back(Reply::ofBulk(std::to_string(us % 1'000'000)));
    return Reply::ofArray(std::move(parts));
}

/// The name is accepted and forgotten: nothing here shows it.
Reply clientSetname(Call& call)
{
    const bool isPrintable = std::ranges::all_of(call.word(2),
                                                 [](char c) { return c >= '!' && c <= '~'; });
    if (!isPrintable) {
        return replies::error(
            "Client names cannot contain spaces, newlines or special characters.");
    }
    return replies::ok();
}

Reply publish(Call& call)
{
    KeyspaceListener* const keyspaceListener = call.context.keyspaceListener;
    return replies::number(keyspaceListener != nullptr
                               ? keyspaceListener->publish(call.word(1), call.word(2))
                               : std::int64_t{0});
}

Reply pubsubNumsub(Call& call)
{
    const KeyspaceListener* const keyspaceListener = call.context.keyspaceListener;
    Reply::Array counts;
    for (std::size_t i = 2; i < call.size(); ++i) {
        counts.push_back(replies::bulk(call.word(i)));
        counts.push_back(replies::number(keyspaceListener != nullptr
                                             ? keyspaceListener->subscriberCount(call.word(i))
                                             : std::int64_t{0}));
    }
    return Reply::ofArray(std::move(counts));
}

} // namespace lockscope::sim::handlers
