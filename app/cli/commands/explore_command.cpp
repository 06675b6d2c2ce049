#include "app/cli/commands/command_list.h"
#include "app/cli/session/search_call.h"

namespace lockscope::cli {

namespace {

constexpr std::uint64_t kExploreSchedules = 20'000; // of a plan
constexpr std::uint64_t kPreemptionsMax = 1000;
constexpr std::uint64_t kStepsMax = 10'000;

constexpr CommandText kExploreText{
    .name = "explore",
    .usage = "--protocol ID|FILE [options]\n       lockscope-cli explore --scenario FILE [options]",
    .summary = "find the shortest way to break a protocol",
    .details = R"(
Searches all runs of a simulation, the shortest first: clients that execute the real
protocol, servers that execute its commands and scripts, and one kind of fault at a
time. Reports for every promise whether it held within the bound, or how it broke and in
how few steps. Needs no server. A promise that the protocol does not make under a fault is
shown as not promised, and does not affect the exit code. The exit code is 10 if a promise
is broken, 2 if no acquisition was ever granted, so that nothing was tested, 9 if nothing
broke under a fault, but no run came to its end, otherwise 0. If interrupted, the results
so far are printed.

"held" means that there were chances to break the promise, whose number is shown, and none
did; "not exercised" that no run had such a chance.

The fault "interleaving" is none: only the order of the steps varies.
)",
    .examples = R"(
  lockscope-cli explore --protocol set-nx-ex --faults interleaving,pause --save late.json
  lockscope-cli explore --protocol ./my-lock.json
  lockscope-cli explore --scenario two-workers.json --max-schedules 1000000
)",
};

class ExploreCommand final : public CommandWith<ExploreArguments> {
public:
    ExploreCommand() : CommandWith(kExploreText) {}

    void declare(app::OptionSet& options) override
    {
        m_options.declare(options, m_arguments.subject);
        declareBounds(options, m_arguments.bounds, kExploreSchedules);
        options.addNumber("max-preemptions", m_arguments.bounds.preemptionsMax, 0, kPreemptionsMax,
                          "Only runs with at most N preemptions: a client that could continue\n"
                          "has to wait for another.");
        options.addNumber("max-steps", m_arguments.bounds.lengthMax, 1, kStepsMax,
                          "Follow no run further than N steps ("
                              + std::to_string(search::kLengthUsual) + ").");
    }

    void complete(const Operands&) override { m_options.complete(m_arguments.subject); }

    async::Task<int> run(Context context) override { return carryOut(context, m_arguments); }

private:
    SearchSubjectOptions m_options;
};

} // namespace

std::unique_ptr<Command> exploreCommand()
{
    return std::make_unique<ExploreCommand>();
}

} // namespace lockscope::cli
