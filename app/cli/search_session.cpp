#include "cli/search_session.h"

#include "cli/exit_code.h"
#include "cli/lock_table.h"
#include "report/counterexample_file.h"
#include "search/replayed_run.h"

#include <algorithm>
#include <csignal>
#include <fstream>

namespace lockscope::cli {

using service::SearchProgress;
using Phase = SearchProgress::Phase;

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
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << report::counterexampleText(example);
    file.close();
    return file.fail() ? "the counterexample could not be written to " + app::inQuotes(path)
                       : std::string();
}

} // namespace

SearchSession::SearchSession(const Context& context, service::SearchOrder order)
    : m_context(context),
      m_relay({SIGINT, SIGTERM, SIGHUP, SIGQUIT}, context.output),
      m_pool(context.clock)
{
    connect(&m_relay, &SignalRelay::received, this, [this](int signalNumber) {
        m_signal = signalNumber;
        m_pool.cancel();
    });
    connect(&m_pool, &service::SearchRunner::progressed, this, &SearchSession::take);
    m_pool.start(order);
}

int SearchSession::interruptCode() const
{
    return ExitBySignal + m_signal;
}

void SearchSession::take(const SearchProgress& progress)
{
    if (!progress.isOver()) {
        m_context.output.progress(searchProgressLine(progress));
        return;
    }
    if (progress.phase == Phase::Cancelled) {
        m_context.output.complain("interrupted: the results so far follow");
    }
    m_end.complete(progress.phase == Phase::Finished);
}

std::string searchProgressLine(const SearchProgress& progress)
{
    const search::Coverage& coverage = progress.coverage;
    std::string line = progress.phase == Phase::Telling ? "telling" : "searching";
    line += " · " + countText(coverage.schedules) + " schedules";
    line += " · " + countText(progress.schedulesPerSecond) + "/s";
    line += " · " + countText(coverage.states) + " states";
    line += " · deepest " + std::to_string(coverage.longest);
    return line + " · " + countText(progress.doneCount) + " of " + countText(progress.partCount);
}

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

int endOf(const SearchSession& session, Output& output, const std::string& complaint, bool isWhole)
{
    if (!complaint.empty()) {
        output.complain(complaint);
        return ExitBadArguments;
    }
    if (std::ranges::any_of(session.reports(), &report::CellReport::isPromiseBroken)) {
        return ExitPromiseBroken;
    }
    return isWhole ? ExitDone : session.interruptCode();
}

} // namespace lockscope::cli
