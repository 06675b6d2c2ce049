#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/inspect/watch/holder_watch.h"
#include "core/kernel/store/endpoint.h"
#include "core/wire/connection/connection.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <vector>

namespace lockscope::wire {

/// What to look at, and where.
struct WatchOrder {
    std::vector<store::Endpoint> servers;
    std::vector<inspect::KeyGroup> locks;
    std::uint64_t seed = 1;
    inspect::FormatTablePtr formats = inspect::builtinFormatTable();
};

/// Looks at who stands in some locks, some ninety times a second and more rarely where there are
/// many of them: a hundredth of a server's time or a little more. Runs on a worker thread and owns
/// its connections. While a server does not answer it sees nothing.
class HolderWatcher final : public QObject {
    Q_OBJECT
public:
    HolderWatcher();
    ~HolderWatcher() override;

    /// Once. Looks until it is destroyed.
    void start(const WatchOrder& order);

Q_SIGNALS:
    void looked(const lockscope::inspect::Look& look);

private:
    async::Task<void> watch(Duration interval);

    LoopExecutor m_executor;
    LoopClock m_clock;
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::unique_ptr<inspect::HolderWatch> m_watch;
    async::TaskScope m_tasks;
};

} // namespace lockscope::wire
