#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/formats/token_pattern.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/protocol/json_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// What a release has to warn of, in the words of format files.
enum class Hazard : std::uint8_t {
    BlindDelete,      // "blind-delete": the old holder's unlock removes whatever is there
    BlindExtend,      // "blind-extend": the old holder's renewal prolongs whatever is there
    RenewalRecreates, // "renewal-recreates": a live holder's renewal makes the key anew
    JobRunsAgain,     // "job-runs-again": a lease of a job; its queue hands the job out again
    WaitersSleep,     // "waiters-sleep": waiters listen to what a release cannot send
    PartOfASet,       // "part-of-a-set": one of several keys, of which a majority is the lock
    HazardCount,
};

/// A push to a list on which the waiters of a lock block.
struct PushWakeUp {
    std::string listKey; // '*' stands for what the star of the lock's key matched
    std::string element;
    std::optional<Duration> expiry; // the list gets it: an element that wakes no client goes away
    bool isTrimmed = false;         // to that one element
};

/// A message by which the waiters of a lock are woken. '*' stands for what the star of the lock's
/// key matched.
struct PublishWakeUp {
    std::string channel;
    std::string message;
};

/// How names of keys are told: a Redis glob, and what its only star matched.
class KeyPattern {
public:
    explicit KeyPattern(std::string glob);

    bool matches(std::string_view key) const;
    const std::string& glob() const { return m_glob; }
    /// What stands before the first sign that is not itself.
    std::string_view prefix() const { return std::string_view(m_glob).substr(0, m_prefixLength); }
    /// It tells the keys of a library from others. Shorter beginnings are those of too many names.
    bool isName() const { return prefix().size() >= 3; }
    bool hasOneStar() const;
    /// What the star stands for in a key that matches; only with hasOneStar().
    std::string_view starOf(std::string_view key) const;
    /// The text with that in the place of its own star; only with hasOneStar().
    Bytes withStarOf(std::string_view key, std::string_view text) const;

private:
    std::string m_glob;
    // Every key that is read is compared with every pattern: these settle nearly all of them.
    std::size_t m_prefixLength;
    std::string m_literal; // the longest text behind it that stands for itself
};

/// A format of a library that keeps its lock in one string: how its keys and tokens look, and what
/// a release has to do. One file of resources/formats, or one of the user's; docs/formats.md
/// describes the members.
struct FormatFile {
    enum class Expiry : std::uint8_t { Always, Optional };
    /// What a token stays the same for, and so what comparing it proves.
    enum class TokenOf : std::uint8_t { Hold, Process, None };
    /// What an instant in a token says.
    enum class Stamp : std::uint8_t { Acquired, Deadline };
    enum class Kind : std::uint8_t { Lock, JobLease };

    std::string id;
    std::string library;
    std::string title;
    std::string summary;
    Kind kind = Kind::Lock;
    std::vector<KeyPattern> keys;
    std::vector<TokenPattern> values; // the first that matches
    Expiry expiry = Expiry::Always;
    Confidence confidence = Confidence::Medium;
    /// The keys say nothing: a name like a lock is needed for `confidence`, and an expiry for a low
    /// one.
    bool needsLockName = false;
    TokenOf tokenOf = TokenOf::Hold;
    Stamp stamp = Stamp::Acquired;
    /// So long after it was acquired the next client takes the lock over, whatever its expiry.
    std::optional<Duration> endsAfter;
    bool isOfUser = false;       // who knows the keys: its patterns are not doubted
    bool mayVote = false;        // in a Redlock set
    bool isAllOrNothing = false; // see OwnerTie
    std::vector<Hazard> hazards;
    std::optional<PushWakeUp> push;
    std::optional<PublishWakeUp> publish;
    /// Other libraries write the same: only a client that listens for the message tells.
    bool needsListeners = false;
    // Sentences; empty: none. See PlainWords.
    std::string renewal;
    std::string ifHolderDies;
    std::string waiting;
};

/// The format, or what is wrong with the text.
std::variant<FormatFile, protocol::FileError> readFormatFile(std::string_view text);

/// Those that are part of the program, those with keys of their own first,
/// otherwise in the order of their files' names. Never changes.
const std::vector<FormatFile>& builtinFormats();

} // namespace lockscope::inspect
