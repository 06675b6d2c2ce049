#include "core/kernel/sim/subscriptions.h"

#include "core/kernel/base/content_hash.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/sim/call.h"

#include <algorithm>

namespace lockscope::sim {

using store::Command;
using store::Reply;

namespace {

Delivery confirmation(SessionId session, std::string_view commandName, Reply name,
                      std::int64_t count)
{
    Reply::Array parts;
    parts.push_back(replies::bulk(commandName));
    parts.push_back(std::move(name));
    parts.push_back(replies::number(count));
    return {session, Reply::ofArray(std::move(parts))};
}

/// Redis does not even begin to match a channel without a name.
bool isHeardBy(const Bytes& pattern, const Bytes& channel)
{
    return channel.empty() ? pattern.empty() : inspect::matchesGlob(pattern, channel);
}

} // namespace

void Subscriptions::run(std::string_view commandName, const Command& command, SessionId session,
                        std::vector<Delivery>& deliveries)
{
    const bool isPattern = commandName.starts_with('p');
    if (commandName.ends_with("unsubscribe")) {
        unsubscribe(commandName, command, isPattern ? m_patterns : m_channels, session, deliveries);
        return;
    }
    for (std::size_t i = 1; i < command.words.size(); ++i) {
        const Bytes& name = command.words[i];
        subscribe(isPattern, session, name);
        deliveries.push_back(confirmation(session, commandName, replies::bulk(name),
                                          countOf(session)));
    }
}

/// As pubsubPublishMessage() in pubsub.c: those of the channel first, in the order in which they
/// subscribed, then the patterns. A connection with both hears the message twice.
std::int64_t Subscriptions::publish(const Bytes& channel, const Bytes& payload,
                                    std::vector<Delivery>& deliveries) const
{
    const std::size_t before = deliveries.size();
    for (const Subscription& known : m_channels) {
        if (known.name == channel) {
            deliveries.push_back({known.session,
                                  Reply::ofArray({replies::bulk("message"), replies::bulk(channel),
                                                  replies::bulk(payload)})});
        }
    }
    for (const Subscription& known : m_patterns) {
        if (isHeardBy(known.name, channel)) {
            deliveries.push_back({known.session,
                                  Reply::ofArray({replies::bulk("pmessage"),
                                                  replies::bulk(known.name), replies::bulk(channel),
                                                  replies::bulk(payload)})});
        }
    }
    return static_cast<std::int64_t>(deliveries.size() - before);
}

std::int64_t Subscriptions::subscriberCount(const Bytes& channel) const
{
    return std::ranges::count(m_channels, channel, &Subscription::name);
}

void Subscriptions::remove(SessionId session)
{
    const auto isOf = [session](const Subscription& known) { return known.session == session; };
    std::erase_if(m_channels, isOf);
    std::erase_if(m_patterns, isOf);
}

void Subscriptions::clear()
{
    m_channels.clear();
    m_patterns.clear();
}

std::uint64_t Subscriptions::contentHash() const
{
    ContentHash hash(m_channels.size());
    for (const List* const list : {&m_channels, &m_patterns}) {
        for (const Subscription& known : *list) {
            hash.add(known.session);
            hash.add(known.name);
        }
    }
    return hash.value();
}

Subscriptions::List::iterator Subscriptions::find(List& list, SessionId session, const Bytes& name)
{
    return std::ranges::find_if(list, [&](const Subscription& known) {
        return known.session == session && known.name == name;
    });
}

std::int64_t Subscriptions::countOf(SessionId session) const
{
    return std::ranges::count(m_channels, session, &Subscription::session)
           + std::ranges::count(m_patterns, session, &Subscription::session);
}

void Subscriptions::subscribe(bool isPattern, SessionId session, const Bytes& name)
{
    List& list = isPattern ? m_patterns : m_channels;
    if (find(list, session, name) != list.end()) {
        return;
    }
    // By name, so that the order of different channels, which cannot be seen, does not tell states
    // apart; within a name by time, because publish() goes through them in that order.
    const auto place = isPattern ? list.end()
                                 : std::ranges::upper_bound(list, name, {}, &Subscription::name);
    list.insert(place, Subscription{session, name});
}

/// Every name is confirmed, known or not; without names all of them, and that there are none.
void Subscriptions::unsubscribe(std::string_view commandName, const Command& command, List& list,
                                SessionId session, std::vector<Delivery>& deliveries)
{
    std::vector<Bytes> names(command.words.begin() + 1, command.words.end());
    const bool isForAll = names.empty();
    for (const Subscription& known : list) {
        if (isForAll && known.session == session) {
            names.push_back(known.name);
        }
    }
    for (const Bytes& name : names) {
        if (const auto known = find(list, session, name); known != list.end()) {
            list.erase(known);
        }
        deliveries.push_back(confirmation(session, commandName, replies::bulk(name),
                                          countOf(session)));
    }
    if (names.empty()) {
        deliveries.push_back(confirmation(session, commandName, replies::nil(), countOf(session)));
    }
}

} // namespace lockscope::sim
