#include "core/kernel/report/run/run_file.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/exact_statistics.h"
#include "core/kernel/report/run/cbor_file.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/file_column.h"
#include "core/kernel/report/run/run_columns.h"
#include "core/kernel/report/run/run_json.h"
#include "core/kernel/world/violation.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope::report {

using protocol::FileError;
using protocol::FileSection;
using search::StoryLine;
using Status = PromiseVerdict::Status;

namespace {

constexpr std::string_view kRunFormat = "lockscope-run";
constexpr int kRunFileVersion = 2; // of this kind of file
constexpr int kTextVersion = 1;    // JSON, with packed columns
constexpr std::int64_t kSeedMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kStepMax = std::numeric_limits<int>::max();
constexpr int kPermitsMax = 1'000'000;
constexpr std::size_t kHeadSize = 200; // in which the format is named

std::int64_t microsecondsOf(Instant at)
{
    return at.time_since_epoch().count();
}

/// Empty texts are left out.
void addText(Json& json, const char* name, const std::string& text)
{
    if (!text.empty()) {
        json[name] = text;
    }
}

Json labelsJson(const trace::RunLabels& labels)
{
    Json json{{"contenders", labels.contenders},
              {"locks", labels.locks},
              {"servers", labels.servers},
              {"originUs", microsecondsOf(labels.origin)}};
    addText(json, "title", labels.title);
    return json;
}

trace::RunLabels readLabels(const FileSection& file)
{
    const FileSection section(file.at("names"), file.pathOf("names"),
                              {"title", "contenders", "locks", "servers", "originUs"});
    trace::RunLabels labels;
    labels.title = section.textOr("title", {});
    labels.contenders = section.texts("contenders");
    labels.locks = section.texts("locks");
    labels.servers = section.texts("servers");
    labels.origin = readInstant(section, "originUs");
    return labels;
}

Json promiseLineJson(const PromiseVerdict& verdict)
{
    Json json{{"id", protocol::idOf(verdict.promise)},
              {"status", idOf(verdict.status)},
              {"promised", verdict.isPromised},
              {"chances", verdict.chances}};
    if (verdict.faults) {
        json["after"] = Json::array();
        for (const world::FaultKind fault : *verdict.faults) {
            json["after"].push_back(idOf(fault));
        }
    }
    if (verdict.status == Status::Broken) {
        json["kind"] = verdict.kind;
        addText(json, "summary", verdict.summary);
        if (verdict.at) {
            json["atUs"] = verdict.at->count();
        }
    }
    return json;
}

Status readStatus(const FileSection& section)
{
    if (const auto status = statusOf(section.text("status"))) {
        return *status;
    }
    section.fail("status", KernelText::tr("The status must be \"held\", \"broken\", "
                                          "\"not-exercised\" or \"not-applicable\"."));
}

std::vector<world::FaultKind> readFaultKinds(const FileSection& section)
{
    std::vector<world::FaultKind> kinds;
    for (const std::string& id : section.texts("after")) {
        const auto kind = world::faultKindOf(id);
        if (!kind) {
            section.fail("after", KernelText::tr("Unknown fault."));
        }
        kinds.push_back(*kind);
    }
    return kinds;
}

search::TurningPoint readTurningPoint(const FileSection& file, std::size_t lineCount)
{
    const FileSection section(file.at("turningPoint"), file.pathOf("turningPoint"),
                              {"line", "samples", "brokenBefore"});
    search::TurningPoint turn;
    turn.line = static_cast<std::size_t>(readInteger(section, "line", 0, kStepMax));
    turn.sampleCount = static_cast<int>(readInteger(section, "samples", 1, kStepMax));
    turn.brokenCountBefore = static_cast<int>(readInteger(section, "brokenBefore", 0, kStepMax));
    if (turn.line >= lineCount) {
        section.fail("line", KernelText::tr("The story has no such line."));
    }
    return turn;
}

PromiseVerdict readPromiseLine(const nlohmann::json& json, std::string path)
{
    const FileSection section(json, std::move(path),
                              {"id", "status", "promised", "kind", "summary", "atUs", "chances",
                               "after"});
    PromiseVerdict verdict;
    verdict.promise = section.promise("id");
    verdict.status = readStatus(section);
    verdict.isPromised = section.flagOr("promised", false);
    if (section.has("chances")) { // earlier versions did not count them
        verdict.chances = static_cast<std::uint64_t>(readInteger(section, "chances", 0, kSeedMax));
    }
    if (section.has("after")) {
        verdict.faults = readFaultKinds(section);
    }
    if (verdict.status == Status::Broken) {
        const auto kind = world::violationKindOf(section.text("kind"));
        if (!kind) {
            section.fail("kind", KernelText::tr("Unknown violation."));
        }
        verdict.kind = idOf(*kind);
        verdict.summary = section.textOr("summary", {});
        if (section.has("atUs")) {
            verdict.at = readInstant(section, "atUs").time_since_epoch();
        }
    }
    return verdict;
}

Json storyLineJson(const StoryLine& line)
{
    Json json{{"atUs", microsecondsOf(line.at)}, {"step", line.step}};
    addText(json, "text", line.text);
    if (line.number > 0) {
        json["number"] = line.number;
    }
    if (line.isViolation) {
        json["violation"] = true;
    }
    return json;
}

StoryLine readStoryLine(const nlohmann::json& json, std::string path)
{
    const FileSection section(json, std::move(path),
                              {"atUs", "step", "text", "number", "violation"});
    StoryLine line;
    line.at = readInstant(section, "atUs");
    line.step = static_cast<int>(readInteger(section, "step", -1, kStepMax));
    line.text = section.textOr("text", {});
    line.number = section.number("number", 1, kStepMax).value_or(0);
    line.isViolation = section.flagOr("violation", false);
    return line;
}

template<class Values, class Write>
Json listJson(const Values& values, const Write& write)
{
    Json list = Json::array();
    for (const auto& value : values) {
        list.push_back(write(value));
    }
    return list;
}

template<class Read>
auto readList(const FileSection& file, std::string_view name, const Read& read)
{
    const nlohmann::json& list = file.at(name);
    if (!list.is_array()) {
        file.fail(name, KernelText::tr("A list is expected."));
    }
    std::vector<decltype(read(list, std::string()))> values;
    for (const nlohmann::json& item : list) {
        values.push_back(read(item, file.pathOf(name) + '/' + std::to_string(values.size())));
    }
    return values;
}

void checkRunHead(const FileSection& file)
{
    if (file.text("format") != kRunFormat) {
        file.fail("format", KernelText::tr("Not a run: \"%1\" is expected.", kRunFormat));
    }
    if (file.at("version") != kRunFileVersion && file.at("version") != kTextVersion) {
        file.fail("version", KernelText::tr("Only files of versions %1 and %2 can be read.",
                                            kTextVersion, kRunFileVersion));
    }
}

/// The end closes what is open, so nothing may come after it.
void checkEnd(const FileSection& file, const RunFile& run)
{
    if (!run.events.empty() && run.events.back().at > run.end) {
        file.fail("endUs", KernelText::tr("There are events after the end of the run."));
    }
}

RunFile readWholeRun(const nlohmann::json& root)
{
    const FileSection file(root, "",
                           {"format",        "version", "engine",      "protocol",   "mode",
                            "seed",          "command", "names",       "statistics", "promises",
                            "faults",        "story",   "assumptions", "permits",    "endUs",
                            "droppedEvents", "events",  "serverHolds", "tenures",    "messages",
                            "turningPoint",  "steps",   "notes"});
    checkRunHead(file);
    RunFile run;
    run.protocol = readSavedSubject(file);
    run.mode = file.text("mode");
    run.seed = static_cast<std::uint64_t>(readInteger(file, "seed", 0, kSeedMax));
    run.command = file.textOr("command", {});
    run.labels = readLabels(file);
    if (file.has("statistics")) {
        run.statistics = readExactStatistics(file, "statistics");
    }
    run.promises = readList(file, "promises", readPromiseLine);
    run.faults = file.texts("faults");
    run.story = readList(file, "story", readStoryLine);
    search::numberWhereMissing(run.story);
    if (file.has("turningPoint")) {
        run.turningPoint = readTurningPoint(file, run.story.size());
    }
    run.assumptions = file.texts("assumptions");
    run.permits = static_cast<int>(readInteger(file, "permits", 1, kPermitsMax));
    run.end = readInstant(file, "endUs");
    run.droppedEventCount = static_cast<std::uint64_t>(readInteger(file, "droppedEvents", 0,
                                                                   kSeedMax));
    run.events = readEvents(file, "events");
    run.serverHolds = readServerHolds(file, file.has("tenures") ? "tenures" : "serverHolds");
    run.messages = readMessages(file, "messages");
    if (file.has("notes")) {
        run.notes = readNotes(file, "notes");
    }
    if (file.has("steps")) {
        run.steps = readRunSteps(file, "steps", run.events.size());
    }
    checkEnd(file, run);
    return run;
}

/// The letters of the clients, the keys of the plan, the servers by their numbers.
trace::RunLabels labelsOf(const protocol::ProtocolInfo& info, const world::WorldPlan& plan)
{
    trace::RunLabels labels;
    labels.title = KernelText::tr("%1, plan \"%2\"", info.id, KernelText::lookUp(plan.name));
    for (int client = 0; client < static_cast<int>(plan.clients.size()); ++client) {
        labels.contenders.push_back(world::clientName(client));
    }
    for (int lock = 0; lock < plan.keyCount(); ++lock) {
        labels.locks.push_back(plan.keyName(lock));
    }
    for (int node = 0; node < plan.nodeCount; ++node) {
        labels.servers.push_back("server " + std::to_string(node + 1));
    }
    return labels;
}

} // namespace

