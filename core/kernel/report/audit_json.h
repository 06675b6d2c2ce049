#pragma once

#include "core/kernel/inspect/client_kill.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/report/lock_json.h"
#include "core/kernel/store/endpoint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The lines of the audit file, documented in the man page. An attempt that is about to be sent has
// one with the event "intent", and one with the event "outcome" afterwards: an intent without an
// outcome was interrupted. An attempt that came to nothing before has the outcome alone.
namespace lockscope::report {

/// Who makes an attempt, as the system knows them.
struct AuditAuthor {
    std::string user;     // that the program runs as
    std::string sudoUser; // who became that user by sudo; empty: no one
    std::string host;
    std::string program; // "lockscope-cli 0.1.0"
    std::int64_t process = 0;
};

/// An attempt to end or to cap holds, or the connection of a holder, on one server.
struct AuditAttempt {
    std::string id; // stands in all lines of the attempt
    AuditAuthor author;
    std::string server;  // serverName(); several names are joined by ","
    std::string replica; // on which the lock was chosen, if it was sent to its master: `server`
    std::string node;    // with Sentinels: the server that was the master; else empty
    int database = 0;
    Bytes key;
    Bytes named;                          // the owner that was asked for; empty: any
    std::vector<inspect::Holder> holders; // who would lose what; empty: nothing was planned
    inspect::ReleaseAction action = inspect::ReleaseAction::Release;
    Duration cap{0};                             // CapTtl, Tombstone
    std::optional<std::int64_t> expiresAtMs;     // of the lock before, by the server's clock
    std::string scriptSha1;                      // of the script that is sent; empty: none
    std::optional<inspect::HolderClient> client; // whose connection is ended instead of a hold
    std::string reason;
};

/// What the plan would do on one server. Id, author and the owner that was asked for are left to
/// the caller.
AuditAttempt attemptOf(const inspect::ReleasePlan& plan, const store::Endpoint& server,
                       std::string_view reason);

Json auditIntentJson(const AuditAttempt& attempt, WallTime at);
Json auditOutcomeJson(const AuditAttempt& attempt, const inspect::ReleaseReport& report,
                      WallTime at);
Json auditOutcomeJson(const AuditAttempt& attempt, const inspect::KillReport& report, WallTime at);

} // namespace lockscope::report
