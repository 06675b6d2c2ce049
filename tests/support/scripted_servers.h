#pragma once

#include "core/operations/servers.h"
#include "tests/support/scripted_store.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// Servers that say what the test wants them to say.
class ScriptedServers final : public operations::Servers {
public:
    explicit ScriptedServers(std::vector<ScriptedStore::Script> scripts)
    {
        for (ScriptedStore::Script& script : scripts) {
            store::Endpoint endpoint;
            endpoint.port = static_cast<std::uint16_t>(7000 + m_servers.size());
            m_servers.push_back({endpoint, script, std::make_unique<ScriptedStore>(script)});
        }
    }

    std::size_t count() const override { return m_servers.size(); }
    const store::Endpoint& endpoint(std::size_t server) const override
    {
        return m_servers[server].endpoint;
    }
    ScriptedStore& store(std::size_t server) override { return *m_servers[server].store; }
    std::shared_ptr<store::Store> connectAgain(std::size_t server) override
    {
        ++m_furtherCount;
        return std::make_shared<ScriptedStore>(m_servers[server].script);
    }

    /// A server that is not among these, on this port; without a script nothing leads there.
    void setOther(std::uint16_t port, ScriptedStore::Script script)
    {
        m_others[port] = std::move(script);
    }
    std::shared_ptr<store::Store> connectTo(const store::Endpoint& server) override
    {
        m_connectedTo.push_back(server);
        const auto other = m_others.find(server.port);
        return other != m_others.end() ? std::make_shared<ScriptedStore>(other->second) : nullptr;
    }
    /// The endpoints that connectTo() was called with, in order.
    const std::vector<store::Endpoint>& connectedTo() const { return m_connectedTo; }
    void setReadOnly(std::size_t server, bool isReadOnly)
    {
        m_servers[server].endpoint.isReadOnly = isReadOnly;
    }

    using FeedFactory = std::function<std::unique_ptr<operations::CommandFeed>(std::size_t server)>;
    void setFeeds(FeedFactory feeds) { m_feeds = std::move(feeds); }
    std::unique_ptr<operations::CommandFeed> commandFeed(std::size_t server,
                                                         std::string_view /*key*/) override
    {
        return m_feeds ? m_feeds(server) : nullptr;
    }

    /// The node of a cluster that has each key, if it is one.
    void setNode(std::string node) { m_node = std::move(node); }
    std::string node(std::size_t, std::string_view) const override { return m_node; }

    std::size_t furtherCount() const { return m_furtherCount; }

private:
    struct Server {
        store::Endpoint endpoint;
        ScriptedStore::Script script;
        std::unique_ptr<ScriptedStore> store;
    };
    std::vector<Server> m_servers;
    std::size_t m_furtherCount = 0;
    std::map<std::uint16_t, ScriptedStore::Script> m_others;
    std::vector<store::Endpoint> m_connectedTo;
    FeedFactory m_feeds;
    std::string m_node;
};

} // namespace lockscope::testing
