#include "core/kernel/report/audit_trail.h"

#include "core/kernel/base/characters.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/report/csv_text.h"
#include "core/kernel/report/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace lockscope::report {

namespace {

std::string textIn(const Json& line, std::string_view member)
{
    const auto found = line.find(member);
    return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t numberIn(const Json& line, std::string_view member)
{
    const auto found = line.find(member);
    return found != line.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string ownersOf(const Json& line)
{
    std::string owners;
    const auto holders = line.find("holders");
    if (holders != line.end() && holders->is_array()) {
        for (const Json& holder : *holders) {
            const std::string owner = holder.is_object() ? textIn(holder, "owner") : std::string();
            owners += owner.empty() || owners.empty() ? owner : "; " + owner;
        }
    }
    return owners.empty() ? textIn(line, "named") : owners;
}

AuditRecord recordOf(const Json& line)
{
    AuditRecord record;
    record.attempt = textIn(line, "attempt");
    record.time = textIn(line, "time");
    record.at = wallTimeOfText(record.time).value_or(WallTime{});
    record.server = textIn(line, "server");
    record.database = static_cast<int>(numberIn(line, "db"));
    record.key = textIn(line, "key");
    record.action = textIn(line, "action");
    record.owners = ownersOf(line);
    record.outcome = kInterruptedOutcome;
    record.reason = textIn(line, "reason");
    record.user = textIn(line, "user");
    if (const std::string before = textIn(line, "sudoUser"); !before.empty()) {
        record.user += " (sudo: " + before + ')';
    }
    record.host = textIn(line, "host");
    record.program = textIn(line, "program");
    record.process = numberIn(line, "process");
    return record;
}

/// Reads line after line.
class TrailReader {
public:
    TrailReader(std::string text, const AuditHash& hash) : m_hash(hash)
    {
        m_trail.text = std::make_shared<const std::string>(std::move(text));
    }

    AuditTrail read()
    {
        const std::string_view text = *m_trail.text;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            takeLine(begin, text.substr(begin, end - begin));
            begin = end + 1;
        }
        return std::move(m_trail);
    }

private:
    void takeLine(std::size_t begin, std::string_view line)
    {
        AuditChainState& chain = m_trail.chain;
        ++chain.lineCount;
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) {
            chain.torn.push_back(chain.lineCount);
            return;
        }
        if (const std::optional<AuditLink> link = linkOf(json)) {
            takeLink(begin, line, *link);
        } else if (chain.firstLinked != 0) {
            breakHere(KernelText::tr("It is not part of the chain: it was inserted or changed, or "
                                     "written by an older version."));
        }
        takeRecord(json, line);
    }

    void takeLink(std::size_t begin, std::string_view line, const AuditLink& link)
    {
        AuditChainState& chain = m_trail.chain;
        const bool isFirst = chain.firstLinked == 0;
        const std::uint64_t expected = isFirst ? 1 : m_lastNumber + 1;
        const std::size_t end = begin > m_lastBegin ? begin - 1 : begin; // without the line end
        const std::string_view before =
            std::string_view(*m_trail.text).substr(m_lastBegin, end - m_lastBegin);
        if (link.number != expected) {
            breakHere(KernelText::tr("Its number is %1 instead of %2: lines were removed, "
                                     "inserted or moved.",
                                     link.number, expected));
        } else if (link.previous != m_hash(before)) {
            breakHere(isFirst ? KernelText::tr("It does not match the lines before the chain: they "
                                               "were changed, or removed.")
                              : KernelText::tr("It does not match the line before it: that line "
                                               "was changed, or lines were exchanged."));
        }
        chain.firstLinked = isFirst ? chain.lineCount : chain.firstLinked;
        ++chain.linkedCount;
        chain.hashes.push_back(m_hash(line));
        m_lastNumber = link.number;
        m_lastBegin = begin;
    }

    void breakHere(std::string fault)
    {
        if (m_trail.chain.brokenAt == 0) {
            m_trail.chain.brokenAt = m_trail.chain.lineCount;
            m_trail.chain.fault = std::move(fault);
        }
    }

    void takeRecord(const Json& json, std::string_view line)
    {
        const std::string attempt = textIn(json, "attempt");
        const auto [known, isNew] = m_byAttempt.try_emplace(attempt, m_trail.records.size());
        if (isNew) {
            m_trail.records.push_back(recordOf(json));
        }
        AuditRecord& record = m_trail.records[known->second];
        if (textIn(json, "event") == "outcome") {
            record.outcome = textIn(json, "outcome");
            record.detail = textIn(json, "detail");
            record.outcomeLine = m_trail.chain.lineCount;
            record.outcomeText = line;
        } else {
            record.intentLine = m_trail.chain.lineCount;
            record.intentText = line;
        }
    }

    const AuditHash& m_hash;
    AuditTrail m_trail;
    std::unordered_map<std::string, std::size_t> m_byAttempt;
    std::uint64_t m_lastNumber = 0;
    std::size_t m_lastBegin = 0; // of the last linked line, or of the file
};

/// Reads two or four digits; -1: they are none.
int digitsAt(std::string_view text, std::size_t at, std::size_t count)
{
    int number = -1;
    const std::string_view part = text.substr(std::min(at, text.size()), count);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    const bool isWhole = part.size() == count && error == std::errc()
                         && end == part.data() + part.size();
    return isWhole && number >= 0 ? number : -1;
}

bool hasAllWords(const AuditRecord& record, std::string_view words)
{
    const std::string text = lowered(record.time + ' ' + record.server + ' ' + record.key + ' '
                                     + record.action + ' ' + record.owners + ' ' + record.outcome
                                     + ' ' + record.detail + ' ' + record.reason + ' ' + record.user
                                     + ' ' + record.host + ' ' + record.program);
    const std::string wanted = lowered(words);
    for (std::size_t at = 0; at < wanted.size();) {
        const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
        if (text.find(wanted.substr(at, end - at)) == std::string::npos) {
            return false;
        }
        at = end + 1;
    }
    return true;
}

Json lineOrNull(std::uint64_t line)
{
    return line > 0 ? Json(line) : Json(nullptr);
}

} // namespace

