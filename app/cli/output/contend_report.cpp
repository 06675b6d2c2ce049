#include "app/cli/output/contend_report.h"

#include "app/cli/output/lock_table.h"
#include "core/kernel/base/bytes.h"
#include "core/kernel/base/duration_text.h"
#include "core/kernel/protocol/error_reply.h"
#include "core/kernel/report/run/live_record.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockscope::cli {

using report::PromiseVerdict;
using report::RunReport;
using trace::Histogram;
using trace::RunStatistics;
using workload::LiveRunProgress;
using workload::Scenario;

namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string decimal(double value)
{
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), value < 100 ? "%.2f" : "%.0f", value);
    return buffer.data();
}

/// Milliseconds, because waits are compared with each other.
std::string millis(Duration duration)
{
    return decimal(static_cast<double>(duration.count()) / 1000.0) + " ms";
}

std::vector<std::string> percentileLine(std::string name, const Histogram& histogram)
{
    if (histogram.count() == 0) {
        return {std::move(name), "–"};
    }
    return {std::move(name), "p50 " + millis(histogram.quantile(0.50)),
            "p95 " + millis(histogram.quantile(0.95)), "p99 " + millis(histogram.quantile(0.99)),
            "max " + millis(histogram.max())};
}

std::string serversText(const ContendArguments& arguments, const LiveRunProgress& progress)
{
    if (arguments.privateServerCount > 0) {
        return arguments.privateServerCount == 1
                   ? std::string("a private server")
                   : std::to_string(arguments.privateServerCount) + " private servers";
    }
    std::string names;
    for (const store::Endpoint& server : progress.servers) {
        names += (names.empty() ? "" : ", ") + store::serverName(server);
    }
    return names;
}

std::string headline(const ContendArguments& arguments, Duration elapsed,
                     const std::string& servers)
{
    const Scenario& scenario = arguments.scenario;
    std::string text = arguments.protocol->info().id + ": ";
    text += report::contendersText(scenario);
    text += ", " + counted(static_cast<std::uint64_t>(scenario.keyCount), "lock", "locks");
    text += ", " + durationText(elapsed) + " on " + servers;
    return text + " (" + std::string(idOf(scenario.kind)) + ", lease "
           + durationText(scenario.lease) + ")\n";
}

Lines numbersOf(const RunStatistics& statistics, const Scenario& scenario)
{
    Lines lines;
    lines.push_back({"acquisitions", countText(statistics.acquisitions),
                     decimal(statistics.acquisitionsPerSecond()) + "/s"});
    lines.push_back(percentileLine("wait", statistics.wait));
    lines.push_back(percentileLine("hold", statistics.hold));
    if (scenario.kind == Scenario::Kind::HotStandby || statistics.takeover.count() > 0) {
        lines.push_back(percentileLine("takeover", statistics.takeover));
    }
    if (statistics.acquisitions > 0) {
        lines.push_back({"per acquisition", decimal(statistics.triesPerAcquisition()) + " tries",
                         decimal(statistics.commandsPerAcquisition()) + " commands"});
        lines.push_back({"fairness", "Jain " + decimal(statistics.jainFairness()),
                         "longest bypass " + std::to_string(statistics.longestBypass)});
    }
    return lines;
}

/// The loads of a prediction are nothing that a run measures.
void addLoads(Lines& lines, const contention::Prediction& prediction)
{
    lines.push_back({"server load", decimal(100 * prediction.serverLoad) + " % of a processor"});
    lines.push_back({"client load", decimal(100 * prediction.driverLoad) + " % of a thread"});
}

