#pragma once

#include "core/kernel/inspect/watch/lock_book.h"
#include "tests/support/seen_keys.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::testing {

/// One owner and how often it holds.
inline inspect::Observation hashKey(Bytes key, Bytes field, int count, std::optional<Duration> ttl,
                                    Instant seenAt = kStart)
{
    return hashKey(std::move(key), {{std::move(field), std::to_string(count)}}, ttl, seenAt);
}

inline inspect::Observation missing(Bytes key, Instant seenAt = kStart)
{
    inspect::Observation seen = stringKey(std::move(key), {}, std::nullopt, seenAt);
    seen.type = inspect::ValueType::None;
    seen.isComplete = false;
    return seen;
}

inline inspect::Observation forbidden(Bytes key)
{
    inspect::Observation seen = missing(std::move(key));
    seen.type = inspect::ValueType::Other;
    seen.unreadable =
        "NOPERM this user has no permissions to access one of the keys used as arguments";
    return seen;
}

/// A book, and what it says changed, in short: "appeared order:lock".
class LockBookBench {
public:
    explicit LockBookBench(std::uint16_t serverCount = 1, bool isLive = true,
                           store::Folding folding = store::Folding::ByName)
        : book(serverCount, inspect::builtinDecoders(), store::limits::kLocksMax, folding)
    {
        for (std::uint16_t server = 0; server < serverCount; ++server) {
            book.setLive(server, isLive);
        }
    }

    void see(inspect::Observation seen, std::uint16_t server = 0)
    {
        const Bytes name = seen.key;
        seeGroup(name, {std::move(seen)}, server);
    }
    void seeGroup(Bytes name, std::vector<inspect::Observation> keys, std::uint16_t server = 0)
    {
        const Instant now = keys.front().seenAt;
        book.see(inspect::LockSnapshot{server, std::move(name), std::move(keys)}, now);
    }
    void seeToken(Bytes owner, Duration ttl, Instant at, std::uint16_t server = 0)
    {
        see(stringKey("order:lock", std::move(owner), ttl, at), server);
    }

    std::vector<std::string> news()
    {
        std::vector<std::string> lines;
        for (const inspect::LockChange& change : book.takeDelta().changes) {
            lines.push_back(std::string(idOf(change.kind)) + ' ' + change.lock->id.name);
        }
        return lines;
    }

    inspect::LockPtr row(const Bytes& name = "order:lock") const
    {
        const std::vector<inspect::LockPtr> rows = book.rows();
        const auto found = std::find_if(rows.begin(), rows.end(), [&](const inspect::LockPtr& r) {
            return r->id.name == name;
        });
        return found != rows.end() ? *found : nullptr;
    }

    inspect::LockBook book;
};

using News = std::vector<std::string>;

} // namespace lockscope::testing
