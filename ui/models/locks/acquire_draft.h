#pragma once

#include "core/service/lock_keeper.h"
#include "ui/models/protocol_list_model.h"

#include <QString>

#include <vector>

namespace lockscope::models {

/// What the acquire dialog asks for, as it was typed.
struct AcquireDraft {
    ProtocolPtr protocol;
    std::vector<store::Endpoint> servers; // of the window; one protocol takes the first, one all
    QString key;                          // as reports write keys: \xNN for other bytes
    protocol::Mode mode = protocol::Mode::Write; // only of protocols with modes
    QString lease;
    QString wait;
    QString permits; // only of semaphores
    bool isKeptRenewed = true;

    static AcquireDraft withDefaults(ProtocolPtr protocol);
};

/// A draft that was read: the order, and what is wrong with each field. It can be given when
/// nothing is.
struct ParsedAcquire {
    service::KeepOrder order;
    QString keyError;
    QString leaseError;
    QString waitError;
    QString permitsError;

    bool isGood() const
    {
        return keyError.isEmpty() && leaseError.isEmpty() && waitError.isEmpty()
               && permitsError.isEmpty();
    }
};

ParsedAcquire readAcquireDraft(const AcquireDraft& draft);

/// How a hold by hand is kept alive: as the protocol does it, or, where it leaves that to its user
/// or the lease is shorter than that, every third of the lease. Off when it cannot be.
protocol::Renewal renewalFor(const protocol::ProtocolInfo& info, Duration lease);

} // namespace lockscope::models
