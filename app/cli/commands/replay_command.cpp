#include "app/cli/commands/command_list.h"
#include "app/cli/exit_code.h"
#include "app/cli/options/protocol_choice.h"
#include "app/cli/options/run_output_options.h"
#include "app/cli/options/search_subject.h"
#include "app/cli/output/live_replay.h"
#include "app/cli/session/proof_run.h"
#include "app/cli/session/server_link.h"
#include "app/quoted_words.h"
#include "core/files/file_limits.h"
#include "core/kernel/exports/example_run.h"
#include "core/kernel/report/release_call.h"
#include "core/kernel/report/run/replay_verdicts.h"
#include "core/kernel/report/search_json.h"
#include "core/kernel/report/wording.h"
#include "core/kernel/search/inevitability.h"
#include "core/kernel/search/replayed_run.h"
#include "core/kernel/search/story.h"

#include <string>
#include <utility>
#include <vector>

namespace lockscope::cli {

using report::CounterexampleFile;
using search::ReplayedRun;

namespace {

/// A run and what can be said of it.
struct ReplayedStory {
    ReplayedRun run;
    std::vector<search::StoryLine> story;
    std::vector<search::Continuation> continuations; // of a run whose violation showed
};

report::Json jsonOf(const ReplayArguments& arguments, const ReplayedStory& replayed)
{
    const ReplayedRun& run = replayed.run;
    const CounterexampleFile& example = arguments.example;
    report::RunReport report;
    report.protocol = example.protocol.info().id;
    report.mode = "replay";
    report.seed = example.plan.seed;
    report.schedules = 1;
    report.virtualTime = run.virtualTime;
    report.promises = report::verdictsOf(run, example);
    report.story = report::textsOf(replayed.story);
    report.file = arguments.fileName;
    report::Json json = report::runJson(report);
    json["reproduced"] = report::violationIn(run, example) != nullptr;
    json["length"] = run.length;
    json["digest"] = report::digestText(run.digest);
    json["sameDigest"] = run.digest == example.digest;
    if (!replayed.continuations.empty()) {
        json["inevitableAfter"] = search::inevitableAfter(replayed.continuations);
        json["continuations"] = report::Json::array();
        for (const search::Continuation& from : replayed.continuations) {
            json["continuations"].push_back({{"steps", from.stepCount},
                                             {"samples", from.sampleCount},
                                             {"broken", from.brokenCount}});
        }
    }
    return json;
}

/// From which line of the story on it could not be avoided any more.
std::string inevitabilityText(const ReplayedStory& replayed)
{
    const auto turn = search::turningPointIn(replayed.story, replayed.continuations);
    return turn
               ? turningPointText(*turn, replayed.story)
               : "The violation was avoidable up to the end: from any step some continuations keep "
                 "the promise.\n";
}

std::string text(const ReplayArguments& arguments, const ReplayedStory& replayed)
{
    const ReplayedRun& run = replayed.run;
    const CounterexampleFile& example = arguments.example;
    std::string text = example.protocol.info().id + ", plan \"" + example.plan.name + "\", "
                       + std::to_string(run.length) + " steps\n";
    for (const std::string& line : search::numbered(replayed.story)) {
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
            + inevitabilityText(replayed);
    return text + "Digest " + report::digestText(run.digest)
           + (run.digest == example.digest ? ", as saved.\n" : ", different from the saved one.\n");
}

ReplayedStory tellingOf(const CounterexampleFile& example, ReplayedRun run, sim::LuaEngine& lua)
{
    ReplayedStory replayed;
    replayed.story = report::storyOf(run, example, lua);
    if (report::violationIn(run, example) != nullptr) {
        replayed.continuations = search::sampleContinuations(*example.protocol.protocol,
                                                             example.plan,
                                                             report::findingOf(run, example), lua);
    }
    replayed.run = std::move(run);
    return replayed;
}

/// Everything that is to be printed.
std::string printed(const ReplayArguments& arguments, const ReplayedStory& replayed,
                    const std::optional<wire::MirrorResult>& real)
{
    if (arguments.format != Format::Json) {
        return text(arguments, replayed) + (real ? liveReplayText(*real) : "");
    }
    report::Json json = jsonOf(arguments, replayed);
    if (real) {
        json["live"] = liveReplayJson(*real);
    }
    return json.dump() + '\n';
}

/// The run as it goes on to its end, with what the replayed says of it.
report::RunFile recordOf(const ReplayArguments& arguments, const ReplayedStory& replayed)
{
    report::RunFile run = exports::runFileOf(arguments.example, replayed.run, replayed.story);
    run.command = "lockscope-cli replay " + report::shellQuoted(arguments.fileName);
    run.turningPoint = search::turningPointIn(replayed.story, replayed.continuations);
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
    return report::isPromiseBroken(run.promises) ? ExitPromiseBroken : ExitDone;
}

constexpr CommandText kReplayText{
    .name = "replay",
    .operand = "FILE [-- COMMAND...]",
    .usage = "FILE [options] [-- COMMAND...]",
    .summary = "replay a saved counterexample, run or find of prove",
    .details = R"(
Replays a counterexample of explore or simulate step by step and prints its story. The exit
code is 10 if its violation is reproduced, as expected; 0 if not, for example because the
protocol has changed; 2 if the file cannot be read, is from another revision of the
engine, or contains an impossible step.

With --live every request of the run is also sent to private servers (redis-server must be
installed), in the same order and with the same delays, and every answer is compared: 10 then
means that the violation is real, 0 that the answers differ, 2 that the run contains a fault
that only a simulated server can reproduce.

A file of prove --save is a find: it is shown again by the client itself, which COMMAND starts,
ten times. The exit code is that of prove. The file names the command, but it is not started
from there.

A file of --save-run is a finished run: it is only printed, and the exit code is 10 if a
promise was broken in it. --export and --save-run work for all kinds of files.
)",
    .examples = R"(
  lockscope-cli replay late.json
  lockscope-cli replay late.json --live
  lockscope-cli replay find.json -- python3 adapter.py
  lockscope-cli replay late.json --export perfetto --to late.trace.json
)",
};

class ReplayCommand final : public CommandWith<ReplayArguments> {
public:
    ReplayCommand() : CommandWith(kReplayText) {}

