#pragma once

#include "app/cli/cli_arguments.h"
#include "app/cli/output/output.h"
#include "core/kernel/async/task.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"

#include <QObject>

namespace lockscope::cli {

/// Runs one command on the event loop of its thread and says when it is over.
class Program final : public QObject {
    Q_OBJECT
public:
    /// Starts soon after construction. `output` outlives the program.
    Program(CliArguments arguments, Output& output);
    ~Program() override;

Q_SIGNALS:
    void finished(int exitCode);

private:
    async::Task<int> runCommand();
    async::Task<void> run();

    CliArguments m_arguments;
    Output& m_output;
    wire::LoopExecutor m_executor;
    wire::LoopClock m_clock;
    async::BackgroundTask m_task; // last: it uses everything above
};

} // namespace lockscope::cli
