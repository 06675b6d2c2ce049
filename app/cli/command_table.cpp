#include "cli/command_table.h"

#include "arguments.h"
#include "cli/locking_commands.h"
#include "cli/search_commands.h"

#include <algorithm>
#include <array>

namespace lockscope::cli {

namespace {

using app::Option;

constexpr Option kFilter{"filter", "EXPR",
                         "Only locks that match, e.g. \"flag:no-expiry\", \"held>10m\",\n"
                         "\"owner=worker-7 or ttl<5s\". The fields are those of the window."};
constexpr Option kNearMisses{"near-misses", "",
                             "List instead the keys that looked like locks and were not taken\n"
                             "for one, and why."};
constexpr Option kFormatWithCsv{"format", "table|json|csv", "How to print (table)."};
constexpr Option kFormat{"format", "table|json", "How to print (table: for people)."};
constexpr Option kWatchFormat{"format", "json", "One JSON object per line; there is no other."};
constexpr Option kOwner{"owner", "TOKEN",
                        "Who must hold the lock for it to be released. Where the format\n"
                        "records no owner: its value, or '' for whatever it is."};
constexpr Option kAll{"all", "",
                      "Instead of --owner, for read locks and semaphores: end every hold there\n"
                      "is. They are listed; --dry-run lists them without doing it."};
constexpr Option kDryRun{"dry-run", "", "Print what would be sent and change nothing."};
constexpr Option kReason{"reason", "TEXT", "Why; goes into the audit file."};
constexpr Option kAuditFile{"audit-file", "FILE",
                            "Where to write down the attempt, one JSON object per line\n"
                            "(~/.local/share/lockscope/audit.jsonl)."};
constexpr Option kFollow{"follow", "DURATION",
                         "How long to see who takes the lock next (1s); 0s: do not look."};

constexpr std::string_view kListDetails =
    "Looks at every key once and prints every lock found, the suspicious ones first. What was\n"
    "scanned is said on standard error. When the server cannot be read to the end, nothing is\n"
    "printed and the exit code is 1 (5 without the permission to scan). Keys that could not be "
    "read\n"
    "are counted on standard error, with the reason, and make it 1 (5 when all that is missing is "
    "a\n"
    "permission): the list is what could be read, and not complete.\n"
    "Keys that looked like locks and were not taken for one are counted as well; --near-misses "
    "lists\n"
    "up to 1,000 of them and why, --pattern GLOB takes them for locks.\n"
    "The table is for people and cuts long words in the middle; json and csv cut nothing.\n";
constexpr std::string_view kListExamples =
    "  lockscope-cli list --url redis://cache-1:6379\n"
    "  lockscope-cli list --filter 'flag:no-expiry' --format json | jq -r '.[].key'\n"
    "  lockscope-cli list --url redis://a --url redis://b --url redis://c\n";

constexpr std::string_view kWatchDetails =
    "Prints one JSON object per line and change:\n"
    "  {\"at\":...,\"change\":\"appeared|changed|released|expired|renewed\",\"lock\":{...}}\n"
    "The locks that are there already come first, as \"appeared\". A lock that matched the filter "
    "is\n"
    "followed until it is gone or has been shown not to match any more. A lost connection is\n"
    "restored for as long as it takes and reported on standard error. Ends with 0 when "
    "interrupted,\n"
    "with 1 or 5 as list does when there were keys that could not be read.\n";
constexpr std::string_view kWatchExamples =
    "  lockscope-cli watch --filter 'key:job:*' | jq -c '[.at, .change, .lock.key]'\n";

constexpr std::string_view kShowDetails =
    "Explains one lock: what looks wrong, its keys, what was decoded and on which evidence, other\n"
    "ways to read it, and exactly what a release would send. Reads only. Ends with 4 when there "
    "is\n"
    "no such key. KEY may hold bytes as \\xNN; a backslash before an x is written \\x5c.\n";
constexpr std::string_view kShowExamples =
    "  lockscope-cli show job:sync --url redis://cache-1:6379\n";

constexpr std::string_view kReleaseDetails =
    "Releases a lock as its own library would, and wakes its waiters, but only if TOKEN still "
    "holds\n"
    "it: the comparison and the deletion are one script on the server. With several --url the "
    "token\n"
    "is removed from every server that has it. Of several readers or permits only the one named\n"
    "is ended; the others go on. Every attempt is written to the audit file first; without that\n"
    "line nothing is released.\n"
    "KEY and TOKEN may hold bytes as \\xNN; write --owner=TOKEN when it begins with a dash.\n";
constexpr std::string_view kReleaseExamples =
    "  lockscope-cli release job:sync --owner 5f0c2e:63 --dry-run\n"
    "  lockscope-cli release job:sync --owner 5f0c2e:63 --reason 'worker-7 died, INC-812'\n";

constexpr std::string_view kFormatsDetails =
    "Prints the lock formats that are recognised. Needs no server.\n";
constexpr std::string_view kFormatsExamples = "  lockscope-cli formats --format json\n";

constexpr std::string_view kExitCodes = "Exit codes:\n"
                                        "  0  done as asked\n"
                                        "  1  could not reach or talk to the server\n"
                                        "  2  bad arguments\n"
                                        "  3  the lock changed hands, nothing was done\n"
                                        "  4  the lock was already gone\n"
                                        "  5  refused (read-only, permission, policy)\n"
                                        "  6  unknown whether it was applied\n"
                                        "  7  not acquired within the wait\n"
                                        " 10  a promise was broken\n";

constexpr std::string_view kGeneralNotes =
    "Without --url the server is 127.0.0.1:6379. A password comes from the URL, from "
    "--password-file\n"
    "or from the environment variable LOCKSCOPE_PASSWORD, in this order. Durations are written\n"
    "250ms, 10s, 5m. Diagnostics go to standard error; with --format json standard output is only\n"
    "JSON. Keys and owners that are not text appear, and may be typed, with \\xNN for a byte.\n";

std::vector<Option> joined(std::initializer_list<std::span<const Option>> tables)
{
    std::vector<Option> all;
    for (const std::span<const Option> table : tables) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

std::vector<CommandInfo> makeTable()
{
    const auto server = app::serverOptions();
    const auto sweep = app::sweepOptions();
    const auto general = app::generalOptions();
    const std::array list{kFilter, kNearMisses, kFormatWithCsv};
    const std::array watch{kFilter, kWatchFormat};
    const std::array show{kFormat};
    const std::array release{kOwner, kAll, kDryRun, kReason, kFormat, kFollow, kAuditFile};
    const std::array formats{kFormat};
    std::vector<CommandInfo> table{
        {"list", "", "every lock, found by one sweep", kListDetails, kListExamples,
         joined({list, sweep, server, general})},
        {"watch", "", "changes as JSON lines, until interrupted", kWatchDetails, kWatchExamples,
         joined({watch, sweep, server, general})},
        {"show", "KEY", "one lock explained", kShowDetails, kShowExamples,
         joined({show, server, general})},
        {"release", "KEY", "release a lock if its owner is still the one named", kReleaseDetails,
         kReleaseExamples, joined({release, server, general})},
        {"formats", "", "the lock formats that are recognised", kFormatsDetails, kFormatsExamples,
         joined({formats, general})}};
    const std::vector<CommandInfo> locking = lockingCommands();
    table.insert(table.end(), locking.begin(), locking.end());
    const std::vector<CommandInfo> search = searchCommands();
    table.insert(table.end(), search.begin(), search.end());
    return table;
}

} // namespace

std::span<const CommandInfo> commandTable()
{
    static const std::vector<CommandInfo> kTable = makeTable();
    return kTable;
}

const CommandInfo* findCommand(std::string_view name)
{
    const auto table = commandTable();
    const auto found = std::ranges::find(table, name, &CommandInfo::name);
    return found == table.end() ? nullptr : &*found;
}

std::vector<Option> everyOption()
{
    std::vector<Option> all;
    for (const CommandInfo& command : commandTable()) {
        for (const Option& option : command.options) {
            if (std::ranges::find(all, option.name, &Option::name) == all.end()) {
                all.push_back(option);
            }
        }
    }
    return all;
}

std::string programHelp()
{
    std::string text =
        "Shows, watches, releases, takes, tries out and breaks the distributed locks of Redis "
        "servers.\n\n"
        "Usage: lockscope-cli COMMAND [options]\n\nCommands:\n";
    for (const CommandInfo& command : commandTable()) {
        std::string call = "  " + std::string(command.name);
        call += command.operand.empty() ? "" : " " + std::string(command.operand);
        call.resize(std::max<std::size_t>(call.size() + 2, 22), ' ');
        text += call + std::string(command.summary) + '\n';
    }
    text += "\nlockscope-cli COMMAND --help tells about one of them.\n\n";
    text += kGeneralNotes;
    text += '\n';
    return text += kExitCodes;
}

namespace {

/// The words behind the name: what there must be, and in which order.
std::string usageOf(const CommandInfo& command)
{
    if (command.takesCommand()) {
        return " --key KEY [options] " + std::string(command.operand);
    }
    if (command.name == "acquire") {
        return " --key KEY --hold DURATION [options]";
    }
    if (command.name == "contend") {
        return " --protocol ID --clients N --for DURATION [options]";
    }
    if (command.name == "explore" || command.name == "simulate") {
        return " --protocol ID|FILE [options]\n       lockscope-cli " + std::string(command.name)
               + " --scenario FILE [options]";
    }
    const std::string operand = command.operand.empty() ? "" : " " + std::string(command.operand);
    return operand + (command.name == "release" ? " --owner TOKEN|--all [options]" : " [options]");
}

} // namespace

std::string commandHelp(const CommandInfo& command)
{
    std::string text = "Usage: lockscope-cli " + std::string(command.name);
    text += usageOf(command) + "\n\n";
    text += command.details;
    text += "\nOptions:\n" + app::optionHelp(command.options);
    text += "\nExamples:\n";
    text += command.examples;
    text += '\n';
    text += kGeneralNotes;
    text += '\n';
    return text += kExitCodes;
}

} // namespace lockscope::cli
