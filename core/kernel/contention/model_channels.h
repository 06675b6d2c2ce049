#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/contention/model_driver.h"
#include "core/kernel/contention/model_server.h"
#include "core/kernel/store/channels.h"

#include <map>
#include <memory>
#include <vector>

namespace lockscope::contention {

/// The connection on which all contenders of one thread listen, as the live one does: one copy of a
/// message comes from the server, and all listeners are woken in the order of listening.
class ModelChannels final : private ModelPeer, private ModelListener {
public:
    /// Both outlive this.
    ModelChannels(ModelDriver& driver, ModelServer& server);
    ~ModelChannels();
    ModelChannels(const ModelChannels&) = delete;
    ModelChannels& operator=(const ModelChannels&) = delete;

    std::shared_ptr<store::Mailbox> listen(const Bytes& name, async::Gate& bell);

private:
    struct Channel {
        std::vector<std::shared_ptr<store::Mailbox>> mailboxes;
        bool isConfirmed = false;
        bool isAsked = false; // SUBSCRIBE is under way
    };

    void arrived(store::Reply reply) override { m_driver.deliver(*this, std::move(reply)); }
    void hear(store::Reply reply) override;
    void confirm(Channel& channel);
    void tell(std::map<Bytes, Channel>::iterator channel, const Bytes& payload);
    void transmit(const char* verb, const Bytes& channel);

    ModelDriver& m_driver;
    ModelServer& m_server;
    sim::SessionId m_session;
    std::map<Bytes, Channel> m_channels;
};

} // namespace lockscope::contention
