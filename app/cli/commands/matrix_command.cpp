#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/options/harm_choice.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/output/search_text.h"
#include "app/cli/session/search_session.h"
#include "app/cli/session/search_tasks.h"
#include "core/kernel/report/matrix_text.h"
#include "core/kernel/report/search_json.h"
#include "core/kernel/search/matrix_tasks.h"

#include <algorithm>
#include <span>

namespace lockscope::cli {

using report::CellReport;

namespace {

std::string matrixJson(const std::vector<CellReport>& cells)
{
    std::string text = "[";
    for (const CellReport& cell : cells) {
        if (!cell.isSearched) {
            continue;
        }
        for (const report::Json& entry : report::matrixEntries(cell)) {
            text += (text.size() == 1 ? "\n" : ",\n") + entry.dump();
        }
    }
    return text + "\n]\n";
}

/// Of protocols that are never granted; whether there are any.
bool complainOfUntested(const Context& context, std::span<const CellReport> cells)
{
    bool isAny = false;
    for (const std::span<const CellReport> row : report::rowsOf(cells)) {
        if (const std::string untested = report::untestedText(row); !untested.empty()) {
            context.output.complain(row.front().protocol + ": " + report::nothingTestedText());
            isAny = true;
        }
    }
    return isAny;
}

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
        options.addText("protocols", "LIST|all", m_protocols,
                        "Ids and files, separated by commas (all built-in protocols).");
        m_arguments.never = {search::Harm::TwoHolders};
        declareNever(options, m_arguments.never);
        declareFaults(options, m_arguments.faults, "Kinds of faults, separated by commas (all):");
        declareBounds(options, m_arguments.bounds, search::kMatrixSchedules);
        declareThreads(options, m_arguments.threadCount);
        declareFormat(options, m_arguments.format,
                      {Format::Table, Format::Json, Format::Markdown, Format::Csv});
    }

    void complete(const Operands&) override
    {
        m_arguments.protocols = listedProtocols(m_protocols);
    }

    async::Task<int> run(Context context) override
    {
        SearchSession session(context, {tasksOf(m_arguments), m_arguments.threadCount});
        const bool isWhole = co_await session.ended();
        const std::vector<CellReport>& cells = session.reports();
        switch (m_arguments.format) {
        case Format::Json: context.output.print(matrixJson(cells)); break;
        case Format::Csv: context.output.print(report::matrixCsv(cells)); break;
        case Format::Markdown:
            context.output.print(report::matrixMarkdown(cells, m_arguments.never));
            break;
        case Format::Table:
        case Format::Text:
            context.output.print(matrixTable(cells, m_arguments.never, session.progress()));
            break;
        }
        if (complainOfUntested(context, cells)) {
            co_return ExitBadArguments;
        }
        if (std::ranges::any_of(cells, &CellReport::isPromiseBroken)) {
            co_return ExitPromiseBroken;
        }
        co_return isWhole ? ExitDone : session.interruptCode();
    }

private:
    std::string m_protocols{kEverything};
};

} // namespace

std::unique_ptr<Command> matrixCommand()
{
    return std::make_unique<MatrixCommand>();
}

} // namespace lockscope::cli
