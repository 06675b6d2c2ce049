#include "core/wire/connection/redis_channels.h"

#include <utility>

namespace lockscope::wire {

using store::Command;
using store::Mailbox;
using store::Notice;
using store::Outcome;
using store::Reply;

namespace {

/// A subscription is silent while no message is published; only a PING tells that from a dead line.
constexpr Duration kPingInterval = std::chrono::seconds(10);

} // namespace

RedisChannels::RedisChannels(const store::Endpoint& endpoint, async::Executor& executor,
                             Clock& clock, Rng rng, QObject* parent)
    : QObject(parent),
      m_clock(clock),
      m_connection(endpoint, executor, clock, rng, this),
      m_tasks(executor),
      m_keepAlive(executor, keepAlive())
{
    connect(&m_connection, &Connection::stateChanged, this, &RedisChannels::follow,
            Qt::QueuedConnection);
    connect(&m_connection, &Connection::messageReceived, this, &RedisChannels::takeMessage);
}

store::Subscription RedisChannels::subscribe(Bytes channel, async::Gate& bell)
{
    Channel& listeners = m_channels[channel];
    prune(listeners);
    auto mailbox = std::make_shared<Mailbox>(bell);
    listeners.mailboxes.push_back(mailbox);
    if (m_connection.state() == Connection::State::Closed) {
        m_connection.open();
    } else if (listeners.isListening) {
        mailbox->put({Notice::Kind::Listening, {}});
    } else if (m_connection.state() == Connection::State::Online) {
        ask(channel);
    } else if (m_connection.state() == Connection::State::Waiting) {
        mailbox->put({Notice::Kind::Deaf, {}});
    }
    return store::Subscription(std::move(mailbox));
}

void RedisChannels::prune(Channel& channel)
{
    std::erase_if(channel.mailboxes, [](const auto& mailbox) { return mailbox->isClosed(); });
}

void RedisChannels::follow()
{
    if (m_connection.state() == Connection::State::Online) {
        m_connection.expectMessages();
        for (auto& [name, channel] : m_channels) {
            ask(name);
        }
        return;
    }
    if (m_connection.state() != Connection::State::Waiting) {
        return;
    }
    for (auto& [name, channel] : m_channels) {
        channel.isListening = false;
        for (const auto& mailbox : channel.mailboxes) {
            mailbox->put({Notice::Kind::Deaf, {}});
        }
    }
}

void RedisChannels::ask(const Bytes& name)
{
    if (!std::exchange(m_channels[name].isAsked, true)) {
        m_tasks.start(askServer(name));
    }
}

async::Task<void> RedisChannels::askServer(Bytes name)
{
    Command listen("SUBSCRIBE", name);
    const Outcome outcome = co_await m_connection.submit(std::move(listen));
    Channel& channel = m_channels[name];
    channel.isAsked = false;
    channel.isListening = !problemOf(outcome);
    const auto kind = channel.isListening ? Notice::Kind::Listening : Notice::Kind::Deaf;
    for (const auto& mailbox : channel.mailboxes) {
        mailbox->put({kind, {}});
    }
}

async::Task<void> RedisChannels::leave(Bytes name)
{
    Command leave("UNSUBSCRIBE", name);
    co_await m_connection.submit(std::move(leave));
}

async::Task<void> RedisChannels::keepAlive()
{
    while (true) {
        co_await m_clock.wakeAt(m_clock.now() + kPingInterval);
        if (m_connection.state() == Connection::State::Online) {
            Command ping("PING");
            co_await m_connection.submit(std::move(ping));
        }
    }
}

void RedisChannels::takeMessage(const Reply& message)
{
    const Reply::Array& parts = *message.array();
    const std::string* const name = parts[1].text();
    const std::string* const payload = parts[2].text();
    const auto found = name != nullptr ? m_channels.find(*name) : m_channels.end();
    if (found == m_channels.end() || payload == nullptr) {
        return;
    }
    Channel& channel = found->second;
    prune(channel);
    for (const auto& mailbox : channel.mailboxes) {
        mailbox->put({Notice::Kind::Message, *payload});
    }
    if (channel.mailboxes.empty() && !channel.isAsked) {
        m_tasks.start(leave(found->first));
        m_channels.erase(found);
    }
}

} // namespace lockscope::wire
