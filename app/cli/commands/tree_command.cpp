#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/session/server_survey.h"
#include "core/kernel/diagnosis/blocking.h"

namespace lockscope::cli {

namespace {

constexpr CommandText kTreeText{
    .name = "tree",
    .summary = "who waits behind whom for which lock",
    .details = R"(
Scans all keys once and prints the locks that clients wait for by name, as trees: who holds a lock,
who waits for it and how long, what the waiters hold and who waits for that. The longest wait, all
of a tree together, comes first; rings of holders that wait for each other are deadlocks. Few
formats record the names of waiters: fair locks of Redisson, and read-write locks by owner. How long
somebody has waited is known from the first look on, so watch with --for. Read-only.

The exit code is 10 if there is a deadlock, otherwise 0.
)",
    .examples = R"(
  lockscope-cli tree --url redis://10.0.0.5 --for 10s
  lockscope-cli tree --for 10s --format json | jq '.deadlocks'
)",
    .servers = ServerUse::NamedOrLocal,
};

class TreeCommand final : public CommandWith<TreeArguments> {
public:
    TreeCommand() : CommandWith(kTreeText) {}

    void declare(app::OptionSet& options) override
    {
        options.addDuration("for", m_arguments.watchFor,
                            "Watch the locks for so long before they are printed.");
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    async::Task<int> run(Context context) override
    {
        ServerSurvey survey(context, m_arguments.watchFor);
        const bool isDone = co_await survey.run();
        if (!isDone) {
            co_return exitCodeOf(survey.problem());
        }
        const Instant now = context.clock.now();
        const std::vector<inspect::LockPtr> rows = survey.rows();
        const diagnosis::BlockingForest forest = diagnosis::blockingForestOf(rows, now);
        context.output.print(m_arguments.format == Format::Json
                                 ? diagnosis::forestJson(forest).dump() + '\n'
                                 : diagnosis::forestText(forest, now));
        co_return forest.deadlocks.empty() ? survey.links().codeOfAbsence()
                                           : static_cast<int>(ExitPromiseBroken);
    }
};

} // namespace

std::unique_ptr<Command> treeCommand()
{
    return std::make_unique<TreeCommand>();
}

} // namespace lockscope::cli
