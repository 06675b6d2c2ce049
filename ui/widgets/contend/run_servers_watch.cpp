#include "ui/widgets/contend/run_servers_watch.h"

#include <utility>

namespace lockscope::widgets {

using workload::LiveRunProgress;

RunServersWatch::RunServersWatch(Parts parts, QObject* parent)
    : QObject(parent),
      m_parts(std::move(parts))
{
    connect(&m_parts.runner, &service::LiveRunner::progressed, this,
            &RunServersWatch::takeProgress);
}

void RunServersWatch::begin(const Endpoints& servers)
{
    if (servers.empty()) {
        return;
    }
    const bool isNew = !m_parts.isWatched(servers);
    if (m_parts.watch(servers) && isNew) {
        m_visited = servers;
    }
}

void RunServersWatch::takeProgress(const LiveRunProgress& progress)
{
    const bool isOver = progress.phase == LiveRunProgress::Phase::Finished
                        || progress.phase == LiveRunProgress::Phase::Failed;
    if (!isOver || m_visited.empty()) {
        return;
    }
    if (m_parts.close(std::exchange(m_visited, {}))) { // otherwise the user was first
        Q_EMIT ended();
    }
}

} // namespace lockscope::widgets
