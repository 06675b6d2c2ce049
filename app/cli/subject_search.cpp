#include "cli/subject_search.h"

#include "cli/search_session.h"
#include "report/search_json.h"

#include <utility>

namespace lockscope::cli {

async::Task<int> searchSubject(Context context, SearchSubject subject,
                               std::vector<service::SearchTask> tasks, SearchTelling telling)
{
    SearchSession session(context, {std::move(tasks), subject.threadCount});
    const bool isWhole = co_await session.ended();
    const std::vector<report::CellReport>& cells = session.reports();
    const std::string complaint = keepCounterexample(subject, cells);
    if (subject.format == Format::Json) {
        report::RunReport report = report::searchReport(telling.mode, cells);
        report.seed = telling.seed;
        report.file = subject.saveFile;
        context.output.print(report::searchJson(report, cells).dump() + '\n');
    } else {
        context.output.print(telling.text(cells));
    }
    co_return endOf(session, context.output, complaint, isWhole);
}

} // namespace lockscope::cli
