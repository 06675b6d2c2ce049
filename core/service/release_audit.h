#pragma once

#include "async/task.h"
#include "audit_log.h"
#include "base/clock.h"
#include "base/rng.h"
#include "report/audit_json.h"
#include "store/store.h"

#include <cstdint>
#include <string>

namespace lockscope::service {

/// The reason of a report about what somebody gave up before the server had answered.
inline constexpr const char* kInterrupted = "It was interrupted before the server replied.";

/// The one way to carry a plan out: a line in the audit log before anything is sent, another one
/// with what became of it. Lives on one thread; the log, the clock and the stores outlive it.
class ReleaseAudit {
public:
    /// `seed` makes the ids of attempts unique among all programs that share a log.
    ReleaseAudit(AuditLog& log, Clock& clock, report::AuditAuthor author, std::uint64_t seed);

    /// Refused, and nothing is sent, where the first line cannot be written. Dropping the task
    /// does not take back what was sent: its outcome is then written down as unknown.
    async::Task<inspect::ReleaseReport> execute(store::Store& store, std::uint16_t server,
                                                inspect::ReleasePlan plan,
                                                report::AuditAttempt attempt);

    /// An attempt that came to nothing before there was anything to send.
    void noteUnsent(report::AuditAttempt attempt, const inspect::ReleaseReport& report);

    /// Why an outcome since the last call is not in the log; empty: all of them are.
    std::string takeFailure();

private:
    class Entry;

    void identify(report::AuditAttempt& attempt);
    void writeOutcome(const report::AuditAttempt& attempt, const inspect::ReleaseReport& report);

    AuditLog& m_log;
    Clock& m_clock;
    report::AuditAuthor m_author;
    Rng m_rng;
    std::string m_failure;
};

} // namespace lockscope::service
