#include "cli/search_commands.h"

#include "arguments.h"

#include <array>
#include <span>

namespace lockscope::cli {

namespace {

using app::Option;

constexpr Option kProtocol{"protocol", "ID|FILE",
                           "Protocol: an id listed by \"lockscope-cli protocols\", or a "
                           "custom\nprotocol file (a name with a slash, or ending in .json)."};
constexpr Option kProtocolFile{"protocol-file", "FILE", "Custom protocol, as JSON."};
constexpr Option kScenario{"scenario", "FILE",
                           "Workload and possible faults, as JSON; replaces the default\nplans."};
constexpr Option kClients{"clients", "N",
                          "Only plans for up to N clients, filled up to N (default of the plans)."};
constexpr Option kFaults{"faults", "LIST|all",
                         "Faults, separated by commas (all; with a scenario: those it\nallows)."};
constexpr Option kThreads{"threads", "N",
                          "Number of threads (one per core). Does not change any result."};
constexpr Option kSave{"save", "FILE", "Save the counterexample that is shown, for replay."};
constexpr Option kSaveRun{"save-run", "FILE",
                          "Save the whole run that is shown, for replay\nor for the window."};
constexpr Option kFormat{"format", "text|json", "Output format (text: for humans)."};

constexpr auto kExploreOptions = std::to_array<Option>({
    kProtocol,
    kProtocolFile,
    kScenario,
    kClients,
    kFaults,
    {"max-schedules", "N", "Maximum number of runs per plan (20000)."},
    {"max-preemptions", "N",
     "Only runs with at most N preemptions: a client that could continue\nhas to wait for "
     "another."},
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
    {"seed", "N", "Seed of the first run; each next run adds one (1)."},
    {"runs", "N", "Number of runs (10000)."},
    kThreads,
    kSave,
    kSaveRun,
    kFormat,
});

constexpr auto kReplayOptions = std::to_array<Option>({
    {"live", "", "Repeat the run on real servers, which are started and stopped."},
    {"export", "perfetto|shiviz|csv|markdown",
     "Export the run: a trace, a log with vector clocks, intervals, or a\nstory for a ticket."},
    {"to", "FILE", "Output file of --export."},
    kSaveRun,
    kFormat,
});

constexpr auto kMatrixOptions = std::to_array<Option>({
    {"protocols", "LIST|all", "Ids and files, separated by commas (all built-in protocols)."},
    {"faults", "LIST|all", "Kinds of faults, separated by commas (all)."},
    {"max-schedules", "N", "Maximum number of runs per plan (3000)."},
    kThreads,
    {"format", "table|json|markdown|csv", "Output format (table)."},
});

constexpr std::string_view kExploreDetails =
    "Searches all runs of a simulation, the shortest first: clients that execute the real\n"
    "protocol, servers that execute its commands and scripts, and one kind of fault at a\n"
    "time. Reports for every promise whether it held within the bound, or how it broke and in\n"
    "how few steps. Needs no server. A promise that the protocol does not make under a fault is\n"
    "shown as not promised, and does not affect the exit code. The exit code is 10 if a promise\n"
    "is broken, otherwise 0. If interrupted, the results so far are printed.\n\n"
    "Faults: interleaving (no fault, only the order of the steps varies), crash, pause, hang,\n"
    "connection-loss, message-delay, message-loss, message-copy, clock-skew, clock-drift,\n"
    "clock-step, server-restart, failover, partition, slow-node, script-flush, force-release,\n"
    "eviction.\n";
constexpr std::string_view kExploreExamples =
    "  lockscope-cli explore --protocol set-nx-ex --faults interleaving,pause --save late.json\n"
    "  lockscope-cli explore --protocol ./my-lock.json\n"
    "  lockscope-cli explore --scenario two-workers.json --max-schedules 1000000\n";

constexpr std::string_view kSimulateDetails =
    "Runs a simulation again and again with different seeds and makes random choices of what\n"
    "happens next and which faults occur: for plans that are too large for an exhaustive search.\n"
    "A violation is shown with the seed of its run and then minimised. The same seeds give the\n"
    "same results on every machine. The exit code is that of explore.\n";
constexpr std::string_view kSimulateExamples =
    "  lockscope-cli simulate --protocol redlock --clients 5 --runs 100000\n"
    "  lockscope-cli simulate --protocol redisson-fair --faults crash,message-loss --seed 7\n";

constexpr std::string_view kReplayDetails =
    "Replays a counterexample of explore or simulate step by step and prints its story. The exit\n"
    "code is 10 if its violation is reproduced, as expected; 0 if not, for example because the\n"
    "protocol has changed; 2 if the file cannot be read, is from another revision of the\n"
    "engine, or contains an impossible step.\n\n"
    "With --live every request of the run is also sent to private servers (redis-server must be\n"
    "installed), in the same order and with the same delays, and every answer is compared: 10 "
    "then\n"
    "means that the violation is real, 0 that the answers differ, 2 that the run contains a fault\n"
    "that only a simulated server can reproduce.\n\n"
    "A file of --save-run is a finished run: it is only printed, and the exit code is 10 if a\n"
    "promise was broken in it. --export and --save-run work for both kinds of files.\n";
constexpr std::string_view kReplayExamples = "  lockscope-cli replay late.json\n"
                                             "  lockscope-cli replay late.json --live\n"
                                             "  lockscope-cli replay late.json --export perfetto "
                                             "--to late.trace.json\n";

constexpr std::string_view kMatrixDetails =
    "Explores every protocol under every kind of fault. Each cell of the table contains the "
    "number\n"
    "of steps in which a promise broke; json has an object per cell and promise, with the story.\n"
    "The exit code is 10 if a promise was broken, which is expected for flawed protocols.\n";
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
    return {{"explore", "", "find the shortest way to break a protocol", kExploreDetails,
             kExploreExamples, with(kExploreOptions)},
            {"simulate", "", "random runs in virtual time, by seed", kSimulateDetails,
             kSimulateExamples, with(kSimulateOptions)},
            {"replay", "FILE", "replay a saved counterexample or run", kReplayDetails,
             kReplayExamples, with(kReplayOptions)},
            {"matrix", "", "every protocol under every fault", kMatrixDetails, kMatrixExamples,
             with(kMatrixOptions)}};
}

} // namespace lockscope::cli
