#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/report/audit_chain.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the audit file tells: the attempts, and whether its lines are those that were written.
namespace lockscope::report {

/// One attempt on one server, from its line with the intent and the one with the outcome.
struct AuditRecord {
    std::string attempt;
    WallTime at{};    // of its first line
    std::string time; // the same as it is written there
    std::string server;
    int database = 0;
    std::string key;     // here and below as in the file: escaped()
    std::string action;  // "release", "cap-ttl", "kill-client" …
    std::string owners;  // who would lose what, joined by "; "; else the owner that was asked for
    std::string outcome; // "released" …; "interrupted": there is no line with the outcome
    std::string detail;
    std::string reason;
    std::string user; // "ada", "root (sudo: ada)"
    std::string host;
    std::string program;
    std::int64_t process = 0;
    /// Its lines in the file, counted from 1, and as they stand there; 0 and empty: there is none.
    std::uint64_t intentLine = 0;
    std::uint64_t outcomeLine = 0;
    std::string_view intentText;
    std::string_view outcomeText;
};

/// The outcome of an attempt of which only the intent was written.
inline constexpr std::string_view kInterruptedOutcome = "interrupted";

/// Whether the lines are those that were written. What was removed at the end leaves no trace in
/// the file: the hash of the last line has to be kept elsewhere for that.
struct AuditChainState {
    std::uint64_t lineCount = 0;
    std::uint64_t linkedCount = 0;
    std::uint64_t firstLinked = 0;   // the line with which the chain begins; 0: there is none
    std::vector<std::uint64_t> torn; // unreadable lines: interrupted writes, until proven otherwise
    std::uint64_t brokenAt = 0;      // the first line that is not what it has to be; 0: none is
    std::string fault;               // what is wrong there, as a sentence
    std::vector<std::string> hashes; // SHA-256 of each linked line, in their order

    bool isIntact() const { return brokenAt == 0; }
    /// SHA-256 of the last linked line; empty: there is none.
    std::string head() const { return hashes.empty() ? std::string() : hashes.back(); }
    /// How many linked lines have come since the one with this hash; nullopt: none has it.
    std::optional<std::uint64_t> linesSince(std::string_view hash) const;
};

struct AuditTrail {
    std::shared_ptr<const std::string> text; // the file: what the records quote
    std::vector<AuditRecord> records;        // in the order of their first lines
    AuditChainState chain;
};

/// `text`: the whole file.
AuditTrail readAuditTrail(std::string text, const AuditHash& hash);

/// What the chain comes to, in sentences: how many lines it has, what came before it, and what is
/// wrong.
std::string chainSentence(const AuditChainState& chain);

/// The same for a hash that was kept elsewhere: whether the line with it is still there.
std::string expectedHashSentence(const AuditChainState& chain, std::string_view hash);

/// Which attempts are meant; what is empty does not matter.
struct AuditFilter {
    std::string key{};     // a pattern of Redis
    std::string server{};  // a part of its name
    std::string outcome{}; // the id
    std::string words{};   // all of them occur in the attempt, in any case
    std::optional<WallTime> since{};

    bool accepts(const AuditRecord& record) const;
};

/// One object, with the members of its lines that matter.
Json auditRecordJson(const AuditRecord& record);
std::string auditCsv(const std::vector<const AuditRecord*>& records);
std::string auditJson(const std::vector<const AuditRecord*>& records);

/// "2026-11-26", "2026-11-26T14:03", "2026-11-26T14:03:22Z": in UTC. nullopt: it is none.
std::optional<WallTime> wallTimeOfText(std::string_view text);

} // namespace lockscope::report
