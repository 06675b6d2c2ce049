#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/store/outcome.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The steps of a lock that a user has written as a protocol file (docs/own-protocols.md).
namespace lockscope::protocol {

/// What can be filled in.
enum class Blank : std::uint8_t { Key, Token, LeaseMs, NowMs, ClientId, Count, Holds };

/// nullopt when there is no such blank.
std::optional<Blank> blankNamed(std::string_view name); // "leaseMs"

/// A word of a command with blanks in it: "{key}:fence". Two braces stand for one: "{{{key}}}".
using BlankOrText = std::variant<Blank, std::string>;
using Word = std::vector<BlankOrText>;

/// The word, or one sentence that says what is wrong with it.
std::variant<Word, std::string> readWord(std::string_view text);

/// What an answer means. Not every one exists in every step.
enum class Meaning : std::uint8_t {
    Granted,
    Refused,
    Renewed,
    Released,
    StillHeld,  // released, and an outer hold of the same owner remains
    OtherOwner, // another owner has it
    Gone,       // no owner has it
    Passed,     // of a check: the step itself may follow
};

/// A value that an answer can have; monostate is nil.
using AnswerValue = std::variant<std::monostate, std::int64_t, Bytes>;

/// Which answer means what. An answer that is a list is known by its first element.
struct AnswerRule {
    Meaning meaning;
    std::optional<AnswerValue> value; // nullopt: every answer that no other rule knows
};

/// One script, what it is called with, and how its answers are read.
struct OwnStep {
    std::string script;
    std::vector<Word> keys;
    std::vector<Word> arguments;
    std::vector<AnswerRule> answers;

    /// nullopt for an answer that no rule knows.
    std::optional<Meaning> meaningOf(const store::Reply& reply) const;
};

/// The number at a position of an answer: 0 is its first element, or the answer itself if it is no
/// list. nullopt when there is none.
std::optional<std::int64_t> numberAt(const store::Reply& reply, std::optional<int> position);

/// What the blanks are filled with.
struct Filling {
    Bytes key;
    Bytes token;
    Duration lease{0};
    WallTime now{}; // by the clock of the client
    Bytes clientId;
    int permits = 1;
    int holds = 1;
};

Bytes filled(const Word& word, const Filling& filling);
std::vector<Bytes> filled(const std::vector<Word>& words, const Filling& filling);

/// What the contender fills in for the grant, which may be one that is only hoped for.
Filling fillingFor(const Contender& self, const Grant& grant);

/// Runs the script for the grant. By EVAL of its text. `step` outlives the task.
async::Task<store::Outcome> runOwnStep(Contender& self, const OwnStep& step, Grant grant);

} // namespace lockscope::protocol
