#include "core/kernel/protocol/own_lock.h"

#include "core/kernel/protocol/builtin/steps.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope::protocol {

using builtin::acquireFailure;
using builtin::releaseFailure;
using builtin::renewFailure;
using builtin::unexpectedReply;
using store::Outcome;

namespace {

int asCount(std::int64_t number)
{
    constexpr std::int64_t kMax = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(number, std::int64_t(1), kMax));
}

} // namespace

async::Task<AcquireOutcome> OwnLock::attempt(Contender& self, LockRequest request) const
{
    const Instant sentAt = self.now();
    Grant grant = builtin::grantFor(request, self.freshToken(), sentAt, sentAt);
    if (!m_plan.info.hasExpiry) {
        grant.trustedUntil.reset();
    }
    const Outcome outcome = co_await runOwnStep(self, m_plan.acquire, grant);
    grant.grantedAt = self.now();
    if (auto failure = acquireFailure(outcome, grant)) {
        co_return *failure;
    }
    const store::Reply& reply = *replyOf(outcome);
    const auto meaning = m_plan.acquire.meaningOf(reply);
    if (meaning == Meaning::Granted) {
        grant.holds = asCount(numberAt(reply, m_plan.holdsAt).value_or(1));
        grant.fence = numberAt(reply, m_plan.fenceAt);
        co_return grant;
    }
    if (meaning != Meaning::Refused) {
        co_return Uncertain{unexpectedReply(), std::move(grant)};
    }
    Refused refused;
    const auto remainingMs = numberAt(reply, m_plan.remainingMsAt);
    if (remainingMs && *remainingMs >= 0) {
        refused.remaining = std::chrono::milliseconds(*remainingMs);
    }
    co_return refused;
}

async::Task<RenewOutcome> OwnLock::renew(Contender& self, Grant grant) const
{
    if (!m_plan.renew) {
        co_return co_await LockProtocol::renew(self, std::move(grant));
    }
    const Instant sentAt = self.now();
    const Outcome outcome = co_await runOwnStep(self, *m_plan.renew, grant);
    if (auto failure = renewFailure(outcome)) {
        co_return *failure;
    }
    const auto meaning = m_plan.renew->meaningOf(*replyOf(outcome));
    if (meaning == Meaning::Renewed) {
        co_return m_plan.info.hasExpiry ? Renewed{sentAt + grant.request.lease} : Renewed{};
    }
    if (meaning == Meaning::OtherOwner || meaning == Meaning::Gone) {
        co_return NotHeld{meaning == Meaning::OtherOwner};
    }
    co_return Uncertain{unexpectedReply(), std::nullopt};
}

/// nullopt: it passed, and the release may follow.
async::Task<std::optional<ReleaseOutcome>> OwnLock::failedCheck(Contender& self, Grant grant) const
{
    const Outcome outcome = co_await runOwnStep(self, *m_plan.releaseCheck, std::move(grant));
    if (auto failure = releaseFailure(outcome)) {
        co_return failure;
    }
    const auto meaning = m_plan.releaseCheck->meaningOf(*replyOf(outcome));
    if (meaning == Meaning::Passed) {
        co_return std::nullopt;
    }
    if (meaning == Meaning::OtherOwner || meaning == Meaning::Gone) {
        co_return NotHeld{meaning == Meaning::OtherOwner};
    }
    co_return Unavailable{unexpectedReply()}; // nothing was released, that is certain
}

async::Task<ReleaseOutcome> OwnLock::release(Contender& self, Grant grant) const
{
    if (m_plan.releaseCheck) {
        auto failure = co_await failedCheck(self, grant);
        if (failure) {
            co_return std::move(*failure);
        }
    }
    const Outcome outcome = co_await runOwnStep(self, m_plan.release, std::move(grant));
    if (auto failure = releaseFailure(outcome)) {
        co_return *failure;
    }
    const store::Reply& reply = *replyOf(outcome);
    const auto meaning = m_plan.release.meaningOf(reply);
    if (meaning == Meaning::Released) {
        co_return Released{};
    }
    if (meaning == Meaning::StillHeld) {
        co_return Released{asCount(numberAt(reply, m_plan.holdsLeftAt).value_or(1))};
    }
    if (meaning == Meaning::OtherOwner || meaning == Meaning::Gone) {
        co_return NotHeld{meaning == Meaning::OtherOwner};
    }
    co_return Uncertain{unexpectedReply(), std::nullopt};
}

} // namespace lockscope::protocol
