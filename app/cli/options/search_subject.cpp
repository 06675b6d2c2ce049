#include "app/cli/options/search_subject.h"

#include "app/cli/commands/command.h"
#include "app/cli/options/protocol_choice.h"
#include "app/quoted_words.h"
#include "core/files/file_limits.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/json_file.h"
#include "core/kernel/report/run/scenario_file.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <span>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
using world::FaultKind;

namespace {

constexpr std::uint64_t kClientsMax = 26;
constexpr std::uint64_t kSearchThreadsMax = 256;
constexpr std::uint64_t kSchedulesMax = 1'000'000'000;
constexpr std::uint64_t kShardsMax = 10'000;

std::string unknownFault(std::string_view name, std::span<const FaultKind> offered)
{
    std::vector<std::string_view> names;
    for (const FaultKind fault : offered) {
        names.push_back(idOf(fault));
    }
    const std::string_view meant = app::closestTo(name, names);
    const std::string reason = (world::faultKindOf(name) ? "this command knows no "
                                                         : "unknown fault ")
                               + inQuotes(name);
    return meant.empty() ? reason + "; the faults are " + joined(names, ", ") + ", or all"
                         : reason + "; did you mean " + std::string(meant) + '?';
}

/// In lines of the help.
std::string faultNames(std::span<const FaultKind> offered)
{
    constexpr std::size_t kLineMax = 58;
    std::string text;
    std::string line;
    for (const FaultKind fault : offered) {
        const std::string word = (text.empty() && line.empty() ? "" : ", ")
                                 + std::string(idOf(fault));
        if (line.size() + word.size() > kLineMax) {
            text += line + ",\n";
            line = idOf(fault);
        } else {
            line += word;
        }
    }
    return '\n' + text + line + '.';
}

std::string readFaults(const std::string& text, std::span<const FaultKind> offered,
                       std::vector<FaultKind>& faults)
{
    faults.clear();
    for (const std::string& name : listedWords(text)) {
        if (name == kEverything) {
            faults.assign(offered.begin(), offered.end());
            return {};
        }
        const auto fault = world::faultKindOf(name);
        if (!fault || std::ranges::find(offered, *fault) == offered.end()) {
            return unknownFault(name, offered);
        }
        if (std::ranges::find(faults, *fault) == faults.end()) {
            faults.push_back(*fault);
        }
    }
    return faults.empty() ? "the list is empty; use interleaving for no fault" : "";
}

/// "3/16"
std::string readShard(const std::string& text, std::optional<pool::Shard>& shard)
{
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::uint64_t number = 0;
    std::uint64_t count = 0;
    const bool isCount = slash < text.size()
                         && app::readNumber(text.substr(slash + 1), 1, kShardsMax, count).empty();
    if (!isCount || !app::readNumber(text.substr(0, slash), 1, count, number).empty()) {
        return "not a shard: " + inQuotes(text) + "; 3/16 is the third of sixteen";
    }
    shard = pool::Shard{number, count};
    return {};
}

report::ScenarioFile scenarioIn(const std::string& path)
{
    return soundOrThrow(report::readScenario(contentOf(path, "the scenario",
                                                       files::kScenarioFileMax)),
                        "the scenario " + inQuotes(path));
}

/// What is said of a protocol is said by its id, so that no two may have one.
void addOnce(report::SavedProtocol protocol, std::vector<report::SavedProtocol>& protocols)
{
    const auto same = std::ranges::find_if(protocols, [&protocol](const auto& listed) {
        return listed.info().id == protocol.info().id;
    });
    if (same == protocols.end()) {
        protocols.push_back(std::move(protocol));
    } else if (same->ownText != protocol.ownText) {
        throw ArgumentError{"--protocols: two protocols are called " + protocol.info().id};
    }
}

} // namespace

std::vector<std::string> listedWords(std::string_view text)
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

std::vector<report::SavedProtocol> listedProtocols(std::string_view text)
{
    std::vector<report::SavedProtocol> protocols;
    for (const std::string& word : listedWords(text)) {
        if (word != kEverything) {
            addOnce(savedProtocol(word), protocols);
            continue;
        }
        for (const auto* const protocol : protocol::builtinProtocols()) {
            addOnce(report::SavedProtocol::builtin(protocol->info().id), protocols);
        }
    }
    if (protocols.empty()) {
        throw ArgumentError{"--protocols: the list is empty"};
    }
    return protocols;
}

