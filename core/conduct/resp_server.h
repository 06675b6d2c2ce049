#pragma once

#include "core/conduct/script_shelf.h"
#include "core/conduct/server/backend.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"
#include "core/wire/scratch_folder.h"

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// Names one connection; never used twice.
using LinkId = std::uint64_t;

/// A request that has come and was not carried out yet.
struct Request {
    LinkId link = 0;
    int seat = 0;
    int server = 0; // its number
    store::Command command;
};

using Backends = std::vector<std::unique_ptr<Backend>>;

/// The servers for real clients on loopback ports, one as a rule, that carry out nothing by
/// themselves: their owner decides which request is next, and whether an answer leaves. Within one
/// connection everything stays in order. Blocks nowhere, as far as its backends do not; used by one
/// thread.
class RespServer {
public:
    /// Bytes of one request, with all its words. Longer ones are answered with an error, and the
    /// connection is closed. (Real servers take 512 MB for each word.)
    static constexpr std::size_t kRequestMax = std::size_t{4} << 20U;
    /// Bytes that may wait for a client to read them; more cut it off.
    static constexpr std::size_t kOutputMax = std::size_t{64} << 20U;

    /// `shelf`: of the search that it belongs to.
    explicit RespServer(Backends backends,
                        std::shared_ptr<ScriptShelf> shelf = std::make_shared<ScriptShelf>());
    ~RespServer();
    RespServer(const RespServer&) = delete;
    RespServer& operator=(const RespServer&) = delete;

    int serverCount() const { return static_cast<int>(m_backends.size()); }

    /// Opens a port of each server for the seat alone: who connects is known by that. Throws a
    /// std::system_error.
    std::vector<std::uint16_t> openPorts(int seat);
    /// A unix socket of the first server for the seat alone. Its path. Throws a std::system_error.
    std::string openSocket(int seat);
    /// The ports, the socket and the connections of the seat are gone.
    void closePorts(int seat);

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

    /// The server is down from now on, or up again with its data: without connections and scripts.
    void setDown(int server, bool isDown);
    void forgetScripts(int server);
    /// All servers know all scripts of the shelf.
    void loadScripts(sim::ServerTime now);
    /// See Backend.
    void stopReplication(int server, sim::ServerTime now);
    void resumeReplication(int server);
    /// See Backend; connections end.
    void failOver(int server, sim::ServerTime now);

    /// Answers waits that are over by now and removes what has expired.
    void timePassed(sim::ServerTime now);
    std::optional<sim::ServerTime> nextTimeout() const;

    /// Whose connections have got bytes or were closed since the last call.
    std::vector<int> takeSpokenTo() { return std::exchange(m_spokenTo, {}); }

    /// The limit that made a server answer since the last call as a real one would not. Such an
    /// answer proves nothing about the client. Empty: none.
    std::string takeLimitReached() { return std::exchange(m_limitReached, {}); }

    std::vector<Backend::Key> keys(int server, sim::ServerTime now) const
    {
        return m_backends[indexOf(server)]->keys(now);
    }
    /// All of them; scripts and connections stay.
    void forgetKeys();

private:
    struct Listener {
        int seat = 0;
        int server = 0;
        int file = -1;
        std::string path = {}; // of a unix socket
        bool isRefused = false;
    };
    struct Link {
        LinkId id = 0;
        int seat = 0;
        int server = 0;
        Backend::SessionId session = 0; // there
        int file = -1;                  // -1: the client is gone, but requests of it are still held
        bool isHeld = false;            // its requests
        bool areAnswersHeld = false;
        std::string input; // that is no whole request yet
        std::deque<std::pair<std::uint64_t, store::Command>> requests; // with the order of arrival
        std::string output;
    };

    static std::size_t indexOf(int server) { return static_cast<std::size_t>(server); }
    Backend& backendOf(const Link& link) { return *m_backends[indexOf(link.server)]; }
    std::uint16_t listenFor(int seat, int server);
    bool acceptAt(const Listener& listener, sim::ServerTime now);
    bool readFrom(Link& link);
    bool takeRequestsIn(Link& link);
    bool isWaiting(const Link& link) const
    {
        return m_backends[indexOf(link.server)]->isWaiting(link.session);
    }
    bool isDone(const Link& link) const;
    Link* find(LinkId id);
    Link* findSession(int server, Backend::SessionId session);
    void pass(int server);
    void flush(Link& link);
    void drop(std::list<Link>::iterator link);
    template<class Condition>
    void dropWhere(Condition condition);

    Backends m_backends;
    std::shared_ptr<ScriptShelf> m_shelf;
    std::vector<std::size_t> m_loadedCounts;     // by server: so many of the shelf it knows
    std::optional<wire::ScratchFolder> m_folder; // of the unix sockets
    std::set<int> m_down;                        // servers
    std::vector<Listener> m_listeners;
    std::list<Link> m_links;
    std::vector<int> m_spokenTo; // seats
    std::string m_limitReached;
    std::uint64_t m_arrivals = 0;
    LinkId m_lastLink = 0;
};

} // namespace lockscope::conduct
