#include "tests/support/contender_bench.h"

#include <stdexcept>
#include <utility>

namespace lockscope::testing {

using store::Notice;
using store::Problem;

store::Subscription ScriptedChannels::subscribe(Bytes channel, async::Gate& bell)
{
    auto mailbox = std::make_shared<store::Mailbox>(bell);
    m_listeners.push_back({std::move(channel), mailbox});
    if (!m_isSilent) {
        mailbox->put({Notice::Kind::Listening, {}});
    }
    return store::Subscription(std::move(mailbox));
}

void ScriptedChannels::publish(const Bytes& channel, Bytes payload)
{
    for (const Listener& listener : m_listeners) {
        if (listener.channel == channel) {
            listener.mailbox->put({Notice::Kind::Message, payload});
        }
    }
}

void ScriptedChannels::tellAll(Notice::Kind kind)
{
    for (const Listener& listener : m_listeners) {
        listener.mailbox->put({kind, {}});
    }
}

std::vector<Bytes> ScriptedChannels::listened() const
{
    std::vector<Bytes> channels;
    for (const Listener& listener : m_listeners) {
        if (!listener.mailbox->isClosed()) {
            channels.push_back(listener.channel);
        }
    }
    return channels;
}

ContenderBench::ContenderBench(ScriptedStore::Script script, std::size_t serverCount)
    : ContenderBench(std::vector<ScriptedStore::Script>(serverCount, script))
{}

ContenderBench::ContenderBench(std::vector<ScriptedStore::Script> onePerServer)
    : m_memory(std::make_unique<protocol::ClientMemory>())
{
    for (const ScriptedStore::Script& script : onePerServer) {
        m_servers.push_back({std::make_unique<ScriptedStore>(script),
                             std::make_unique<ScriptedChannels>()});
    }
    makeContender();
}

void ContenderBench::makeContender()
{
    protocol::ClientEnvironment environment{{}, m_loop.executor(), m_loop.clock(), m_log};
    for (const Server& server : m_servers) {
        environment.nodes.push_back({*server.store, *server.store, *server.channels});
    }
    const protocol::Identity identity{"5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60", 63};
    m_contender = std::make_unique<protocol::Contender>(std::move(environment), identity, 0, Rng(7),
                                                        *m_memory);
}

void ContenderBench::useMemoryOf(const protocol::LockProtocol& protocol)
{
    m_contender.reset();
    m_memory = protocol.makeMemory();
    makeContender();
}

std::string ContenderBench::story() const
{
    std::string text;
    for (const trace::Event& event : m_log.events()) {
        text.append(text.empty() ? "" : " ").append(idOf(event.kind));
    }
    return text;
}

protocol::LockRequest ContenderBench::request() const
{
    protocol::LockRequest request;
    request.key = "k";
    request.lease = std::chrono::seconds(10);
    return request;
}

ScriptedStore::Script answering(std::vector<std::pair<std::string, store::Outcome>> answers)
{
    return [answers = std::move(answers)](const store::Command& command) {
        const std::string text = toText(command);
        for (const auto& [beginning, outcome] : answers) {
            if (beginning == "*" || text.starts_with(beginning)) {
                return outcome;
            }
        }
        throw std::logic_error("nobody expected: " + text);
    };
}

store::Outcome lostReply()
{
    return store::Unknown{Problem{Problem::Kind::ConnectionLost, "lost", {}, {}}};
}

store::Outcome notSent()
{
    return store::Unreachable{Problem{Problem::Kind::NotConnected, "away", {}, {}}};
}

} // namespace lockscope::testing
