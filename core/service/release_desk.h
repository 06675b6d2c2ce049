#pragma once

#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/endpoint.h"
#include "core/operations/holder_killer.h"
#include "core/operations/lock_capture.h"
#include "core/operations/lock_details.h"

#include <QObject>
#include <QString>

#include <vector>

namespace lockscope::service {

/// Reads single locks closely, and releases them on request. Runs on the GUI thread.
class ReleaseDesk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    using RequestId = quint64;

    /// The servers that LockId::server counts. Requests that are under way are dropped; a release
    /// that was sent already is audited as unknown. Where only read-only differs nothing is
    /// dropped, and what is sent from now on is held to it.
    virtual void setEndpoints(std::vector<store::Endpoint> endpoints) = 0;

    /// What is recognised from now on.
    virtual void setFormats(inspect::FormatTablePtr formats) = 0;

    /// Answered by inspected().
    virtual RequestId inspectLock(const inspect::LockId& id) = 0;

    /// As inspectLock(), before a release or a cap: where nothing in the value tells one hold from
    /// the next, writes to the keys are noticed from before this look until a plan is executed or
    /// its guard is ended. Answered by inspected().
    virtual RequestId inspectToRelease(const inspect::LockId& id) = 0;

    /// No plan with this guard will be executed any more.
    virtual void endGuard(inspect::KeyGuard guard) = 0;

    /// Does what the plan says, if the lock is still what the plan saw. Answered by executed(),
    /// and, when it was released, by followed() once a client took it or a few seconds passed. The
    /// attempt is audited.
    virtual RequestId execute(const inspect::ReleasePlan& plan, const QString& reason) = 0;

    /// Which connected client is certainly this owner of the lock. Changes nothing. Answered by
    /// holderFound().
    virtual RequestId findHolder(const inspect::LockId& id, const Bytes& owner) = 0;

    /// Ends the connection of a holder, if lock and client are still what they were. Never the
    /// lock. Answered by holderDisconnected(). The attempt is audited.
    virtual RequestId disconnectHolder(const operations::KillOrder& order) = 0;

    /// Listens to all commands of the server that has the lock, by MONITOR, which slows that server
    /// down while it lasts. One at a time. Changes nothing. Answered by captured() after these
    /// limits at the latest.
    virtual RequestId captureCommands(const inspect::LockId& id,
                                      const operations::FeedLimits& limits) = 0;
    /// Ends it: it is answered with what was heard until now.
    virtual void stopCapture() = 0;

Q_SIGNALS:
    void inspected(quint64 request, const lockscope::operations::LockDetails& details);
    void executed(quint64 request, const lockscope::inspect::ReleaseReport& report);
    void followed(quint64 request, const lockscope::inspect::NextHold& nextHold);
    void holderFound(quint64 request, const lockscope::operations::FoundHolder& found);
    void holderDisconnected(quint64 request, const lockscope::inspect::KillReport& report);
    void captured(quint64 request, const lockscope::operations::CaptureResult& result);
    /// What became of an attempt could not be written to the audit file. (One that cannot be
    /// written down beforehand is not made: it is executed() as refused.)
    void auditFailed(const QString& reason);
};

} // namespace lockscope::service
