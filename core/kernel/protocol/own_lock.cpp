#include "core/kernel/protocol/own_lock.h"

#include "core/kernel/protocol/builtin/steps.h"
#include "core/kernel/protocol/wake_up.h"

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

bool saysNotHeld(std::optional<Meaning> meaning)
{
    return meaning == Meaning::OtherOwner || meaning == Meaning::Gone;
}

/// What comes of a renewal or a release whose check did not pass. After an answer that nobody knows
/// the step is not run: nothing was renewed or released, that is certain.
template<class StepOutcome>
std::optional<StepOutcome> endedByCheck(std::optional<Meaning> meaning)
{
    if (meaning == Meaning::Passed) {
        return std::nullopt;
    }
    if (saysNotHeld(meaning)) {
        return NotHeld{meaning == Meaning::OtherOwner};
    }
    return Unavailable{unexpectedReply()};
}

} // namespace

async::Task<AcquireOutcome> OwnLock::acquire(Contender& self, LockRequest request) const
{
    if (!m_plan.wakeUpChannel) {
        return LockProtocol::acquire(self, std::move(request));
    }
    Grant hoped;
    hoped.request = request;
    Bytes channel = filled(*m_plan.wakeUpChannel, fillingFor(self, hoped));
    return acquireListening(*this, self, std::move(request), std::move(channel));
}

async::Task<std::optional<AcquireOutcome>> OwnLock::failedAcquireCheck(Contender& self,
                                                                       Grant grant) const
{
    const Outcome outcome = co_await runOwnStep(self, *m_plan.acquireCheck, grant);
    if (auto failure = acquireFailure(outcome, grant)) {
        co_return failure;
    }
    const auto meaning = m_plan.acquireCheck->meaningOf(*replyOf(outcome));
    if (meaning == Meaning::Passed) {
        co_return std::nullopt;
    }
    if (meaning == Meaning::Refused) {
        co_return Refused{};
    }
    // The check may be the command that takes the lock, so the lock may be taken.
    co_return Uncertain{unexpectedReply(), std::move(grant)};
}

async::Task<AcquireOutcome> OwnLock::attempt(Contender& self, LockRequest request) const
{
    const Instant sentAt = self.now();
    Grant grant = builtin::grantFor(request, self.freshToken(), sentAt, sentAt);
    if (!m_plan.info.hasExpiry) {
        grant.trustedUntil.reset();
    }
    if (m_plan.acquireCheck) {
        auto failure = co_await failedAcquireCheck(self, grant);
        if (failure) {
            co_return std::move(*failure);
        }
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

async::Task<std::optional<RenewOutcome>> OwnLock::failedRenewCheck(Contender& self,
                                                                   Grant grant) const
{
    const Outcome outcome = co_await runOwnStep(self, *m_plan.renewCheck, std::move(grant));
    if (auto failure = renewFailure(outcome)) {
        co_return failure;
    }
    co_return endedByCheck<RenewOutcome>(m_plan.renewCheck->meaningOf(*replyOf(outcome)));
}

async::Task<RenewOutcome> OwnLock::renew(Contender& self, Grant grant) const
{
    if (!m_plan.renew) {
        co_return co_await LockProtocol::renew(self, std::move(grant));
    }
    if (m_plan.renewCheck) {
        auto failure = co_await failedRenewCheck(self, grant);
        if (failure) {
            co_return std::move(*failure);
        }
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
    if (saysNotHeld(meaning)) {
        co_return NotHeld{meaning == Meaning::OtherOwner};
    }
    co_return Uncertain{unexpectedReply(), std::nullopt};
}

async::Task<std::optional<ReleaseOutcome>> OwnLock::failedReleaseCheck(Contender& self,
                                                                       Grant grant) const
{
    const Outcome outcome = co_await runOwnStep(self, *m_plan.releaseCheck, std::move(grant));
    if (auto failure = releaseFailure(outcome)) {
        co_return failure;
    }
    co_return endedByCheck<ReleaseOutcome>(m_plan.releaseCheck->meaningOf(*replyOf(outcome)));
}

async::Task<ReleaseOutcome> OwnLock::release(Contender& self, Grant grant) const
{
    if (m_plan.releaseCheck) {
        auto failure = co_await failedReleaseCheck(self, grant);
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
    if (saysNotHeld(meaning)) {
        co_return NotHeld{meaning == Meaning::OtherOwner};
    }
    co_return Uncertain{unexpectedReply(), std::nullopt};
}

} // namespace lockscope::protocol
