#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/output/audit_text.h"
#include "app/quoted_words.h"
#include "core/wire/audit_file.h"
#include "core/wire/audit_reading.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace lockscope::cli {

using report::AuditRecord;
using report::AuditTrail;

namespace {

constexpr std::size_t kHashDigits = 64;

QString pathOfAudit(const AuditArguments& arguments)
{
    return arguments.file.empty() ? wire::AuditFile::defaultPath()
                                  : QFile::decodeName(arguments.file.c_str());
}

int codeOfChain(const report::AuditChainState& chain, const std::string& expected)
{
    const bool isMissed = !expected.empty() && !chain.linesSince(expected);
    if (!chain.isIntact() || isMissed) {
        return ExitPromiseBroken;
    }
    return chain.linkedCount == 0 && chain.lineCount > 0 ? ExitUnknown : ExitDone;
}

int verifyFile(const Context& context, const AuditArguments& arguments,
               const service::AuditReading& reading)
{
    const report::AuditChainState& chain = reading.trail.chain;
    const AuditVerdict verdict{reading.file.toStdString(), chain, arguments.expectedHash};
    context.output.print(arguments.format == Format::Json ? verdictJson(verdict)
                                                          : verdictText(verdict));
    return codeOfChain(chain, arguments.expectedHash);
}

int listAttempts(const Context& context, const AuditArguments& arguments, const AuditTrail& trail)
{
    report::AuditFilter filter = arguments.filter;
    if (arguments.sinceAgo) {
        filter.since = context.clock.wallNow()
                       - std::chrono::duration_cast<std::chrono::milliseconds>(*arguments.sinceAgo);
    }
    std::vector<const AuditRecord*> records;
    for (const AuditRecord& record : trail.records) {
        if (filter.accepts(record)) {
            records.push_back(&record);
        }
    }
    switch (arguments.format) {
    case Format::Json: context.output.print(report::auditJson(records)); break;
    case Format::Csv: context.output.print(report::auditCsv(records)); break;
    default: context.output.print(auditTable(records)); break;
    }
    if (records.empty() && arguments.format == Format::Table) {
        context.output.note(trail.records.empty() ? "No attempts are recorded."
                                                  : "No attempt matches.");
    }
    if (!trail.chain.isIntact()) {
        context.output.complain("these lines cannot be trusted. "
                                + report::chainSentence(trail.chain));
    }
    return ExitDone;
}

constexpr CommandText kAuditText{
    .name = "audit",
    .usage = "[--verify] [options]",
    .summary = "list past attempts to release, and verify their record",
    .details = R"(
Lists the attempts of the audit file, one each, oldest first. An attempt without an outcome was
interrupted. With --verify it is checked whether the lines of the file are those that were
written: each carries a number and the SHA-256 of the line before it, so that a line that was
changed, removed, inserted or moved is found. Whether lines were removed at the end cannot be
seen from the file alone: keep the hash that --verify prints elsewhere, and give it to --expect
later. Exit code 10: broken, or the expected line is missing. Needs no server.
)",
    .examples = R"(
  lockscope-cli audit --since 7d --key 'job:*'
  lockscope-cli audit --verify
  lockscope-cli audit --format csv --outcome released > releases.csv
)",
};

class AuditCommand final : public CommandWith<AuditArguments> {
public:
    AuditCommand() : CommandWith(kAuditText) {}

    void declare(app::OptionSet& options) override
    {
        options.addFile("audit-file", m_arguments.file,
                        "Audit file (~/.local/share/lockscope/audit.jsonl).");
        options.addSwitch("verify", m_arguments.isVerification,
                          "Verify the lines instead of listing the attempts.");
        options.add(
            "expect", "HASH", [this](const std::string& text) { return readHash(text); },
            "Also verify that the line with this hash, printed by an earlier\n--verify, is still "
            "in the file.");
        options.add(
            "since", "DURATION|TIME", [this](const std::string& text) { return readSince(text); },
            "Only attempts since then: 2h, 7d, or 2026-11-26 or\n2026-11-26T14:03, in UTC.");
        options.addText("key", "PATTERN", m_arguments.filter.key,
                        "Only keys that match this pattern of Redis.");
        options.addText("server", "TEXT", m_arguments.filter.server,
                        "Only servers with this in their name.");
        options.addText("outcome", "OUTCOME", m_arguments.filter.outcome,
                        "Only this outcome: released, capped, replaced, restored, killed,\n"
                        "changed-hands, already-gone, refused, unknown or interrupted.");
        options.suggest("outcome",
                        {"released", "capped", "replaced", "restored", "killed", "changed-hands",
                         "already-gone", "refused", "unknown", "interrupted"});
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json, Format::Csv});
    }

    void complete(const Operands&) override
    {
        m_arguments.isVerification |= !m_arguments.expectedHash.empty();
        if (m_arguments.isVerification && m_arguments.format == Format::Csv) {
            throw app::ArgumentError{"--verify has the formats table and json"};
        }
    }

    async::Task<int> run(Context context) override
    {
        const service::AuditReading reading = wire::readAudit(pathOfAudit(m_arguments));
        if (!reading.problem.isEmpty()) {
            context.output.complain("the audit file cannot be read: "
                                    + reading.problem.toStdString());
            co_return ExitUnreachable;
        }
        co_return m_arguments.isVerification ? verifyFile(context, m_arguments, reading)
                                             : listAttempts(context, m_arguments, reading.trail);
    }

private:
    std::string readHash(const std::string& text)
    {
        const bool isHash = text.size() == kHashDigits
                            && text.find_first_not_of("0123456789abcdefABCDEF")
                                   == std::string::npos;
        m_arguments.expectedHash = text;
        return isHash ? std::string()
                      : app::inQuotes(text) + " is no SHA-256: 64 hexadecimal digits";
    }

    std::string readSince(const std::string& text)
    {
        m_arguments.filter.since = report::wallTimeOfText(text);
        if (m_arguments.filter.since) {
            m_arguments.sinceAgo.reset();
            return {};
        }
        Duration ago{0};
        std::string complaint = app::readDuration(text, ago);
        m_arguments.sinceAgo = ago;
        return complaint.empty() ? complaint : complaint + ", or a time such as 2026-11-26T14:03";
    }
};

} // namespace

std::unique_ptr<Command> auditCommand()
{
    return std::make_unique<AuditCommand>();
}

} // namespace lockscope::cli
