#include "core/kernel/sim/call.h"
#include "core/kernel/sim/command_handlers.h"
#include "core/kernel/sim/number_text.h"

#include <limits>
#include <variant>

namespace lockscope::sim::handlers {

using store::Reply;

namespace {

struct Unit {
    bool isInSeconds;
    bool isAbsolute;
};

/// Which expiries may be replaced.
struct Condition {
    bool onlyIfNone = false;
    bool onlyIfAny = false;
    bool onlyIfLater = false;
    bool onlyIfSooner = false;

    /// The error, if there is one.
    std::optional<Reply> read(const std::vector<Bytes>& words);
    bool allows(std::int64_t oldMs, std::int64_t newMs) const;

private:
    bool readWord(std::string_view word);
};

/// An error that ends in a line end loses it.
std::string withoutLineEnds(std::string_view word)
{
    word = word.substr(0, word.find('\0'));
    const std::size_t last = word.find_last_not_of("\r\n");
    return shownInError(word.substr(0, last + 1), word.size());
}

bool Condition::readWord(std::string_view word)
{
    if (equalsIgnoringCase(word, "nx")) {
        return onlyIfNone = true;
    }
    if (equalsIgnoringCase(word, "xx")) {
        return onlyIfAny = true;
    }
    if (equalsIgnoringCase(word, "gt")) {
        return onlyIfLater = true;
    }
    return equalsIgnoringCase(word, "lt") && (onlyIfSooner = true);
}

std::optional<Reply> Condition::read(const std::vector<Bytes>& words)
{
    for (std::size_t i = 3; i < words.size(); ++i) {
        if (!readWord(words[i])) {
            return replies::error("Unsupported option " + withoutLineEnds(words[i]));
        }
    }
    if (onlyIfNone && (onlyIfAny || onlyIfLater || onlyIfSooner)) {
        return replies::error("NX and XX, GT or LT options at the same time are not compatible");
    }
    if (onlyIfLater && onlyIfSooner) {
        return replies::error("GT and LT options at the same time are not compatible");
    }
    return std::nullopt;
}

/// A key without expiry lives longer than every other (redis.io, EXPIRE: GT and LT).
bool Condition::allows(std::int64_t oldMs, std::int64_t newMs) const
{
    const bool hadNone = oldMs == Entry::kNever;
    return !(onlyIfNone && !hadNone) && !(onlyIfAny && hadNone)
           && !(onlyIfLater && (hadNone || newMs <= oldMs))
           && !(onlyIfSooner && !hadNone && newMs >= oldMs);
}

std::variant<std::int64_t, Reply> instantOf(const Call& call, Unit unit)
{
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
    auto amount = parseInteger(call.word(2));
    if (!amount) {
        return replies::notAnInteger();
    }
    if (unit.isInSeconds) {
        if (*amount > kMax / 1000 || *amount < kMin / 1000) {
            return replies::invalidExpiry(call);
        }
        *amount *= 1000;
    }
    const std::int64_t base = unit.isAbsolute ? 0 : call.nowMs();
    if (*amount > kMax - base) {
        return replies::invalidExpiry(call);
    }
    return *amount + base;
}

/// The checks come in the order of expireGenericCommand() in expire.c: options, time, key.
Reply setExpiry(Call& call, Unit unit)
{
    Condition condition;
    if (std::optional<Reply> error = condition.read(call.words)) {
        return std::move(*error);
    }
    auto instant = instantOf(call, unit);
    if (auto* const error = std::get_if<Reply>(&instant)) {
        return std::move(*error);
    }
    const std::int64_t expiresAtMs = std::get<std::int64_t>(instant);
    Entry* const entry = call.find(call.key());
    if (entry == nullptr || !condition.allows(entry->expiresAtMs, expiresAtMs)) {
        return replies::number(std::int64_t{0});
    }
    // Deletes at once when the time is not in the future (checkAlreadyExpired() in expire.c), also
    // for this very millisecond, in which another key would still be there (Entry::isExpiredAt).
    if (expiresAtMs <= call.nowMs()) {
        call.erase(*entry);
    } else {
        entry->expiresAtMs = expiresAtMs;
    }
    call.touch(call.key());
    return replies::number(std::int64_t{1});
}

Reply readExpiry(Call& call, Unit unit)
{
    const Entry* const entry = call.find(call.key());
    if (entry == nullptr) {
        return replies::number(std::int64_t{-2});
    }
    if (entry->expiresAtMs == Entry::kNever) {
        return replies::number(std::int64_t{-1});
    }
    const std::int64_t ms = entry->expiresAtMs - (unit.isAbsolute ? 0 : call.nowMs());
    // TTL rounds to the nearest second (ttlGenericCommand() in expire.c), so it may say 0 of a key
    // that is there.
    return replies::number(unit.isInSeconds ? (ms + 500) / 1000 : ms);
}

} // namespace

Reply expire(Call& call)
{
    return setExpiry(call, {true, false});
}

Reply pexpire(Call& call)
{
    return setExpiry(call, {false, false});
}

Reply expireat(Call& call)
{
    return setExpiry(call, {true, true});
}

Reply pexpireat(Call& call)
{
    return setExpiry(call, {false, true});
}

Reply ttl(Call& call)
{
    return readExpiry(call, {true, false});
}

Reply pttl(Call& call)
{
    return readExpiry(call, {false, false});
}

Reply expiretime(Call& call)
{
    return readExpiry(call, {true, true});
}

Reply pexpiretime(Call& call)
{
    return readExpiry(call, {false, true});
}

Reply persist(Call& call)
{
    Entry* const entry = call.find(call.key());
    if (entry == nullptr || entry->expiresAtMs == Entry::kNever) {
        return replies::number(std::int64_t{0});
    }
    entry->expiresAtMs = Entry::kNever;
    call.touch(call.key());
    return replies::number(std::int64_t{1});
}

} // namespace lockscope::sim::handlers
