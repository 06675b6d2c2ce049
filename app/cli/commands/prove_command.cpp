#include "adapter_skeletons.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/options/run_output_options.h"
#include "app/cli/options/search_subject.h"
#include "app/cli/session/proof_run.h"
#include "app/quoted_words.h"
#include "core/kernel/protocol/file_section.h"

#include <algorithm>
#include <sstream>

namespace lockscope::cli {

using app::ArgumentError;
using service::ProofOrder;

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kStepsMax = 6;
constexpr std::uint64_t kProofSeedMax = 1'000'000'000'000;
constexpr std::uint64_t kProofThreadsMax = 64;
constexpr std::uint64_t kRandomMax = 8;

constexpr CommandText kProveText{
    .name = "prove",
    .operand = "-- COMMAND...",
    .usage = "[options] -- COMMAND...\n       lockscope-cli prove [options] --adapter COMMAND",
    .summary = "search a real client for the shortest way to break its lock",
    .details = R"(
Starts several processes of a real, unmodified client against a server that Lockscope plays,
decides the order of all requests and answers, moves the clock, delays, loses and cuts, stops
and kills, and shows the shortest run that breaks a promise. COMMAND is an adapter: some twenty
lines around the client that read words such as acquire and release, and answer. docs/adapters.md
has the dialogue and examples.

A find is replayed ten times and reported with the number of times that it showed again. What no
lease can prevent without fencing is listed apart. The exit code is 10 if a promise was broken, 2
if the adapter does not keep to the dialogue, 6 if no run came to what it was to do, 9 if nothing
was found but not all single deviations were tried (give it more --budget), otherwise 0: nothing
was found within the bounds, which does not mean that nothing is there.

With --clock virtual the client's timers follow the clock of the server, so that a watchdog of 30
seconds takes none. It works for Python, Node, the JVM, Ruby, PHP and programs that use the C
library; programs in Go and static ones need --clock real.
)",
    .examples = R"(
  lockscope-cli prove --new-adapter python > adapter.py
  lockscope-cli prove -- python3 adapter.py
  lockscope-cli prove --adapter 'node worker.js' --faults crash,pause --budget 5m
  lockscope-cli prove --save find.json -- ./worker && lockscope-cli replay find.json -- ./worker
  lockscope-cli prove --clock real --lease 500ms --format json -- ./worker | jq '.finds[0].story'
)",
};

class ProveCommand final : public CommandWith<ProveArguments> {
public:
    ProveCommand() : CommandWith(kProveText)
    {
        m_arguments.order.proof.bounds.faults = conduct::possibleFaults();
    }

    void declare(app::OptionSet& options) override
    {
        declareClient(options);
        declareWork(options);
        options.addNumber("deviations", m_arguments.order.proof.bounds.stepsMax, 0, kStepsMax,
                          "Steps by which a run may differ from the natural order (3).");
        options.addDuration("budget", m_arguments.order.proof.budget, "Time for the search (2m).");
        options.addNumber("random", m_arguments.order.proof.bounds.randomMax, 0, kRandomMax,
                          "When all of that was tried: runs with up to so many deviations at\n"
                          "random, until the time is over (0: none).");
        declareSurroundings(options);
        options.addSwitch("first", m_arguments.order.proof.bounds.endsWithFirst,
                          "Stop as soon as a promise is broken.");
        options.addNumber("seed", m_arguments.order.proof.bounds.seed, 0, kProofSeedMax,
                          "Of the order in which pairs are tried (1).");
        options.addFile("save", m_arguments.order.saveFile,
                        "Save the shortest find, for replay FILE -- COMMAND...");
        declareRunOutputs(options, m_arguments.order.outputs);
        options.addNumber("threads", m_arguments.order.proof.threadCount, 1, kProofThreadsMax,
                          "Runs at the same time (one per core; with --clock real four).");
        declareFormat(options, m_arguments.format, {Format::Text, Format::Json, Format::Junit});
    }

    void complete(const Operands& operands) override
    {
        if (!operands.words.empty()) {
            throw ArgumentError{"prove: write -- before the command of the adapter"};
        }
        if (!m_arguments.skeleton.empty()) {
            return;
        }
        if (operands.command.empty() == m_arguments.adapter.empty()) {
            throw ArgumentError{m_arguments.adapter.empty()
                                    ? "prove needs -- COMMAND... or --adapter COMMAND"
                                    : "prove takes -- COMMAND... or --adapter COMMAND, not both"};
        }
        if (m_arguments.order.proof.usesRealServer && m_arguments.order.proof.replicaCount > 0) {
            throw ArgumentError{"prove: a real server has no replicas here"};
        }
        if (m_arguments.order.proof.isProgram && !m_arguments.order.proof.workload.empty()) {
            throw ArgumentError{"prove: --workload is for adapters, a program does what it does"};
        }
        checkRunOutputs(m_arguments.order.outputs);
        m_arguments.order.proof.words = m_arguments.adapter.empty()
                                            ? operands.command
                                            : std::vector<std::string>{
                                                "/bin/sh", "-c", "exec " + m_arguments.adapter};
    }

