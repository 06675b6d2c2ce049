#include "cli/replay_command.h"

#include "cli/exit_code.h"
#include "report/search_json.h"
#include "search/promise_terms.h"
#include "search/replayed_run.h"
#include "search/story.h"

#include <algorithm>

namespace lockscope::cli {

using report::CounterexampleFile;
using report::PromiseVerdict;
using search::ReplayedRun;

namespace {

/// What keeps the file from being replayed; empty: nothing.
std::string complaintAbout(const ReplayArguments& arguments)
{
    const int revision = arguments.example.engineRevision;
    if (revision == report::kEngineRevision) {
        return {};
    }
    return app::inQuotes(arguments.fileName) + " was saved by revision " + std::to_string(revision)
           + " of the engine, and this is revision " + std::to_string(report::kEngineRevision)
           + ": its steps may mean something else here. Search again with explore";
}

std::string complaintAbout(const ReplayArguments& arguments, const ReplayedRun& run)
{
    if (!run.impossibleStep) {
        return {};
    }
    const std::size_t step = *run.impossibleStep;
    return app::inQuotes(arguments.fileName) + ", step " + std::to_string(step + 1) + " of "
           + std::to_string(arguments.example.steps.size()) + ", \""
           + toText(arguments.example.steps[step]) + "\": it is not possible there";
}

/// The violation that the file is about; nullptr: it did not show.
const world::Violation* violationIn(const ReplayedRun& run, const CounterexampleFile& example)
{
    const auto found = std::ranges::find_if(run.violations, [&example](const auto& violation) {
        return violation.promise == example.promise && violation.kind == example.kind;
    });
    return found == run.violations.end() ? nullptr : &*found;
}

std::vector<PromiseVerdict> verdictsOf(const ReplayedRun& run, const CounterexampleFile& example)
{
    std::vector<PromiseVerdict> verdicts;
    for (int i = 0; i < static_cast<int>(protocol::Promise::PromiseCount); ++i) {
        PromiseVerdict verdict;
        verdict.promise = static_cast<protocol::Promise>(i);
        const protocol::ProtocolInfo& info = example.protocol.info();
        verdict.isPromised = search::isPromised(verdict.promise, info, example.plan);
        verdict.status = search::isApplicable(verdict.promise, info)
                             ? PromiseVerdict::Status::Held
                             : PromiseVerdict::Status::NotApplicable;
        for (const world::Violation& violation : run.violations) {
            if (violation.promise == verdict.promise
                && verdict.status != PromiseVerdict::Status::Broken) {
                verdict.status = PromiseVerdict::Status::Broken;
                verdict.kind = idOf(violation.kind);
                verdict.at = violation.at.time_since_epoch();
                verdict.summary = describe(violation, example.plan.keyName(violation.lock));
            }
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

std::string jsonText(const ReplayArguments& arguments, const ReplayedRun& run,
                     const std::vector<search::StoryLine>& story)
{
    const CounterexampleFile& example = arguments.example;
    report::RunReport report;
    report.protocol = example.protocol.info().id;
    report.mode = "replay";
    report.seed = example.plan.seed;
    report.schedules = 1;
    report.virtualTime = run.virtualTime;
    report.promises = verdictsOf(run, example);
    report.story = report::textsOf(story);
    report.file = arguments.fileName;
    report::Json json = report::runJson(report);
    json["reproduced"] = violationIn(run, example) != nullptr;
    json["length"] = run.length;
    json["digest"] = report::digestText(run.digest);
    json["sameDigest"] = run.digest == example.digest;
    return json.dump() + '\n';
}

std::string text(const ReplayArguments& arguments, const ReplayedRun& run,
                 const std::vector<search::StoryLine>& story)
{
    const CounterexampleFile& example = arguments.example;
    std::string text = example.protocol.info().id + ", plan \"" + example.plan.name + "\", "
                       + std::to_string(run.length) + " steps\n";
    for (const std::string& line : search::numbered(story)) {
        text += " " + line + '\n';
    }
    const world::Violation* const violation = violationIn(run, example);
    if (violation == nullptr) {
        return text + "\nThe violation did not show again: " + std::string(idOf(example.promise))
               + " held in this run.\n";
    }
    text += "\nIt showed again: " + std::string(idOf(example.promise)) + " is broken ("
            + std::string(idOf(example.kind)) + "), "
            + describe(*violation, example.plan.keyName(violation->lock)) + ".\n";
    return text + "Digest " + report::digestText(run.digest)
           + (run.digest == example.digest ? ", as saved.\n" : ", and another one was saved.\n");
}

} // namespace

async::Task<int> runReplay(Context context, ReplayArguments arguments)
{
    const CounterexampleFile& example = arguments.example;
    std::string complaint = complaintAbout(arguments);
    sim::LuaEngine lua;
    ReplayedRun run;
    if (complaint.empty()) {
        run = search::replaySteps(*example.protocol.protocol, example.plan, example.steps, lua);
        complaint = complaintAbout(arguments, run);
    }
    if (!complaint.empty()) {
        context.output.complain(complaint);
        co_return ExitBadArguments;
    }
    const world::Violation* const violation = violationIn(run, example);
    search::Finding finding;
    finding.violation = violation != nullptr ? *violation : world::Violation();
    finding.steps = example.steps;
    finding.length = run.length;
    auto story = search::tellStory(*example.protocol.protocol, example.plan, finding, lua);
    if (violation == nullptr && !story.empty() && story.back().isViolation) {
        story.pop_back(); // it did not happen
    }
    context.output.print(arguments.format == Format::Json ? jsonText(arguments, run, story)
                                                          : text(arguments, run, story));
    if (run.digest != example.digest) {
        context.output.complain("the run ended in another state than the one that was saved");
    }
    co_return violation != nullptr ? ExitPromiseBroken : ExitDone;
}

} // namespace lockscope::cli
