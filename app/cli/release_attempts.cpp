#include "cli/release_attempts.h"

#include "entropy.h"
#include "inspect/force_release.h"
#include "process_author.h"

#include <QFile>

namespace lockscope::cli {

using inspect::ReleaseReport;
using inspect::ReleaseResult;

namespace {

QString auditPath(const ReleaseArguments& arguments)
{
    return arguments.auditFile.empty() ? wire::AuditFile::defaultPath()
                                       : QFile::decodeName(arguments.auditFile.c_str());
}

} // namespace

ReleaseAttempts::ReleaseAttempts(const Context& context, const ReleaseArguments& arguments)
    : m_context(context),
      m_arguments(arguments),
      m_file(auditPath(arguments)),
      m_audit(m_file, context.clock, wire::authorOfProcess("lockscope-cli " LOCKSCOPE_VERSION),
              wire::freshSeed())
{}

async::Task<ReleaseReport> ReleaseAttempts::carryOut(ServerLinks& links, Plans plans)
{
    for (auto& [server, plan] : plans) {
        auto attempt = report::attemptOf(plan, m_context.endpoints[server], m_arguments.reason);
        attempt.named = m_arguments.owner.text;
        m_asked = server;
        auto report = co_await m_audit.execute(links.store(server), server, std::move(plan),
                                               std::move(attempt));
        m_asked.reset();
        m_reports.emplace_back(server, std::move(report));
    }
    co_return inspect::summaryOf(m_reports);
}

void ReleaseAttempts::noteUnsent(const ReleaseReport& report)
{
    report::AuditAttempt attempt;
    for (const std::string& name : serverNames(m_context.endpoints)) {
        attempt.server += (attempt.server.empty() ? "" : ",") + name;
    }
    attempt.database = m_context.endpoints.front().database;
    attempt.key = m_arguments.key;
    attempt.named = m_arguments.owner.text;
    attempt.reason = m_arguments.reason;
    m_audit.noteUnsent(std::move(attempt), report);
}

ReleaseReport ReleaseAttempts::interrupted()
{
    ReleaseReport report;
    report.ownReason = service::kInterrupted;
    if (!m_asked && m_reports.empty()) {
        report.result = ReleaseResult::Refused;
        noteUnsent(report);
        return report;
    }
    if (m_asked) {
        m_reports.emplace_back(*m_asked, report);
    }
    return inspect::summaryOf(m_reports);
}

bool ReleaseAttempts::complainAboutLostLines()
{
    const std::string failure = m_audit.takeFailure();
    if (!failure.empty()) {
        m_context.output.complain("could not write the result of this attempt to the audit file: "
                                  + failure);
    }
    return !failure.empty();
}

} // namespace lockscope::cli
