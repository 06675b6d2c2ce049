#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/store/reply.h"
#include "core/kernel/store/reply_encoding.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lockscope::sim {

struct Call;

/// Whether a command changes data, and from where it may be called.
enum class CommandKind : std::uint8_t {
    Read,
    Write,
    Other,      // touches no keys
    NoScript,   // like Other, but not for scripts
    Blocking,   // a write that may wait, with the time-out as its last word; not for scripts
    Connection, // needs the memory of a connection: SimServer carries it out
};

/// What the answer to a command is for clients that speak RESP3. Of some commands it depends on how
/// they are called.
struct AnswerShape {
    enum class Condition : std::uint8_t {
        None,
        WithScores, // the word is given
        WithCount,  // as the third word, and the last
    };

    store::ReplyShape usual = store::ReplyShape::Plain;
    Condition condition = Condition::None;
    store::ReplyShape otherwise = store::ReplyShape::Plain; // where the condition holds

    store::ReplyShape of(const std::vector<Bytes>& words) const;
};

/// One command, or one subcommand, that the simulated server knows.
struct CommandSpec {       // NOLINT(*-optin.performance.Padding): in the order of a row
    std::string_view name; // lower case, as Redis quotes it: "get", "script|load"
    int arity;             // words with the name; negative: at least so many
    CommandKind kind;
    store::Reply (*handler)(Call&); // nullptr: Connection
    AnswerShape shape = {};

    bool acceptsWordCount(std::size_t count) const
    {
        const auto words = static_cast<int>(count);
        return arity >= 0 ? words == arity : words >= -arity;
    }
};

/// What lock libraries use. Left out on purpose is what a server answers by chance (SPOP,
/// SRANDMEMBER, RANDOMKEY): the same steps have to give the same run.
std::span<const CommandSpec> commandTable();

/// The command that the words name, in any case; nullptr when there is none.
const CommandSpec* findCommand(const std::vector<Bytes>& words);

/// Why Redis would not even look at the words: unknown command, unknown subcommand, or a wrong
/// number of them. `spec` is what findCommand() says.
std::optional<store::Reply> refusalOf(const std::vector<Bytes>& words, const CommandSpec* spec);

} // namespace lockscope::sim
