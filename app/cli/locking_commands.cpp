#include "cli/locking_commands.h"

#include "arguments.h"

#include <array>
#include <span>

namespace lockscope::cli {

namespace {

using app::Option;

constexpr Option kFormat{"format", "table|json", "Output format (table: for humans)."};
constexpr Option kProtocolFile{"protocol-file", "FILE",
                               "Custom protocol, as JSON; used if --protocol is\nomitted."};
constexpr Option kProtocol{"protocol", "ID",
                           "Protocol (set-nx-px-token; with several --url: redlock), listed "
                           "by\n\"lockscope-cli protocols\", or the file of a custom one."};
constexpr Option kLease{"lease", "DURATION", "Lease of a grant (default of the protocol)."};

constexpr Option kRetry{"retry", "DURATION",
                        "Interval between two attempts (default of the protocol)."};
constexpr Option kRetryMax{"retry-max", "DURATION",
                           "Double every interval up to this one; equal to --retry:\nconstant "
                           "intervals (default of the protocol)."};
constexpr Option kJitter{"jitter", "DURATION",
                         "Maximum random time added to each interval (default of the protocol)."};
constexpr Option kTries{
    "tries", "N",
    "Maximum number of attempts; 0: until the wait is over (default of the\nprotocol)."};

constexpr auto kWishOptions = std::to_array<Option>({
    {"key", "KEY", "Key of the lock. May contain bytes as \\xNN."},
    kProtocol,
    kProtocolFile,
    kLease,
    {"wait", "DURATION", "Maximum wait for the lock (0s: one attempt)."},
    kRetry,
    kRetryMax,
    kJitter,
    kTries,
    {"renew", "DURATION|off",
     "Interval between renewals (default of the protocol, otherwise\na third of the lease); off: "
     "the lock expires with its lease."},
    {"mode", "read|write", "For protocols with readers and writers (write)."},
    {"permits", "N", "For a semaphore: maximum number of holders (1)."},
});

constexpr auto kRunOptions = std::to_array<Option>({
    {"kill-after", "DURATION",
     "If the lock is lost, the command gets SIGTERM, and SIGKILL after this\ntime (10s)."},
});

constexpr auto kAcquireOptions = std::to_array<Option>({
    {"hold", "DURATION", "How long to keep the lock. 0s: release it at once."},
    kFormat,
});

constexpr auto kContendOptions = std::to_array<Option>({
    {"protocol", "ID", "Protocol; \"lockscope-cli protocols\" lists them."},
    kProtocolFile,
    {"save-run", "FILE", "Save the whole run, for replay or\nfor the window."},
    {"clients", "N", "Number of contenders, each with its own connections (10)."},
    {"for", "DURATION", "Duration of the run (10s)."},
    {"kind", "NAME",
     "contention: think, acquire, hold, release, repeat (default);\nhot-standby: one works and "
     "dies, the others retry to take over;\ndraw: one attempt each at the same time, exactly one "
     "may win."},
    {"keys", "N", "Number of locks (1)."},
    {"think", "TIME",
     "Time between two acquisitions (~20ms): 10ms constant, 5ms..20ms\nuniform, ~20ms exponential "
     "with that mean."},
    {"hold", "TIME", "How long a lock is held (5ms; hot-standby: 1s), in the same form."},
    kLease,
    {"wait", "DURATION", "Maximum wait of a contender (30s)."},
    kRetry,
    kRetryMax,
    kJitter,
    kTries,
    {"renew", "DURATION|off", "Interval between renewals (default of the protocol)."},
    {"read-share", "SHARE", "Share of requests that only read (0%)."},
    {"depth", "N", "Number of nested acquisitions by a holder (1)."},
    {"permits", "N", "For a semaphore: maximum number of holders (1)."},
    {"crash", "SHARE", "Share of holders that crash without releasing (0%)."},
    {"pause", "SHARE", "Share of holders that pause, including their renewals (0%)."},
    {"pause-for", "DURATION", "Duration of a pause (1.5 times the lease)."},
    {"threads", "N", "Number of threads (2)."},
    {"private", "N",
     "Start N private servers for the run. Without --url: one, or five for\na protocol with "
     "several masters."},
    {"predict", "",
     "Predict the result without running anything, also for numbers that\n"
     "no machine can run."},
    {"seed", "N", "Seed of the random numbers (1)."},
    kFormat,
});

constexpr auto kProtocolsOptions = std::to_array<Option>({kProtocolFile, kFormat});

constexpr std::string_view kProtocolsDetails =
    "Lists the lock protocols, or explains one of them: its promises and assumptions, its server\n"
    "requirements, its defaults and its known flaw. Needs no server. Protocols with a flaw are\n"
    "included so that they can be tested with contend.\n";
constexpr std::string_view kProtocolsExamples =
    "  lockscope-cli protocols\n"
    "  lockscope-cli protocols set-nx-ex\n"
    "  lockscope-cli protocols --format json | jq -r '.[] | select(.flaw == null) | .id'\n";

constexpr std::string_view kRunDetails =
    "Acquires the lock, runs the command, renews the lock meanwhile, and releases it however the\n"
    "command ends. The command inherits the standard streams, and its environment contains\n"
    "LOCKSCOPE_KEY, LOCKSCOPE_TOKEN and, if the protocol has one, LOCKSCOPE_FENCE. No shell\n"
    "is used: write sh -c '...' for one.\n"
    "SIGINT, SIGTERM, SIGHUP and SIGQUIT are forwarded to the process group of the command,\n"
    "SIGUSR1 and SIGUSR2 only to the command.\n"
    "If the lock is lost, which is noticed at once with Redis 6 or later, all processes of the\n"
    "command get SIGTERM, and SIGKILL after --kill-after: nothing must run without the lock. The\n"
    "same happens if lockscope-cli itself is killed. The lock is kept until the last process of\n"
    "the command has ended. The man page describes the limits.\n\n"
    "The exit code is that of the command (128+N if signal N ended it) if the lock was held to "
    "the\n"
    "end. The command was not started: 7 another owner held the lock the whole time, 1 the server\n"
    "was unusable, 5 the server refused, 6 unknown whether the lock was granted, 127 command not\n"
    "found, 126 command not executable, 128+N signal N arrived while waiting. The lock was\n"
    "lost: 3 another owner holds it, 4 it is gone or its lease expired, 1 the server was\n"
    "unreachable for longer than the lease, 5 the server refused to renew it.\n";
constexpr std::string_view kRunExamples =
    "  # crontab on five machines: one of them runs the job, the others exit quietly with 7\n"
    "  lockscope-cli run --url redis://cache-1 --key job:sync --lease 30s -- /opt/sync --all\n"
    "  # a deployment waits for the previous one\n"
    "  lockscope-cli run --key deploy:shop --wait 10m -- sh -c './migrate && ./restart'\n"
    "  # three independent masters\n"
    "  lockscope-cli run --url redis://a --url redis://b --url redis://c --key nightly -- ./job\n";

constexpr std::string_view kAcquireDetails =
    "Acquires a lock, keeps it for a while and releases it, or releases it on SIGINT, SIGTERM,\n"
    "SIGHUP or SIGQUIT: for tests, and to block other clients during maintenance. A lock that is\n"
    "held for longer than its lease is renewed if the protocol supports it. Events are printed "
    "with\n"
    "times; with --format json to standard error, and one object to standard output at the end.\n"
    "The exit code is 0 released, 7 not acquired, 3 another owner held it at the end, 4 it was "
    "gone.\n";
constexpr std::string_view kAcquireExamples =
    "  lockscope-cli acquire --key job:sync --hold 30m --wait 5m\n"
    "  lockscope-cli acquire --key report --protocol rw-hash-owners --mode read --hold 10s\n"
    "  lockscope-cli acquire --key stuck --protocol setnx-no-expiry --hold 1h\n";

constexpr std::string_view kContendDetails =
    "Runs many contenders that compete for locks on real servers, and reports the cost and the\n"
    "broken promises. Without --url private servers are started and stopped: your servers are not\n"
    "touched. With --url the keys are lock:contend-NNNN:0 and so on. Contenders enter and\n"
    "leave a shared resource under the lock, which detects overlaps whatever they believe. If\n"
    "interrupted, it releases everything and still reports. SHARE is written 5% or 0.05.\n"
    "The exit code is 10 if a promise was broken, whether or not the protocol makes it.\n";
constexpr std::string_view kContendExamples =
    "  # 200 clients poll one lock, or wait to be woken: compare the waits and the commands\n"
    "  lockscope-cli contend --protocol set-nx-px-token --clients 200 --for 10s\n"
    "  lockscope-cli contend --protocol redisson-lock --clients 200 --for 10s\n"
    "  # holders pause beyond their lease: another contender acquires the lock\n"
    "  lockscope-cli contend --protocol set-nx-ex --clients 8 --for 10s --lease 1s --pause 5%\n"
    "  # a crash blocks the others forever\n"
    "  lockscope-cli contend --protocol setnx-no-expiry --crash 1% --for 3s --format json\n"
    "  # how long does a takeover take?\n"
    "  lockscope-cli contend --protocol set-nx-px-token --kind hot-standby --lease 2s --for 30s\n";

std::vector<Option> joined(std::initializer_list<std::span<const Option>> tables)
{
    std::vector<Option> all;
    for (const std::span<const Option> table : tables) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

} // namespace

std::vector<CommandInfo> lockingCommands()
{
    const auto server = app::serverOptions();
    const auto serverBesideKey = app::serverOptionsBesideKey();
    const auto general = app::generalOptions();
    return {{"run", "-- COMMAND...", "hold a lock while a command runs", kRunDetails, kRunExamples,
             joined({kWishOptions, kRunOptions, serverBesideKey, general})},
            {"acquire", "[KEY]", "acquire a lock, keep it for a while, release it", kAcquireDetails,
             kAcquireExamples, joined({kWishOptions, kAcquireOptions, serverBesideKey, general})},
            {"contend", "", "live contention: cost and broken promises", kContendDetails,
             kContendExamples, joined({kContendOptions, server, general})},
            {"protocols", "[ID]", "list the lock protocols, or explain one", kProtocolsDetails,
             kProtocolsExamples, joined({kProtocolsOptions, general})}};
}

} // namespace lockscope::cli
