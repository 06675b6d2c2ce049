#pragma once

#include "core/kernel/inspect/client_kill.h"
#include "core/operations/audited_attempt.h"
#include "core/operations/lock_inspector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace lockscope::operations {

/// Whose connection is to be ended, and of which lock it is the holder.
struct KillOrder {
    inspect::LockId lock; // on one server
    Bytes owner;
    inspect::HolderClient client;
    std::string reason;
    std::string master = {}; // where the client was found, "10.0.0.5:6379", if the server is a
                             // replica
};

/// Who is connected as the holder of a lock.
struct FoundHolder {
    inspect::LockPtr lock; // null: it is gone, or could not be read
    std::optional<inspect::HolderClient> client;
    inspect::KillReport report; // without a client: why there is nothing to end
    std::string master;         // where both were found, if the server is a replica
};

/// Ends the connection of a holder, as an attempt of its own in the audit log: a line before
/// anything is sent, another one with what became of it. Never the lock. The holder of a lock on a
/// replica is looked for at the master, where it acquired the lock. Runs on the executor of the
/// servers; all references outlive it.
class HolderKiller {
public:
    /// `seed` makes the ids of attempts unique among all programs that share a log.
    HolderKiller(Servers& servers, LockInspector& inspector, Clock& clock, AuditLog& log,
                 report::AuditAuthor author, std::uint64_t seed);

    /// Changes nothing.
    async::Task<FoundHolder> find(inspect::LockId lock, Bytes owner);

    /// Reads the lock again, has the client compared once more, and ends its connection. `report`
    /// is true at any time and outlives the task.
    async::Task<void> kill(KillOrder order, inspect::KillReport& report);

    /// An attempt that came to nothing before there was anything to send.
    void noteUnsent(const KillOrder& order, const inspect::KillReport& report);

    /// Why an outcome since the last call is not in the log; empty: all of them are.
    std::string takeFailure() { return std::exchange(m_book.failure, {}); }

private:
    /// Of an order for one connected server outside a cluster; else why it cannot be carried out.
    std::optional<inspect::KillReport> objectionTo(const inspect::LockId& lock) const;
    async::Task<FoundHolder> readHolder(inspect::LockId lock, Bytes owner);
    async::Task<FoundHolder> findAt(WritePlace place, inspect::LockId lock, Bytes owner);
    report::AuditAttempt lineOf(const KillOrder& order) const;

    Servers& m_servers;
    LockInspector& m_inspector;
    AuditBook m_book;
};

} // namespace lockscope::operations
