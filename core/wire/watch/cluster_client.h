#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/store/channels.h"
#include "core/kernel/store/node.h"
#include "core/wire/connection/cluster_store.h"

#include <vector>

namespace lockscope::wire {

/// The connections of one client program that takes locks in a cluster, which is one node to its
/// protocol: commands go where their keys are, and blocking ones have connections of their own.
/// Messages reach every node of a cluster, so one of them is listened to. Runs on one thread.
class ClusterClient final {
public:
    /// `channels` outlives this.
    ClusterClient(const store::Endpoint& endpoint, store::Channels& channels,
                  async::Executor& executor, Clock& clock, Rng rng);

    /// For a ClientEnvironment; refers to this.
    std::vector<store::Node> nodes();
    void open();
    ClusterMap& map() { return m_commands.map(); }
    /// Ends when the masters are online, or have failed once. This outlives it.
    async::Task<store::Problem> whenSettled() { return m_commands.whenSettled(); }

private:
    ClusterStore m_commands;
    ClusterStore m_blocking;
    store::Channels& m_channels;
};

/// The server that is listened to: itself, or the first node that is named of a cluster.
store::Endpoint listeningEndpointOf(const store::Endpoint& endpoint);

} // namespace lockscope::wire
