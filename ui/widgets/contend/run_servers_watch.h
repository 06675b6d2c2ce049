#pragma once

#include "core/service/live_runner.h"

#include <QObject>

#include <functional>
#include <vector>

namespace lockscope::widgets {

/// The lock table's visit to the private servers of a run: they are watched beside what else is
/// watched, and no longer when the run is over and they are gone.
class RunServersWatch : public QObject {
    Q_OBJECT
public:
    using Endpoints = std::vector<store::Endpoint>;

    struct Parts {
        service::LiveRunner& runner;
        std::function<bool(const Endpoints&)> isWatched;
        std::function<bool(const Endpoints&)> watch; // false: there is no room for them
        std::function<bool(const Endpoints&)> close; // false: they were not watched any more
    };
    RunServersWatch(Parts parts, QObject* parent = nullptr);

    /// Shows the locks on the servers of the run. Those that are watched already stay when the run
    /// is over.
    void begin(const Endpoints& servers);

Q_SIGNALS:
    /// The servers of the run are watched no more.
    void ended();

private:
    void takeProgress(const workload::LiveRunProgress& progress);

    Parts m_parts;
    Endpoints m_visited; // empty: no visit
};

} // namespace lockscope::widgets
