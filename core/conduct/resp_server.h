#pragma once

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"
#include "core/kernel/store/reply_encoding.h"
#include "core/wire/connection/codec.h"

#include <poll.h>

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// Names one connection; never used twice.
using LinkId = sim::SessionId;

/// A request that has come and was not carried out yet.
struct Request {
    LinkId link = 0;
    int seat = 0;
    store::Command command;
};

/// A Redis server for real clients on loopback ports, backed by a simulated one, that carries out
/// nothing by itself: its owner decides which request is next, and whether an answer leaves. Within
/// one connection everything stays in order. Blocks nowhere; used by one thread.
class RespServer {
public:
    RespServer() = default;
    ~RespServer();
    RespServer(const RespServer&) = delete;
    RespServer& operator=(const RespServer&) = delete;

    /// Opens a port of its own for each seat: who connects is known by that. Throws a
    /// std::system_error.
    std::uint16_t openPort(int seat);
    /// The port and the connections of the seat are gone.
    void closePort(int seat);

    void appendFiles(std::vector<pollfd>& files) const;
    /// Takes whatever has come: connections, requests, ends of connections. False: nothing.
    bool receive(sim::ServerTime now);

    /// The oldest request of a connection that is not held back and waits for no answer.
    std::optional<Request> takeRequest();
    /// Carries it out and sends what there is to say, as far as it is not held back. The answer;
    /// nullopt when it comes later or in parts.
    std::optional<store::Reply> execute(const Request& request, sim::ServerTime now);

    /// Nothing more of the connection is carried out; `request` is the first when it goes on, even
    /// if its client has given up by then.
    void holdRequests(Request request);
    /// What the server says stays here.
    void holdAnswers(LinkId id);
    /// Both end, and what was held goes its way.
    void letGo(LinkId id);

    void cut(LinkId id);
    void cutAll(int seat);
    /// New connections of the seat are closed at once.
    void refuse(int seat, bool isRefused);

    /// Answers waits that are over by now and removes what has expired.
    void timePassed(sim::ServerTime now);
    std::optional<sim::ServerTime> nextTimeout() const { return m_server.nextTimeout(); }

    /// Whose connections have got bytes or were closed since the last call.
    std::vector<int> takeSpokenTo() { return std::exchange(m_spokenTo, {}); }

    const sim::Keyspace& keys() const { return m_server.database().keys(); }
    /// All of them; scripts and connections stay.
    void forgetKeys() { m_server.database().keys().clear(); }

private:
    struct Listener {
        int seat = 0;
        int file = -1;
        bool isRefused = false;
    };
    struct Link {
        LinkId id = 0;
        int seat = 0;
        int file = -1;       // -1: the client is gone, but requests of it are still held
        bool isHeld = false; // its requests
        bool areAnswersHeld = false;
        wire::ReplyReader reader; // requests have the form of replies
        std::deque<std::pair<std::uint64_t, store::Command>> requests; // with the order of arrival
        std::string output;
    };

    bool acceptAt(const Listener& listener, sim::ServerTime now);
    bool readFrom(Link& link);
    bool isDone(const Link& link) const;
    Link* find(LinkId id);
    void say(Link& link, const store::Reply& reply, const store::ReplyForm& form);
    void closeEnded();
    void sayDeliveries();
    void flush(Link& link);
    void drop(std::list<Link>::iterator link);

    sim::LuaEngine m_lua{sim::LuaEngine::Answers::Computed};
    sim::SimServer m_server{m_lua};
    std::vector<Listener> m_listeners;
    std::list<Link> m_links;
    std::vector<int> m_spokenTo; // seats
    std::uint64_t m_arrivals = 0;
};

} // namespace lockscope::conduct
