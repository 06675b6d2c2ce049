#pragma once

#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <optional>

// What the protocols share in reading answers. An answer that a protocol does not know is never
// taken for a yes.
namespace lockscope::protocol::builtin {

/// The hold that a request asked for, valid for the lease from `sentAt`.
Grant grantFor(const LockRequest& request, Bytes token, Instant sentAt, Instant now);

/// The same for locks that never run out by themselves.
Grant endlessGrantFor(const LockRequest& request, Bytes token, Instant now);

/// What EX and EXPIRE can express: the next whole second, and at least one, because an expiry of 0
/// would delete the key.
std::chrono::seconds inWholeSeconds(Duration lease);

/// Nothing was sent, nothing was answered, or the server answered with an error: what that means
/// for an acquisition. `possible` is the hold that exists if the request was carried out. nullopt
/// when there is a proper reply.
std::optional<AcquireOutcome> acquireFailure(const store::Outcome& outcome, const Grant& possible);
std::optional<RenewOutcome> renewFailure(const store::Outcome& outcome);
std::optional<ReleaseOutcome> releaseFailure(const store::Outcome& outcome);

/// The grant, if the answer is OK; Refused if it is nil, as SET … NX says it.
AcquireOutcome grantedIfOk(const store::Outcome& outcome, Grant grant);

/// The grant, if the answer is 1; Refused if it is 0, as SETNX says it.
AcquireOutcome grantedIfOne(const store::Outcome& outcome, Grant grant);

/// What the scripts that compare before they act answer: 1 done, 0 another owner's, -1 nothing
/// there.
RenewOutcome renewedIfOne(const store::Outcome& outcome, Instant trustedUntil);
ReleaseOutcome releasedIfOne(const store::Outcome& outcome);

/// A reply that makes no sense here.
store::Problem unexpectedReply();

bool isOk(const store::Outcome& outcome);
bool isNil(const store::Outcome& outcome);
std::optional<std::int64_t> integerIn(const store::Outcome& outcome);

/// What is wrong with the outcome of a command that answers with a number, whichever; nullopt when
/// nothing is.
std::optional<store::Problem> problemUnlessInteger(const store::Outcome& outcome);

/// The reply of a plain DEL as a release: 1 released, 0 it was not there any more.
ReleaseOutcome releaseByDel(const store::Outcome& outcome);

} // namespace lockscope::protocol::builtin
