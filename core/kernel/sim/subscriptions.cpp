#include "core/kernel/sim/subscriptions.h"

#include "core/kernel/base/content_hash.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/sim/call.h"

#include <algorithm>
#include <initializer_list>
#include <set>

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
    return {session, Reply::ofArray(std::move(parts)), store::ReplyShape::Push};
}

Delivery message(SessionId session, std::initializer_list<std::string_view> words)
{
    Reply::Array parts;
    for (const std::string_view word : words) {
        parts.push_back(replies::bulk(word));
    }
    return {session, Reply::ofArray(std::move(parts)), store::ReplyShape::Push};
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
    List& list = listOf(commandName);
    if (commandName.ends_with("unsubscribe")) {
        unsubscribe(commandName, command, list, session, deliveries);
        return;
    }
    for (std::size_t i = 1; i < command.words.size(); ++i) {
        const Bytes& name = command.words[i];
        subscribe(list, session, name);
        deliveries.push_back(confirmation(session, commandName, replies::bulk(name),
                                          countBeside(list, session)));
    }
}

/// As pubsubPublishMessage() in pubsub.c: those of the channel first, in the order in which they
/// subscribed, then the patterns. A connection with both hears the message twice.
std::int64_t Subscriptions::publish(ChannelKind kind, const Bytes& channel, const Bytes& payload,
                                    std::vector<Delivery>& deliveries) const
{
    const std::size_t before = deliveries.size();
    const bool isGlobal = kind == ChannelKind::Global;
    for (const Subscription& known : listOf(kind)) {
        if (known.name == channel) {
            deliveries.push_back(message(known.session,
                                         {isGlobal ? "message" : "smessage", channel, payload}));
        }
    }
    for (const Subscription& known : m_patterns) {
        if (isGlobal && isHeardBy(known.name, channel)) {
            deliveries.push_back(message(known.session,
                                         {"pmessage", known.name, channel, payload}));
        }
    }
    return static_cast<std::int64_t>(deliveries.size() - before);
}

std::int64_t Subscriptions::subscriberCount(ChannelKind kind, const Bytes& channel) const
{
    return std::ranges::count(listOf(kind), channel, &Subscription::name);
}

std::vector<Bytes> Subscriptions::channels(ChannelKind kind) const
{
    std::vector<Bytes> names;
    for (const Subscription& known : listOf(kind)) { // by name
        if (names.empty() || names.back() != known.name) {
            names.push_back(known.name);
        }
    }
    return names;
}

std::int64_t Subscriptions::patternCount() const
{
    std::set<std::string_view> names;
    for (const Subscription& known : m_patterns) {
        names.insert(known.name);
    }
    return static_cast<std::int64_t>(names.size());
}

Subscriptions::Counts Subscriptions::countsOf(SessionId session) const
{
    return {std::ranges::count(m_channels, session, &Subscription::session),
            std::ranges::count(m_patterns, session, &Subscription::session),
            std::ranges::count(m_shardChannels, session, &Subscription::session)};
}

void Subscriptions::remove(SessionId session)
{
    const auto isOf = [session](const Subscription& known) { return known.session == session; };
    std::erase_if(m_channels, isOf);
    std::erase_if(m_patterns, isOf);
    std::erase_if(m_shardChannels, isOf);
}

void Subscriptions::clear()
{
    m_channels.clear();
    m_patterns.clear();
    m_shardChannels.clear();
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
    if (!m_shardChannels.empty()) {
        hash.add(m_patterns.size());
        for (const Subscription& known : m_shardChannels) {
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

Subscriptions::List& Subscriptions::listOf(std::string_view commandName)
{
    if (commandName.starts_with('p')) {
        return m_patterns;
    }
    return commandName.starts_with("ss") || commandName.starts_with("sun") ? m_shardChannels
                                                                           : m_channels;
}

std::int64_t Subscriptions::countBeside(const List& list, SessionId session) const
{
    const Counts counts = countsOf(session);
    return &list == &m_shardChannels ? counts.shardChannels : counts.channels + counts.patterns;
}

void Subscriptions::subscribe(List& list, SessionId session, const Bytes& name)
{
    if (find(list, session, name) != list.end()) {
        return;
    }
    // By name, so that the order of different channels, which cannot be seen, does not tell states
    // apart; within a name by time, because publish() goes through them in that order.
    const auto place = &list == &m_patterns
                           ? list.end()
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
                                          countBeside(list, session)));
    }
    if (names.empty()) {
        deliveries.push_back(confirmation(session, commandName, replies::nil(),
                                          countBeside(list, session)));
    }
}

} // namespace lockscope::sim