trace::Chronicle RunFile::chronicle() const
{
    trace::Chronicle chronicle = trace::chronicleOf(events, end, permits, instantOrder());
    chronicle.serverHolds = serverHolds;
    chronicle.messages = messages;
    chronicle.notes = notes;
    return chronicle;
}

/// Simulated runs and runs of real clients are recorded by one process, whose clock often stands
/// still from one event to the next. The contenders of a live run have logs of their own.
trace::InstantOrder RunFile::instantOrder() const
{
    return steps.isKnown() || mode == kProveMode ? trace::InstantOrder::AsRecorded
                                                 : trace::InstantOrder::Unknown;
}

std::optional<trace::Chronicle> RunFile::chronicleInSteps() const
{
    return steps.isKnown()
               ? std::optional(trace::chronicleInSteps(events, chronicle(), steps, permits))
               : std::nullopt;
}

RunFile runFileOf(SavedProtocol protocol, const world::WorldPlan& plan, search::RecordedRun run)
{
    RunFile file;
    file.labels = labelsOf(protocol.info(), plan);
    file.protocol = std::move(protocol);
    file.seed = plan.seed;
    file.end = run.chronicle.end;
    file.permits = plan.permits;
    file.statistics = trace::statisticsOf(run.events, static_cast<int>(plan.clients.size()),
                                          plan.permits, trace::OverlapEvidence::Beliefs, file.end);
    file.statistics->elapsed = file.end.time_since_epoch();
    file.statistics->commands = static_cast<std::uint64_t>(
        std::ranges::count(run.chronicle.messages, false, &trace::Message::isPush));
    file.events = std::move(run.events);
    file.serverHolds = std::move(run.chronicle.serverHolds);
    file.messages = std::move(run.chronicle.messages);
    file.steps = std::move(run.steps);
    return file;
}

