#pragma once

#include "core/kernel/protocol/policies.h"
#include "core/kernel/protocol/promise.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::protocol {

/// How many keys, and where.
enum class KeyUse : std::uint8_t { One, Two, OnePerServer };

std::string_view idOf(KeyUse use); // "one", "two", "n servers"

/// Something a step needs of the server beyond GET and SET.
enum class ServerFeature : std::uint8_t {
    SetOptions,     // SET … NX PX, Redis 2.6.12
    Scripts,        // EVAL and EVALSHA, Redis 2.6
    ScriptTime,     // TIME inside a script that writes, Redis 5 (effects replication)
    PubSub,         // SUBSCRIBE and PUBLISH on a second connection
    BlockingPop,    // BLPOP on a second connection
    SeveralMasters, // independent servers
};

std::string_view idOf(ServerFeature feature); // "scripts"

/// Which step needs what.
struct Need {
    std::string_view step; // "acquire", "renew", "release", "wait"
    ServerFeature feature;
};

/// What a request gets when it does not say otherwise.
struct Defaults {
    Duration lease = std::chrono::seconds(30);
    Retry retry;
    Renewal renewal;

    /// The renewal in the same proportion to another lease, which is at least 1 ms.
    Renewal renewalFor(Duration otherLease) const
    {
        Renewal proportional = renewal;
        proportional.period = otherLease * renewal.period.count() / lease.count();
        return proportional;
    }
};

/// What is known about a protocol before it runs.
struct ProtocolInfo {
    std::string id;       // kebab-case, never changes; also the name of its page in docs/protocols
    std::string title;    // a few words
    std::string summary;  // one or two sentences: how it works
    std::string flaw;     // one sentence: where it breaks by design; empty: nowhere that is known
    std::string imitates; // the client library whose lock it is meant to be; empty: none in
                          // particular
    std::vector<Claim> claims;
    std::vector<Need> needs;
    KeyUse keys = KeyUse::One;
    Defaults defaults;
    bool hasModes = false;    // readers and writers
    bool isReentrant = false; // the same owner may take it again
    bool hasPermits = false;  // several holders, up to a number
    bool hasFence = false;    // grants carry a growing number
    bool canRenew = false;    // has a renewal step
    bool hasExpiry = true;    // the key runs out by itself
    bool endsByValue = false; // the value tells until when: a later client takes the lock
                              // over, whether the key still exists or not

    bool claimsPromise(Promise promise) const;
    /// One key for all readers, and one for the writer.
    bool hasKeyPerSide() const { return keys == KeyUse::Two && hasModes; }
};

} // namespace lockscope::protocol
