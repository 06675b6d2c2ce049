#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/sim/sim_session.h"
#include "core/kernel/store/command.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockscope::sim {

/// The subscriptions of a simulated server: to channels by name, and to those that match a
/// pattern. A value. Messages and confirmations are appended to a list of deliveries.
class Subscriptions {
public:
    /// SUBSCRIBE, UNSUBSCRIBE, PSUBSCRIBE or PUNSUBSCRIBE, `commandName` being in lower case.
    void run(std::string_view commandName, const store::Command& command, SessionId session,
             std::vector<Delivery>& deliveries);
    /// How many copies of the message there are: one per subscription. Subscribers of the channel
    /// itself come first; between patterns, where a real server keeps no order, the one that was
    /// there first.
    std::int64_t publish(const Bytes& channel, const Bytes& payload,
                         std::vector<Delivery>& deliveries) const;

    /// Those who know the channel by its name.
    std::int64_t subscriberCount(const Bytes& channel) const;
    bool has(SessionId session) const { return countOf(session) > 0; }
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
    std::int64_t countOf(SessionId session) const;
    void subscribe(bool isPattern, SessionId session, const Bytes& name);
    void unsubscribe(std::string_view commandName, const store::Command& command, List& list,
                     SessionId session, std::vector<Delivery>& deliveries);

    List m_channels; // by name, then in the order in which they came
    List m_patterns; // in the order in which they came
};

} // namespace lockscope::sim
