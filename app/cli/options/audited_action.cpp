#include "app/cli/options/audited_action.h"

#include "core/kernel/store/endpoint.h"
#include "core/wire/audit_file.h"

#include <QFile>

namespace lockscope::cli {

void declareAuditedAction(app::OptionSet& options, AuditedAction& action,
                          std::string_view dryRunHelp)
{
    options.addSwitch("dry-run", action.isDryRun, dryRunHelp);
    options.addText("reason", "TEXT", action.reason,
                    "Reason for the audit file; required in production.");
    options.addText("environment", "WORD", action.environment,
                    "What the servers are. production, prod and live require a\nreason "
                    "(LOCKSCOPE_ENVIRONMENT).");
    options.addFile("audit-file", action.auditFile,
                    "Audit file, one JSON object per line\n"
                    "(~/.local/share/lockscope/audit.jsonl).");
}

void completeAuditedAction(AuditedAction& action, const Operands& operands)
{
    if (action.environment.empty()) {
        action.environment = operands.environment;
    }
    store::Endpoint server;
    server.environment = action.environment;
    const bool hasReason = !QString::fromStdString(action.reason).trimmed().isEmpty();
    if (store::isProduction(server) && !action.isDryRun && !hasReason) {
        throw app::ArgumentError{"--reason TEXT is required in production (the environment is \""
                                 + action.environment + "\")"};
    }
}

QString auditPathOf(const AuditedAction& action)
{
    return action.auditFile.empty() ? wire::AuditFile::defaultPath()
                                    : QFile::decodeName(action.auditFile.c_str());
}

} // namespace lockscope::cli
