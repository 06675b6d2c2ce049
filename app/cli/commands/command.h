#pragma once

#include "app/cli/context.h"
#include "app/cli/output/format.h"
#include "app/option_set.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/bytes.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// What a command of lockscope-cli says of itself. Parsing, help, the manual page and main() know
// commands by this alone: a new one is a pair of files and a line in command_list.cpp.
namespace lockscope::cli {

/// The servers that a command talks to.
enum class ServerUse {
    None,
    Named,        // those of --url, perhaps none
    NamedOrLocal, // without --url the one on this machine
};

struct CommandText {
    std::string_view name;
    /// "KEY", "[ID]", "FILE...", "-- COMMAND...", "FILE [-- COMMAND...]"; empty: none.
    std::string_view operand = {};
    std::string_view usage = {};   // behind the name; empty: the operand and options
    std::string_view summary = {}; // one line
    // In lines as they are printed, the first one empty.
    std::string_view details = {}; // what a runbook author has to know
    std::string_view examples = {};
    ServerUse servers = ServerUse::None;

    bool isOperandOptional() const { return operand.starts_with('['); }
    /// One or more of them.
    bool takesSeveral() const { return operand.ends_with("...") && !takesCommand(); }
    /// Everything behind "--" is a command to start, and there is nothing else.
    bool isCommand() const { return operand.starts_with("--"); }
    bool takesCommand() const { return operand.find("-- ") != std::string_view::npos; }
};

/// Words of a call that are no options, the name of the command left out.
struct Operands {
    std::vector<std::string> words;   // of a command that starts another one: before "--"
    std::vector<std::string> command; // what it starts
    std::size_t serverCount = 0;      // of --url
    std::string environment;          // LOCKSCOPE_ENVIRONMENT: what the servers are

    std::string first() const { return words.empty() ? std::string() : words.front(); }
};

class Command {
public:
    explicit Command(const CommandText& text) : m_text(text) {}
    virtual ~Command() = default;

    const CommandText& text() const { return m_text; }

    /// Says which options there are, and which members of this they are read into.
    virtual void declare(app::OptionSet& options) = 0;
    /// Makes the arguments whole when the options were read. Throws an ArgumentError.
    virtual void complete(const Operands& operands) { static_cast<void>(operands); }
    /// Ends with the exit code.
    virtual async::Task<int> run(Context context) = 0;

private:
    const CommandText& m_text;
};

/// A command whose call comes to one value.
template<class Arguments>
class CommandWith : public Command {
public:
    using Command::Command;
    const Arguments& arguments() const { return m_arguments; }

protected:
    Arguments m_arguments;
};

/// --format; the first of the formats is the default.
void declareFormat(app::OptionSet& options, Format& format, std::initializer_list<Format> formats,
                   std::string_view help = {});

/// The name of a key as it was typed, in escaped form or not. Throws an ArgumentError, which says
/// where it was typed.
Bytes keyOf(const std::string& text, std::string_view where = "KEY");

} // namespace lockscope::cli
