#include "cli/matrix_command.h"

#include "cli/exit_code.h"
#include "cli/search_session.h"
#include "cli/search_tasks.h"
#include "cli/search_text.h"
#include "report/matrix_text.h"
#include "report/search_json.h"

#include <algorithm>

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

} // namespace

async::Task<int> runMatrix(Context context, MatrixArguments arguments)
{
    SearchSession session(context, {tasksOf(arguments), arguments.threadCount});
    const bool isWhole = co_await session.ended();
    const std::vector<CellReport>& cells = session.reports();
    switch (arguments.format) {
    case Format::Json: context.output.print(matrixJson(cells)); break;
    case Format::Csv: context.output.print(report::matrixCsv(cells)); break;
    case Format::Markdown: context.output.print(report::matrixMarkdown(cells)); break;
    case Format::Table:
    case Format::Text: context.output.print(matrixTable(cells, session.progress())); break;
    }
    if (std::ranges::any_of(cells, &CellReport::isPromiseBroken)) {
        co_return ExitPromiseBroken;
    }
    co_return isWhole ? ExitDone : session.interruptCode();
}

} // namespace lockscope::cli
