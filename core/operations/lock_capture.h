#pragma once

#include "core/operations/command_feed.h"
#include "core/operations/lock_inspector.h"
#include "core/operations/servers.h"

#include <variant>
#include <vector>

namespace lockscope::operations {

/// Who did what with a lock while it was listened to.
struct LockCapture {
    diagnosis::KeyCapture capture;
    diagnosis::CaptureEnd end;
    std::vector<inspect::ClientEntry> clients; // connected at the end; empty: they were not told
};

/// A problem: it was not listened to.
using CaptureResult = std::variant<LockCapture, store::Problem>;

/// Listens to what is sent about the keys of a lock: by MONITOR, and only when it is called. One
/// lock at a time. Runs on the executor of the servers; they and the inspector outlive it.
class LockListener {
public:
    LockListener(Servers& servers, LockInspector& inspector)
        : m_servers(servers),
          m_inspector(inspector)
    {}

    /// Looks at the lock, and listens to the server that has it: in a cluster the node of its key,
    /// of a Redlock set the first server with a vote.
    async::Task<CaptureResult> listen(inspect::LockId id, FeedLimits limits);

    /// Ends what is under way: what was heard until now is its result.
    void stop();

private:
    /// The feed of the present call, for as long as it lasts.
    class Listening;

    Servers& m_servers;
    LockInspector& m_inspector;
    Listening* m_listening = nullptr;
};

} // namespace lockscope::operations
