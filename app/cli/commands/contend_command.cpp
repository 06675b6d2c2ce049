#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/options/run_options.h"
#include "app/cli/output/contend_report.h"
#include "app/cli/output/run_outputs.h"
#include "app/cli/process/signal_relay.h"
#include "app/cli/session/server_link.h"
#include "core/files/file_limits.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/contend_call.h"
#include "core/kernel/report/run/live_record.h"
#include "core/wire/run/redis_live_runner.h"

#include <algorithm>
#include <csignal>
#include <string>

namespace lockscope::cli {

using workload::LiveRunProgress;
using Phase = LiveRunProgress::Phase;

namespace {

constexpr std::uint64_t kRunThreadsMax = 64;
constexpr std::uint64_t kPrivateServersMax = 16;
constexpr int kPrivateMasters = 5; // of a protocol of several masters

/// One run of `contend`.
contention::Prediction predictionFor(const ContendArguments& arguments, std::size_t serverCount)
{
    contention::Costs costs;
    costs.driver.threadCount = arguments.threadCount;
    return contention::predict(*arguments.protocol, arguments.scenario, costs,
                               static_cast<int>(serverCount));
}

class Contending final : public QObject {
public:
    Contending(const Context& context, const ContendArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output)
    {
        connect(&m_relay, &SignalRelay::received, this, [this] { m_runner.stop(); });
        connect(&m_runner, &service::LiveRunner::progressed, this, &Contending::takeProgress);
        m_runner.start(order());
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    workload::LiveRunOrder order() const
    {
        return {m_arguments.scenario, m_arguments.protocol, m_context.endpoints,
                m_arguments.privateServerCount, m_arguments.threadCount};
    }

    void takeProgress(const LiveRunProgress& progress)
    {
        switch (progress.phase) {
        case Phase::Running:
        case Phase::Stopping: m_context.output.progress(contendProgressLine(progress)); return;
        case Phase::Finished: m_end.complete(report(progress)); return;
        case Phase::Failed:
            m_context.output.complain(problemText(progress.problem));
            m_end.complete(exitCodeOf(progress.problem));
            return;
        case Phase::Idle:
        case Phase::Starting:
        case Phase::Parked: return;
        }
    }

    std::string problemText(const store::Problem& problem) const
    {
        if (m_arguments.privateServerCount > 0 && !problem.detail.empty()) {
            return problem.detail; // there is no redis-server, or it does not start
        }
        std::string names;
        for (const std::string& name : serverNames(m_context.endpoints)) {
            names += (names.empty() ? "" : ", ") + name;
        }
        return names + (names.empty() ? "" : ": ") + store::explain(problem);
    }

    /// What went wrong with --save-run, in one sentence; empty: nothing.
    std::string saveRun(const LiveRunProgress& progress) const
    {
        if (m_arguments.runFile.empty()) {
            return {};
        }
        report::RunFile run = report::runFileOf({m_arguments.protocol, m_arguments.ownText},
                                                m_arguments.scenario, progress,
                                                {m_runner.events(), m_runner.serverHolds()});
        run.command = report::contendCall(order(), m_arguments.protocolFile);
        return writeOutputs({m_arguments.runFile, {}, {}}, run);
    }

    int report(const LiveRunProgress& progress)
    {
        report::RunReport report = contendReport(m_arguments, progress, m_runner.events());
        if (m_arguments.isPredictedToo) {
            report.prediction = predictionFor(m_arguments, progress.servers.size());
        }
        m_context.output.print(m_arguments.format == Format::Json
                                   ? report::runJson(report).dump() + '\n'
                                   : contendText(m_arguments, progress, report));
        if (const std::string complaint = saveRun(progress); !complaint.empty()) {
            m_context.output.complain(complaint);
            return ExitBadArguments;
        }
        const trace::RunStatistics& statistics = progress.statistics;
        const bool isServerFailing = statistics.unavailable + statistics.errors > 0;
        if (statistics.acquisitions == 0 && isServerFailing) {
            return ExitUnreachable; // that was no contention
        }
        if (!report.untested.empty()) {
            return ExitBadArguments; // there is nothing to judge
        }
        return report::isPromiseBroken(report.promises) ? ExitPromiseBroken : ExitDone;
    }

    const Context& m_context;
    const ContendArguments& m_arguments;
    SignalRelay m_relay;
    async::Completer<int> m_end;
    wire::RedisLiveRunner m_runner; // last: it tells this
};

int predictContention(const Context& context, const ContendArguments& arguments)
{
    const auto servers = static_cast<std::size_t>(arguments.privateServerCount);
    const contention::Prediction prediction = predictionFor(arguments, servers);
    context.output.print(arguments.format == Format::Json
                             ? report::runJson(predictionReport(arguments, prediction)).dump()
                                   + '\n'
                             : predictionText(arguments, prediction));
    return ExitDone;
}

constexpr CommandText kContendText{
    .name = "contend",
    .usage = "--protocol ID --clients N --for DURATION [options]",
    .summary = "live contention: cost and broken promises",
    .details = R"(
Runs many contenders that compete for locks on real servers, and reports the cost and the
broken promises. Without --url private servers are started and stopped: your servers are not
touched. With --url the keys are lock:contend-NNNN:0 and so on. Contenders enter and
leave a shared resource under the lock, which detects overlaps whatever they believe. If
interrupted, it releases everything and still reports. SHARE is written 5% or 0.05.
The exit code is 10 if a promise was broken, whether or not the protocol makes it (but
contenders that never have their turn break fairness only if that is promised), 1 if no
acquisition was granted and the server answered with errors or was unreachable, and 2 if no
acquisition was granted although it answered, so that nothing was tested.
)",
    .examples = R"(
  # 200 clients poll one lock, or wait to be woken: compare the waits and the commands
  lockscope-cli contend --protocol set-nx-px-token --clients 200 --for 10s
  lockscope-cli contend --protocol redisson-lock --clients 200 --for 10s
  # holders pause beyond their lease: another contender acquires the lock
  lockscope-cli contend --protocol set-nx-ex --clients 8 --for 10s --lease 1s --pause 5%
  # a crash blocks the others forever
  lockscope-cli contend --protocol setnx-no-expiry --crash 1% --for 3s --format json
  # is this machine as fast as the contention model says?
  lockscope-cli contend --protocol redisson-lock --clients 50 --for 5s --with-prediction
  # how long does a takeover take?
  lockscope-cli contend --protocol set-nx-px-token --kind hot-standby --lease 2s --for 30s
)",
    .servers = ServerUse::Named,
};

class ContendCommand final : public CommandWith<ContendArguments> {
public:
    ContendCommand() : CommandWith(kContendText) {}

