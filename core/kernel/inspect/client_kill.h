#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/store/store.h"

#include <optional>
#include <string>

// Ends the connection of a holder. This does not touch the lock: it stays until its expiry, or
// until the client, which may connect again, releases it. The references outlive the tasks.
namespace lockscope::inspect {

/// A connected client that is certainly the holder: no other fits its token.
struct HolderClient {
    ClientInfo info;
    std::string line; // as CLIENT LIST describes it
    friend bool operator==(const HolderClient&, const HolderClient&) = default;
};

struct ClientSearch {
    std::optional<HolderClient> client;
    store::Problem problem; // why the clients could not be listed; kind None: they were
    bool fitSeveral = false;
};

/// Which of the connected clients the owner token names.
async::Task<ClientSearch> findClientOf(store::Store& store, Bytes owner);

/// What became of the connection, in the words of releases: Released: it was closed. ChangedHands:
/// the server has another client under its number, or another holds the lock. AlreadyGone: it was
/// not connected any more. Nothing was done unless the result is Released or Unknown.
struct KillReport {
    ReleaseResult result = ReleaseResult::Unknown;
    store::Problem problem; // why, for Refused and Unknown
    std::string ownReason;  // why, where this program is the reason: a sentence
    bool isProven = false;  // Released: the server was asked again, and does not list it any more
    LockPtr lockNow;        // the lock afterwards; null: it is gone, or could not be read
};

/// Compares number, address and name with what the server lists right now, then closes the
/// connection if both number and address are still the same to the server (Redis 6.2 or newer), and
/// asks whether it is gone.
async::Task<KillReport> killClient(store::Store& store, HolderClient client);

} // namespace lockscope::inspect