    void declare(app::OptionSet& options) override
    {
        options.addSwitch("live", m_arguments.isLive,
                          "Repeat the run on real servers, which are started and stopped.");
        declareRunOutputs(options, m_arguments.outputs);
        declareFormat(options, m_arguments.format, {Format::Text, Format::Json});
    }

    /// The file is a counterexample or a run.
    void complete(const Operands& operands) override
    {
        checkRunOutputs(m_arguments.outputs);
        const std::string& path = m_arguments.fileName = operands.first();
        const std::string text = contentOf(path, "the counterexample", files::kRunFileMax);
        if (report::isProofFile(text)) {
            completeProof(text, operands);
            return;
        }
        if (!operands.command.empty()) {
            throw app::ArgumentError{"replay: only a find of prove starts a command"};
        }
        if (!report::isRunFile(text)) {
            m_arguments.example = soundOrThrow(report::readCounterexample(text),
                                               "the counterexample " + app::inQuotes(path));
            return;
        }
        m_arguments.record = soundOrThrow(report::readRunFile(text),
                                          "the run " + app::inQuotes(path));
        if (m_arguments.isLive) {
            throw app::ArgumentError{"--live: " + app::inQuotes(path)
                                     + " is a finished run, not a counterexample"};
        }
    }

    async::Task<int> run(Context context) override
    {
        if (m_arguments.proof) {
            co_return co_await runProof(context, *m_arguments.proof, m_arguments.format);
        }
        if (m_arguments.record) {
            co_return showRecord(context, m_arguments);
        }
        const CounterexampleFile& example = m_arguments.example;
        std::string complaint = report::complaintAbout(example,
                                                       app::inQuotes(m_arguments.fileName));
        sim::LuaEngine lua;
        ReplayedRun run;
        if (complaint.empty()) {
            run = search::replaySteps(*example.protocol.protocol, example.plan, example.steps, lua);
            complaint = report::complaintAbout(example, run, app::inQuotes(m_arguments.fileName));
        }
        if (!complaint.empty()) {
            context.output.complain(complaint);
            co_return ExitBadArguments;
        }
        const bool isReproduced = report::violationIn(run, example) != nullptr;
        int code = isReproduced ? ExitPromiseBroken : ExitDone;
        std::optional<wire::MirrorResult> real;
        if (m_arguments.isLive) {
            LiveReplay replay(example, context.output);
            real = co_await replay.ended();
            code = real ? exitCodeOf(*real, isReproduced) : replay.interruptCode();
        }
        const bool isSame = run.digest == example.digest;
        const ReplayedStory replayed = tellingOf(example, std::move(run), lua);
        context.output.print(printed(m_arguments, replayed, real));
        if (!isSame) {
            context.output.complain("the run ended in a different state than the saved run");
        }
        if (!m_arguments.outputs.isEmpty()) {
            complaint = writeOutputs(m_arguments.outputs, recordOf(m_arguments, replayed));
        }
        if (!complaint.empty()) {
            context.output.complain(complaint);
            co_return ExitBadArguments;
        }
        co_return code;
    }

private:
    void completeProof(const std::string& text, const Operands& operands)
    {
        const std::string path = app::inQuotes(m_arguments.fileName);
        const auto proof = soundOrThrow(report::readProofFile(text), "the find " + path);
        if (operands.command.empty()) {
            throw app::ArgumentError{"replay " + path
                                     + " needs, behind --, the command that starts the adapter; it "
                                       "was found with: "
                                     + report::shellQuoted(proof.adapter)};
        }
        if (m_arguments.isLive) {
            throw app::ArgumentError{"--live: " + path
                                     + " is a find of prove, not a counterexample"};
        }
        m_arguments.proof = orderOf(proof, operands.command);
        m_arguments.proof->outputs = m_arguments.outputs;
    }
};

} // namespace

std::unique_ptr<Command> replayCommand()
{
    return std::make_unique<ReplayCommand>();
}

} // namespace lockscope::cli
