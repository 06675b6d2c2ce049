#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/store/cluster_route.h"
#include "core/kernel/store/store.h"
#include "core/wire/connection/cluster_map.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::wire {

/// A cluster as one server: each command goes to the node that has its key, follows the keys when
/// they move (MOVED, ASK), and what is asked of all comes back as one answer. SCAN walks over one
/// master after the other, and over all of them again when slots moved meanwhile.
///
/// Where a node cannot be asked, the answer to a command that reads a key is an error with
/// kNodeDownCode, so that the keys of the other nodes are not lost with it.
///
/// A command is sent again only if it was certainly not applied: a node said that it does not have
/// the key, or it was never sent. Before a command the topology is as new as whenSettled() made it.
/// Runs on one thread.
class ClusterStore final : public store::Store {
public:
    /// Executor and clock outlive this.
    ClusterStore(store::Endpoint endpoint, async::Executor& executor, Clock& clock, Rng rng);
    ~ClusterStore() override;

    /// For who only reads, and would rather know a part than nothing: a SCAN passes a node over
    /// that cannot be asked, nobody waits for it, and one that loads or is busy counts as such.
    void toleratesLostNodes() { m_isTolerant = true; }

    ClusterMap& map() { return m_map; }
    const ClusterMap& map() const { return m_map; }
    /// The address of the master that has the key; empty while nobody is known to.
    std::string node(std::string_view key) const;

    /// Asks the nodes who has which slot unless that was done a moment ago, and waits for the
    /// connections to the masters. Ends with a problem if no node can be asked.
    async::Task<store::Problem> whenSettled() override;

    async::Pending<store::Outcome> submit(store::Command command) override;
    async::Pending<std::vector<store::Outcome>> submitAll(
        std::vector<store::Command> commands) override;
    /// Of the connection that a command about a key was sent on last.
    std::uint64_t session() const override;

private:
    using Outcomes = std::vector<store::Outcome>;
    /// The SCAN of all masters.
    struct Walk {
        std::vector<store::ClusterNode> masters;
        std::uint64_t version = 0; // of the topology
        int round = 0;
    };
    /// What goes to one node, by the places of the commands in the batch.
    struct Share {
        std::vector<std::size_t> places;
        std::vector<store::Command> commands;
    };

    async::Task<void> carryOut(store::Command command, async::Completer<store::Outcome> completer);
    async::Task<void> carryOutAll(std::vector<store::Command> commands,
                                  async::Completer<Outcomes> completer);
    async::Task<bool> knowsNodes();
    async::Task<void> settle(Connection* connection) const;
    async::Task<store::Outcome> answer(store::Command command);
    async::Task<Outcomes> answerAll(std::vector<store::Command> commands);
    async::Task<Outcomes> transact(std::vector<store::Command> commands);
    async::Task<store::Outcome> askAboutKey(store::Command command, std::uint16_t slot);
    async::Task<store::Outcome> follow(store::Command command, std::uint16_t slot, Connection* from,
                                       store::Outcome outcome);
    async::Task<store::Outcome> followRedirection(store::Command command, Connection*& from,
                                                  store::Redirection redirection);
    async::Task<store::Outcome> askAnyMaster(store::Command command);
    async::Task<store::Outcome> askMany(store::Command command, bool withReplicas);
    async::Task<store::Outcome> walk(store::Command command);
    void beginWalk(int round);
    async::Task<store::Outcome> nextPage(store::ClusterCursor cursor, store::Reply::Array keys);
    async::Task<bool> isToBeRepeated(std::uint32_t walk);
    store::Reply::Array ownKeysOf(const store::Reply& page, const store::ClusterNode& node) const;
    store::Outcome outcomeAboutKey(const Connection& connection, store::Outcome outcome) const;
    store::Outcome partialOutcome(const Connection& connection, store::Outcome outcome) const;
    store::Outcome outcomeWithoutMaster(const store::Command& command, std::uint16_t slot) const;
    store::Problem lossOf(const Connection& connection, const store::Problem& problem) const;

    async::Executor& m_executor;
    Clock& m_clock;
    bool m_isTolerant = false;
    ClusterMap m_map;
    const Connection* m_lastUsed = nullptr; // about a key
    std::uint32_t m_lastWalk = 0;
    std::map<std::uint32_t, Walk> m_walks; // the latest
    async::TaskScope m_tasks;              // last: what runs in it uses everything above
};

} // namespace lockscope::wire