std::optional<std::uint64_t> AuditChainState::linesSince(std::string_view hash) const
{
    const std::string wanted = lowered(hash);
    const auto found = std::find(hashes.rbegin(), hashes.rend(), wanted);
    if (found == hashes.rend()) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(found - hashes.rbegin());
}

AuditTrail readAuditTrail(std::string text, const AuditHash& hash)
{
    return TrailReader(std::move(text), hash).read();
}

std::string chainSentence(const AuditChainState& chain)
{
    std::string text;
    if (!chain.isIntact()) {
        text = KernelText::tr("Broken at line %1. %2", chain.brokenAt, chain.fault);
    } else if (chain.linkedCount == 0) {
        text = chain.lineCount == 0
                   ? KernelText::tr("The file is empty.")
                   : KernelText::tr("Not verifiable: the lines are of a version that did not chain "
                                    "them. The next attempt seals them.");
    } else {
        text = KernelText::tr("Intact: %1 lines, each as it was written.", chain.linkedCount);
    }
    if (chain.firstLinked > 1) {
        text += ' '
                + KernelText::tr("Lines 1 to %1 are older than the chain. It shows whether they "
                                 "changed after it began, not before.",
                                 chain.firstLinked - 1);
    }
    if (!chain.torn.empty()) {
        text += ' '
                + KernelText::tr("Line %1 cannot be read: its write was interrupted, or it was "
                                 "damaged while it was the last one.",
                                 chain.torn.front());
    }
    return text;
}

std::string expectedHashSentence(const AuditChainState& chain, std::string_view hash)
{
    const std::optional<std::uint64_t> since = chain.linesSince(hash);
    if (!since) {
        return KernelText::tr("No line has the expected hash: lines were removed at the end, or "
                              "the file was written anew.");
    }
    return *since == 0 ? KernelText::tr("The last line has the expected hash.")
                       : KernelText::tr("The line with the expected hash is still there; %1 lines "
                                        "came after it.",
                                        *since);
}

