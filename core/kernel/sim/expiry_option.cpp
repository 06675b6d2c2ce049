#include "core/kernel/sim/expiry_option.h"

#include "core/kernel/sim/number_text.h"

#include <limits>

namespace lockscope::sim {

std::optional<ExpiryOption> expiryUnitOf(std::string_view word)
{
    if (equalsIgnoringCase(word, "px")) {
        return ExpiryOption{false, false};
    }
    if (equalsIgnoringCase(word, "ex")) {
        return ExpiryOption{true, false};
    }
    if (equalsIgnoringCase(word, "pxat")) {
        return ExpiryOption{false, true};
    }
    if (equalsIgnoringCase(word, "exat")) {
        return ExpiryOption{true, true};
    }
    return std::nullopt;
}

std::variant<std::int64_t, store::Reply> expiryInstant(const Call& call, const ExpiryOption& option)
{
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const auto amount = parseInteger(*option.amount);
    if (!amount) {
        return replies::notAnInteger();
    }
    // Unlike EXPIRE, which deletes the key then.
    if (*amount <= 0 || (option.isInSeconds && *amount > kMax / 1000)) {
        return replies::invalidExpiry(call);
    }
    const std::int64_t ms = option.isInSeconds ? *amount * 1000 : *amount;
    if (option.isAbsolute) {
        return ms;
    }
    if (ms > kMax - call.nowMs()) {
        return replies::invalidExpiry(call);
    }
    return ms + call.nowMs();
}

} // namespace lockscope::sim
