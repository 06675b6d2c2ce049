#include "cli/subject_search.h"

#include "cli/search_session.h"
#include "exports/verdict_run.h"
#include "report/search_json.h"
#include "report/wording.h"

#include <utility>

namespace lockscope::cli {

namespace {

/// What finds it once more; empty when that takes files whose names are not known here.
std::string commandOf(const SearchSubject& subject, const SearchTelling& telling,
                      const report::CellReport& cell)
{
    if (!subject.saveFile.empty()) {
        return "lockscope-cli replay " + report::shellQuoted(subject.saveFile);
    }
    if (subject.scenario || !subject.protocol.ownText.empty()) {
        return {};
    }
    std::string command = "lockscope-cli " + telling.mode + " --protocol " + cell.protocol;
    command += cell.fault ? " --faults " + cell.faultName() : std::string();
    return telling.mode == "simulate" ? command + " --seed " + std::to_string(telling.seed)
                                      : command;
}

/// Writes the run of the headline to the file of --save-run. What went wrong in one sentence;
/// empty: nothing.
std::string keepRun(const SearchSubject& subject, const SearchTelling& telling,
                    const std::vector<report::CellReport>& cells)
{
    const report::CellReport* const first = report::headlineOf(cells);
    if (first == nullptr || subject.outputs.isEmpty()) {
        return {};
    }
    const report::CellVerdict& verdict = *first->headline();
    report::RunFile run = exports::runFileOf(subject.protocol, verdict);
    run.mode = telling.mode;
    run.seed = verdict.seed.value_or(run.seed);
    run.command = commandOf(subject, telling, *first);
    return writeOutputs(subject.outputs, run);
}

} // namespace

async::Task<int> searchSubject(Context context, SearchSubject subject,
                               std::vector<service::SearchTask> tasks, SearchTelling telling)
{
    SearchSession session(context, {std::move(tasks), subject.threadCount});
    const bool isWhole = co_await session.ended();
    const std::vector<report::CellReport>& cells = session.reports();
    std::string complaint = keepCounterexample(subject, cells);
    if (complaint.empty()) {
        complaint = keepRun(subject, telling, cells);
    }
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
