#include "cli/simulate_command.h"

#include "cli/search_session.h"
#include "cli/search_tasks.h"
#include "cli/search_text.h"
#include "report/search_json.h"

namespace lockscope::cli {

async::Task<int> runSimulate(Context context, SimulateArguments arguments)
{
    SearchSubject& subject = arguments.subject;
    SearchSession session(context, {tasksOf(arguments), subject.threadCount});
    const bool isWhole = co_await session.ended();
    const std::vector<report::CellReport>& cells = session.reports();
    const std::string complaint = keepCounterexample(subject, cells);
    if (subject.format == Format::Json) {
        report::RunReport report = report::searchReport("simulate", cells);
        report.seed = arguments.seed;
        report.file = subject.saveFile;
        context.output.print(report::searchJson(report, cells).dump() + '\n');
    } else {
        context.output.print(simulateText(arguments, cells.front()));
    }
    co_return endOf(session, context.output, complaint, isWhole);
}

} // namespace lockscope::cli
