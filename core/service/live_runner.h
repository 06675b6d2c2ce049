#pragma once

#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/event.h"
#include "core/kernel/workload/live_run.h"

#include <QObject>

#include <vector>

namespace lockscope::service {

/// Runs contenders against real servers on worker threads. One run at a time. Used on the GUI
/// thread; signals arrive there.
class LiveRunner : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Ends a run that is going on, and starts this one.
    virtual void start(const workload::LiveRunOrder& order) = 0;
    /// Everybody releases and waits for resume(), within 200 ms while the servers answer.
    virtual void pause() = 0;
    virtual void resume() = 0;
    /// All contenders release and end, within 200 ms while the servers answer; private servers are
    /// gone afterwards. What a silent server owes is dropped after 2 s.
    virtual void stop() = 0;

    virtual const workload::LiveRunProgress& progress() const = 0;
    /// Everything that happened so far, in the order of time, up to the bound of the log.
    virtual const std::vector<trace::Event>& events() const = 0;
    /// Hands over the log of a run that is over; nothing is left of it here.
    virtual std::vector<trace::Event> takeEvents() = 0;
    /// Who stood in the locks on the servers, as far as they were looked at, in the order of
    /// their beginnings.
    virtual std::vector<trace::ServerHold> serverHolds() const = 0;

Q_SIGNALS:
    void progressed(const lockscope::workload::LiveRunProgress& progress);
};

} // namespace lockscope::service
