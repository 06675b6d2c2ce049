#include "release_audit.h"

#include "inspect/force_release.h"
#include "protocol/identity.h"

#include <utility>

namespace lockscope::service {

using inspect::ReleaseReport;
using inspect::ReleaseResult;

/// What was begun gets its outcome, whoever drops the task in between.
class ReleaseAudit::Entry {
public:
    Entry(ReleaseAudit& audit, const report::AuditAttempt& attempt)
        : m_audit(audit),
          m_attempt(attempt)
    {
        m_report.ownReason = kInterrupted;
    }
    ~Entry() { m_audit.writeOutcome(m_attempt, m_report); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    void end(const ReleaseReport& report) { m_report = report; }

private:
    ReleaseAudit& m_audit;
    const report::AuditAttempt& m_attempt;
    ReleaseReport m_report; // unknown until there is an answer
};

ReleaseAudit::ReleaseAudit(AuditLog& log, Clock& clock, report::AuditAuthor author,
                           std::uint64_t seed)
    : m_log(log),
      m_clock(clock),
      m_author(std::move(author)),
      m_rng(seed)
{}

async::Task<ReleaseReport> ReleaseAudit::execute(store::Store& store, std::uint16_t server,
                                                 inspect::ReleasePlan plan,
                                                 report::AuditAttempt attempt)
{
    identify(attempt);
    ReleaseReport report;
    const std::string failure =
        m_log.append(report::auditIntentJson(attempt, m_clock.wallNow()).dump());
    if (!failure.empty()) {
        report.result = ReleaseResult::Refused;
        report.ownReason =
            "The attempt could not be written to the audit file, so nothing was sent (" + failure
            + ").";
        co_return report;
    }
    Entry entry(*this, attempt);
    report = co_await inspect::execute(store, m_clock, server, std::move(plan));
    entry.end(report);
    co_return report;
}

void ReleaseAudit::noteUnsent(report::AuditAttempt attempt, const ReleaseReport& report)
{
    identify(attempt);
    writeOutcome(attempt, report);
}

std::string ReleaseAudit::takeFailure()
{
    return std::exchange(m_failure, {});
}

void ReleaseAudit::identify(report::AuditAttempt& attempt)
{
    attempt.id = protocol::randomUuid(m_rng);
    attempt.author = m_author;
}

void ReleaseAudit::writeOutcome(const report::AuditAttempt& attempt, const ReleaseReport& report)
{
    const std::string failure =
        m_log.append(report::auditOutcomeJson(attempt, report, m_clock.wallNow()).dump());
    if (!failure.empty()) {
        m_failure = failure;
    }
}

} // namespace lockscope::service
