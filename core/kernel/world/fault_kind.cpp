#include "core/kernel/world/fault_kind.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lockscope::world {

namespace {

struct Words {
    std::string_view id;
    std::string_view explanation;
};

constexpr std::array<Words, static_cast<std::size_t>(FaultKind::FaultKindCount)> kWords{{
    {"interleaving", "No fault; only the order of the steps varies."},
    {"crash", "A client process crashes; it may be restarted."},
    {"pause", "A client process pauses for longer than a lease, including its renewals."},
    {"hang", "The worker of a client hangs forever while its renewals continue."},
    {"connection-loss", "A connection breaks; pending requests may have been executed."},
    {"message-delay", "A request arrives long after it was sent."},
    {"message-loss", "A request or its reply is lost without an error."},
    {"message-copy", "A request is executed twice."},
    {"clock-skew", "The wall clock of a client is ahead or behind from the start."},
    {"clock-drift", "The clock of a client or a server runs fast or slow."},
    {"clock-step", "The clock of a server or a client jumps."},
    {"server-restart", "A server restarts, with or without its data."},
    {"failover", "A replica takes over without the latest writes."},
    {"partition", "A client and a server cannot reach each other for a while."},
    {"slow-node", "A server replies late for a while."},
    {"script-flush", "A server loses its script cache."},
    {"force-release", "An operator deletes the keys of a lock that is in use."},
    {"eviction", "A server evicts a key of a lock to free memory."},
}};

const Words& wordsOf(FaultKind kind)
{
    return kWords.at(static_cast<std::size_t>(kind));
}

} // namespace

std::string_view idOf(FaultKind kind)
{
    return wordsOf(kind).id;
}

std::string_view explain(FaultKind kind)
{
    return wordsOf(kind).explanation;
}

std::optional<FaultKind> faultKindOf(std::string_view id)
{
    const auto found = std::ranges::find(kWords, id, &Words::id);
    if (found == kWords.end()) {
        return std::nullopt;
    }
    return static_cast<FaultKind>(found - kWords.begin());
}

} // namespace lockscope::world
