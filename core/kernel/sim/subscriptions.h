#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/sim_session.h"
#include "core/kernel/store/command.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::sim {

/// The subscriptions of a simulated server: to channels by name, to those that match a pattern, and
/// to channels of a shard. A value. Messages and confirmations are appended to a list of
/// deliveries.
class Subscriptions {
public:
    /// SUBSCRIBE, UNSUBSCRIBE, PSUBSCRIBE, PUNSUBSCRIBE, SSUBSCRIBE or SUNSUBSCRIBE, `commandName`
    /// being in lower case.
    void run(std::string_view commandName, const store::Command& command, SessionId session,
             std::vector<Delivery>& deliveries);
    /// How many copies of the message there are: one per subscription. Subscribers of the channel
    /// itself come first; between patterns, where a real server keeps no order, the one that was
    /// there first.
    std::int64_t publish(ChannelKind kind, const Bytes& channel, const Bytes& payload,
                         std::vector<Delivery>& deliveries) const;

    /// Those who know the channel by its name.
    std::int64_t subscriberCount(ChannelKind kind, const Bytes& channel) const;
    /// That somebody knows by their names, in their order.
    std::vector<Bytes> channels(ChannelKind kind) const;
    std::int64_t patternCount() const;

    struct Counts {
        std::int64_t channels = 0;
        std::int64_t patterns = 0;
        std::int64_t shardChannels = 0;
    };
    Counts countsOf(SessionId session) const;
    bool has(SessionId session) const
    {
        return isIn(m_channels, session) || isIn(m_patterns, session)
               || isIn(m_shardChannels, session);
    }
    void remove(SessionId session);
    void clear();

    std::uint64_t contentHash() const;

private:
    struct Subscription {
        SessionId session = 0;
        Bytes name;
    };
    using List = std::vector<Subscription>;

    static List::iterator find(List& list, SessionId session, const Bytes& name);
    static bool isIn(const List& list, SessionId session)
    {
        return std::ranges::find(list, session, &Subscription::session) != list.end();
    }
    const List& listOf(ChannelKind kind) const
    {
        return kind == ChannelKind::Global ? m_channels : m_shardChannels;
    }
    List& listOf(std::string_view commandName);
    /// What confirmations count: shard channels apart from all others.
    std::int64_t countBeside(const List& list, SessionId session) const;
    void subscribe(List& list, SessionId session, const Bytes& name);
    void unsubscribe(std::string_view commandName, const store::Command& command, List& list,
                     SessionId session, std::vector<Delivery>& deliveries);

    List m_channels;      // by name, then in the order in which they came
    List m_patterns;      // in the order in which they came
    List m_shardChannels; // like m_channels
};

} // namespace lockscope::sim
