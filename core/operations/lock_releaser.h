#pragma once

#include "core/operations/audited_attempt.h"
#include "core/operations/lock_inspector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::operations {

/// The reason of a report about an attempt that was given up before the server had answered.
inline constexpr const char* kInterrupted = "It was interrupted before the server replied.";

/// A request to end or to cap holds.
struct ReleaseOrder {
    std::vector<inspect::ReleasePlan> plans; // each is carried out on every one of its servers
    Bytes named;                             // the owner that was asked for; empty: any
    std::string reason;
};

/// What is known of each server that was asked, in that order: see inspect::summaryOf().
using ServerReports = std::vector<std::pair<std::uint16_t, inspect::ReleaseReport>>;

/// The one way to carry a plan out: a line in the audit log before anything is sent, another one
/// with what became of it. A plan is sent to the servers and masters that it names, and to no
/// other: if one of them has become a replica since, that is a refusal. Runs on the executor of the
/// servers; log, clock, servers and inspector outlive it.
class LockReleaser {
public:
    /// `seed` makes the ids of attempts unique among all programs that share a log.
    LockReleaser(Servers& servers, LockInspector& inspector, Clock& clock, AuditLog& log,
                 report::AuditAuthor author, std::uint64_t seed);

    /// Refused, and nothing is sent, where the first line cannot be written. `reports` is true at
    /// any time and outlives the task: dropping the task does not take back what was sent, which
    /// then stays unknown, there and in the log.
    async::Task<inspect::ReleaseReport> release(ReleaseOrder order, ServerReports& reports);

    /// Who takes the lock after release() ended with this, which ended all of its holds; nullopt
    /// where it did not.
    async::Task<std::optional<inspect::NextHold>> follow(inspect::ReleasePlan plan,
                                                         ServerReports reports, Duration patience);

    /// An attempt that came to nothing before there was anything to send.
    void noteUnsent(report::AuditAttempt attempt, const inspect::ReleaseReport& report);

    /// Why an outcome since the last call is not in the log; empty: all of them are.
    std::string takeFailure() { return std::exchange(m_book.failure, {}); }

private:
    bool haveVotes() const;
    /// Why the votes that the plan ends are no leftovers; nullopt: they are.
    async::Task<std::optional<inspect::ReleaseReport>> objectionTo(ReleaseOrder order);
    /// Which of all connected servers still have a hold of this plan.
    async::Task<inspect::Quorum> votesLeft(const inspect::ReleasePlan& plan);
    /// Which of the locks that the plan knows of its owners they have even now.
    async::Task<std::vector<Bytes>> stillHeld(const inspect::ReleasePlan& plan);
    async::Task<void> releaseOn(std::uint16_t server, inspect::ReleasePlan plan,
                                report::AuditAttempt line, inspect::ReleaseReport& report);
    async::Task<std::shared_ptr<store::Store>> storeFor(std::uint16_t server,
                                                        inspect::ReleasePlan& plan,
                                                        inspect::ReleaseReport& report);
    static async::Task<bool> confirmMaster(store::Store& store, inspect::ReleaseReport& report);
    report::AuditAttempt lineOf(const inspect::ReleasePlan& plan, std::uint16_t server,
                                const ReleaseOrder& order) const;
    /// The server, or the master that the plan names for it; null: there is no way to that.
    std::shared_ptr<store::Store> storeToRead(const inspect::ReleasePlan& plan,
                                              std::uint16_t server);

    Servers& m_servers;
    LockInspector& m_inspector;
    Clock& m_clock;
    AuditBook m_book;
};

} // namespace lockscope::operations
