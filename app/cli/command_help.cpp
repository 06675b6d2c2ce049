#include "app/cli/command_help.h"

#include <algorithm>

namespace lockscope::cli {

namespace {

constexpr std::size_t kSummaryColumn = 22;

constexpr std::string_view kGeneralNotes = R"(
Without --url the server is 127.0.0.1:6379. The password is taken from the URL, --password-file
or the environment variable LOCKSCOPE_PASSWORD, in this order. Durations are written
250ms, 10s, 5m. Diagnostics go to standard error; with --format json standard output contains
only JSON. Keys and owners that are not text are printed, and accepted, with \xNN for a byte.

Exit codes:
  0  success
  1  could not reach or talk to the server
  2  bad arguments
  3  the lock changed hands, nothing was done
  4  the lock was already gone
  5  refused (read-only, permission, policy)
  6  unknown whether it was applied
  7  not acquired within the wait
  8  released, but it came back: the same holder has it again
  9  not enough was tried to say anything
 10  a promise was broken
)";

std::string usageOf(const CommandText& text)
{
    if (!text.usage.empty()) {
        return std::string(text.usage);
    }
    return std::string(text.operand) + (text.operand.empty() ? "" : " ") + "[options]";
}

std::string synopsisOf(const DeclaredCommand& declared)
{
    const CommandText& text = declared.command->text();
    const std::string operand = ".I " + std::string(text.operand) + '\n';
    const bool isLast = text.takesCommand();
    return ".B lockscope-cli " + std::string(text.name) + '\n'
           + (text.operand.empty() || isLast ? "" : operand) + declared.options.synopsis()
           + (isLast ? operand : "");
}

} // namespace

DeclaredCommand::DeclaredCommand(CommandMaker make) : command(make())
{
    command->declare(options);
    if (command->text().servers != ServerUse::None) {
        servers.declare(options);
    }
    app::declareQuestions(options);
}

std::string programHelp(std::span<const CommandMaker> commands)
{
    std::string help = "Shows, watches, releases, acquires, tests and breaks the distributed locks "
                       "of Redis servers.\n\n"
                       "Usage: lockscope-cli COMMAND [options]\n\n"
                       "Commands:\n";
    for (const CommandMaker make : commands) {
        const std::unique_ptr<Command> command = make();
        const CommandText& text = command->text();
        std::string call = "  " + std::string(text.name);
        call += text.operand.empty() ? "" : " " + std::string(text.operand);
        call.resize(std::max(call.size() + 2, kSummaryColumn), ' ');
        help += call + std::string(text.summary) + '\n';
    }
    help += "\nRun lockscope-cli COMMAND --help for details.\n";
    return help += kGeneralNotes;
}

std::string commandHelp(const DeclaredCommand& declared)
{
    const CommandText& text = declared.command->text();
    std::string help = "Usage: lockscope-cli " + std::string(text.name) + ' ' + usageOf(text);
    help.append("\n").append(text.details).append(declared.options.help());
    help.append("\nExamples:").append(text.examples);
    return help.append(kGeneralNotes);
}

std::string manualSynopsis(std::span<const CommandMaker> commands)
{
    std::string text;
    for (const CommandMaker make : commands) {
        text += synopsisOf(DeclaredCommand(make)) + ".br\n";
    }
    return app::withManualDashes(
        text + ".B lockscope-cli\n.RI [ COMMAND ]\n.BR --help \" | \" --version\n");
}

} // namespace lockscope::cli
