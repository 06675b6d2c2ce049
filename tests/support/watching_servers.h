#pragma once

#include "core/operations/servers.h"
#include "tests/support/pretend_keyspace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// A server with one database, whose connections notice writes as those of Redis do (WATCH). An
/// EVAL removes its first key without looking at it: whether that was right is up to the test.
class WatchingServers final : public operations::Servers {
public:
    explicit WatchingServers(const Clock& clock) : m_keyspace(clock), m_first(connect()) {}

    std::size_t count() const override { return 1; }
    const store::Endpoint& endpoint(std::size_t) const override { return m_endpoint; }
    store::Store& store(std::size_t) override { return *m_first; }
    std::shared_ptr<store::Store> connectAgain(std::size_t) override { return connect(); }

    /// Another client releases the lock, if it is held, and takes it for a hold that looks the
    /// same.
    void takeOver(const Bytes& key)
    {
        remove(key);
        m_keyspace.setString(key, "1");
        ++m_versions[key];
    }
    void remove(const Bytes& key)
    {
        m_keyspace.remove(key);
        ++m_versions[key];
    }
    /// How often the key was written to.
    int version(const Bytes& key) const
    {
        const auto found = m_versions.find(key);
        return found != m_versions.end() ? found->second : 0;
    }
    bool has(const Bytes& key)
    {
        const store::Outcome type = m_keyspace.answer(store::Command("TYPE", key));
        return *replyOf(type)->text() != "none";
    }

    /// Called before each command of a connection; the first connection has the number 0.
    std::function<void(int connection, const store::Command& command)> beforeEach;
    /// The keys that scripts have removed, with the version that they had.
    std::vector<std::pair<Bytes, int>> removed;
    /// Commands that begin so are refused.
    void refuse(const std::string& beginning, const std::string& error)
    {
        m_keyspace.refuse(beginning, error);
        m_refusesWatch = beginning == "WATCH";
    }
    int connectionCount() const { return m_connectionCount; }
    /// Replaces every connection by a new one, which watches nothing.
    void breakConnections() { ++m_session; }

private:
    class Connection final : public store::Store {
    public:
        Connection(WatchingServers& server, int number) : m_server(server), m_number(number) {}

        async::Pending<store::Outcome> submit(store::Command command) override
        {
            return async::Pending<store::Outcome>::ready(answer(command));
        }
        async::Pending<std::vector<store::Outcome>> submitAll(
            std::vector<store::Command> commands) override
        {
            std::vector<store::Outcome> outcomes;
            for (const store::Command& command : commands) {
                outcomes.push_back(answer(command));
            }
            return async::Pending<std::vector<store::Outcome>>::ready(std::move(outcomes));
        }
        std::uint64_t session() const override { return m_server.m_session; }

    private:
        store::Outcome answer(const store::Command& command)
        {
            if (m_server.beforeEach) {
                m_server.beforeEach(m_number, command);
            }
            if (m_session != m_server.m_session) {
                m_session = m_server.m_session;
                m_watched.clear();
                m_isQueuing = false;
            }
            const Bytes& name = command.words.front();
            if (name == "EXEC") {
                return execute();
            }
            if (m_isQueuing) {
                m_queued.push_back(command);
                return store::Reply::ofStatus("QUEUED");
            }
            if (name == "MULTI") {
                m_isQueuing = true;
                return store::Reply::ofStatus("OK");
            }
            if (name == "WATCH" && !m_server.m_refusesWatch) {
                for (std::size_t i = 1; i < command.words.size(); ++i) {
                    m_watched.emplace(command.words[i], m_server.version(command.words[i]));
                }
                return store::Reply::ofStatus("OK");
            }
            return m_server.carryOut(command);
        }

        store::Outcome execute()
        {
            m_isQueuing = false;
            const std::vector<store::Command> commands = std::exchange(m_queued, {});
            for (const auto& [key, version] : std::exchange(m_watched, {})) {
                if (m_server.version(key) != version) {
                    return store::Reply();
                }
            }
            store::Reply::Array replies;
            for (const store::Command& command : commands) {
                replies.push_back(*replyOf(m_server.carryOut(command)));
            }
            return store::Reply::ofArray(std::move(replies));
        }

        WatchingServers& m_server;
        int m_number;
        std::uint64_t m_session = 0;
        std::map<Bytes, int> m_watched;
        bool m_isQueuing = false;
        std::vector<store::Command> m_queued;
    };

    std::shared_ptr<Connection> connect()
    {
        return std::make_shared<Connection>(*this, m_connectionCount++);
    }

    store::Outcome carryOut(const store::Command& command)
    {
        if (command.words.front() != "EVAL") {
            return m_keyspace.answer(command);
        }
        const Bytes& key = command.words[3];
        removed.emplace_back(key, version(key));
        remove(key);
        return store::Reply::ofArray({store::Reply::ofInteger(1), store::Reply::ofInteger(0)});
    }

    PretendKeyspace m_keyspace;
    std::map<Bytes, int> m_versions;
    bool m_refusesWatch = false;
    int m_connectionCount = 0;
    std::uint64_t m_session = 1;
    store::Endpoint m_endpoint;
    std::shared_ptr<Connection> m_first;
};

} // namespace lockscope::testing
