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
    const Endpoints watched = m_parts.watched();
    if (servers.empty() || servers == watched) {
        return;
    }
    m_before = watched;
    m_visited = servers;
    m_parts.open(servers);
}

void RunServersWatch::takeProgress(const LiveRunProgress& progress)
{
    const bool isOver = progress.phase == LiveRunProgress::Phase::Finished
                        || progress.phase == LiveRunProgress::Phase::Failed;
    if (!isOver || m_visited.empty()) {
        return;
    }
    const Endpoints visited = std::exchange(m_visited, {});
    if (m_parts.watched() == visited) { // otherwise the user has gone elsewhere
        m_parts.open(std::exchange(m_before, {}));
        Q_EMIT ended();
    }
}

} // namespace lockscope::widgets
