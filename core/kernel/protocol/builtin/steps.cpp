#include "core/kernel/protocol/builtin/steps.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::protocol::builtin {

using store::Outcome;
using store::Problem;

Grant grantFor(const LockRequest& request, Bytes token, Instant sentAt, Instant now)
{
    Grant grant = endlessGrantFor(request, std::move(token), now);
    grant.trustedUntil = sentAt + request.lease;
    return grant;
}

Grant endlessGrantFor(const LockRequest& request, Bytes token, Instant now)
{
    Grant grant;
    grant.request = request;
    grant.token = std::move(token);
    grant.grantedAt = now;
    return grant;
}

std::chrono::seconds inWholeSeconds(Duration lease)
{
    return std::max(std::chrono::ceil<std::chrono::seconds>(lease), std::chrono::seconds(1));
}

std::optional<AcquireOutcome> acquireFailure(const Outcome& outcome, const Grant& possible)
{
    if (const auto* const unknown = std::get_if<store::Unknown>(&outcome)) {
        return Uncertain{unknown->problem, possible};
    }
    if (std::optional<Problem> problem = problemOf(outcome)) {
        return Unavailable{std::move(*problem)};
    }
    return std::nullopt;
}

std::optional<RenewOutcome> renewFailure(const Outcome& outcome)
{
    if (const auto* const unknown = std::get_if<store::Unknown>(&outcome)) {
        return Uncertain{unknown->problem, std::nullopt};
    }
    if (std::optional<Problem> problem = problemOf(outcome)) {
        return Unavailable{std::move(*problem)};
    }
    return std::nullopt;
}

std::optional<ReleaseOutcome> releaseFailure(const Outcome& outcome)
{
    if (const auto* const unknown = std::get_if<store::Unknown>(&outcome)) {
        return Uncertain{unknown->problem, std::nullopt};
    }
    if (std::optional<Problem> problem = problemOf(outcome)) {
        return Unavailable{std::move(*problem)};
    }
    return std::nullopt;
}

AcquireOutcome grantedIfOk(const Outcome& outcome, Grant grant)
{
    if (auto failure = acquireFailure(outcome, grant)) {
        return *failure;
    }
    if (isOk(outcome)) {
        return grant;
    }
    if (isNil(outcome)) {
        return Refused{};
    }
    return Uncertain{unexpectedReply(), std::move(grant)};
}

AcquireOutcome grantedIfOne(const Outcome& outcome, Grant grant)
{
    if (auto failure = acquireFailure(outcome, grant)) {
        return *failure;
    }
    switch (integerIn(outcome).value_or(-1)) {
    case 1: return grant;
    case 0: return Refused{};
    default: return Uncertain{unexpectedReply(), std::move(grant)};
    }
}

RenewOutcome renewedIfOne(const Outcome& outcome, Instant trustedUntil)
{
    if (auto failure = renewFailure(outcome)) {
        return *failure;
    }
    switch (integerIn(outcome).value_or(-2)) {
    case 1: return Renewed{trustedUntil};
    case 0: return NotHeld{true};
    case -1: return NotHeld{false};
    default: return Uncertain{unexpectedReply(), std::nullopt};
    }
}

ReleaseOutcome releasedIfOne(const Outcome& outcome)
{
    if (auto failure = releaseFailure(outcome)) {
        return *failure;
    }
    switch (integerIn(outcome).value_or(-2)) {
    case 1: return Released{};
    case 0: return NotHeld{true};
    case -1: return NotHeld{false};
    default: return Uncertain{unexpectedReply(), std::nullopt};
    }
}

Problem unexpectedReply()
{
    Problem problem;
    problem.kind = Problem::Kind::ProtocolBroken;
    problem.detail = KernelText::tr("the server sent a reply that this protocol does not expect");
    return problem;
}

bool isOk(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->text() != nullptr && *reply->text() == "OK";
}

bool isNil(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr && reply->isNil();
}

std::optional<std::int64_t> integerIn(const Outcome& outcome)
{
    const store::Reply* const reply = replyOf(outcome);
    return reply != nullptr ? reply->integer() : std::nullopt;
}

std::optional<Problem> problemUnlessInteger(const Outcome& outcome)
{
    if (std::optional<Problem> problem = problemOf(outcome)) {
        return problem;
    }
    return integerIn(outcome) ? std::nullopt : std::optional(unexpectedReply());
}

ReleaseOutcome releaseByDel(const Outcome& outcome)
{
    if (auto failure = releaseFailure(outcome)) {
        return *failure;
    }
    switch (integerIn(outcome).value_or(-1)) {
    case 1: return Released{};
    case 0: return NotHeld{};
    default: return Uncertain{unexpectedReply(), std::nullopt};
    }
}

} // namespace lockscope::protocol::builtin