/// Each number that was measured, and below it what was predicted.
Lines sideBySide(const Lines& measured, Lines predicted, const contention::Prediction& prediction)
{
    addLoads(predicted, prediction);
    Lines lines;
    for (const std::vector<std::string>& line : measured) {
        lines.push_back(line);
        const auto same = std::ranges::find(predicted, line.front(),
                                            [](const auto& other) { return other.front(); });
        if (same != predicted.end()) {
            same->front() = "  predicted";
            lines.push_back(std::move(*same));
            predicted.erase(same);
        }
    }
    for (std::vector<std::string>& line : predicted) { // which was not measured
        line.front() += " (predicted)";
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string verdictsText(const std::vector<PromiseVerdict>& verdicts)
{
    Lines lines;
    for (const PromiseVerdict& verdict : report::inReadingOrder(verdicts)) {
        if (verdict.status != PromiseVerdict::Status::NotApplicable) {
            lines.push_back({std::string(protocol::idOf(verdict.promise)),
                             std::string(idOf(verdict.status)),
                             verdict.isPromised ? "promised" : "not promised", verdict.summary});
        }
    }
    return lines.empty() ? std::string()
                         : report::headlineOf(verdicts) + '\n' + alignedColumns(lines);
}

/// What happened besides, one sentence each, only what did happen.
std::vector<std::string> findings(const LiveRunProgress& progress, const RunReport& report,
                                  const Scenario& scenario)
{
    const RunStatistics& s = progress.statistics;
    std::vector<std::string> sentences;
    const auto say = [&sentences](std::uint64_t count, std::string_view one, std::string_view many,
                                  std::string_view rest) {
        if (count > 0) {
            sentences.push_back(counted(count, one, many) + ' ' + std::string(rest));
        }
    };
    say(s.crashes, "holder", "holders", "crashed without releasing.");
    say(s.pauses, "holder", "holders", "paused.");
    say(s.losses, "holder", "holders", "learned that the lock was lost.");
    say(s.lateReleases, "release", "releases",
        "found no lock or another owner's, and removed nothing.");
    say(s.rejectedEffects, "late holder was", "late holders were",
        "rejected by the resource: it had seen a newer fencing token.");
    say(s.gaveUp, "request", "requests", "gave up waiting.");
    if (s.acquisitions > 0) {
        say(s.neverGranted, "contender", "contenders", "never acquired the lock.");
    }
    say(s.errors, "request was", "requests were",
        report.serverError.empty() ? "answered with an error."
                                   : "answered with an error: " + report.serverError);
    say(s.unavailable, "request", "requests", "failed: the server was unreachable.");
    say(s.uncertain, "answer was", "answers were",
        "lost or not understood: the outcome of these requests is unknown.");
    say(progress.leftBehind.size(), "key is", "keys are", "left behind on the server.");
    say(progress.droppedEventCount, "event was", "events were", "not recorded: the log was full.");
    if (scenario.kind == Scenario::Kind::HotStandby && s.takeover.count() == 0 && s.crashes > 0) {
        sentences.push_back("No takeover occurred during the run; the lease is "
                            + durationText(scenario.lease) + '.');
    }
    return sentences;
}

} // namespace

RunReport contendReport(const ContendArguments& arguments, const LiveRunProgress& progress,
                        std::span<const trace::Event> events)
{
    RunReport report;
    report.protocol = arguments.protocol->info().id;
    report.mode = "contend";
    report.seed = arguments.scenario.seed;
    report.promises = report::verdictsOf({progress.statistics, events, progress.leftBehind},
                                         arguments.scenario, arguments.protocol->info());
    report.story = report::timedTexts(report::storyOfFirstOverlap(events));
    report.statistics = progress.statistics;
    report.untested = report::untestedText(progress.statistics, progress.refusal);
    if (progress.refusal && protocol::isErrorReply(*progress.refusal)) {
        report.serverError = escaped(progress.refusal->detail);
    }
    return report;
}

std::string contendText(const ContendArguments& arguments, const LiveRunProgress& progress,
                        const RunReport& report)
{
    const Scenario& scenario = arguments.scenario;
    Lines numbers = numbersOf(progress.statistics, scenario);
    if (report.prediction) {
        numbers = sideBySide(numbers, numbersOf(report.prediction->statistics, scenario),
                             *report.prediction);
    }
    std::string text = headline(arguments, progress.elapsed, serversText(arguments, progress))
                       + '\n' + alignedColumns(numbers) + '\n'
                       + (report.untested.empty() ? verdictsText(report.promises)
                                                  : report.untested + '\n');
    const auto sentences = findings(progress, report, scenario);
    text += sentences.empty() ? "" : "\n";
    for (const std::string& sentence : sentences) {
        text += sentence + '\n';
    }
    if (!report.story.empty()) {
        text += "\nThe first overlap:\n";
        for (const std::string& line : report.story) {
            text += "  " + line + '\n';
        }
    }
    return text;
}

RunReport predictionReport(const ContendArguments& arguments,
                           const contention::Prediction& prediction)
{
    RunReport report;
    report.protocol = arguments.protocol->info().id;
    report.mode = "predict";
    report.seed = arguments.scenario.seed;
    report.statistics = prediction.statistics;
    report.prediction = prediction;
    return report;
}

std::string predictionText(const ContendArguments& arguments,
                           const contention::Prediction& prediction)
{
    const int count = arguments.privateServerCount;
    const std::string servers = count == 1 ? std::string("a modelled server")
                                           : std::to_string(count) + " modelled servers";
    Lines lines = numbersOf(prediction.statistics, arguments.scenario);
    addLoads(lines, prediction);
    return headline(arguments, prediction.statistics.elapsed, servers) + '\n'
           + alignedColumns(lines) + '\n' + contention::predictionCaveat() + '\n';
}

std::string contendProgressLine(const LiveRunProgress& progress)
{
    const RunStatistics& s = progress.statistics;
    std::string line = durationText(progress.elapsed) + " of " + durationText(progress.duration)
                       + " · " + counted(s.acquisitions, "acquisition", "acquisitions") + " · "
                       + decimal(progress.recentPerSecond) + "/s";
    line += s.overlaps > 0 ? " · " + counted(s.overlaps, "overlap", "overlaps") : "";
    line += s.crashes > 0 ? " · " + counted(s.crashes, "crash", "crashes") : "";
    return line;
}

} // namespace lockscope::cli
