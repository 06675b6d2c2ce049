#include "core/kernel/protocol/builtin/quorum.h"

#include "core/kernel/base/kernel_text.h"

#include <utility>

namespace lockscope::protocol::builtin {

using store::Problem;

namespace {

/// The trouble of one node that speaks for all: rather one that may pass, because with several
/// nodes the next try may do without the one whose trouble stays.
template<class StepOutcome>
Problem problemAmong(const std::vector<StepOutcome>& answers)
{
    Problem found = noAnswerInTime();
    bool isFirst = true;
    for (const StepOutcome& answer : answers) {
        const Problem* problem = nullptr;
        if (const auto* const unavailable = std::get_if<Unavailable>(&answer)) {
            problem = &*unavailable->problem;
        } else if (const auto* const uncertain = std::get_if<Uncertain>(&answer)) {
            problem = &*uncertain->problem;
        }
        if (problem != nullptr && (isFirst || store::isPassing(*problem))) {
            found = *problem;
            isFirst = false;
        }
    }
    return found;
}

template<class StepOutcome>
bool isAnyOtherOwner(const std::vector<StepOutcome>& answers)
{
    return std::any_of(answers.begin(), answers.end(), [](const StepOutcome& answer) {
        const auto* const notHeld = std::get_if<NotHeld>(&answer);
        return notHeld != nullptr && notHeld->isOtherOwner;
    });
}

} // namespace

Problem noAnswerInTime()
{
    Problem problem;
    problem.kind = Problem::Kind::ReplyTimedOut;
    problem.detail = KernelText::tr("too few nodes replied in time");
    return problem;
}

AcquireOutcome afterWithdrawal(const std::vector<AcquireOutcome>& votes, std::size_t leftoverCount,
                               Grant possible)
{
    const std::size_t majority = majorityOf(votes.size());
    if (leftoverCount >= majority) {
        return Uncertain{problemAmong(votes), std::move(possible)};
    }
    const std::size_t refusedCount = countOf<Refused>(votes);
    const std::size_t answeredCount = countOf<Boxed<Grant>>(votes) + refusedCount;
    if (refusedCount > 0 && answeredCount >= majority) {
        return Refused{};
    }
    return Unavailable{problemAmong(votes)};
}

RenewOutcome extension(const std::vector<RenewOutcome>& votes, Instant trustedUntil, Instant now)
{
    const std::size_t majority = majorityOf(votes.size());
    const std::size_t renewedCount = countOf<Renewed>(votes);
    if (renewedCount >= majority) {
        if (now < trustedUntil) {
            return Renewed{trustedUntil};
        }
        return Unavailable{noAnswerInTime()};
    }
    if (countOf<NotHeld>(votes) > votes.size() - majority) {
        return NotHeld{isAnyOtherOwner(votes)};
    }
    if (renewedCount + countOf<Uncertain>(votes) >= majority) {
        return Uncertain{problemAmong(votes), std::nullopt};
    }
    return Unavailable{problemAmong(votes)};
}

ReleaseOutcome quorumRelease(const std::vector<ReleaseOutcome>& answers)
{
    const std::size_t majority = majorityOf(answers.size());
    const std::size_t unsentCount = countOf<Unavailable>(answers);
    const std::size_t standingCount = unsentCount + countOf<Uncertain>(answers);
    if (unsentCount >= majority) {
        return Unavailable{problemAmong(answers)};
    }
    if (standingCount >= majority) {
        return Uncertain{problemAmong(answers), std::nullopt};
    }
    if (countOf<Released>(answers) + standingCount >= majority) {
        return Released{};
    }
    return NotHeld{isAnyOtherOwner(answers)};
}

} // namespace lockscope::protocol::builtin
