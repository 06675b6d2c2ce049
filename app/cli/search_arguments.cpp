#include "cli/search_arguments.h"

#include "cli/first_mistake.h"
#include "cli/option_values.h"
#include "cli/protocol_choice.h"
#include "matrix_tasks.h"
#include "protocol/catalogue.h"
#include "protocol/json_file.h"
#include "report/scenario_file.h"
#include "report/world_plan_json.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
using report::SavedProtocol;
using world::FaultKind;

namespace {

constexpr std::uint64_t kClientsMax = 26;
constexpr std::uint64_t kThreadsMax = 256;
constexpr std::uint64_t kSchedulesMax = 1'000'000'000;
constexpr std::uint64_t kPreemptionsMax = 1000;
constexpr std::uint64_t kExploreSchedules = 20'000; // of a plan
constexpr std::string_view kEverything = "all";

/// "a,b,c" without empty words.
std::vector<std::string> listed(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        std::string_view word = text.substr(0, end);
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        word = word.substr(0, word.find_last_not_of(' ') + 1);
        if (!word.empty()) {
            words.emplace_back(word);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::string unknownFault(std::string_view name)
{
    std::vector<std::string_view> names;
    std::string all;
    for (const FaultKind fault : service::matrixFaults()) {
        names.push_back(idOf(fault));
        all += (all.empty() ? "" : ", ") + std::string(idOf(fault));
    }
    const std::string_view meant = app::closestTo(name, names);
    const std::string reason = "--faults: unknown fault " + inQuotes(name);
    return meant.empty() ? reason + "; the faults are " + all + ", or all"
                         : reason + "; did you mean " + std::string(meant) + '?';
}

/// Turns the options of one call into values and keeps the first thing that is wrong.
class OptionReader : public FirstMistake {
public:
    explicit OptionReader(const LockingCall& call) : m_words(call.words) {}

    std::uint64_t number(std::string_view option, std::uint64_t fallback, std::uint64_t max,
                         std::uint64_t min = 1)
    {
        return take(numberOption(m_words, option, fallback, min, max));
    }

    int threadCount() { return static_cast<int>(number("threads", 0, kThreadsMax)); }

    search::Bounds bounds(std::uint64_t schedulesMax)
    {
        search::Bounds bounds;
        bounds.schedulesMax = number("max-schedules", schedulesMax, kSchedulesMax);
        if (m_words.has("max-preemptions")) {
            bounds.preemptionsMax = static_cast<int>(number("max-preemptions", 0, kPreemptionsMax,
                                                            0));
        }
        return bounds;
    }

    std::vector<FaultKind> faults(std::vector<FaultKind> fallback)
    {
        const std::optional<std::string> text = m_words.value("faults");
        if (!text) {
            return fallback;
        }
        std::vector<FaultKind> faults;
        for (const std::string& name : listed(*text)) {
            if (name == kEverything) {
                return service::matrixFaults();
            }
            const auto fault = world::faultKindOf(name);
            if (!fault) {
                fail(unknownFault(name));
            } else if (std::ranges::find(faults, *fault) == faults.end()) {
                faults.push_back(*fault);
            }
        }
        if (faults.empty()) {
            fail("--faults: the list is empty; use interleaving for no fault");
        }
        return faults;
    }

    SearchSubject subject(Format format)
    {
        SearchSubject subject;
        subject.format = format;
        readProtocol(subject);
        subject.faults = faults(subject.scenario ? std::vector<FaultKind>()
                                                 : service::matrixFaults());
        subject.clientCount = static_cast<int>(number("clients", 0, kClientsMax, 2));
        if (subject.clientCount > 0 && subject.scenario) {
            fail("--clients: the scenario defines its own clients");
        }
        subject.threadCount = threadCount();
        subject.saveFile = file("save");
        subject.outputs.runFile = file("save-run");
        return subject;
    }

    std::string file(std::string_view option) { return take(fileOption(m_words, option)); }

    /// --save-run, --export and --to.
    RunOutputs outputs()
    {
        RunOutputs outputs;
        outputs.runFile = file("save-run");
        const std::optional<std::string> format = m_words.value("export");
        if (format) {
            outputs.exportFormat = exports::exportFormatOf(*format);
            if (!outputs.exportFormat) {
                fail("--export: the formats are perfetto, shiviz, csv and markdown, not "
                     + inQuotes(*format));
            }
        }
        outputs.exportFile = m_words.value("to").value_or("");
        if (format.has_value() != !outputs.exportFile.empty()) {
            fail(format ? "--export needs --to FILE" : "--to needs --export FORMAT");
        }
        return outputs;
    }

    /// The file is a counterexample or a run.
    void readSaved(const std::string& path, ReplayArguments& arguments)
    {
        const std::string text = take(contentOf(path, "the counterexample"));
        if (error()) {
            return;
        }
        if (report::isRunFile(text)) {
            arguments.record = soundOr(report::readRunFile(text), "the run " + inQuotes(path));
        } else {
            arguments.example = soundOr(report::readCounterexample(text),
                                        "the counterexample " + inQuotes(path));
        }
        if (arguments.record && arguments.isLive) {
            fail("--live: " + inQuotes(path) + " is a finished run, not a counterexample");
        }
    }

    std::vector<SavedProtocol> protocols()
    {
        std::vector<SavedProtocol> protocols;
        for (const std::string& word : listed(m_words.value("protocols").value_or("all"))) {
            if (word != kEverything) {
                protocols.push_back(take(savedProtocol(word)));
                continue;
            }
            for (const auto* const protocol : protocol::builtinProtocols()) {
                protocols.push_back(SavedProtocol::builtin(protocol->info().id));
            }
        }
        if (protocols.empty()) {
            fail("--protocols: the list is empty");
        }
        return protocols;
    }

private:
    /// --scenario, --protocol or --protocol-file; the latter two change the protocol of a scenario.
    void readProtocol(SearchSubject& subject)
    {
        const std::optional<std::string> scenario = m_words.value("scenario");
        std::optional<std::string> named = m_words.value("protocol");
        named = named ? named : m_words.value("protocol-file");
        if (scenario) {
            readScenario(*scenario, subject);
        }
        if (named) {
            const bool isFile = !m_words.has("protocol");
            subject.protocol = take(isFile ? savedProtocolOfFile(*named) : savedProtocol(*named));
        } else if (!subject.protocol.protocol) {
            fail(scenario ? "the scenario " + inQuotes(*scenario)
                                + " names no protocol; use --protocol ID"
                          : "--protocol ID or --scenario FILE is missing; \"lockscope-cli "
                            "protocols\" lists the protocols");
        }
        if (error() || !subject.scenario) {
            return;
        }
        const auto complaint = report::complaintAbout(*subject.scenario, subject.protocol.info());
        if (complaint) {
            fail("the plan does not fit: " + complaint->substr(0, complaint->size() - 1));
        }
    }

    void readScenario(const std::string& path, SearchSubject& subject)
    {
        const std::string text = take(contentOf(path, "the scenario"));
        if (error()) {
            return;
        }
        auto scenario = soundOr(report::readScenario(text), "the scenario " + inQuotes(path));
        subject.scenario = std::move(scenario.plan);
        subject.protocol = std::move(scenario.protocol);
    }

    /// What was read, unless the file is broken.
    template<class File>
    File soundOr(std::variant<File, protocol::FileError> read, const std::string& what)
    {
        if (const auto* const error = std::get_if<protocol::FileError>(&read)) {
            fail(what + ", " + toText(*error));
            return {};
        }
        return std::move(std::get<File>(read));
    }

    const app::Words& m_words;
};

} // namespace

std::variant<ExploreArguments, ArgumentError> readExplore(const LockingCall& call)
{
    OptionReader reader(call);
    ExploreArguments arguments;
    arguments.subject = reader.subject(call.format);
    arguments.bounds = reader.bounds(kExploreSchedules);
    return reader.orResult(std::move(arguments));
}

std::variant<SimulateArguments, ArgumentError> readSimulate(const LockingCall& call)
{
    OptionReader reader(call);
    SimulateArguments arguments;
    arguments.subject = reader.subject(call.format);
    // So far below the end of all numbers that the seed of every run is one.
    arguments.seed = reader.number("seed", arguments.seed, std::numeric_limits<std::int64_t>::max(),
                                   0);
    arguments.runCount = reader.number("runs", arguments.runCount, kSchedulesMax);
    return reader.orResult(std::move(arguments));
}

std::variant<ReplayArguments, ArgumentError> readReplay(const LockingCall& call)
{
    OptionReader reader(call);
    ReplayArguments arguments;
    arguments.format = call.format;
    arguments.isLive = call.words.has("live");
    arguments.fileName = call.operands.empty() ? std::string() : call.operands.front();
    arguments.outputs = reader.outputs();
    reader.readSaved(arguments.fileName, arguments);
    return reader.orResult(std::move(arguments));
}

std::variant<MatrixArguments, ArgumentError> readMatrix(const LockingCall& call)
{
    OptionReader reader(call);
    MatrixArguments arguments;
    arguments.format = call.format;
    arguments.protocols = reader.protocols();
    arguments.faults = reader.faults(service::matrixFaults());
    arguments.bounds = reader.bounds(service::kMatrixSchedules);
    arguments.threadCount = reader.threadCount();
    return reader.orResult(std::move(arguments));
}

} // namespace lockscope::cli
