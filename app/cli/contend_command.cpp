#include "cli/contend_command.h"

#include "cli/contend_report.h"
#include "cli/exit_code.h"
#include "cli/run_outputs.h"
#include "cli/signal_relay.h"
#include "contend_call.h"
#include "live_record.h"
#include "redis_live_runner.h"

#include <algorithm>
#include <csignal>
#include <string>

namespace lockscope::cli {

using service::LiveRunProgress;
using Phase = LiveRunProgress::Phase;

namespace {

/// One run of `contend`.
class Contending final : public QObject {
public:
    Contending(const Context& context, const ContendArguments& arguments)
        : m_context(context),
          m_arguments(arguments),
          m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output)
    {
        connect(&m_relay, &SignalRelay::received, this, [this] { m_runner.stop(); });
        connect(&m_runner, &service::LiveRunner::progressed, this, &Contending::take);
        m_runner.start(order());
    }

    async::Pending<int> ended() const { return m_end.pending(); }

private:
    service::LiveRunOrder order() const
    {
        return {m_arguments.scenario, m_arguments.protocol, m_context.endpoints,
                m_arguments.privateServerCount, m_arguments.threadCount};
    }

    void take(const LiveRunProgress& progress)
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
        report::RunFile run = service::runFileOf({m_arguments.protocol, m_arguments.ownText},
                                                 m_arguments.scenario, progress,
                                                 {m_runner.events(), m_runner.tenures()});
        run.command = service::contendCall(order(), m_arguments.protocolFile);
        return writeOutputs({m_arguments.runFile, {}, {}}, run);
    }

    int report(const LiveRunProgress& progress)
    {
        const report::RunReport report = contendReport(m_arguments, progress, m_runner.events());
        m_context.output.print(m_arguments.format == Format::Json
                                   ? report::runJson(report).dump() + '\n'
                                   : contendText(m_arguments, progress, report));
        if (const std::string complaint = saveRun(progress); !complaint.empty()) {
            m_context.output.complain(complaint);
            return ExitBadArguments;
        }
        const trace::RunStatistics& statistics = progress.statistics;
        if (statistics.acquisitions == 0 && statistics.unavailable > 0) {
            return ExitUnreachable; // that was no contention
        }
        return report::isAnyBroken(report.promises) ? ExitPromiseBroken : ExitDone;
    }

    const Context& m_context;
    const ContendArguments& m_arguments;
    SignalRelay m_relay; // before the first thread
    async::Completer<int> m_end;
    wire::RedisLiveRunner m_runner; // last: it tells this
};

int predictContention(const Context& context, const ContendArguments& arguments)
{
    contention::Costs costs;
    costs.driver.threadCount = arguments.threadCount;
    const contention::Prediction prediction = contention::predict(*arguments.protocol,
                                                                  arguments.scenario, costs,
                                                                  arguments.privateServerCount);
    context.output.print(arguments.format == Format::Json
                             ? report::runJson(predictionReport(arguments, prediction)).dump()
                                   + '\n'
                             : predictionText(arguments, prediction));
    return ExitDone;
}

} // namespace

async::Task<int> runContend(Context context, ContendArguments arguments)
{
    if (arguments.isPrediction) {
        co_return predictContention(context, arguments);
    }
    const auto isReadOnly = [](const store::Endpoint& server) { return server.isReadOnly; };
    if (std::ranges::any_of(context.endpoints, isReadOnly)) {
        context.output.complain("contend acquires locks; it cannot be used with --read-only");
        co_return ExitRefused;
    }
    Contending contending(context, arguments);
    const int code = co_await contending.ended();
    co_return code;
}

} // namespace lockscope::cli
