#include "app/cli/program.h"

#include "app/cli/exit_code.h"

#include <utility>

namespace lockscope::cli {

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
    const Context context{m_executor, m_clock, m_output, m_arguments.servers.endpoints};
    const int code = co_await m_arguments.command->run(context);
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
