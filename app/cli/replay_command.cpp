#include "cli/replay_command.h"

#include "cli/exit_code.h"
#include "cli/live_replay.h"
#include "report/search_json.h"
#include "report/wording.h"
#include "search/inevitability.h"
#include "search/promise_terms.h"
#include "search/replayed_run.h"
#include "search/story.h"

#include <algorithm>
#include <utility>

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

/// A run and what can be said of it.
struct Telling {
    ReplayedRun run;
    std::vector<search::StoryLine> story;
    std::vector<search::Continuation> continuations; // of a run whose violation showed
};

report::Json jsonOf(const ReplayArguments& arguments, const Telling& telling)
{
    const ReplayedRun& run = telling.run;
    const CounterexampleFile& example = arguments.example;
    report::RunReport report;
    report.protocol = example.protocol.info().id;
    report.mode = "replay";
    report.seed = example.plan.seed;
    report.schedules = 1;
    report.virtualTime = run.virtualTime;
    report.promises = verdictsOf(run, example);
    report.story = report::textsOf(telling.story);
    report.file = arguments.fileName;
    report::Json json = report::runJson(report);
    json["reproduced"] = violationIn(run, example) != nullptr;
    json["length"] = run.length;
    json["digest"] = report::digestText(run.digest);
    json["sameDigest"] = run.digest == example.digest;
    if (!telling.continuations.empty()) {
        json["inevitableAfter"] = search::inevitableAfter(telling.continuations);
        json["continuations"] = report::Json::array();
        for (const search::Continuation& from : telling.continuations) {
            json["continuations"].push_back({{"steps", from.stepCount},
                                             {"samples", from.sampleCount},
                                             {"broken", from.brokenCount}});
        }
    }
    return json;
}

/// From which line of the story on it could not be avoided any more.
std::string inevitabilityText(const Telling& telling)
{
    const std::size_t after = search::inevitableAfter(telling.continuations);
    const search::Continuation& there = telling.continuations[after];
    if (!there.isInevitable() || after == 0) {
        return "It could be avoided to the last: a run may still go otherwise from any line.\n";
    }
    const auto line = std::ranges::find_if(telling.story, [after](const auto& candidate) {
        return candidate.step >= static_cast<int>(after) - 1;
    });
    const search::Continuation& before = telling.continuations[after - 1];
    const std::string samples = std::to_string(there.sampleCount);
    return "From line " + std::to_string(line - telling.story.begin() + 1)
           + " on it could not be avoided any more: all of " + samples
           + " runs that went on at random from there broke it, and "
           + std::to_string(before.brokenCount) + " of " + samples + " from just before.\n";
}

std::string text(const ReplayArguments& arguments, const Telling& telling)
{
    const ReplayedRun& run = telling.run;
    const CounterexampleFile& example = arguments.example;
    std::string text = example.protocol.info().id + ", plan \"" + example.plan.name + "\", "
                       + std::to_string(run.length) + " steps\n";
    for (const std::string& line : search::numbered(telling.story)) {
        text += " " + line + '\n';
    }
    const world::Violation* const violation = violationIn(run, example);
    if (violation == nullptr) {
        return text + "\nThe violation did not show again: " + std::string(idOf(example.promise))
               + " held in this run.\n";
    }
    text += "\nIt showed again: " + std::string(idOf(example.promise)) + " is broken ("
            + std::string(idOf(example.kind)) + "), "
            + describe(*violation, example.plan.keyName(violation->lock)) + ".\n"
            + inevitabilityText(telling);
    return text + "Digest " + report::digestText(run.digest)
           + (run.digest == example.digest ? ", as saved.\n" : ", and another one was saved.\n");
}

Telling tellingOf(const CounterexampleFile& example, ReplayedRun run, sim::LuaEngine& lua)
{
    const protocol::LockProtocol& protocol = *example.protocol.protocol;
    const world::Violation* const violation = violationIn(run, example);
    search::Finding finding;
    finding.violation = violation != nullptr ? *violation : world::Violation();
    finding.steps = example.steps;
    finding.length = run.length;
    Telling telling;
    telling.story = search::tellStory(protocol, example.plan, finding, lua);
    if (violation != nullptr) {
        telling.continuations = search::sampleContinuations(protocol, example.plan, finding, lua);
    } else if (!telling.story.empty() && telling.story.back().isViolation) {
        telling.story.pop_back(); // it did not happen
    }
    telling.run = std::move(run);
    return telling;
}

/// Everything that is to be printed.
std::string printed(const ReplayArguments& arguments, const Telling& telling,
                    const std::optional<wire::MirrorResult>& real)
{
    if (arguments.format != Format::Json) {
        return text(arguments, telling) + (real ? liveReplayText(*real) : "");
    }
    report::Json json = jsonOf(arguments, telling);
    if (real) {
        json["live"] = liveReplayJson(*real);
    }
    return json.dump() + '\n';
}

/// The run as it goes on to its end, with what the telling says of it.
report::RunFile recordOf(const ReplayArguments& arguments, const Telling& telling)
{
    const CounterexampleFile& example = arguments.example;
    const world::Violation* const violation = violationIn(telling.run, example);
    report::CellVerdict verdict;
    verdict.result.promise = example.promise;
    verdict.result.status = violation != nullptr ? search::PromiseResult::Status::Broken
                                                 : search::PromiseResult::Status::Held;
    search::Finding finding;
    finding.violation = violation != nullptr ? *violation : world::Violation();
    finding.steps = example.steps;
    verdict.result.finding = std::move(finding);
    verdict.plan = example.plan;
    verdict.story = telling.story;
    report::RunFile run = recordedRun(example.protocol, verdict);
    run.mode = "replay";
    run.command = "lockscope-cli replay " + report::shellQuoted(arguments.fileName);
    run.promises = verdictsOf(telling.run, example);
    return run;
}

/// Of a run that is over. The exit code.
int showRecord(const Context& context, const ReplayArguments& arguments)
{
    const report::RunFile& run = *arguments.record;
    context.output.print(arguments.format == Format::Json
                             ? recordJson(run, arguments.fileName).dump() + '\n'
                             : recordText(run));
    const std::string complaint = writeOutputs(arguments.outputs, run);
    if (!complaint.empty()) {
        context.output.complain(complaint);
        return ExitBadArguments;
    }
    return report::isAnyBroken(run.promises) ? ExitPromiseBroken : ExitDone;
}

} // namespace

async::Task<int> runReplay(Context context, ReplayArguments arguments)
{
    if (arguments.record) {
        co_return showRecord(context, arguments);
    }
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
    const bool isReproduced = violationIn(run, example) != nullptr;
    int code = isReproduced ? ExitPromiseBroken : ExitDone;
    std::optional<wire::MirrorResult> real;
    if (arguments.isLive) {
        LiveReplay replay(example);
        real = co_await replay.ended();
        code = real ? exitCodeOf(*real, isReproduced) : replay.interruptCode();
    }
    const bool isSame = run.digest == example.digest;
    const Telling telling = tellingOf(example, std::move(run), lua);
    context.output.print(printed(arguments, telling, real));
    if (!isSame) {
        context.output.complain("the run ended in another state than the one that was saved");
    }
    if (!arguments.outputs.isEmpty()) {
        complaint = writeOutputs(arguments.outputs, recordOf(arguments, telling));
    }
    if (!complaint.empty()) {
        context.output.complain(complaint);
        co_return ExitBadArguments;
    }
    co_return code;
}

} // namespace lockscope::cli
