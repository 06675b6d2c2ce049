#pragma once

#include "core/kernel/base/content_hash.h"
#include "core/kernel/sim/keyspace.h"
#include "core/kernel/world/clients.h"
#include "core/kernel/world/harm_judge.h"
#include "core/kernel/world/servers.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lockscope::world {

/// What lies between the clients and the servers of a world: connections, the requests under way,
/// answers, messages, and what cuts them off from each other.
///
/// - It is instant: a request is carried out in the instant in which it was sent, unless a fault
///   delays it. How many there are between two instants, and in which order, is the search's
///   choice.
/// - A connection is served in the order in which its client sent, and not at all while the server
///   blocks its latest request, as Redis does not read from a blocked client (blocked.c).
/// - Each request is answered once at most; the first answer counts, and a dead client hears
///   nothing.
/// - All that a client hears passes through a connection's history, which stands for the state of
///   the client's coroutines in the hash (docs/decisions/0006).
class SimNetwork final : public Network {
public:
    enum class Cut : std::uint8_t { None, Both, Answers };

    struct Parts {
        Ledger& ledger;
        Clients& clients;
        Servers& servers;
        const Probe& probe;
        RunRecord& record;
    };

    /// What is referred to outlives the network; `now` is the world's.
    SimNetwork(const protocol::ProtocolInfo& info, const WorldPlan& plan, const Instant& now,
               const Parts& parts);

    /// Connects the client, which may be new, with all servers. Connections are there from the
    /// beginning: their numbers must not depend on who speaks first.
    void connect(int client);
    void send(Request request) override;
    void subscribe(int client, int node, const Bytes& channel) override;
    std::uint64_t sessionOf(int client, LinkAddress link) const override
    {
        return static_cast<std::uint64_t>(linkOf(client, link).session);
    }

    /// A new step begins; a new instant, in which cuts may end.
    void beginStep() { ++m_stepCount; }
    void beginInstant();

    /// The server can carry out the connection's oldest request now, if the client runs.
    bool canServe(int client, LinkAddress address) const
    {
        return canServe(linkOf(client, address), client, address.node);
    }
    /// Adds a step for each connection of the client of which that is true, by role, then server.
    void listServable(int client, std::vector<Step>& steps) const
    {
        if (hasQueued(client)) {
            listServableOf(client, steps);
        }
    }
    /// The oldest request was under way before the latest step already.
    bool isOlderThanLatestStep(int client, LinkAddress address) const;
    const Request& oldest(int client, LinkAddress address) const
    {
        return linkOf(client, address).queue.front();
    }
    Request takeOldest(int client, LinkAddress address);
    bool isListening(int client, int node) const;
    /// A client that waits for a server, or in vain: an answer that is slow or lost is no wake-up
    /// that was lost.
    bool isWaitingForAnswer(int client) const;
    Cut cutBetween(int client, int node) const
    {
        return reachesOf(client)[static_cast<std::size_t>(node)].cut;
    }

    /// Carries out the oldest request of the connection, and answers it.
    void serve(int client, LinkAddress address);
    /// Carries the request out. Its answer is lost, or its client does not wait for it any
    /// more.
    void execute(Request request, bool isLate, bool isAnswerLost);
    void answer(Request& request, store::Outcome outcome);
    /// No task will receive it: the client notices at once that its connection is gone, or
    /// gives up waiting in the end.
    void loseAnswer(Request request);
    /// Hands over what the server has to send.
    void deliver(int node);
    /// The connection broke before the answer came.
    static store::Outcome connectionLost();

    /// The request will be carried out, at any later time.
    void keepForLater(Request request, Instant until)
    {
        m_late.push_back({std::move(request), until});
    }
    int lateCount() const { return static_cast<int>(m_late.size()); }
    void serveLate(int index);

    /// When something is due for a client that is not paused: a request, the end of its patience or
    /// of a cut. max(): nothing.
    Instant nextDue() const;
    /// Tells the clients that have waited long enough. A request that was not carried out yet
    /// may be later: to the client both look alike.
    void giveUpLateAnswers();

    void cutOff(int client, int node, Cut cut, Instant until);
    /// What was sent to the server and is not carried out yet is late by this much.
    void delayRequestsTo(int node, Duration delay);
    void breakSubscription(int client, int node);
    /// All connections to the server are gone.
    void breakConnections(int node);
    /// The client's program is gone, and so is what it had not sent yet. What was delayed is on
    /// its way already.
    void forget(int client);
    /// Ends the subscriptions in which no task of the client is interested any more.
    void closeListeners(int client);
    /// Nothing is late and nothing is cut off any more.
    void heal();

