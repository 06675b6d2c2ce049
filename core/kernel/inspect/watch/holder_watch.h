#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/store/store.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lockscope::inspect {

/// A client that stood in a lock when it was looked at.
struct SeenHold {
    std::size_t lock = 0;           // its place among those that are watched
    Bytes owner;                    // as the servers have it; empty: they do not write it down
    Instant until = Instant::max(); // when it runs out; max(): never
    bool isShared = false;          // for reading
    std::optional<int> node = std::nullopt; // as in trace::ServerHold
    friend bool operator==(const SeenHold&, const SeenHold&) = default;
};

/// Who stood in the locks between two moments on the observer's clock.
struct Look {
    Instant askedAt{};
    Instant at{};                 // the answers were here
    std::vector<SeenHold> holds;  // of several servers: those of a majority, then those of each
    std::vector<int> silent = {}; // servers that did not answer: what stands there is not known
};

/// Who is in a lock by what was seen of it. A string of a format that no decoder recognises is its
/// own owner; other values that no decoder recognises have no holders.
std::vector<SeenHold> holdsIn(const LockSnapshot& snapshot, std::size_t lock,
                              const Recognisers& recognisers = builtinDecoders());

/// Those that stand on most of so many servers, each until it stands on too few.
std::vector<SeenHold> majorityOf(const std::vector<std::vector<SeenHold>>& holdsOnServers);

/// Looks at who stands in some locks: on a server, or on the masters of a Redlock set. Runs on one
/// executor.
class HolderWatch {
public:
    /// What is referred to outlives the watch.
    HolderWatch(std::vector<store::Store*> servers, Clock& clock, std::vector<KeyGroup> locks,
                FormatTablePtr formats = builtinFormatTable());

    /// nullopt: most of the servers did not answer.
    async::Task<std::optional<Look>> look();

private:
    struct Server {
        store::Store* store = nullptr;
        ServerWallClock wallClock;
    };

    async::Task<std::optional<std::vector<SeenHold>>> lookAt(Server& server);

    std::vector<Server> m_servers;
    Clock& m_clock;
    std::vector<KeyGroup> m_locks;
    FormatTablePtr m_formats;
};

} // namespace lockscope::inspect