bool AuditFilter::accepts(const AuditRecord& record) const
{
    return (key.empty() || inspect::matchesGlob(key, record.key))
           && (server.empty() || record.server.find(server) != std::string::npos)
           && (outcome.empty() || outcome == record.outcome) && (!since || record.at >= *since)
           && hasAllWords(record, words);
}

Json auditRecordJson(const AuditRecord& record)
{
    return Json{{"time", record.time},
                {"attempt", record.attempt},
                {"server", record.server},
                {"db", record.database},
                {"key", record.key},
                {"action", record.action},
                {"owners", record.owners.empty() ? Json(nullptr) : Json(record.owners)},
                {"outcome", record.outcome},
                {"detail", record.detail.empty() ? Json(nullptr) : Json(record.detail)},
                {"reason", record.reason},
                {"user", record.user},
                {"host", record.host},
                {"program", record.program},
                {"process", record.process},
                {"intentLine", lineOrNull(record.intentLine)},
                {"outcomeLine", lineOrNull(record.outcomeLine)}};
}

std::string auditCsv(const std::vector<const AuditRecord*>& records)
{
    std::string text = "time,attempt,server,db,key,action,owners,outcome,detail,reason,user,host,"
                       "program,process,intentLine,outcomeLine\r\n";
    for (const AuditRecord* const record : records) {
        std::string line;
        const Json json = auditRecordJson(*record);
        for (const auto& [name, value] : json.items()) {
            const bool isText = value.is_string();
            const std::string field = value.is_null() ? std::string()
                                      : isText        ? csvField(value.get<std::string>())
                                                      : value.dump();
            line += (name == "time" ? "" : ",") + field;
        }
        text += line + "\r\n";
    }
    return text;
}

std::string auditJson(const std::vector<const AuditRecord*>& records)
{
    Json all = Json::array();
    for (const AuditRecord* const record : records) {
        all.push_back(auditRecordJson(*record));
    }
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::optional<WallTime> wallTimeOfText(std::string_view text)
{
    using namespace std::chrono;
    // "2026-11-19T14:03:22.123Z", or a beginning of it
    const year_month_day date{year(digitsAt(text, 0, 4)),
                              month(static_cast<unsigned>(digitsAt(text, 5, 2))),
                              day(static_cast<unsigned>(digitsAt(text, 8, 2)))};
    std::string_view rest = text.substr(std::min<std::size_t>(10, text.size()));
    const bool isDated = text.size() >= 10 && digitsAt(text, 0, 4) >= 0 && text[4] == '-'
                         && text[7] == '-' && date.ok();
    if (!isDated || rest.empty()) {
        return isDated ? std::optional<WallTime>(sys_days(date)) : std::nullopt;
    }
    rest.remove_suffix(rest.ends_with('Z') ? 1 : 0);
    constexpr std::array<std::pair<std::size_t, char>, 4> kParts{
        {{0, 'T'}, {3, ':'}, {6, ':'}, {9, '.'}}};
    constexpr std::array<int, 4> kLimits{23, 59, 59, 999};
    std::array<int, 4> parts{};
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        const auto& [at, mark] = kParts[i];
        if (rest.size() == at && i >= 2) {
            break;
        }
        const bool isMarked = rest.size() > at && (rest[at] == mark || (i == 0 && rest[at] == ' '));
        parts[i] = isMarked ? digitsAt(rest, at + 1, i == 3 ? 3 : 2) : -1;
        if (parts[i] < 0 || parts[i] > kLimits[i] || (i == 3 && rest.size() != 13)) {
            return std::nullopt;
        }
    }
    return WallTime(sys_days(date)) + hours(parts[0]) + minutes(parts[1]) + seconds(parts[2])
           + milliseconds(parts[3]);
}

} // namespace lockscope::report
