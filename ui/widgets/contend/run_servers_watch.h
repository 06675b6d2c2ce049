#pragma once

#include "core/service/live_runner.h"

#include <QObject>

#include <functional>
#include <vector>

namespace lockscope::widgets {

/// The lock table's visit to the private servers of a run: they are watched instead of what was
/// watched before, and when the run is over and they are gone, that is watched again.
class RunServersWatch : public QObject {
    Q_OBJECT
public:
    using Endpoints = std::vector<store::Endpoint>;

    struct Parts {
        service::LiveRunner& runner;
        std::function<Endpoints()> watched;         // now
        std::function<void(const Endpoints&)> open; // watches these; none: nothing
    };
    RunServersWatch(Parts parts, QObject* parent = nullptr);

    /// Watches the servers of the run; nothing changes when they are watched already.
    void begin(const Endpoints& servers);

Q_SIGNALS:
    /// What was watched before is watched again.
    void ended();

private:
    void takeProgress(const workload::LiveRunProgress& progress);

    Parts m_parts;
    Endpoints m_visited; // empty: no visit
    Endpoints m_before;
};

} // namespace lockscope::widgets
