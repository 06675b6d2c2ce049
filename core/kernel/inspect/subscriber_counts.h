#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/store/outcome.h"
#include "core/kernel/store/reply.h"
#include "core/kernel/store/store.h"

#include <cstddef>
#include <optional>
#include <vector>

// Who listens to which channel. Those of the whole server (SUBSCRIBE) and those of a cluster slot
// (SSUBSCRIBE, Redis 7) are counted apart by the server, and together here.
namespace lockscope::inspect {

/// An answer: there is a reply, and it is no error.
bool isUseful(const store::Reply* reply);

/// Channels in one PUBSUB NUMSUB: more would keep the server busy for too long.
inline constexpr std::size_t kChannelsPerCommand = 500;

/// The answer to PUBSUB NUMSUB for so many channels, in their order. A count that makes no sense is
/// nullopt, as is every count of an answer for another number of channels: unknown is not zero.
std::vector<std::optional<int>> subscriberCountsOf(const store::Reply& reply,
                                                   std::size_t channelCount);

struct SubscriberCounts {
    std::vector<std::optional<int>> counts; // in the order of the channels
    std::optional<store::Outcome> failure;  // no answer, or an error: not all were counted
    std::optional<int> patternCount;        // nullopt: not asked for, or not told
};

/// PUBSUB NUMSUB and SHARDNUMSUB, and NUMPAT where the patterns are to be counted, too, all at
/// once: what a question costs the server is mostly that it comes. A server that does not know
/// SHARDNUMSUB has no such channels.
async::Task<SubscriberCounts> countSubscribers(store::Store& store, std::vector<Bytes> channels,
                                               bool countsPatterns = false);

/// Puts into the snapshots what their decoders want to know about those who listen. What the server
/// does not tell stays unknown; the result is a problem of the link.
async::Task<std::optional<store::Problem>> countListeners(store::Store& store,
                                                          std::vector<LockSnapshot>& snapshots);

/// Names that namesWaitedFor() ends with at most. So many may be some of more.
inline constexpr std::size_t kNamesWaitedForMax = 2000;

/// PUBSUB CHANNELS: the names that locks may have whose waiters listen to a channel of a format;
/// nullopt: the server refuses to tell.
async::Task<std::optional<std::vector<Bytes>>> namesWaitedFor(store::Store& store);

} // namespace lockscope::inspect
