#include "world/fault_kind.h"

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
    {"interleaving", "Nothing goes wrong; only the order of the steps is free."},
    {"crash", "A client program ends without a word; it may be started again."},
    {"pause", "A client program stands still for longer than a lease, renewals included."},
    {"hang", "The worker of a client stops for ever while its renewals go on."},
    {"connection-loss", "A connection breaks; what was under way may have been carried out."},
    {"message-delay", "A request arrives long after it was sent."},
    {"message-loss", "A request or its answer is lost without anybody noticing."},
    {"message-copy", "A request is carried out twice."},
    {"clock-skew", "The calendar of a client is ahead or behind from the beginning."},
    {"clock-drift", "The clock of a client or of a server runs fast or slow."},
    {"clock-step", "The clock of a server or of a client jumps."},
    {"server-restart", "A server starts again, with its data or without."},
    {"failover", "A replica takes over that has not received the latest writes."},
    {"partition", "A client and a server cannot reach each other for a while."},
    {"slow-node", "A server answers late for a while."},
    {"script-flush", "A server forgets its scripts."},
    {"force-release", "An operator deletes the keys of a lock that is in use."},
    {"eviction", "A server drops a key of a lock to save memory."},
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
