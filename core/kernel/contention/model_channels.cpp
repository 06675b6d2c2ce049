#include "core/kernel/contention/model_channels.h"

#include <utility>

namespace lockscope::contention {

using store::Mailbox;
using store::Notice;

ModelChannels::ModelChannels(ModelDriver& driver, ModelServer& server)
    : m_driver(driver),
      m_server(server),
      m_session(server.connect(*this))
{}

ModelChannels::~ModelChannels()
{
    m_server.disconnect(m_session);
    m_driver.forget(*this);
}

void ModelChannels::transmit(const char* verb, const Bytes& channel)
{
    store::Command command(verb, channel);
    m_driver.send(m_server, m_session, {&command, 1});
}

std::shared_ptr<Mailbox> ModelChannels::listen(const Bytes& name, async::Gate& bell)
{
    Channel& channel = m_channels[name];
    auto mailbox = std::make_shared<Mailbox>(bell);
    channel.mailboxes.push_back(mailbox);
    if (channel.isConfirmed) {
        mailbox->put({Notice::Kind::Listening, {}});
    } else if (!std::exchange(channel.isAsked, true)) {
        transmit("SUBSCRIBE", name);
    }
    return mailbox;
}

void ModelChannels::hear(store::Reply reply)
{
    const store::Reply::Array& parts = *reply.array();
    const Bytes& kind = *parts[0].text();
    const auto channel = m_channels.find(*parts[1].text());
    if (channel == m_channels.end()) {
        return;
    }
    if (kind == "subscribe") {
        confirm(channel->second);
    } else if (kind == "message") {
        tell(channel, *parts[2].text());
    }
}

void ModelChannels::confirm(Channel& channel)
{
    channel.isAsked = false;
    channel.isConfirmed = true;
    for (const auto& mailbox : channel.mailboxes) {
        mailbox->put({Notice::Kind::Listening, {}});
    }
}

void ModelChannels::tell(std::map<Bytes, Channel>::iterator channel, const Bytes& payload)
{
    auto& mailboxes = channel->second.mailboxes;
    std::erase_if(mailboxes, [](const auto& mailbox) { return mailbox->isClosed(); });
    for (const auto& mailbox : mailboxes) {
        mailbox->put({Notice::Kind::Message, payload});
    }
    if (mailboxes.empty() && !channel->second.isAsked) {
        transmit("UNSUBSCRIBE", channel->first);
        m_channels.erase(channel);
    }
}

} // namespace lockscope::contention
