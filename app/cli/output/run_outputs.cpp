#include "app/cli/output/run_outputs.h"

#include "app/cli/output/lock_table.h"
#include "app/quoted_words.h"
#include "core/files/whole_file.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/exports/ticket_story.h"
#include "core/kernel/report/run/run_json.h"

#include <string_view>
#include <utility>

namespace lockscope::cli {

using report::PromiseVerdict;
using report::RunFile;
using Status = PromiseVerdict::Status;

namespace {

std::string verdictTable(const RunFile& run)
{
    std::vector<std::vector<std::string>> lines;
    for (const PromiseVerdict& verdict : report::inReadingOrder(run.promises)) {
        if (verdict.status == Status::NotApplicable) {
            continue;
        }
        const std::string when = verdict.at ? " at " + durationText(*verdict.at) : std::string();
        const std::string circumstances = circumstancesOf(verdict);
        const std::string end = circumstances.empty() ? std::string() : ", " + circumstances;
        lines.push_back({"  " + std::string(idOf(verdict.promise)),
                         std::string(idOf(verdict.status)) + when,
                         verdict.isPromised ? "promised" : "not promised", verdict.summary + end});
    }
    return lines.empty() ? std::string()
                         : report::headlineOf(run.promises) + '\n' + alignedColumns(lines) + '\n';
}

std::string statisticsTable(const RunFile& run)
{
    const trace::RunStatistics& statistics = *run.statistics;
    const trace::Histogram& wait = statistics.wait;
    std::vector<std::vector<std::string>> lines{
        {"  acquisitions", countText(statistics.acquisitions)},
        {"  requests", countText(statistics.requests)},
        {"  overlaps (as believed)", countText(run.chronicle().overlaps.size())}};
    if (wait.count() > 0) {
        lines.push_back({"  wait", "p50 " + durationText(wait.quantile(0.5)),
                         "p99 " + durationText(wait.quantile(0.99)),
                         "max " + durationText(wait.max())});
    }
    return alignedColumns(lines) + '\n';
}

std::string headText(const RunFile& run)
{
    std::string text = run.labels.title.empty() ? run.protocol.info().id : run.labels.title;
    text += "\nRecorded by " + run.mode + ", " + countText(run.events.size()) + " events in "
            + durationText(run.end - run.labels.origin) + '\n';
    if (run.droppedEventCount > 0) {
        text += countText(run.droppedEventCount) + " more were not recorded.\n";
    }
    return text + (run.command.empty() ? "\n" : "Run again: " + run.command + "\n\n");
}

} // namespace

std::string written(const std::string& path, std::string_view text, std::string_view what)
{
    const std::string reason = files::writeWhole(path, text);
    return reason.empty() ? std::string()
                          : std::string(what) + " could not be written to " + app::inQuotes(path)
                                + " (" + reason + ')';
}

std::string writeOutputs(const RunOutputs& outputs, const RunFile& run)
{
    std::string complaint;
    if (!outputs.runFile.empty()) {
        complaint = written(outputs.runFile, report::runFileText(run), "the run");
    }
    if (complaint.empty() && outputs.exportFormat) {
        complaint = written(outputs.exportFile, exported(run, *outputs.exportFormat), "the export");
    }
    return complaint;
}

std::string turningPointText(const search::TurningPoint& turn,
                             const std::vector<search::StoryLine>& story)
{
    const std::string samples = std::to_string(turn.sampleCount);
    return "From step " + std::to_string(search::numberAt(story, turn.line))
           + " on the violation was unavoidable: all of " + samples
           + " random continuations ended in it, but only " + std::to_string(turn.brokenCountBefore)
           + " of " + samples + " from one step earlier.\n";
}

std::string recordText(const RunFile& run)
{
    std::string text = headText(run) + verdictTable(run);
    if (run.statistics) {
        text += statisticsTable(run);
    }
    for (const std::string& line : search::numbered(run.story)) {
        text += " " + line + '\n';
    }
    return run.turningPoint ? text + '\n' + turningPointText(*run.turningPoint, run.story) : text;
}

report::Json recordJson(const RunFile& run, const std::string& fileName)
{
    report::RunReport report;
    report.protocol = run.protocol.info().id;
    report.mode = run.mode;
    report.seed = run.seed;
    report.promises = run.promises;
    report.story = report::textsOf(run.story);
    report.file = fileName;
    report.statistics = run.statistics.value_or(trace::RunStatistics());
    if (run.statistics) {
        report.untested = report::untestedText(*run.statistics, std::nullopt);
    }
    report::Json json = report::runJson(report);
    if (run.turningPoint) {
        json["turningPoint"] = report::turningPointJson(*run.turningPoint);
    }
    return json;
}

} // namespace lockscope::cli
