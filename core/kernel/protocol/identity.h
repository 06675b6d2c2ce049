#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/rng.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockscope::protocol {

/// Who a contender is. It belongs to one logical task: two coroutines on one thread have two.
struct Identity {
    Bytes client;           // a UUID per client program
    std::uint64_t task = 0; // unique within the client

    /// "<client>:<task>", as Redisson writes its owners.
    Bytes owner() const { return client + ':' + std::to_string(task); }

    /// The last group of the client's UUID. It stands in its owner names, and in every token that a
    /// task of it makes: a user who sees one in Redis can tell whose it is.
    std::string_view mark() const
    {
        return std::string_view(client).substr(client.size()
                                               - std::min(client.size(), kMarkLength));
    }
    static constexpr std::size_t kMarkLength = 12;

    friend bool operator==(const Identity&, const Identity&) = default;
};

/// A random UUID (version 4 of RFC 4122). As unique as the seed of `rng` is; not a secret.
Bytes randomUuid(Rng& rng);

} // namespace lockscope::protocol