    /// Requests that servers carried out.
    int commandCount() const { return m_commandCount; }

    /// What is under way on the connections of the client, and what it heard by them.
    void addTo(ContentHash& hash, int client) const;
    /// What no connection has any more, but will be heard of.
    void addStraysTo(ContentHash& hash) const;

private:
    struct Link {
        sim::SessionId session = 0;
        std::vector<Request> queue;       // sent, and not yet carried out
        std::unique_ptr<Request> waiting; // carried out; the server answers later
        std::uint64_t history = 0;        // of what was answered, and when
    };
    struct Reach {
        Cut cut = Cut::None;
        Instant until{};
    };
    struct LateRequest {
        Request request;
        Instant until{}; // no deadline: any step may carry it out. It tells states apart
    };

    std::size_t nodeCount() const { return static_cast<std::size_t>(m_plan.nodeCount); }
    std::size_t placeOf(int client, LinkAddress address) const
    {
        return (static_cast<std::size_t>(client) * kLinkRoles.size()
                + static_cast<std::size_t>(address.role))
                   * nodeCount()
               + static_cast<std::size_t>(address.node);
    }
    std::span<Link> linksOf(int client) // by role, then node
    {
        return std::span(m_links).subspan(placeOf(client, {}), kLinkRoles.size() * nodeCount());
    }
    std::span<const Link> linksOf(int client) const
    {
        return std::span(m_links).subspan(placeOf(client, {}), kLinkRoles.size() * nodeCount());
    }
    Link& linkOf(int client, LinkAddress address) { return m_links[placeOf(client, address)]; }
    const Link& linkOf(int client, LinkAddress address) const
    {
        return m_links[placeOf(client, address)];
    }
    std::span<Reach> reachesOf(int client) // by node
    {
        return std::span(m_reach).subspan(static_cast<std::size_t>(client) * nodeCount(),
                                          nodeCount());
    }
    std::span<const Reach> reachesOf(int client) const
    {
        return std::span(m_reach).subspan(static_cast<std::size_t>(client) * nodeCount(),
                                          nodeCount());
    }
    bool canServe(const Link& link, int client, int node) const
    {
        return !link.queue.empty() && !link.waiting && link.queue.front().readyAt <= m_now
               && canReach(client, node);
    }
    bool canReach(int client, int node) const;
    void listServableOf(int client, std::vector<Step>& steps) const;
    /// Whether a request of the client is in a queue: of most clients at most times there is none.
    bool hasQueued(int client) const { return m_queuedCount[static_cast<std::size_t>(client)] > 0; }
    void judgeChange(const Request& request, const std::optional<sim::Keyspace>& before);
    Request takeFirst(int client, Link& link);
    void clearQueue(int client, Link& link);
    /// Nothing is ever sent by the others.
    bool isUsed(LinkRole role) const
    {
        return role == LinkRole::Commands
               || (role == LinkRole::Blocking ? m_needsBlocking : m_needsChannels);
    }
    void makePlaces(std::size_t clientCount);
    void connectTo(int client, int node);
    void remember(Link& link, int client, std::uint64_t heard);
    std::optional<std::pair<int, LinkAddress>> linkOfSession(int node,
                                                             sim::SessionId session) const;
    void deliverToListener(int client, int node, const store::Reply& reply);

    const WorldPlan& m_plan;
    const Instant& m_now;
    Ledger& m_ledger;
    Clients& m_clients;
    Servers& m_servers;
    const Probe& m_probe;
    RunRecord& m_record;
    bool m_needsBlocking;
    bool m_needsChannels;
    std::vector<Link> m_links;      // by client, role, node
    std::vector<Reach> m_reach;     // by client, node
    std::vector<int> m_sentNow;     // by client: requests in this instant
    std::vector<int> m_queuedCount; // by client: requests in the queues of its links
    std::vector<LateRequest> m_late;
    std::vector<Request> m_unanswered; // their clients wait in vain, until they give up
    std::uint32_t m_sentCount = 0;
    std::uint32_t m_stepCount = 0;
    int m_commandCount = 0;
};

} // namespace lockscope::world
