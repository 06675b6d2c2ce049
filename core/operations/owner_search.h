#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/operations/servers.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lockscope::operations {

/// Looks for the other locks of an owner, among the keys whose names sound like locks. Runs on one
/// executor.
class OwnerSearch {
public:
    /// The references outlive the search.
    OwnerSearch(async::Executor& executor, Clock& clock, Servers& servers,
                inspect::FormatTablePtr formats);

    /// Worth looking for: an owner of a hold or of a thread.
    static bool isWorthwhile(inspect::OwnerScope scope, std::span<const inspect::Holder> holders);

    /// As long as somebody at a terminal waits for it.
    static constexpr Duration kUsualPatience = std::chrono::seconds(2);

    /// For so long at most, so that a large server answers in time. True: every key was looked at.
    async::Task<bool> run(Duration patience);

    /// Servers of a set that are not looked at, because they cannot be reached.
    void leaveOut(std::vector<std::uint16_t> unreachable) { m_leftOut = std::move(unreachable); }

    /// What was found.
    inspect::LockBook& book() { return m_book; }

    /// The locks of these owners on this server beside the one, in the order of the alphabet.
    std::vector<Bytes> locksBeside(const inspect::LockId& lock,
                                   std::span<const inspect::Holder> owners) const;

private:
    async::Executor& m_executor;
    Clock& m_clock;
    Servers& m_servers;
    inspect::FormatTablePtr m_formats;
    inspect::LockBook m_book;
    std::vector<std::uint16_t> m_leftOut;
};

} // namespace lockscope::operations
