#include "cli/program.h"

#include "cli/acquire_command.h"
#include "cli/contend_command.h"
#include "cli/exit_code.h"
#include "cli/explore_command.h"
#include "cli/formats_command.h"
#include "cli/list_command.h"
#include "cli/matrix_command.h"
#include "cli/protocols_command.h"
#include "cli/release_command.h"
#include "cli/replay_command.h"
#include "cli/run_command.h"
#include "cli/show_command.h"
#include "cli/simulate_command.h"
#include "cli/watch_command.h"

#include <utility>

namespace lockscope::cli {

namespace {

/// Which function runs which arguments.
struct Runner {
    Context context;

    async::Task<int> operator()(const ListArguments& arguments) const
    {
        return runList(context, arguments);
    }
    async::Task<int> operator()(const WatchArguments& arguments) const
    {
        return runWatch(context, arguments);
    }
    async::Task<int> operator()(const ShowArguments& arguments) const
    {
        return runShow(context, arguments);
    }
    async::Task<int> operator()(const ReleaseArguments& arguments) const
    {
        return runRelease(context, arguments);
    }
    async::Task<int> operator()(const FormatsArguments& arguments) const
    {
        context.output.print(formatsText(arguments.format));
        co_return ExitDone;
    }
    async::Task<int> operator()(const ProtocolsArguments& arguments) const
    {
        context.output.print(protocolsText(arguments));
        co_return ExitDone;
    }
    async::Task<int> operator()(const RunArguments& arguments) const
    {
        return runRun(context, arguments);
    }
    async::Task<int> operator()(const AcquireArguments& arguments) const
    {
        return runAcquire(context, arguments);
    }
    async::Task<int> operator()(const ContendArguments& arguments) const
    {
        return runContend(context, arguments);
    }
    async::Task<int> operator()(const ExploreArguments& arguments) const
    {
        return runExplore(context, arguments);
    }
    async::Task<int> operator()(const SimulateArguments& arguments) const
    {
        return runSimulate(context, arguments);
    }
    async::Task<int> operator()(const ReplayArguments& arguments) const
    {
        return runReplay(context, arguments);
    }
    async::Task<int> operator()(const MatrixArguments& arguments) const
    {
        return runMatrix(context, arguments);
    }
};

} // namespace

Program::Program(CliArguments arguments, Output& output)
    : m_arguments(std::move(arguments)),
      m_output(output),
      m_executor(this),
      m_clock(this),
      m_task(m_executor, run())
{}

Program::~Program() = default;

async::Task<int> Program::runCommand()
{
    const Runner runner{{m_executor, m_clock, m_output, m_arguments.servers.endpoints}};
    const int code = co_await std::visit(runner, m_arguments.command);
    if (!m_output.isBroken() || m_output.isGivenUp()) {
        co_return code;
    }
    m_output.complain("could not write to standard output: " + m_output.brokenReason());
    co_return code == ExitDone ? ExitUnreachable : code;
}

async::Task<void> Program::run()
{
    const int code = co_await runCommand();
    Q_EMIT finished(code);
}

} // namespace lockscope::cli
