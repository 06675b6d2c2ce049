#pragma once

#include "core/kernel/sim/call.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace lockscope::sim {

/// When something expires, as SET, GETEX, SETEX and PSETEX take it.
struct ExpiryOption {
    bool isInSeconds = false;
    bool isAbsolute = false;
    const Bytes* amount = nullptr;
};

/// EX, PX, EXAT or PXAT; nullopt for every other word.
std::optional<ExpiryOption> expiryUnitOf(std::string_view word);

/// The instant in ms since 1970, or the error that the command answers. Nothing that lies at or
/// before 1970 is accepted; what has passed since then is.
std::variant<std::int64_t, store::Reply> expiryInstant(const Call& call,
                                                       const ExpiryOption& option);

} // namespace lockscope::sim