std::string runFileText(const RunFile& run)
{
    Json json{{"format", kRunFormat},      {"version", kRunFileVersion},
              {"engine", kEngineRevision}, {"protocol", savedProtocolJson(run.protocol)},
              {"mode", run.mode},          {"seed", run.seed}};
    addText(json, "command", run.command);
    json["names"] = labelsJson(run.labels);
    if (run.statistics) {
        json["statistics"] = exactStatisticsJson(*run.statistics);
    }
    json["promises"] = listJson(run.promises, promiseLineJson);
    json["faults"] = run.faults;
    json["story"] = listJson(run.story, storyLineJson);
    if (run.turningPoint) {
        json["turningPoint"] = turningPointJson(*run.turningPoint);
    }
    json["assumptions"] = run.assumptions;
    json["permits"] = run.permits;
    json["endUs"] = microsecondsOf(run.end);
    json["droppedEvents"] = run.droppedEventCount;
    json["events"] = eventColumns(run.events);
    json["serverHolds"] = serverHoldColumns(run.serverHolds);
    json["messages"] = messageColumns(run.messages);
    if (!run.notes.empty()) { // as in files of before there were any
        json["notes"] = noteColumns(run.notes);
    }
    if (run.steps.isKnown()) {
        json["steps"] = runStepsColumns(run.steps);
    }
    return cborText(std::move(json));
}

std::variant<RunFile, FileError> readRunFile(std::string_view text)
{
    RunFile run;
    const auto read = [&run](const nlohmann::json& root) { run = readWholeRun(root); };
    auto error = isCbor(text) ? readCborFile(text, read) : protocol::readJsonFile(text, read);
    if (error) {
        return std::move(*error);
    }
    return run;
}

bool isRunFile(std::string_view text)
{
    return isCbor(text)
           || text.substr(0, kHeadSize).find('"' + std::string(kRunFormat) + '"')
                  != std::string_view::npos;
}

} // namespace lockscope::report
