#include "app/cli/commands/command_list.h"
#include "app/cli/session/search_call.h"

#include <limits>

namespace lockscope::cli {

namespace {

constexpr std::uint64_t kRunsMax = 1'000'000'000;
/// So far below the end of all numbers that the seed of every run is one.
constexpr auto kSeedMax = std::uint64_t(std::numeric_limits<std::int64_t>::max());

constexpr CommandText kSimulateText{
    .name = "simulate",
    .usage =
        "--protocol ID|FILE [options]\n       lockscope-cli simulate --scenario FILE [options]",
    .summary = "random runs in virtual time, by seed",
    .details = R"(
Runs a simulation again and again with different seeds and makes random choices of what
happens next and which faults occur: for plans that are too large for an exhaustive search.
A violation is shown with the seed of its run and then minimised. The same seeds give the
same results on every machine. The exit code is that of explore.
)",
    .examples = R"(
  lockscope-cli simulate --protocol redlock --clients 5 --runs 100000
  lockscope-cli simulate --protocol redisson-fair --faults crash,message-loss --seed 7
)",
};

class SimulateCommand final : public CommandWith<SimulateArguments> {
public:
    SimulateCommand() : CommandWith(kSimulateText) {}

    void declare(app::OptionSet& options) override
    {
        m_options.declare(options, m_arguments.subject);
        options.addNumber("seed", m_arguments.seed, 0, kSeedMax,
                          "Seed of the first run; each next run adds one (1).");
        options.addNumber("runs", m_arguments.runCount, 1, kRunsMax, "Number of runs (10000).");
    }

    void complete(const Operands&) override { m_options.complete(m_arguments.subject); }

    async::Task<int> run(Context context) override { return carryOut(context, m_arguments); }

private:
    SearchSubjectOptions m_options;
};

} // namespace

std::unique_ptr<Command> simulateCommand()
{
    return std::make_unique<SimulateCommand>();
}

} // namespace lockscope::cli