void declareFaults(app::OptionSet& options, std::vector<FaultKind>& faults, std::string_view help,
                   std::string_view name, const std::vector<FaultKind>& offered)
{
    const auto read = [offered, &faults](const std::string& text) {
        return readFaults(text, offered, faults);
    };
    options.add(name, "LIST|all", read, std::string(help) + faultNames(offered));
    std::vector<std::string> ids;
    ids.reserve(offered.size());
    for (const FaultKind fault : offered) {
        ids.emplace_back(idOf(fault));
    }
    options.suggest(name, std::move(ids));
}

void declareProtocols(app::OptionSet& options, std::string& list)
{
    options.addText("protocols", "LIST|all", list,
                    "Ids and files, separated by commas (all built-in protocols).");
    std::vector<std::string> ids;
    for (const auto* const protocol : protocol::builtinProtocols()) {
        ids.push_back(protocol->info().id);
    }
    options.suggest("protocols", std::move(ids));
}

void declareThreads(app::OptionSet& options, int& threadCount)
{
    options.addNumber("threads", threadCount, 1, kSearchThreadsMax,
                      "Number of threads (one per core). Does not change any result.");
}

void declareShard(app::OptionSet& options, std::optional<pool::Shard>& shard)
{
    const auto read = [&shard](const std::string& text) { return readShard(text, shard); };
    options.add(
        "shard", "I/N", read,
        "Do only the I-th of N shares of the search, and print what\nlockscope-cli merge puts "
        "together.");
}

void declareBounds(app::OptionSet& options, search::Bounds& bounds, std::uint64_t schedulesMax)
{
    bounds.schedulesMax = schedulesMax;
    options.addNumber("max-schedules", bounds.schedulesMax, 1, kSchedulesMax,
                      "Maximum number of runs per plan (" + std::to_string(schedulesMax) + ").");
}

void SearchSubjectOptions::declare(app::OptionSet& options, SearchSubject& subject)
{
    options.addText("protocol", "ID|FILE", m_protocol,
                    "Protocol: an id listed by \"lockscope-cli protocols\", or a custom\nprotocol "
                    "file (a name with a slash, or ending in .json).");
    options.addText("protocol-file", "FILE", m_protocolFile, "Custom protocol, as JSON.");
    options.addText("scenario", "FILE", m_scenario,
                    "Workload and possible faults, as JSON; replaces the default\nplans.");
    options.addNumber("clients", subject.clientCount, 2, kClientsMax,
                      "Only plans for up to N clients, filled up to N (default of the plans).");
    declareFaults(options, subject.faults,
                  "Faults, separated by commas (all; with a scenario: those it\nallows):");
    declareThreads(options, subject.threadCount);
    declareShard(options, subject.shard);
    options.addFile("save", subject.saveFile, "Save the counterexample that is shown, for replay.");
    options.addFile("save-run", subject.outputs.runFile,
                    "Save the whole run that is shown, for replay\nor for the window.");
    declareFormat(options, subject.format, {Format::Text, Format::Json});
}

/// --protocol and --protocol-file change the protocol of a scenario.
void SearchSubjectOptions::complete(SearchSubject& subject) const
{
    std::optional<report::ScenarioFile> scenario;
    if (!m_scenario.empty()) {
        scenario = scenarioIn(m_scenario);
        subject.protocol = scenario->protocol;
    }
    if (!m_protocol.empty()) {
        subject.protocol = savedProtocol(m_protocol);
    } else if (!m_protocolFile.empty()) {
        subject.protocol = savedProtocolOfFile(m_protocolFile);
    } else if (!subject.protocol.protocol) {
        throw ArgumentError{m_scenario.empty()
                                ? "--protocol ID or --scenario FILE is missing; \"lockscope-cli "
                                  "protocols\" lists the protocols"
                                : "the scenario " + inQuotes(m_scenario)
                                      + " names no protocol; use --protocol ID"};
    }
    if (subject.shard && !(subject.saveFile.empty() && subject.outputs.isEmpty())) {
        throw ArgumentError{"--shard: a share of a search has nothing to save yet; use --save and "
                            "--save-run with merge"};
    }
    if (!scenario) {
        subject.faults = subject.faults.empty() ? search::matrixFaults() : subject.faults;
        return;
    }
    subject.scenario = scenario->planFor(subject.protocol.info());
    const auto complaint = report::complaintAbout(*subject.scenario, subject.protocol.info());
    if (complaint) {
        throw ArgumentError{"the plan does not fit: "
                            + complaint->substr(0, complaint->size() - 1)};
    }
    if (subject.clientCount > 0) {
        throw ArgumentError{"--clients: the scenario defines its own clients"};
    }
}

} // namespace lockscope::cli
