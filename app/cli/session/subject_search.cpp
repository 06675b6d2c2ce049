#include "app/cli/session/subject_search.h"

#include "app/cli/exit_code.h"
#include "app/cli/output/run_outputs.h"
#include "app/cli/session/search_session.h"
#include "app/quoted_words.h"
#include "core/kernel/exports/verdict_run.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/search_json.h"
#include "core/kernel/report/wording.h"
#include "core/kernel/search/inevitability.h"
#include "core/kernel/search/replayed_run.h"

#include <algorithm>
#include <utility>

namespace lockscope::cli {

namespace {

/// The error in one sentence; empty: done.
std::string saveCounterexample(const std::string& path, const report::SavedProtocol& protocol,
                               const report::CellVerdict& verdict)
{
    report::CounterexampleFile example;
    example.protocol = protocol;
    example.plan = verdict.plan;
    const search::Finding& finding = *verdict.result.finding;
    example.steps = finding.steps;
    example.promise = verdict.result.promise;
    example.kind = finding.violation.kind;
    example.summary = describe(finding.violation, verdict.plan.keyName(finding.violation.lock));
    sim::LuaEngine lua;
    example.digest =
        search::replaySteps(*protocol.protocol, example.plan, example.steps, lua).digest;
    return written(path, report::counterexampleText(example), "the counterexample");
}

/// Writes the counterexample of the headline to the file of --save; without one, and when it cannot
/// be written, the name of the file is cleared. What went wrong in one sentence; empty: nothing.
std::string keepCounterexample(SearchSubject& subject, const std::vector<report::CellReport>& cells)
{
    const report::CellReport* const first = report::headlineOf(cells);
    if (first == nullptr || subject.saveFile.empty()) {
        subject.saveFile.clear();
        return {};
    }
    std::string complaint = saveCounterexample(subject.saveFile, subject.protocol,
                                               *first->headline());
    if (!complaint.empty()) {
        subject.saveFile.clear();
    }
    return complaint;
}

/// What finds it once more; empty when that takes files whose names are not known here.
std::string commandOf(const SearchSubject& subject, const SearchReporting& telling,
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
std::string keepRun(const SearchSubject& subject, const SearchReporting& telling,
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
    sim::LuaEngine lua;
    run.turningPoint = search::turningPointIn(
        run.story, search::sampleContinuations(*subject.protocol.protocol, verdict.plan,
                                               *verdict.result.finding, lua));
    return writeOutputs(subject.outputs, run);
}

/// The exit code.
int endOf(const SearchSession& session, Output& output, const std::string& complaint, bool isWhole)
{
    if (!complaint.empty()) {
        output.complain(complaint);
        return ExitBadArguments;
    }
    if (!report::untestedText(session.reports()).empty()) {
        return ExitBadArguments; // there is nothing to judge
    }
    if (std::ranges::any_of(session.reports(), &report::CellReport::isPromiseBroken)) {
        return ExitPromiseBroken;
    }
    if (!isWhole) {
        return session.interruptCode();
    }
    return report::neverEndedUnder(session.reports()).empty() ? ExitDone : ExitNotEnough;
}

} // namespace

async::Task<int> searchSubject(Context context, SearchSubject subject, SearchWork work,
                               SearchReporting telling)
{
    const service::SearchOrder order{std::move(work.tasks), subject.threadCount};
    SearchSession session(context, order, std::move(work.known));
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
