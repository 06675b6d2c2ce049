#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/content_hash.h"
#include "core/kernel/base/time.h"
#include "core/kernel/sim/keyspace.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lockscope::sim {

class LuaEngine;
class Subscriptions;
struct CommandSpec;

/// What the clock of a simulated server shows, since 1970.
using ServerTime = std::chrono::sys_time<Duration>;

constexpr std::int64_t toEpochMs(ServerTime time)
{
    return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

/// Channels of a cluster's shard have names of their own, on a server without a cluster as well.
enum class ChannelKind : std::uint8_t { Global, Shard };

/// Hears at once of what a command does, for transactions that watch a key, clients that
/// block on a key, subscribers.
class KeyspaceListener {
public:
    virtual ~KeyspaceListener() = default;

    /// The key was changed, deleted, or found to have expired.
    virtual void keyTouched(const Bytes& key) = 0;
    virtual void everythingFlushed() = 0;
    /// There is, or will be in a moment, a key that was not there before.
    virtual void keyAppeared(const Bytes& key) = 0;
    /// How many connections hear the message.
    virtual std::int64_t publish(ChannelKind kind, const Bytes& channel, const Bytes& payload) = 0;
    virtual const Subscriptions& subscriptions() const = 0;
};

/// What a command needs besides the data. What is referred to outlives the call.
struct CommandContext {
    LuaEngine& lua;
    ServerTime now;
    KeyspaceListener* keyspaceListener = nullptr; // null: messages reach no client
};

/// A script that the server knows.
struct CachedScript {
    struct Kept {
        Bytes digest;
        Bytes text;
    };

    std::string_view digest; // lower-case hexadecimal
    std::string_view text;
    std::shared_ptr<const Kept> kept; // where both stand; nullptr: somewhere that outlives the
                                      // cache
    std::uint64_t beginning = 0;      // of the digest, as a number

    friend bool operator==(const CachedScript& a, const CachedScript& b)
    {
        return a.digest == b.digest; // which is of the text
    }
};

/// The scripts that a server knows. A value; copies share their scripts until one of them learns or
/// forgets something, because a search makes a new server for every run.
class ScriptCache {
public:
    /// nullptr when it is not known. Holds until the next change.
    const CachedScript* find(std::string_view digest) const;
    const CachedScript& remember(std::string_view digest, std::string_view text);
    void clear() { *this = {}; }
    /// Knows what the lender knows now. The lender outlives this and all copies, and learns and
    /// forgets nothing. Nothing is counted for that: a world may be put back in memory to where it
    /// was (Arena), and a count outside the world would not go back with it.
    void borrow(const ScriptCache& lender);

    friend bool operator==(const ScriptCache& a, const ScriptCache& b)
    {
        return std::ranges::equal(a.scripts(), b.scripts());
    }
    std::uint64_t contentHash() const { return m_hash.value(); }

private:
    using Scripts = std::vector<CachedScript>; // by digest

    std::span<const CachedScript> scripts() const
    {
        return m_scripts ? std::span<const CachedScript>(*m_scripts) : m_borrowed;
    }

    std::shared_ptr<const Scripts> m_scripts; // nullptr: those that are borrowed, if any
    std::span<const CachedScript> m_borrowed;
    UnorderedContentHash m_hash;
};

/// The data of one Redis server and its script cache: a value that is copied, compared and thrown
/// away. It answers commands as Redis 7.0 does, error texts included; the contract suite compares
/// them with a real one. It has no clock and no connections: time is an argument, and SimServer
/// adds what a connection remembers. Every table, and nothing else, is in database 0.
///
/// Expired keys are removed when a command looks at them, and are invisible before that.
class SimDatabase {
public:
    /// Carries the command out. Commands that belong to a connection (MULTI, WATCH, SUBSCRIBE) are
    /// refused here; a blocking pop of nothing answers nil at once, as it does inside MULTI.
    store::Reply run(const store::Command& command, const CommandContext& context);

    /// The same for a command that was found and whose arity was checked.
    store::Reply run(const CommandSpec& spec, const std::vector<Bytes>& words,
                     const CommandContext& context);

    Keyspace& keys() { return m_keys; }
    const Keyspace& keys() const { return m_keys; }

    /// The text of a script that was loaded or evaluated before; nullptr otherwise. `digest` in
    /// lower case.
    const CachedScript* findScript(std::string_view digest) const { return m_scripts.find(digest); }
    const CachedScript& remember(std::string_view digest, std::string_view text)
    {
        return m_scripts.remember(digest, text);
    }
    void forgetScripts() { m_scripts.clear(); }
    void borrowScriptsOf(const SimDatabase& lender) { m_scripts.borrow(lender.m_scripts); }

    /// Keys count with their expiries, and so do the scripts. A key that has expired is there until
    /// a command finds that it has.
    friend bool operator==(const SimDatabase&, const SimDatabase&) = default;
    /// Equal for whatever is equal. Costs some nanoseconds per key and allocates nothing: a search
    /// asks after every step.
    std::uint64_t contentHash() const;

private:
    Keyspace m_keys;
    ScriptCache m_scripts;
};

} // namespace lockscope::sim
