#pragma once

#include "base/bytes.h"
#include "base/rng.h"

#include <cstdint>
#include <string>

namespace lockscope::protocol {

/// Who a contender is. It belongs to one logical task: two coroutines on one thread have two.
struct Identity {
    Bytes client;           // a UUID per client program
    std::uint64_t task = 0; // unique within the client

    /// "<client>:<task>", as Redisson writes its owners.
    Bytes owner() const { return client + ':' + std::to_string(task); }

    friend bool operator==(const Identity&, const Identity&) = default;
};

/// A random UUID (version 4 of RFC 4122). As unique as the seed of `rng` is; not a secret.
Bytes randomUuid(Rng& rng);

} // namespace lockscope::protocol