    void declare(app::OptionSet& options) override
    {
        options.addText("protocol", "ID", m_choice.id,
                        "Protocol; \"lockscope-cli protocols\" lists them.");
        options.addText("protocol-file", "FILE", m_choice.file, kProtocolFileHelp);
        options.addFile("save-run", m_arguments.runFile,
                        "Save the whole run, for replay or\nfor the window.");
        m_options.declare(options);
        options.addNumber("threads", m_arguments.threadCount, 1, kRunThreadsMax,
                          "Number of threads (2).");
        options.addNumber("private", m_privateServerCount, 1, kPrivateServersMax,
                          "Start N private servers for the run. Without --url: one, or five for\na "
                          "protocol with several masters.");
        options.addSwitch("predict", m_arguments.isPrediction,
                          "Predict the result without running anything, also for numbers that\n"
                          "no machine can run.");
        options.addSwitch("with-prediction", m_arguments.isPredictedToo,
                          "After the run, predict it as well, and report both.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        m_arguments.protocol = chosenProtocol(m_choice, {}, operands.serverCount);
        const protocol::ProtocolInfo& info = m_arguments.protocol->info();
        m_arguments.scenario = workload::Scenario::withDefaults(info);
        m_options.applyTo(m_arguments.scenario, info,
                          m_arguments.isPrediction ? workload::RunPurpose::Prediction
                                                   : workload::RunPurpose::Run);
        chooseServers(operands.serverCount, info);
        for (const std::string& complaint : complaintsAbout(m_arguments.scenario, info)) {
            throw app::ArgumentError{complaint.substr(0, complaint.size() - 1)};
        }
        const std::string file = m_choice.ownFile();
        if (!file.empty() && protocol::findProtocol(info.id) == nullptr) {
            m_arguments.protocolFile = file;
            m_arguments.ownText = contentOf(file, "the protocol", files::kProtocolFileMax);
        }
    }

    async::Task<int> run(Context context) override
    {
        if (m_arguments.isPrediction) {
            co_return predictContention(context, m_arguments);
        }
        const auto isReadOnly = [](const store::Endpoint& server) { return server.isReadOnly; };
        if (std::ranges::any_of(context.endpoints, isReadOnly)) {
            context.output.complain("contend acquires locks; it cannot be used with --read-only");
            co_return ExitRefused;
        }
        Contending contending(context, m_arguments);
        const int code = co_await contending.ended();
        co_return code;
    }

private:
    void chooseServers(std::size_t namedCount, const protocol::ProtocolInfo& info)
    {
        const bool isNamed = namedCount > 0;
        const bool hasSeveral = info.keys == protocol::KeyUse::OnePerServer;
        if (m_arguments.isPrediction && (isNamed || !m_arguments.runFile.empty())) {
            throw app::ArgumentError{"--predict runs nothing; omit --url and --save-run"};
        }
        if (m_arguments.isPrediction && m_arguments.isPredictedToo) {
            throw app::ArgumentError{"--predict runs nothing; omit it or --with-prediction"};
        }
        if (m_arguments.isPredictedToo && m_arguments.scenario.sharesConnections()) {
            throw app::ArgumentError{
                "a prediction has a connection for each contender; omit --connections"};
        }
        if (isNamed && m_privateServerCount) {
            throw app::ArgumentError{"--private starts its own servers; omit --url"};
        }
        m_arguments.privateServerCount =
            isNamed ? 0 : m_privateServerCount.value_or(hasSeveral ? kPrivateMasters : 1);
        if (m_arguments.privateServerCount > 1 && !hasSeveral) {
            throw app::ArgumentError{"--private: " + info.id + " uses a single server"};
        }
    }

    ProtocolChoice m_choice;
    RunOptions m_options;
    std::optional<int> m_privateServerCount;
};

} // namespace

std::unique_ptr<Command> contendCommand()
{
    return std::make_unique<ContendCommand>();
}

} // namespace lockscope::cli
