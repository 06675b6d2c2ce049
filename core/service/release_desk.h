#pragma once

#include "base/time.h"
#include "inspect/decoder.h"
#include "inspect/release_plan.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace lockscope::service {

/// One lock explained: read afresh, with everything that was seen and every way to understand it.
struct LockDossier {
    inspect::LockPtr lock;                    // null: it is gone
    std::vector<inspect::Sighting> sightings; // one per server that has it
    std::vector<std::uint16_t> unasked;       // servers that did not answer: nobody knows
    std::vector<inspect::Reading> readings;   // best first
    /// What a release would send: of the only holder, or of all of them at once. None: not
    /// supported.
    std::optional<inspect::ReleasePlan> release;
    /// Where several hold it: the release of each alone, in the order of lock->holders.
    std::vector<inspect::ReleasePlan> releaseOne;
    std::optional<inspect::ReleasePlan> capTtl; // offered for a lock without expiry
    std::vector<std::string> warnings;
    store::Problem problem; // why it could not be read, if it could not
};

/// Reads single locks closely, and releases them on request. Lives on the GUI thread.
class ReleaseDesk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    using RequestId = quint64;

    /// Answered by examined().
    virtual RequestId examine(const inspect::LockId& id) = 0;

    /// As examine(), for somebody who is about to release or cap it: where nothing in the value
    /// tells one hold from the next, writes to the keys are noticed from here on. Answered by
    /// examined(); plans of older requests may not be accepted any more.
    virtual RequestId examineToRelease(const inspect::LockId& id) = 0;

    /// Does what the plan says, if the lock is still what the plan saw. Answered by executed(),
    /// and, when it was released, by followed() once somebody took it or a few seconds passed. The
    /// attempt is audited.
    virtual RequestId execute(const inspect::ReleasePlan& plan, const QString& reason) = 0;

Q_SIGNALS:
    void examined(quint64 request, const lockscope::service::LockDossier& dossier);
    void executed(quint64 request, const lockscope::inspect::ReleaseReport& report);
    void followed(quint64 request, const lockscope::inspect::Aftermath& aftermath);
    /// What became of an attempt could not be written to the audit file. (One that cannot be
    /// written down beforehand is not made: it is executed() as refused.)
    void auditFailed(const QString& reason);
};

} // namespace lockscope::service
