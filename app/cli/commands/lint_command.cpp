#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/output/lint_text.h"
#include "app/cli/session/search_session.h"
#include "app/cli/session/search_tasks.h"
#include "app/quoted_words.h"
#include "core/kernel/lint/lint_json.h"
#include "core/kernel/lint/script_mistakes.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/search/matrix_tasks.h"

namespace lockscope::cli {

using lint::Lint;

namespace {

constexpr CommandText kLintText{
    .name = "lint",
    .operand = "FILE",
    .summary = "check a custom protocol",
    .details = R"(
Looks for mistakes and for suspicious patterns in a protocol of your own. Mistakes of the file
and of its Lua scripts are reported with line and column, and the exit code is 2. Otherwise the
steps are tried one by one, and all runs are searched as by explore: a pattern is called proved
if a run shows it, and the shortest one follows; what no run within the bound shows is listed as
suspected. Promises that break without such a pattern are listed as well.

The exit code is 10 if something is proved or a promise is broken, 2 if the lock is never
granted, otherwise 0. Needs no server.
)",
    .examples = R"(
  lockscope-cli lint my-lock.json
  lockscope-cli lint my-lock.json --faults interleaving,crash,pause --max-schedules 20000
  lockscope-cli lint my-lock.json --format json | jq -r '.patterns[] | .pattern'
)",
};

class LintCommand final : public CommandWith<LintArguments> {
public:
    LintCommand() : CommandWith(kLintText) {}

    void declare(app::OptionSet& options) override
    {
        m_arguments.faults = search::matrixFaults();
        std::erase_if(m_arguments.faults, world::isMisuse); // not the lock's mistake
        declareFaults(options, m_arguments.faults,
                      "What may go wrong, one at a time (all but misuse):");
        declareBounds(options, m_arguments.bounds, search::kMatrixSchedules);
        declareThreads(options, m_arguments.threadCount);
        declareFormat(options, m_arguments.format, {Format::Table, Format::Json});
    }

    void complete(const Operands& operands) override
    {
        m_arguments.fileName = operands.first();
        m_arguments.protocol = savedProtocolOfFile(m_arguments.fileName);
        m_arguments.plan = std::get<protocol::OwnLockPlan>(
            protocol::readOwnLockPlan(m_arguments.protocol.ownText));
    }

    async::Task<int> run(Context context) override
    {
        if (hasScriptMistakes(context.output)) {
            co_return ExitBadArguments;
        }
        SearchSession session(context, {tasksOf(m_arguments), m_arguments.threadCount});
        if (!co_await session.ended()) {
            co_return session.interruptCode(); // what was not searched could be called unproved
        }
        const auto& cells = session.reports();
        sim::LuaEngine lua;
        const Lint found = lint::lintOf(m_arguments.plan, m_arguments.protocol.ownText, cells, lua);
        context.output.print(m_arguments.format == Format::Json
                                 ? lintJson(m_arguments.plan.info, found, cells).dump(2) + '\n'
                                 : lintText(m_arguments, found, cells));
        co_return codeFor(found, cells);
    }

private:
    bool hasScriptMistakes(Output& output) const
    {
        sim::LuaEngine lua;
        const auto mistakes = lint::scriptMistakesIn(m_arguments.plan, m_arguments.protocol.ownText,
                                                     lua);
        for (const protocol::FileError& mistake : mistakes) {
            output.complain("the protocol file " + app::inQuotes(m_arguments.fileName) + ", "
                            + toText(mistake));
        }
        return !mistakes.empty();
    }

    static int codeFor(const Lint& found, const std::vector<report::CellReport>& cells)
    {
        if (!report::untestedText(cells).empty()) {
            return ExitBadArguments;
        }
        return found.isAnyProved() || !found.otherBreaks.empty() ? ExitPromiseBroken : ExitDone;
    }
};

} // namespace

std::unique_ptr<Command> lintCommand()
{
    return std::make_unique<LintCommand>();
}

} // namespace lockscope::cli