    async::Task<int> run(Context context) override
    {
        if (!m_arguments.skeleton.empty()) {
            context.output.print(std::string(m_arguments.skeleton) + '\n');
            co_return ExitDone;
        }
        co_return co_await runProof(context, m_arguments.order, m_arguments.format);
    }

private:
    void declareClient(app::OptionSet& options)
    {
        const std::vector<std::pair<std::string_view, std::string_view>> skeletons{
            {"python", skeletons::kPython}, {"node", skeletons::kNode}, {"java", skeletons::kJava},
            {"go", skeletons::kGo},         {"rust", skeletons::kRust}, {"cpp", skeletons::kCpp},
            {"shell", skeletons::kShell}};
        options.addChoice("new-adapter", m_arguments.skeleton, skeletons,
                          "Print an adapter in this language, and nothing else.");
        options.addText("adapter", "COMMAND", m_arguments.adapter,
                        "The adapter as a line for the shell, instead of -- COMMAND...");
        options.addSwitch("program", m_arguments.order.proof.isProgram,
                          "COMMAND is a whole program and no adapter: it writes enter and leave\n"
                          "to the file that LOCKSCOPE_SECTION names.");
        options.addDuration("lease", m_arguments.order.proof.lease,
                            "The lease that it asks for (2s); 0s: none.");
        const std::vector<std::pair<std::string_view, conduct::ClientClock>> clocks(
            conduct::kClientClocks.begin(), conduct::kClientClocks.end());
        options.addChoice("clock", m_arguments.order.proof.clock, clocks,
                          "Its clock: moved by us alone (virtual), moved by us while real\n"
                          "time counts besides (flowing), or its own (real).");
    }

    /// What it does, and what is asked of it.
    void declareWork(app::OptionSet& options)
    {
        declareFaults(options, m_arguments.order.proof.bounds.faults,
                      "What may go wrong, separated by commas:", "faults",
                      conduct::possibleFaults());
        options.add(
            "promises", "ID,...", [this](const std::string& text) { return readPromises(text); },
            "What it is held to, separated by commas: mutual-exclusion,\n"
            "read-write-exclusion, no-stuck-lock, no-lost-wakeup, reentry-balance,\n"
            "fairness, fencing-order (all of these), and lease-honesty: an acquire\n"
            "or extension that is answered too late says so.");
        const std::vector<std::pair<std::string_view, std::string>> workloads{
            {"in-turn", "in-turn"},
            {"two-locks", "two-locks"},
            {"readers-writer", "readers-writer"},
            {"reentrant", "reentrant"},
            {"threads", "threads"},
            {"waiting", "waiting"}};
        options.addChoice("workload", m_arguments.order.proof.workload, workloads,
                          "What the processes do (everything that suits the adapter).");
        options.add(
            "replay", "STEP", [this](const std::string& text) { return readStep(text); },
            "No search: only this step of the \"schedule\" of a find in JSON; once for\n"
            "each step, with the --workload of the find.",
            true);
    }

    void declareSurroundings(app::OptionSet& options)
    {
        options.addNumber("processes", m_arguments.order.proof.processCount,
                          ProofOrder::kProcessesMin, ProofOrder::kProcessesMax,
                          "Processes of the adapter (3).");
        options.addNumber("servers", m_arguments.order.proof.serverCount, 1,
                          ProofOrder::kServersMax,
                          "Independent servers, as Redlock needs them (1); see LOCKSCOPE_URLS.");
        options.addNumber("replicas", m_arguments.order.proof.replicaCount, 0,
                          ProofOrder::kReplicasMax,
                          "Replicas of each server that the client can ask after (0).");
        options.addChoice("server", m_arguments.order.proof.usesRealServer,
                          std::vector<std::pair<std::string_view, bool>>{{"simulated", false},
                                                                         {"real", true}},
                          "What answers the client: a simulated server, or a private\n"
                          "redis-server whose leases follow the clock of the run.");
    }

    std::string readPromises(const std::string& text)
    {
        std::vector<protocol::Promise> allowed = conduct::usualPromises();
        allowed.push_back(protocol::Promise::LeaseHonesty);
        m_arguments.order.proof.bounds.promises.clear();
        std::istringstream ids(text);
        for (std::string id; std::getline(ids, id, ',');) {
            const auto promise = protocol::promiseNamed(id);
            if (!promise || std::ranges::find(allowed, *promise) == allowed.end()) {
                return app::inQuotes(id) + " is no promise that can be judged from outside";
            }
            m_arguments.order.proof.bounds.promises.push_back(*promise);
        }
        return {};
    }

    std::string readStep(const std::string& text)
    {
        const auto step = conduct::parseDeviation(text);
        if (!step) {
            return app::inQuotes(text) + " is no step of a schedule";
        }
        auto& schedule = m_arguments.order.proof.bounds.schedule;
        schedule = schedule.value_or(std::vector<conduct::Deviation>{});
        schedule->push_back(*step);
        return {};
    }
};

} // namespace

std::unique_ptr<Command> proveCommand()
{
    return std::make_unique<ProveCommand>();
}

} // namespace lockscope::cli
