#pragma once

#include "core/kernel/inspect/observation.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/outcome.h"
#include "core/kernel/store/problem.h"
#include "core/kernel/store/reply.h"

#include <optional>
#include <string_view>
#include <vector>

// What is asked about a single key, and what the answers mean.
namespace lockscope::inspect {

std::string_view lengthCommandOf(ValueType type);
std::string_view contentsCommandOf(ValueType type);
store::Command lengthOf(const Observation& seen);

/// The key could not be read because of this answer: an error, or something that makes no sense.
void refuse(Observation& seen, std::string_view command, const store::Reply& answer);

/// The answer to PTTL.
void takeTimeLeft(const store::Reply& ttl, Observation& seen);

/// What keeps the whole batch from being answered: a problem of the link or of the server.
std::optional<store::Problem> batchProblem(const store::Outcome& outcome);
std::optional<store::Problem> batchProblemIn(const std::vector<store::Outcome>& outcomes);

} // namespace lockscope::inspect
