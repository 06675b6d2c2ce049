#include "core/kernel/sim/call.h"

#include "core/kernel/sim/number_text.h"

#include <algorithm>
#include <limits>

namespace lockscope::sim {

using store::Reply;

/// As expireIfNeeded() in Redis' db.c: the look-up removes it, and replicas and watchers notice.
Entry* Call::find(const Bytes& name)
{
    Entry* const entry = database.keys().find(name);
    if (entry == nullptr || !entry->isExpiredAt(nowMs())) {
        return entry;
    }
    database.keys().erase(*entry);
    touch(name);
    return nullptr;
}

/// As dbAdd() in db.c: a new key is announced to the clients that block on it.
Entry& Call::create(const Bytes& name, Value value)
{
    if (context.keyspaceListener != nullptr) {
        context.keyspaceListener->keyAppeared(name);
    }
    return database.keys().insert(name, std::move(value));
}

void Call::erase(Entry& entry)
{
    database.keys().erase(entry);
}

namespace replies {

Reply ok()
{
    return Reply::ofStatus("OK");
}

Reply nil()
{
    return Reply();
}

Reply number(std::int64_t n)
{
    return Reply::ofInteger(n);
}

Reply number(std::size_t n)
{
    return Reply::ofInteger(static_cast<std::int64_t>(n));
}

Reply bulk(std::string_view bytes)
{
    return Reply::ofBulk(Bytes(bytes));
}

Reply emptyArray()
{
    return Reply::ofArray({});
}

Reply error(std::string_view text)
{
    return Reply::ofError("ERR " + std::string(text));
}

Reply wrongType()
{
    return Reply::ofError("WRONGTYPE Operation against a key holding the wrong kind of value");
}

Reply syntaxError()
{
    return error("syntax error");
}

Reply notAnInteger()
{
    return error("value is not an integer or out of range");
}

Reply notAFloat()
{
    return error("value is not a valid float");
}

Reply overflow()
{
    return error("increment or decrement would overflow");
}

Reply invalidExpiry(const Call& call)
{
    return error("invalid expire time in '" + std::string(call.spec.name) + "' command");
}

Reply wrongArity(std::string_view commandName)
{
    return error("wrong number of arguments for '" + std::string(commandName) + "' command");
}

Reply otherDatabase()
{
    return error("only database 0 is simulated");
}

} // namespace replies

/// As getTimeoutFromObjectOrReply() in timeout.c.
std::optional<Reply> badTimeout(const Call& call)
{
    const auto seconds = parseSeconds(call.words.back());
    if (!seconds) {
        return replies::error("timeout is not a float or out of range");
    }
    return *seconds < 0 ? std::optional(replies::error("timeout is negative")) : std::nullopt;
}

/// As selectCommand() in db.c.
std::variant<int, Reply> databaseNumber(const Bytes& word)
{
    constexpr std::int64_t kDatabaseCount = 16;
    const auto index = parseInteger(word);
    if (!index) {
        return replies::notAnInteger();
    }
    if (*index < std::numeric_limits<int>::min() || *index > std::numeric_limits<int>::max()) {
        return replies::error(
            "value is out of range, value must between -2147483648 and 2147483647");
    }
    if (*index < 0 || *index >= kDatabaseCount) {
        return replies::error("DB index is out of range");
    }
    return static_cast<int>(*index);
}

std::string shownInError(std::string_view word, std::size_t lengthMax)
{
    std::string shown(word.substr(0, std::min(word.find('\0'), lengthMax)));
    std::ranges::replace(shown, '\r', ' ');
    std::ranges::replace(shown, '\n', ' ');
    return shown;
}

std::optional<Span> spanOf(std::int64_t first, std::int64_t last, std::size_t count)
{
    const auto length = static_cast<std::int64_t>(count);
    const auto fromEnd = [length](std::int64_t index) {
        return index < 0 ? index + length : index;
    };
    const std::int64_t begin = std::max<std::int64_t>(fromEnd(first), 0);
    const std::int64_t end = std::min(fromEnd(last), length - 1);
    if (begin > end || begin >= length) {
        return std::nullopt;
    }
    return Span{static_cast<std::size_t>(begin), static_cast<std::size_t>(end + 1)};
}

} // namespace lockscope::sim
