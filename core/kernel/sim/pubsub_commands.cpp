#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/subscriptions.h"

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

/// Without clients nobody has subscribed.
const Subscriptions& subscriptionsOf(const Call& call)
{
    static const Subscriptions kNone;
    const KeyspaceListener* const listener = call.context.keyspaceListener;
    return listener != nullptr ? listener->subscriptions() : kNone;
}

Reply publishTo(Call& call, ChannelKind kind)
{
    KeyspaceListener* const listener = call.context.keyspaceListener;
    return replies::number(listener != nullptr ? listener->publish(kind, call.word(1), call.word(2))
                                               : std::int64_t{0});
}

Reply channelsOf(Call& call, ChannelKind kind)
{
    if (call.size() > 3) { // the answer of pubsubCommand() in pubsub.c to whatever it does not know
        return replies::error("unknown subcommand or wrong number of arguments for '"
                              + shownInError(call.word(1)) + "'. Try PUBSUB HELP.");
    }
    Reply::Array names;
    for (Bytes& name : subscriptionsOf(call).channels(kind)) {
        if (call.size() == 2 || inspect::matchesGlob(call.word(2), name)) {
            names.push_back(Reply::ofBulk(std::move(name)));
        }
    }
    return Reply::ofArray(std::move(names));
}

Reply subscriberCounts(Call& call, ChannelKind kind)
{
    Reply::Array counts;
    for (std::size_t i = 2; i < call.size(); ++i) {
        counts.push_back(replies::bulk(call.word(i)));
        counts.push_back(replies::number(subscriptionsOf(call).subscriberCount(kind,
                                                                               call.word(i))));
    }
    return Reply::ofArray(std::move(counts));
}

} // namespace

Reply publish(Call& call)
{
    return publishTo(call, ChannelKind::Global);
}

Reply spublish(Call& call)
{
    return publishTo(call, ChannelKind::Shard);
}

Reply pubsubChannels(Call& call)
{
    return channelsOf(call, ChannelKind::Global);
}

Reply pubsubNumpat(Call& call)
{
    return replies::number(subscriptionsOf(call).patternCount());
}

Reply pubsubNumsub(Call& call)
{
    return subscriberCounts(call, ChannelKind::Global);
}

Reply pubsubShardchannels(Call& call)
{
    return channelsOf(call, ChannelKind::Shard);
}

Reply pubsubShardnumsub(Call& call)
{
    return subscriberCounts(call, ChannelKind::Shard);
}

} // namespace lockscope::sim::handlers
