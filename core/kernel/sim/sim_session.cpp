#include "core/kernel/sim/sim_session.h"

#include "core/kernel/base/content_hash.h"

#include <algorithm>

namespace lockscope::sim {

namespace {

void addTo(ContentHash& hash, const std::vector<Bytes>& texts)
{
    hash.add(texts.size());
    for (const Bytes& text : texts) {
        hash.add(text);
    }
}

void addTo(ContentHash& hash, const std::optional<ServerTime>& until)
{
    hash.add(until.has_value());
    hash.add(until ? until->time_since_epoch().count() : 0);
}

} // namespace

std::uint64_t SimSession::contentHash() const
{
    ContentHash hash(id);
    hash.add(isInTransaction);
    hash.add(isTransactionBroken);
    hash.add(hasWatchedChange);
    hash.add(queue.size());
    for (const store::Command& command : queue) {
        addTo(hash, command.words);
    }
    return hash.value();
}

std::uint64_t Watch::contentHash() const
{
    ContentHash hash(session);
    hash.add(key);
    hash.add(wasExpired);
    return hash.value();
}

bool KeyWait::isFor(const Bytes& key) const
{
    return std::ranges::find(keys, key) != keys.end();
}

bool KeyWait::competesWith(const KeyWait& other) const
{
    return isForSortedSet == other.isForSortedSet
           && std::ranges::any_of(keys, [&other](const Bytes& key) { return other.isFor(key); });
}

std::uint64_t KeyWait::contentHash() const
{
    ContentHash hash(session);
    addTo(hash, keys);
    addTo(hash, attempt.words);
    addTo(hash, until);
    return hash.value();
}

std::uint64_t ReplicaWait::contentHash() const
{
    ContentHash hash(session);
    hash.add(replicaCount);
    addTo(hash, until);
    return hash.value();
}

std::uint64_t Delivery::contentHash() const
{
    ContentHash hash(session);
    hash.add(contentHashOf(reply));
    return hash.value();
}

} // namespace lockscope::sim
