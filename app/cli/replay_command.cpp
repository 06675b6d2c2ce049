#include "cli/replay_command.h"

#include "cli/exit_code.h"
#include "cli/live_replay.h"
#include "exports/example_run.h"
#include "report/replay_verdicts.h"
#include "report/search_json.h"
#include "report/wording.h"
#include "search/inevitability.h"
#include "search/replayed_run.h"
#include "search/story.h"

#include <utility>

namespace lockscope::cli {

using report::CounterexampleFile;
using search::ReplayedRun;

namespace {

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
    report.promises = report::verdictsOf(run, example);
    report.story = report::textsOf(telling.story);
    report.file = arguments.fileName;
    report::Json json = report::runJson(report);
    json["reproduced"] = report::violationIn(run, example) != nullptr;
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
    const auto turn = search::turningPointIn(telling.story, telling.continuations);
    if (!turn) {
        return "The violation was avoidable up to the end: from any line some continuations keep "
               "the promise.\n";
    }
    const std::string samples = std::to_string(turn->sampleCount);
    return "From line " + std::to_string(turn->line + 1)
           + " on the violation was unavoidable: all of " + samples
           + " random continuations ended in it, but only "
           + std::to_string(turn->brokenCountBefore) + " of " + samples
           + " from one step earlier.\n";
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
    const world::Violation* const violation = report::violationIn(run, example);
    if (violation == nullptr) {
        return text + "\nNot reproduced: " + std::string(idOf(example.promise))
               + " held in this run.\n";
    }
    text += "\nReproduced: " + std::string(idOf(example.promise)) + " is broken ("
            + std::string(idOf(example.kind)) + "), "
            + describe(*violation, example.plan.keyName(violation->lock)) + ".\n"
            + inevitabilityText(telling);
    return text + "Digest " + report::digestText(run.digest)
           + (run.digest == example.digest ? ", as saved.\n" : ", different from the saved one.\n");
}

Telling tellingOf(const CounterexampleFile& example, ReplayedRun run, sim::LuaEngine& lua)
{
    Telling telling;
    telling.story = report::storyOf(run, example, lua);
    if (report::violationIn(run, example) != nullptr) {
        telling.continuations = search::sampleContinuations(*example.protocol.protocol,
                                                            example.plan,
                                                            report::findingOf(run, example), lua);
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
    report::RunFile run = exports::runFileOf(arguments.example, telling.run, telling.story);
    run.command = "lockscope-cli replay " + report::shellQuoted(arguments.fileName);
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
    std::string complaint = report::complaintAbout(example, app::inQuotes(arguments.fileName));
    sim::LuaEngine lua;
    ReplayedRun run;
    if (complaint.empty()) {
        run = search::replaySteps(*example.protocol.protocol, example.plan, example.steps, lua);
        complaint = report::complaintAbout(example, run, app::inQuotes(arguments.fileName));
    }
    if (!complaint.empty()) {
        context.output.complain(complaint);
        co_return ExitBadArguments;
    }
    const bool isReproduced = report::violationIn(run, example) != nullptr;
    int code = isReproduced ? ExitPromiseBroken : ExitDone;
    std::optional<wire::MirrorResult> real;
    if (arguments.isLive) {
        LiveReplay replay(example, context.output);
        real = co_await replay.ended();
        code = real ? exitCodeOf(*real, isReproduced) : replay.interruptCode();
    }
    const bool isSame = run.digest == example.digest;
    const Telling telling = tellingOf(example, std::move(run), lua);
    context.output.print(printed(arguments, telling, real));
    if (!isSame) {
        context.output.complain("the run ended in a different state than the saved run");
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
