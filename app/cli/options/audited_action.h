#pragma once

#include "app/cli/commands/command.h"

#include <QString>

#include <string>
#include <string_view>

namespace lockscope::cli {

/// What every command has that acts on the lock of somebody else and keeps account of it.
struct AuditedAction {
    bool isDryRun = false;
    std::string reason;
    std::string auditFile;   // empty: the default one
    std::string environment; // what the servers are; empty: nobody said so
};

/// --dry-run, --reason, --environment and --audit-file.
void declareAuditedAction(app::OptionSet& options, AuditedAction& action,
                          std::string_view dryRunHelp);
/// Throws an ArgumentError if the reason is missing: production wants one.
void completeAuditedAction(AuditedAction& action, const Operands& operands);

QString auditPathOf(const AuditedAction& action);

} // namespace lockscope::cli
