#include "cli/search_commands.h"

#include "arguments.h"

#include <array>
#include <span>

namespace lockscope::cli {

namespace {

using app::Option;

constexpr Option kProtocol{"protocol", "ID|FILE",
                           "The protocol: an id of \"lockscope-cli protocols\", or the file of\n"
                           "your own (a name with a slash, or ending in .json)."};
constexpr Option kProtocolFile{"protocol-file", "FILE", "A protocol of your own, as JSON."};
constexpr Option kScenario{"scenario", "FILE",
                           "Who does what, and what may go wrong, as JSON; instead of the plans\n"
                           "that every protocol is tried with."};
constexpr Option kClients{"clients", "N",
                          "Only plans for up to N clients, filled up to N (as the plans have it)."};
constexpr Option kFaults{"faults", "LIST|all",
                         "What goes wrong, with commas in between (all; of a scenario: what it\n"
                         "allows itself)."};
constexpr Option kThreads{"threads", "N", "On how many threads (one per core). Changes no result."};
constexpr Option kSave{"save", "FILE", "Writes the counterexample that is shown, for replay."};
constexpr Option kSaveRun{"save-run", "FILE",
                          "Writes the whole run that is shown, to be looked at again with replay\n"
                          "or in the window."};
constexpr Option kFormat{"format", "text|json", "How to print (text: for people)."};

constexpr auto kExploreOptions = std::to_array<Option>({
    kProtocol,
    kProtocolFile,
    kScenario,
    kClients,
    kFaults,
    {"max-schedules", "N", "How many runs of each plan are looked at, at most (20000)."},
    {"max-preemptions", "N",
     "Only runs in which at most N times a client that could go on has\nto wait for another."},
    kThreads,
    kSave,
    kSaveRun,
    kFormat,
});

constexpr auto kSimulateOptions = std::to_array<Option>({
    kProtocol,
    kProtocolFile,
    kScenario,
    kClients,
    kFaults,
    {"seed", "N", "Of the first run; the next one has the next number (1)."},
    {"runs", "N", "How many runs (10000)."},
    kThreads,
    kSave,
    kSaveRun,
    kFormat,
});

constexpr auto kReplayOptions = std::to_array<Option>({
    {"live", "", "Asks real servers the same, too; starts and stops them itself."},
    {"export", "perfetto|shiviz|csv|markdown",
     "Writes the run for another program: a trace, a log with vector clocks,\n"
     "its intervals, or its story for a ticket."},
    {"to", "FILE", "Where --export writes."},
    kSaveRun,
    kFormat,
});

constexpr auto kMatrixOptions = std::to_array<Option>({
    {"protocols", "LIST|all", "Ids and files, with commas in between (all built-in ones)."},
    {"faults", "LIST|all", "Kinds of faults, with commas in between (all)."},
    {"max-schedules", "N", "How many runs of each plan are looked at, at most (3000)."},
    kThreads,
    {"format", "table|json|markdown|csv", "How to print (table)."},
});

constexpr std::string_view kExploreDetails =
    "Looks at every run of a simulated world, the shortest first: clients that really run the\n"
    "protocol, servers that really run its commands and scripts, and one kind of fault at a\n"
    "time. Says for every promise whether it held within the bound, or in how few steps it\n"
    "broke and how. Needs no server. A promise that the protocol does not make under a fault is\n"
    "shown as not promised, and does not count for the exit code. With one that is broken it\n"
    "ends with 10, otherwise with 0; interrupted, it prints what was seen until then.\n"
    "\n"
    "Faults: interleaving (none, the order of the steps alone), crash, pause, hang,\n"
    "connection-loss, message-delay, message-loss, message-copy, clock-skew, clock-drift,\n"
    "clock-step, server-restart, failover, partition, slow-node, script-flush, force-release,\n"
    "eviction.\n";
constexpr std::string_view kExploreExamples =
    "  lockscope-cli explore --protocol set-nx-ex --faults interleaving,pause --save late.json\n"
    "  lockscope-cli explore --protocol ./my-lock.json\n"
    "  lockscope-cli explore --scenario two-workers.json --max-schedules 1000000\n";

constexpr std::string_view kSimulateDetails =
    "Runs a simulated world again and again, each time with another seed, and picks at random\n"
    "what happens next and what goes wrong: for plans that are too large to look at every run.\n"
    "What broke is shown with the seed of its run and then made as short as it gets. The same\n"
    "seeds give the same results on every machine. Ends as explore does.\n";
constexpr std::string_view kSimulateExamples =
    "  lockscope-cli simulate --protocol redlock --clients 5 --runs 100000\n"
    "  lockscope-cli simulate --protocol redisson-fair --faults crash,message-loss --seed 7\n";

constexpr std::string_view kReplayDetails =
    "Runs a counterexample of explore or simulate again, step by step, and tells it. Ends with\n"
    "10 when its violation shows again, as it should; with 0 when it does not, which takes a\n"
    "protocol that has changed; with 2 when the file cannot be read, comes from another\n"
    "revision of the engine, or has a step that is not possible.\n"
    "\n"
    "With --live every request of the run is also sent to private servers of its own\n"
    "(redis-server has to be installed), in the same order and after the same spans of time,\n"
    "and every answer is compared: 10 then means that the violation is real. With 0 they\n"
    "answered otherwise, with 2 the run has a fault that only a simulated server goes through.\n"
    "\n"
    "A file of --save-run is a run that is over: it is not run again, only told, and ends with\n"
    "10 when a promise was broken in it. --export and --save-run work for both kinds of files.\n";
constexpr std::string_view kReplayExamples = "  lockscope-cli replay late.json\n"
                                             "  lockscope-cli replay late.json --live\n"
                                             "  lockscope-cli replay late.json --export perfetto "
                                             "--to late.trace.json\n";

constexpr std::string_view kMatrixDetails =
    "Explores every protocol against every kind of fault. The table has in each cell the number\n"
    "of steps in which a promise broke; json has an object per cell and promise, with the story.\n"
    "Ends with 10 when a promise was broken, as those of flawed protocols are.\n";
constexpr std::string_view kMatrixExamples =
    "  lockscope-cli matrix\n"
    "  lockscope-cli matrix --protocols set-nx-px-token,./my-lock.json --faults crash,pause\n"
    "  lockscope-cli matrix --format json | jq -c '.[] | select(.status == \"broken\")'\n";

std::vector<Option> with(std::span<const Option> own)
{
    std::vector<Option> all(own.begin(), own.end());
    const auto general = app::generalOptions();
    all.insert(all.end(), general.begin(), general.end());
    return all;
}

} // namespace

std::vector<CommandInfo> searchCommands()
{
    return {{"explore", "", "the shortest way to break a protocol", kExploreDetails,
             kExploreExamples, with(kExploreOptions)},
            {"simulate", "", "seeded random runs in virtual time", kSimulateDetails,
             kSimulateExamples, with(kSimulateOptions)},
            {"replay", "FILE", "a saved counterexample or run", kReplayDetails, kReplayExamples,
             with(kReplayOptions)},
            {"matrix", "", "every protocol against every fault", kMatrixDetails, kMatrixExamples,
             with(kMatrixOptions)}};
}

} // namespace lockscope::cli
