#pragma once

#include "core/kernel/protocol/lock_protocol.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

// What the answers of several independent nodes mean together.
namespace lockscope::protocol::builtin {

constexpr std::size_t majorityOf(std::size_t nodeCount)
{
    return nodeCount / 2 + 1;
}

template<class Kind, class StepOutcome>
std::size_t countOf(const std::vector<StepOutcome>& answers)
{
    return static_cast<std::size_t>(std::count_if(answers.begin(), answers.end(),
                                                  [](const StepOutcome& answer) {
                                                      return std::holds_alternative<Kind>(answer);
                                                  }));
}

/// A node that was passed over.
store::Problem noAnswerInTime();

/// Why a try failed whose votes were withdrawn again. On `leftoverCount` nodes the withdrawal was
/// not confirmed: if they are a majority, the hold may exist after all. If a majority answered, it
/// was another client's, or the answers came too late. Otherwise too few nodes could be asked.
AcquireOutcome afterWithdrawal(const std::vector<AcquireOutcome>& votes, std::size_t leftoverCount,
                               Grant possible);

/// An extension counts when a majority has carried it out and `now` is before the new end; the hold
/// is over when the nodes that have lost it leave no majority.
RenewOutcome extension(const std::vector<RenewOutcome>& votes, Instant trustedUntil, Instant now);

/// A release is done when the token cannot stand on a majority any more, and was ours to give if it
/// may have stood on one until then.
ReleaseOutcome quorumRelease(const std::vector<ReleaseOutcome>& answers);

/// What becomes of the time that the votes took.
enum class Elapsed : bool { Subtracted, Forgotten };

/// Redlock with the description of this id.
std::unique_ptr<const LockProtocol> redlockWith(const std::string& id, Elapsed elapsed);

} // namespace lockscope::protocol::builtin
