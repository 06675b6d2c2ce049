#pragma once

#include "async/task.h"
#include "audit_file.h"
#include "cli/server_link.h"
#include "release_audit.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lockscope::cli {

/// What one call of `release` sends, and what it writes down about that.
class ReleaseAttempts {
public:
    /// A plan for each server that has the token.
    using Plans = std::vector<std::pair<std::uint16_t, inspect::ReleasePlan>>;

    ReleaseAttempts(const Context& context, const ReleaseArguments& arguments);

    async::Task<inspect::ReleaseReport> carryOut(ServerLinks& links, Plans plans);

    /// The call ends before there was anything to send.
    void noteUnsent(const inspect::ReleaseReport& report);

    /// What is known when the task of carryOut() is dropped. Before its first command: refused.
    inspect::ReleaseReport interrupted();

    /// Complains about each outcome that is not in the audit file. True when there was one.
    bool complainAboutLostLines();

private:
    using Reports = std::vector<std::pair<std::uint16_t, inspect::ReleaseReport>>;

    const Context& m_context;
    const ReleaseArguments& m_arguments;
    wire::AuditFile m_file;
    service::ReleaseAudit m_audit;
    Reports m_reports;
    std::optional<std::uint16_t> m_asked; // the server whose answer is awaited
};

} // namespace lockscope::cli
