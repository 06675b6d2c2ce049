#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/store/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace lockscope::inspect {

/// Keys that could not be read, all for the same reason.
struct UnreadKeys {
    store::Problem reason;    // in the words of the first of them
    std::string_view command; // what the server answered so: "TYPE", "MEMORY USAGE"
    std::uint64_t count = 0;
    Bytes example; // the first of them
    friend bool operator==(const UnreadKeys&, const UnreadKeys&) = default;
};

/// A key with a name like a lock's that nothing took for one.
struct NearMiss {
    Bytes key;
    ValueType type = ValueType::None;
    std::optional<Instant> expiresAt; // nullopt: never
    std::string_view why;             // a clause: "its value is a number, as counters have"
    friend bool operator==(const NearMiss&, const NearMiss&) = default;
};

/// What a sweep came upon beside locks: what it could not read, and what it passed over. With the
/// locks it is everything that may be a lock; without anything unread, the list of locks is
/// complete.
class SweepFindings {
public:
    static constexpr std::size_t kNearMissesMax = 1000; // listed; all of them are counted
    static constexpr std::size_t kReasonsMax = 16;      // told apart; the rest joins the last one

    /// One key may be sighted several times and counts once. `isLock`: some decoder read it.
    void addSnapshot(const LockSnapshot& snapshot, bool isLock);

    /// Keys whose names are too long to be kept (limits::kKeyNameBytesMax).
    void addLongNames(std::uint64_t count);

    /// Every key that may be a lock was read.
    bool isComplete() const { return m_unread.empty(); }
    /// By reason, the most frequent one first.
    std::vector<UnreadKeys> unread() const;
    std::uint64_t unreadCount() const;

    std::uint64_t nearMissCount() const { return m_nearMissCount; }
    /// In the order of the sweep; at most kNearMissesMax.
    const std::vector<NearMiss>& nearMisses() const { return m_nearMisses; }

    /// What several servers' sweeps came upon.
    void add(const SweepFindings& other);

private:
    bool isNew(const Bytes& key);
    void takeUnread(const Observation& seen);
    void count(UnreadKeys keys, std::string kind);

    struct Reason {
        std::string kind; // what keys of one reason have in common
        UnreadKeys keys;
    };
    std::vector<Reason> m_unread;
    std::uint64_t m_nearMissCount = 0;
    std::vector<NearMiss> m_nearMisses;
    std::unordered_set<std::size_t> m_counted; // hashes of the keys above
};

/// "13 keys could not be read …" and why, for each reason in turn; empty when the findings are
/// complete.
std::vector<std::string> unreadSentences(const SweepFindings& findings);

/// Why one of the keys could not be read; nullopt when all of them could.
std::optional<store::Problem> problemOfReading(const LockSnapshot& snapshot);

/// Why a snapshot that no decoder read is no lock, although its name sounds like one; nullopt where
/// the name does not, or nothing is there.
std::optional<NearMiss> nearMissOf(const LockSnapshot& snapshot);

} // namespace lockscope::inspect
