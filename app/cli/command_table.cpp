#include "cli/command_table.h"

#include "arguments.h"
#include "cli/locking_commands.h"
#include "cli/search_commands.h"

#include <algorithm>
#include <array>

namespace lockscope::cli {

namespace {

using app::Option;

constexpr Option kFilter{
    "filter", "EXPR",
    "Only locks that match, e.g. \"flag:no-expiry\", \"held>10m\",\n\"owner=worker-7 or ttl<5s\". "
    "The fields are those of the window."};
constexpr Option kNearMisses{
    "near-misses", "", "List the keys that looked like locks but were not recognised,\nand why."};
constexpr Option kFormatWithCsv{"format", "table|json|csv", "Output format (table)."};
constexpr Option kFormat{"format", "table|json", "Output format (table: for humans)."};
constexpr Option kWatchFormat{"format", "json", "Output format: one JSON object per line."};
constexpr Option kOwner{"owner", "TOKEN",
                        "Owner that must hold the lock. If the format records no owner: the\nvalue "
                        "of the key, or '' for any value."};
constexpr Option kAll{"all", "",
                      "Instead of --owner, for read locks and semaphores: release all "
                      "holds.\nLists them; with --dry-run without releasing them."};
constexpr Option kDryRun{"dry-run", "", "Print the commands without sending them."};
constexpr Option kReason{"reason", "TEXT", "Reason for the audit file."};
constexpr Option kAuditFile{
    "audit-file", "FILE",
    "Audit file, one JSON object per line\n(~/.local/share/lockscope/audit.jsonl)."};
constexpr Option kFollow{"follow", "DURATION",
                         "How long to watch for the next owner (1s); 0s: not at all."};

constexpr std::string_view kListDetails =
    "Scans all keys once and prints the locks, the suspicious ones first. The number of scanned\n"
    "keys is printed to standard error. If the server cannot be scanned completely, nothing is\n"
    "printed and the exit code is 1 (5 if the permission to scan is missing). Keys that cannot be\n"
    "read are counted on standard error, with the reason; the list is then incomplete and the "
    "exit\n"
    "code is 1 (5 if only permissions are missing).\n"
    "Keys that look like locks but are not recognised are counted as well; --near-misses lists\n"
    "up to 1,000 of them and why, --pattern GLOB treats them as locks.\n"
    "The table shortens long words in the middle; json and csv shorten nothing.\n";
constexpr std::string_view kListExamples =
    "  lockscope-cli list --url redis://cache-1:6379\n"
    "  lockscope-cli list --filter 'flag:no-expiry' --format json | jq -r '.[].key'\n"
    "  lockscope-cli list --url redis://a --url redis://b --url redis://c\n";

constexpr std::string_view kWatchDetails =
    "Prints one JSON object per line and change:\n"
    "  {\"at\":...,\"change\":\"appeared|changed|released|expired|renewed\",\"lock\":{...}}\n"
    "Existing locks are printed first, as \"appeared\". A lock that matched the filter is "
    "followed\n"
    "until it is gone or no longer matches. If the connection is lost, the command reconnects "
    "until\n"
    "it succeeds and reports this on standard error. The exit code is 0 when interrupted, or 1 or "
    "5\n"
    "as for list if some keys could not be read.\n";
constexpr std::string_view kWatchExamples =
    "  lockscope-cli watch --filter 'key:job:*' | jq -c '[.at, .change, .lock.key]'\n";

constexpr std::string_view kShowDetails =
    "Explains one lock: its problems, its keys, what was decoded and on which evidence, other\n"
    "possible formats, and the commands that would release it. Read-only. The exit code is 4 if\n"
    "the key does not exist. KEY may contain bytes as \\xNN; write a backslash before an x as "
    "\\x5c.\n";
constexpr std::string_view kShowExamples =
    "  lockscope-cli show job:sync --url redis://cache-1:6379\n";

constexpr std::string_view kReleaseDetails =
    "Releases a lock as its own library would, and wakes its waiters, but only if TOKEN still "
    "holds\n"
    "it: comparison and deletion are one script on the server. With several --url the token is\n"
    "removed from every server that has it. Of several readers or permits only the specified one "
    "is\n"
    "released; the others remain. Every attempt is written to the audit file first; if that "
    "fails,\n"
    "nothing is released.\n"
    "KEY and TOKEN may contain bytes as \\xNN; write --owner=TOKEN if it begins with a dash.\n";
constexpr std::string_view kReleaseExamples =
    "  lockscope-cli release job:sync --owner 5f0c2e:63 --dry-run\n"
    "  lockscope-cli release job:sync --owner 5f0c2e:63 --reason 'worker-7 died, INC-812'\n";

constexpr std::string_view kFormatsDetails =
    "Lists the recognised lock formats. Needs no server.\n";
constexpr std::string_view kFormatsExamples = "  lockscope-cli formats --format json\n";

constexpr std::string_view kExitCodes = "Exit codes:\n"
                                        "  0  success\n"
                                        "  1  could not reach or talk to the server\n"
                                        "  2  bad arguments\n"
                                        "  3  the lock changed hands, nothing was done\n"
                                        "  4  the lock was already gone\n"
                                        "  5  refused (read-only, permission, policy)\n"
                                        "  6  unknown whether it was applied\n"
                                        "  7  not acquired within the wait\n"
                                        " 10  a promise was broken\n";

constexpr std::string_view kGeneralNotes =
    "Without --url the server is 127.0.0.1:6379. The password is taken from the URL, "
    "--password-file\n"
    "or the environment variable LOCKSCOPE_PASSWORD, in this order. Durations are written\n"
    "250ms, 10s, 5m. Diagnostics go to standard error; with --format json standard output "
    "contains\n"
    "only JSON. Keys and owners that are not text are printed, and accepted, with \\xNN for a "
    "byte.\n";

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
        {"list", "", "find and list all locks", kListDetails, kListExamples,
         joined({list, sweep, server, general})},
        {"watch", "", "print changes as JSON lines until interrupted", kWatchDetails,
         kWatchExamples, joined({watch, sweep, server, general})},
        {"show", "KEY", "explain one lock", kShowDetails, kShowExamples,
         joined({show, server, general})},
        {"release", "KEY", "release a lock if the specified owner still holds it", kReleaseDetails,
         kReleaseExamples, joined({release, server, general})},
        {"formats", "", "list the recognised lock formats", kFormatsDetails, kFormatsExamples,
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
    std::string text = "Shows, watches, releases, acquires, tests and breaks the distributed locks "
                       "of Redis servers.\n\n"
                       "Usage: lockscope-cli COMMAND [options]\n\n"
                       "Commands:\n";
    for (const CommandInfo& command : commandTable()) {
        std::string call = "  " + std::string(command.name);
        call += command.operand.empty() ? "" : " " + std::string(command.operand);
        call.resize(std::max<std::size_t>(call.size() + 2, 22), ' ');
        text += call + std::string(command.summary) + '\n';
    }
    text += "\nRun lockscope-cli COMMAND --help for details.\n\n";
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
