#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/watch/sweep_findings.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/store/server_info.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockscope::service {

/// How a watched server is doing.
struct LinkStatus {
    enum class State {
        Closed,
        Connecting,
        Online,
        Stalled, // connected, but the server is silent or cannot tell about any key for now
        Waiting, // for the next attempt
    };

    enum class Live { None, Push, KeyspaceEvents, Polling }; // where news of changes come from

    std::uint16_t server = 0;
    State state = State::Closed;
    Live live = Live::None;
    /// Push, KeyspaceEvents: the server is busy, and asked to tell about names like those of known
    /// locks only. Others are looked for.
    bool isNarrow = false;
    store::Problem problem;   // why it is Waiting or Stalled, or why `live` is not Push
    Instant stalledSince{};   // Stalled
    int attempt = 0;          // Waiting: how many attempts failed in a row
    Instant nextAttempt{};    // Waiting; Instant::max(): there will be none
    store::ServerInfo info;   // what the server says of itself, once known
    std::string node;         // with Sentinels: the address of the master, "10.0.0.5:6379"; empty
                              // while none is connected
    Duration pollInterval{0}; // Polling: how often; zero when it is not known
    /// Read-only, and the server may not be asked which commands read: our own list counts alone.
    bool isHeldToOwnList = false;
};

struct SweepProgress {
    std::uint16_t server = 0;
    std::uint64_t scanned = 0;
    std::uint64_t total = 0; // DBSIZE when the sweep began
    bool isDone = false;     // true: every key was looked at; before that, absence proves nothing
    bool isDeep = false;
    /// What the last sweep that was done came upon beside locks; null before the first.
    std::shared_ptr<const inspect::SweepFindings> findings = nullptr;
};

/// What watching costs the server, over the last second.
struct ServerLoad {
    std::uint16_t server = 0;
    double commandsPerSecond = 0; // ours
    double messagesPerSecond = 0; // keys that it told us of, of locks or not
    double changesPerSecond = 0;  // those among them that look like locks
    double coreShare = 0;         // of one core of the server, about; see inspect::coreShareOf()
    Duration slowestCall{0};      // upper bound: measured at our end
    double bytesPerSecond = 0;    // sent to it and received from it
    store::Budget budget;         // that looking at its keys is kept to
};

struct WatchOptions {
    bool isDeep = false;
    std::vector<std::string> patterns; // glob patterns of names the user calls locks
    inspect::FormatTablePtr formats = inspect::builtinFormatTable();
    store::Budget budget = {}; // of servers whose address says nothing of it

    const store::Budget& budgetOf(const store::Endpoint& server) const
    {
        return server.budget.isBounded() ? server.budget : budget;
    }
};

/// Watches the locks of one server or of one Redlock set. Runs on the GUI thread; all signals
/// arrive there, in batches. The implementation does its work on threads of its own.
class LockMonitor : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Forgets what was watched before and starts anew. Several endpoints are one Redlock set.
    virtual void open(std::vector<store::Endpoint> endpoints, WatchOptions options) = 0;
    virtual void close() = 0;

    /// Looks at every key again, soon.
    virtual void resweep(bool deep) = 0;

    /// From now on these are the names that the user calls locks. Looks at every key again.
    virtual void setPatterns(std::vector<std::string> patterns) = 0;

    /// From now on these formats are recognised. Looks at every key again.
    virtual void setFormats(inspect::FormatTablePtr formats) = 0;

    /// The present on the time line of every Instant this monitor hands out. Any thread.
    virtual Instant now() const = 0;

Q_SIGNALS:
    void opened(const std::vector<lockscope::store::Endpoint>& endpoints);
    void linkChanged(const lockscope::service::LinkStatus& status);
    void sweepProgressed(const lockscope::service::SweepProgress& progress);
    void locksChanged(const lockscope::inspect::LockDelta& delta);
    void loadMeasured(const lockscope::service::ServerLoad& load);
};

} // namespace lockscope::service
