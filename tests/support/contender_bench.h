#pragma once

#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/trace/event_log.h"
#include "tests/support/scripted_store.h"
#include "tests/support/virtual_loop.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::testing {

/// Channels whose messages come when the test says so. All subscribers listen at once, unless
/// the test says otherwise.
class ScriptedChannels final : public store::Channels {
public:
    store::Subscription subscribe(Bytes channel, async::Gate& bell) override;

    void publish(const Bytes& channel, Bytes payload);
    /// Every subscription hears this.
    void tellAll(store::Notice::Kind kind);
    /// From now on a subscription is not confirmed until tellAll().
    void keepSilent() { m_isSilent = true; }

    /// The channels that are listened to now, in the order of subscribing.
    std::vector<Bytes> listened() const;

private:
    struct Listener {
        Bytes channel;
        std::shared_ptr<store::Mailbox> mailbox;
    };
    std::vector<Listener> m_listeners;
    bool m_isSilent = false;
};

/// A contender on scripted servers, in time that only moves when the test says so. All
/// random numbers come from one fixed seed.
class ContenderBench {
public:
    /// `serverCount` servers that all answer by `script`.
    explicit ContenderBench(ScriptedStore::Script script, std::size_t serverCount = 1);
    /// A server for each script.
    explicit ContenderBench(std::vector<ScriptedStore::Script> onePerServer);

    VirtualLoop& loop() { return m_loop; }
    protocol::Contender& contender() { return *m_contender; }
    ScriptedStore& store(std::size_t server = 0) { return *m_servers.at(server).store; }
    ScriptedChannels& channels(std::size_t server = 0) { return *m_servers.at(server).channels; }
    trace::EventLog& log() { return m_log; }
    /// The log as text: "requested refused granted".
    std::string story() const;

    /// The protocol's memory for this client; replaces the contender by a new one of that client.
    void useMemoryOf(const protocol::LockProtocol& protocol);

    /// A request for "k" with a lease of 10 s and one try.
    protocol::LockRequest request() const;

private:
    struct Server {
        std::unique_ptr<ScriptedStore> store;
        std::unique_ptr<ScriptedChannels> channels;
    };
    void makeContender();

    VirtualLoop m_loop;
    trace::EventLog m_log;
    std::vector<Server> m_servers;
    std::unique_ptr<protocol::ClientMemory> m_memory;
    std::unique_ptr<protocol::Contender> m_contender;
};

/// A script for ScriptedStore: the reply of the first entry whose words the command begins with
/// ("EVALSHA", "SET k"); "*" fits all. Nothing that fits throws.
ScriptedStore::Script answering(std::vector<std::pair<std::string, store::Outcome>> answers);

/// Sent, and no answer.
store::Outcome lostReply();
/// Never sent.
store::Outcome notSent();

} // namespace lockscope::testing
