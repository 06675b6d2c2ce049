#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace lockscope::metrics {

/// The locks whose names may be told to a database of metrics, which keeps every name for as long
/// as it keeps anything. Only those of the user's patterns, and no more than a fixed number of
/// different ones for as long as this lives: whoever has been admitted stays, and later ones are
/// left out and counted.
class NamedLocks {
public:
    static constexpr std::size_t kNamesMax = 1000;

    /// The patterns are globs, as those of Redis. Without any no lock is admitted.
    explicit NamedLocks(std::vector<std::string> patterns, std::size_t namesMax = kNamesMax);

    bool isWanted() const { return !m_patterns.empty(); }

    /// A lock was seen, `isNew`: it was not there before. Admits it, where there is room.
    void meet(const inspect::LockId& id, bool isNew);
    bool isAdmitted(const inspect::LockId& id) const { return m_admitted.contains(id); }

    std::size_t admittedCount() const { return m_admitted.size(); }
    /// How often a lock that a pattern fits appeared without being admitted.
    std::uint64_t leftOutCount() const { return m_leftOutCount; }

private:
    std::vector<std::string> m_patterns;
    std::size_t m_namesMax;
    std::unordered_set<inspect::LockId, inspect::LockIdHash> m_admitted;
    std::uint64_t m_leftOutCount = 0;
};

} // namespace lockscope::metrics
