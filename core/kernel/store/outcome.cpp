#include "core/kernel/store/outcome.h"

#include <optional>

namespace lockscope::store {

std::optional<Problem> problemOf(const Outcome& outcome)
{
    if (const auto* const unreachable = std::get_if<Unreachable>(&outcome)) {
        return *unreachable->problem;
    }
    if (const auto* const unknown = std::get_if<Unknown>(&outcome)) {
        return *unknown->problem;
    }
    const ServerError* const error = std::get<Reply>(outcome).error();
    return error != nullptr ? std::optional(problemOfServerError(error->text, {})) : std::nullopt;
}

} // namespace lockscope::store
