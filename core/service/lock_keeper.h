#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/store/endpoint.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/trace/event.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::service {

/// A lock to take by hand.
struct KeepOrder {
    std::vector<store::Endpoint> servers; // several for a protocol of several masters
    std::shared_ptr<const protocol::LockProtocol> protocol;
    protocol::LockRequest request;
    protocol::Renewal renewal; // off: it runs out with its lease
};

/// A lock that was asked for by hand, and what became of it.
struct KeptLock {
    enum class State {
        Connecting,
        Waiting,
        Held,
        Lost, // see loss: it must not be trusted any more; release() still tidies up
        Releasing,
        Released,  // by us, or found to be gone
        Refused,   // another client held it all the time
        Failed,    // see problem
        Uncertain, // not known whether it was taken, or whether it was released; see problem
    };

    quint64 id = 0;
    State state = State::Connecting;
    std::string protocolId;
    Bytes key;
    std::string server; // names joined by ","
    Bytes token;        // once granted
    Instant since{};    // of the state
    std::optional<Instant> trustedUntil;
    std::optional<std::int64_t> fence;
    int renewalCount = 0;
    bool isWatched = false; // Held: every server tells of a change at once, not the next renewal
    std::optional<trace::LossReason> loss;
    bool wasOtherOwner = false; // Released, but another client had it by then: nothing was removed
    store::Problem problem;

    bool isOver() const
    {
        return state == State::Released || state == State::Refused || state == State::Failed
               || (state == State::Uncertain && !isStillWanted);
    }
    bool isStillWanted = false; // Uncertain while acquiring: release() tidies up what may be there
};

/// Takes locks by hand with any protocol, keeps them renewed, and gives them back. Runs on the GUI
/// thread; signals arrive there.
class LockKeeper : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Asks for a lock. Returns its id; changed() tells the rest.
    virtual quint64 acquire(const KeepOrder& order) = 0;
    /// Gives it back, or stops asking for it.
    virtual void release(quint64 id) = 0;
    /// All of them; allReleased() follows, at once when there is nothing to release.
    virtual void releaseAll() = 0;

    /// Those that are not over, in the order of asking.
    virtual std::vector<KeptLock> held() const = 0;

    /// The present on the time line of every Instant this hands out. Any thread.
    virtual Instant now() const = 0;

Q_SIGNALS:
    void changed(const lockscope::service::KeptLock& lock);
    void allReleased();
};

} // namespace lockscope::service
