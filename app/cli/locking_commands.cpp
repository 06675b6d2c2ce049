#include "cli/locking_commands.h"

#include "arguments.h"

#include <array>
#include <span>

namespace lockscope::cli {

namespace {

using app::Option;

constexpr Option kFormat{"format", "table|json", "How to print (table: for people)."};
constexpr Option kProtocolFile{"protocol-file", "FILE",
                               "A protocol of your own, as JSON; without --protocol it is the\n"
                               "one that is used."};
constexpr Option kProtocol{"protocol", "ID",
                           "How to lock (set-nx-px-token; with several --url: redlock).\n"
                           "\"lockscope-cli protocols\" lists them. Or the file of your own."};
constexpr Option kLease{"lease", "DURATION", "How long a grant lasts (as the protocol has it)."};

constexpr Option kRetry{"retry", "DURATION",
                        "The pause between two tries (as the protocol has it)."};
constexpr Option kRetryMax{"retry-max", "DURATION",
                           "Every pause is twice the one before, up to this; as long as --retry:\n"
                           "they are all alike (as the protocol has it)."};
constexpr Option kJitter{"jitter", "DURATION",
                         "Up to this much is added to each at random (as the protocol has it)."};
constexpr Option kTries{"tries", "N",
                        "Give up after so many tries; 0: when the wait is over (as the protocol\n"
                        "has it)."};

constexpr auto kWishOptions = std::to_array<Option>({
    {"key", "KEY", "The lock. May hold bytes as \\xNN."},
    kProtocol,
    kProtocolFile,
    kLease,
    {"wait", "DURATION", "How long to wait for the lock (0s: one try)."},
    kRetry,
    kRetryMax,
    kJitter,
    kTries,
    {"renew", "DURATION|off",
     "How often the lock is renewed (as the protocol has it, otherwise\n"
     "three times per lease); off: it runs out with its lease."},
    {"mode", "read|write", "Of protocols with readers and writers (write)."},
    {"permits", "N", "Of a semaphore: how many may hold at once (1)."},
});

constexpr auto kRunOptions = std::to_array<Option>({
    {"kill-after", "DURATION",
     "When the lock is lost the command gets SIGTERM, and SIGKILL this\nmuch later (10s)."},
});

constexpr auto kAcquireOptions = std::to_array<Option>({
    {"hold", "DURATION", "How long to keep the lock. 0s: release it at once."},
    kFormat,
});

constexpr auto kContendOptions = std::to_array<Option>({
    {"protocol", "ID", "How to lock; \"lockscope-cli protocols\" lists them."},
    kProtocolFile,
    {"save-run", "FILE",
     "Writes the whole run, to be looked at again with replay or\nin the window."},
    {"clients", "N", "How many contenders, each with connections of its own (10)."},
    {"for", "DURATION", "How long (10s)."},
    {"kind", "NAME",
     "contention: think, acquire, hold, release, again (the usual);\n"
     "hot-standby: one works and dies, the others poll for its place;\n"
     "draw: one try each, all at once, exactly one may win."},
    {"keys", "N", "How many locks (1)."},
    {"think", "TIME",
     "Between two acquisitions (~20ms): 10ms always, 5ms..20ms evenly\n"
     "between, ~20ms exponential with that mean."},
    {"hold", "TIME", "How long a lock is held (5ms; hot-standby: 1s), written likewise."},
    kLease,
    {"wait", "DURATION", "How long a contender waits before it gives up (30s)."},
    kRetry,
    kRetryMax,
    kJitter,
    kTries,
    {"renew", "DURATION|off", "How often holders renew (as the protocol has it)."},
    {"read-share", "SHARE", "How many of the requests are for reading (0%)."},
    {"depth", "N", "How often a holder takes the lock it holds (1)."},
    {"permits", "N", "Of a semaphore: how many may hold at once (1)."},
    {"crash", "SHARE", "How many holders vanish without releasing (0%)."},
    {"pause", "SHARE", "How many holders stand still, renewals included (0%)."},
    {"pause-for", "DURATION", "For how long they do (one and a half leases)."},
    {"threads", "N", "On how many threads (2)."},
    {"private", "N",
     "Start N private servers for the run. Without --url: one, five for\n"
     "a protocol of several masters."},
    {"predict", "",
     "Do not run anything: compute what the run would come to, also for\n"
     "numbers that no machine can run."},
    {"seed", "N", "Of what is drawn at random (1)."},
    kFormat,
});

constexpr auto kProtocolsOptions = std::to_array<Option>({kProtocolFile, kFormat});

constexpr std::string_view kProtocolsDetails =
    "Lists the lock protocols, or explains the one named: what it promises and on which\n"
    "assumptions, what it needs of the server, what it does by default, and where it breaks.\n"
    "Needs no server. Protocols with a flaw are there to be tried out with contend.\n";
constexpr std::string_view kProtocolsExamples =
    "  lockscope-cli protocols\n"
    "  lockscope-cli protocols set-nx-ex\n"
    "  lockscope-cli protocols --format json | jq -r '.[] | select(.flaw == null) | .id'\n";

constexpr std::string_view kRunDetails =
    "Takes the lock, runs the command, keeps the lock renewed meanwhile, and gives it back on\n"
    "every way out. The command gets its standard streams untouched, and LOCKSCOPE_KEY,\n"
    "LOCKSCOPE_TOKEN and, if the protocol has one, LOCKSCOPE_FENCE in its environment. No shell\n"
    "is involved: write sh -c '...' for one.\n"
    "SIGINT, SIGTERM, SIGHUP and SIGQUIT are passed on to the process group of the command,\n"
    "SIGUSR1 and SIGUSR2 to the command alone.\n"
    "When the lock is lost, which is heard at once from Redis 6 on, everything that the command\n"
    "started gets SIGTERM, and SIGKILL after --kill-after: what runs without the lock must not\n"
    "go on. So it is when lockscope-cli itself is killed. The lock is kept until the last process\n"
    "of the command has ended. The man page says what this cannot do.\n"
    "\n"
    "The exit code is that of the command (128+N when signal N ended it) if the lock held to the\n"
    "end. The command was not started: 7 somebody else held the lock all the time, 1 the server\n"
    "could not be used, 5 it refused, 6 unknown whether it was granted, 127 or 126 there is no\n"
    "such command or it cannot be executed, 128+N signal N came while waiting. The lock was\n"
    "lost: 3 somebody else has it, 4 it is gone or its lease ran out, 1 the server was away\n"
    "longer than the lease, 5 the server refused to renew it.\n";
constexpr std::string_view kRunExamples =
    "  # crontab on five machines: one of them does it, the others end quietly with 7\n"
    "  lockscope-cli run --url redis://cache-1 --key job:sync --lease 30s -- /opt/sync --all\n"
    "  # a deployment waits for the one before it\n"
    "  lockscope-cli run --key deploy:shop --wait 10m -- sh -c './migrate && ./restart'\n"
    "  # three independent masters\n"
    "  lockscope-cli run --url redis://a --url redis://b --url redis://c --key nightly -- ./job\n";

constexpr std::string_view kAcquireDetails =
    "Takes a lock on purpose, keeps it for a while, and gives it back then or at SIGINT, SIGTERM,\n"
    "SIGHUP or SIGQUIT: for tests, and to keep others out during maintenance. A lock that is\n"
    "held for longer than its lease is renewed if the protocol can. What happens is said with\n"
    "times; with --format json on standard error, and one object on standard output at the end.\n"
    "Ends with 0 released, 7 not acquired, 3 somebody else had it at the end, 4 it was gone.\n";
constexpr std::string_view kAcquireExamples =
    "  lockscope-cli acquire --key job:sync --hold 30m --wait 5m\n"
    "  lockscope-cli acquire --key report --protocol rw-hash-owners --mode read --hold 10s\n"
    "  lockscope-cli acquire --key stuck --protocol setnx-no-expiry --hold 1h\n";

constexpr std::string_view kContendDetails =
    "Lets many contenders fight for locks on real servers, and reports what it cost and which\n"
    "promise broke. Without --url private servers are started and stopped: nothing of yours is\n"
    "touched. With --url the keys are lock:contend-NNNN:0 and so on. Contenders enter and\n"
    "leave a shared page under the lock, which sees overlaps whatever they believe. Interrupted,\n"
    "it releases everything and still reports. SHARE is written 5% or 0.05.\n"
    "Ends with 10 when a promise was broken, whether or not the protocol makes it.\n";
constexpr std::string_view kContendExamples =
    "  # 200 clients poll one lock, or wait to be woken: compare the waits and the commands\n"
    "  lockscope-cli contend --protocol set-nx-px-token --clients 200 --for 10s\n"
    "  lockscope-cli contend --protocol redisson-lock --clients 200 --for 10s\n"
    "  # holders that stand still beyond their lease: somebody else gets in\n"
    "  lockscope-cli contend --protocol set-nx-ex --clients 8 --for 10s --lease 1s --pause 5%\n"
    "  # a crash blocks for ever\n"
    "  lockscope-cli contend --protocol setnx-no-expiry --crash 1% --for 3s --format json\n"
    "  # how long until the next one works?\n"
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
    return {{"run", "-- COMMAND...", "hold a lock around a command", kRunDetails, kRunExamples,
             joined({kWishOptions, kRunOptions, serverBesideKey, general})},
            {"acquire", "[KEY]", "take a lock, keep it for a while, give it back", kAcquireDetails,
             kAcquireExamples, joined({kWishOptions, kAcquireOptions, serverBesideKey, general})},
            {"contend", "", "live contention: what it costs, and what breaks", kContendDetails,
             kContendExamples, joined({kContendOptions, server, general})},
            {"protocols", "[ID]", "the lock protocols, or one of them explained", kProtocolsDetails,
             kProtocolsExamples, joined({kProtocolsOptions, general})}};
}

} // namespace lockscope::cli
