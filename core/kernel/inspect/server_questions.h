#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/store/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// What a server is asked beside its keys, once. The references outlive the task.
namespace lockscope::inspect {

/// The result of a question that not every user may ask.
struct Answered {
    store::Problem problem;                 // why there was no answer; kind None: there was one
    bool isRefused = false;                 // the answer: what it would tell stays unknown
    std::optional<std::size_t> clientCount; // of listClients(); nullopt: too many to be kept
};

/// TIME. Our own clock stands in for a server that does not tell. False: it did not answer at all.
async::Task<bool> adjustWallClock(store::Store& store, Clock& clock, ServerWallClock& wallClock);

/// PUBSUB NUMSUB and SHARDNUMSUB: tells the book how many wait for its locks of this server. Where
/// all that are waited for are known, as namesWaitedFor() tells, nothing is asked about the others.
async::Task<Answered> countWaiters(store::Store& store, Clock& clock, LockBook& book,
                                   std::uint16_t server,
                                   std::optional<std::vector<Bytes>> waitedFor = std::nullopt);

/// CLIENT LIST: tells the book which clients are behind the owners of its locks of this server.
async::Task<Answered> listClients(store::Store& store, Clock& clock, LockBook& book,
                                  std::uint16_t server);

/// countWaiters() and listClients(). A server that refuses is no problem.
async::Task<store::Problem> askAboutClients(store::Store& store, Clock& clock, LockBook& book,
                                            std::uint16_t server);

} // namespace lockscope::inspect
