#include "app/cli/commands/command_list.h"
#include "app/cli/options/harm_choice.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/session/search_call.h"
#include "core/kernel/search/matrix_tasks.h"

namespace lockscope::cli {

namespace {

constexpr CommandText kMatrixText{
    .name = "matrix",
    .summary = "every protocol under every fault",
    .details = R"(
Explores every protocol under every kind of fault. Each cell of the table contains the number
of steps in which it happened that must not (--never); the best protocol stands first, behind
each a verdict. json has an object per cell and promise, with the story.
The exit code is 10 if a promise was broken, which is expected for flawed protocols, and 2
if no acquisition of a protocol was ever granted, so that nothing was tested.
)",
    .examples = R"(
  lockscope-cli matrix
  lockscope-cli matrix --protocols set-nx-px-token,./my-lock.json --faults crash,pause
  lockscope-cli matrix --never all --faults interleaving,crash,pause,connection-loss
  lockscope-cli matrix --format json | jq -c '.[] | select(.status == "broken")'
)",
};

class MatrixCommand final : public CommandWith<MatrixArguments> {
public:
    MatrixCommand() : CommandWith(kMatrixText) {}

    void declare(app::OptionSet& options) override
    {
        m_arguments.faults = search::matrixFaults();
        declareProtocols(options, m_protocols);
        m_arguments.never = {search::Harm::TwoHolders};
        declareNever(options, m_arguments.never);
        declareFaults(options, m_arguments.faults, "Kinds of faults, separated by commas (all):");
        declareBounds(options, m_arguments.bounds, search::kMatrixSchedules);
        declareThreads(options, m_arguments.threadCount);
        declareShard(options, m_arguments.shard);
        declareFormat(options, m_arguments.format,
                      {Format::Table, Format::Json, Format::Markdown, Format::Csv});
    }

    void complete(const Operands&) override
    {
        m_arguments.protocols = listedProtocols(m_protocols);
    }

    async::Task<int> run(Context context) override { return carryOut(context, m_arguments); }

private:
    std::string m_protocols{kEverything};
};

} // namespace

std::unique_ptr<Command> matrixCommand()
{
    return std::make_unique<MatrixCommand>();
}

} // namespace lockscope::cli
