#include "app/cli/output/audit_text.h"

#include "app/cli/output/lock_table.h"
#include "core/kernel/report/json_text.h"

#include <optional>

namespace lockscope::cli {

using report::AuditRecord;

namespace {

constexpr std::size_t kWordWidthMax = 40;

std::string shortWord(const std::string& text)
{
    return elidedMiddle(lockscope::escaped(text), kWordWidthMax);
}

/// "2026-11-19 14:03:22"
std::string secondsOf(const AuditRecord& record)
{
    std::string text = record.time.substr(0, 19);
    if (text.size() > 10) {
        text[10] = ' ';
    }
    return text;
}

} // namespace

std::string auditTable(const std::vector<const AuditRecord*>& records)
{
    if (records.empty()) {
        return {};
    }
    std::vector<std::vector<std::string>> lines{
        {"TIME (UTC)", "SERVER", "KEY", "ACTION", "OUTCOME", "OWNER", "BY", "REASON"}};
    for (const AuditRecord* const record : records) {
        lines.push_back({secondsOf(*record), shortWord(record->server), shortWord(record->key),
                         record->action, record->outcome, shortWord(record->owners),
                         record->user + '@' + record->host, shortWord(record->reason)});
    }
    return alignedColumns(lines);
}

std::string verdictText(const AuditVerdict& verdict)
{
    const report::AuditChainState& chain = verdict.chain;
    std::string text = verdict.file + '\n' + report::chainSentence(chain) + '\n';
    if (!verdict.expectedHash.empty()) {
        text += report::expectedHashSentence(chain, verdict.expectedHash) + '\n';
    }
    if (!chain.head().empty()) {
        text += "Hash of the last line: " + chain.head() + '\n';
        text += "Keep it elsewhere, for --expect: whether lines were removed at the end cannot be "
                "seen\nfrom the file alone.\n";
    }
    return text;
}

std::string verdictJson(const AuditVerdict& verdict)
{
    const report::AuditChainState& chain = verdict.chain;
    report::Json json{{"file", lockscope::escaped(verdict.file)},
                      {"lines", chain.lineCount},
                      {"chained", chain.linkedCount},
                      {"chainBegins", chain.firstLinked > 0 ? report::Json(chain.firstLinked)
                                                            : report::Json(nullptr)},
                      {"intact", chain.isIntact()},
                      {"brokenAt",
                       chain.isIntact() ? report::Json(nullptr) : report::Json(chain.brokenAt)},
                      {"fault", report::textOrNull(chain.fault)},
                      {"unreadable", chain.torn},
                      {"head", report::textOrNull(chain.head())}};
    if (!verdict.expectedHash.empty()) {
        const std::optional<std::uint64_t> since = chain.linesSince(verdict.expectedHash);
        json["expected"] = report::Json{{"hash", verdict.expectedHash},
                                        {"found", since.has_value()},
                                        {"linesSince", report::valueOrNull(since)}};
    }
    return json.dump() + '\n';
}

} // namespace lockscope::cli
