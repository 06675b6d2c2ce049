#include "app/cli/session/shard_file.h"

#include "app/quoted_words.h"
#include "core/kernel/base/sha1.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/report/saved_search.h"
#include "core/kernel/world/fault_info.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope::cli {

using app::ArgumentError;
using app::inQuotes;
using pool::PartResult;
using pool::SearchPart;
using pool::Shard;
using report::Json;
using report::Unreadable;
using search::SearchTask;
using Parsed = nlohmann::json;

namespace {

constexpr std::string_view kShardFormat = "lockscope-shard";
constexpr std::string_view kProgramVersion = LOCKSCOPE_VERSION;

// What was searched.

Json protocolsJson(std::span<const report::SavedProtocol> protocols)
{
    Json list = Json::array();
    for (const report::SavedProtocol& protocol : protocols) {
        list.push_back(Json{{"protocol", savedProtocolJson(protocol)}});
    }
    return list;
}

template<class Value>
Json idsJson(const std::vector<Value>& values)
{
    Json list = Json::array();
    for (const Value value : values) {
        list.push_back(idOf(value));
    }
    return list;
}

Json subjectJson(std::string_view command, const SearchSubject& subject)
{
    Json json{{"command", command},
              {"protocols", protocolsJson(std::span(&subject.protocol, 1))},
              {"scenario", nullptr},
              {"faults", idsJson(subject.faults)},
              {"clients", subject.clientCount}};
    if (subject.scenario) {
        json["scenario"] = report::worldPlanJson(*subject.scenario);
    }
    return json;
}

Json searchJson(const ExploreArguments& arguments)
{
    Json json = subjectJson("explore", arguments.subject);
    json["max-schedules"] = arguments.bounds.schedulesMax;
    const std::optional<int> preemptionsMax = arguments.bounds.preemptionsMax;
    json["max-preemptions"] = preemptionsMax ? Json(*preemptionsMax) : Json(nullptr);
    json["max-steps"] = arguments.bounds.lengthMax;
    return json;
}

Json searchJson(const SimulateArguments& arguments)
{
    Json json = subjectJson("simulate", arguments.subject);
    json["seed"] = arguments.seed;
    json["runs"] = arguments.runCount;
    return json;
}

Json searchJson(const MatrixArguments& arguments)
{
    return Json{{"command", "matrix"},
                {"protocols", protocolsJson(arguments.protocols)},
                {"faults", idsJson(arguments.faults)},
                {"never", idsJson(arguments.never)},
                {"unfold", idsJson(arguments.unfolded)},
                {"max-schedules", arguments.bounds.schedulesMax}};
}

std::vector<report::SavedProtocol> readProtocols(const Parsed& search)
{
    std::vector<report::SavedProtocol> protocols;
    for (const Parsed& element : search.at("protocols")) {
        protocols.push_back(report::readSavedProtocol({element, "", {"protocol"}}));
    }
    return protocols.empty() ? throw Unreadable() : protocols;
}

template<class Value>
std::vector<Value> readIds(const Parsed& list, std::optional<Value> (*valueOf)(std::string_view id))
{
    std::vector<Value> values;
    for (const Parsed& id : list) {
        const auto value = valueOf(id.get<std::string>());
        values.push_back(value ? *value : throw Unreadable());
    }
    return values;
}

std::vector<world::FaultKind> readFaults(const Parsed& search)
{
    return readIds<world::FaultKind>(search.at("faults"), world::faultKindOf);
}

SearchSubject readSubject(const Parsed& search)
{
    SearchSubject subject;
    subject.protocol = readProtocols(search).front();
    if (const Parsed& scenario = search.at("scenario"); !scenario.is_null()) {
        subject.scenario = report::readWorldPlan(scenario, "/search/scenario");
    }
    subject.faults = readFaults(search);
    subject.clientCount = search.at("clients").get<int>();
    return subject;
}

SearchCall readCall(const Parsed& search)
{
    const auto command = search.at("command").get<std::string>();
    if (command == "explore") {
        ExploreArguments arguments{readSubject(search), {}};
        arguments.bounds.schedulesMax = search.at("max-schedules").get<std::uint64_t>();
        if (const Parsed& most = search.at("max-preemptions"); !most.is_null()) {
            arguments.bounds.preemptionsMax = most.get<int>();
        }
        arguments.bounds.lengthMax = search.at("max-steps").get<int>();
        return arguments;
    }
    if (command == "simulate") {
        return SimulateArguments{readSubject(search), search.at("seed").get<std::uint64_t>(),
                                 search.at("runs").get<std::uint64_t>()};
    }
    if (command != "matrix") {
        throw Unreadable();
    }
    MatrixArguments arguments;
    arguments.protocols = readProtocols(search);
    arguments.faults = readFaults(search);
    arguments.never = readIds<search::Harm>(search.at("never"), search::harmOfId);
    arguments.unfolded = readIds<world::FaultGroup>(search.at("unfold"), world::faultGroupOf);
    if (arguments.never.empty()) {
        throw Unreadable();
    }
    arguments.bounds.schedulesMax = search.at("max-schedules").get<std::uint64_t>();
    return arguments;
}

// What came of it.

/// Builds of one version may still have other default plans.
std::string digestOf(std::span<const SearchTask> tasks)
{
    std::string text;
    for (const SearchTask& task : tasks) {
        for (const world::WorldPlan& plan : task.plans) {
            text += report::worldPlanJson(plan).dump() + '\n';
        }
    }
    return sha1Hex(text);
}

std::string digestOf(const Json& file)
{
    Json rest = file;
    rest.erase("digest");
    return sha1Hex(rest.dump());
}

Json resultsJson(std::span<const PartResult> results)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (const auto* const exploration = std::get_if<search::Exploration>(&results[i])) {
            list.push_back(Json{{"part", i},
                                {"exploration", report::savedExploration(*exploration)}});
        } else if (const auto* const random = std::get_if<search::RandomResult>(&results[i])) {
            list.push_back(Json{{"part", i}, {"random", report::savedRandomResult(*random)}});
        }
    }
    return list;
}

PartResult readResult(const Parsed& json, const SearchPart& part, const SearchTask& task)
{
    if (std::holds_alternative<search::RandomSearch>(task.method)) {
        return report::readRandomResult(json.at("random"), task.plans);
    }
    return report::readExploration(json.at("exploration"), task.plans[part.plan]);
}

/// A shard as it was read; `results` has one for each part, empty for those of other shards.
struct ShardFile {
    Shard shard;
    Json search;
    SearchCall call;
    std::vector<PartResult> results;
};

void readResults(const Json& list, ShardFile& file)
{
    const std::vector<SearchTask> tasks = orderOf(file.call).tasks;
    const std::vector<SearchPart> parts = pool::partsOf(tasks);
    file.results.resize(parts.size());
    for (const Json& element : list) {
        const Parsed json(element);
        const auto part = json.at("part").get<std::size_t>();
        if (part >= parts.size() || !file.shard.does(part)) {
            throw Unreadable();
        }
        file.results[part] = readResult(json, parts[part], tasks[parts[part].task]);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool isMissing = file.shard.does(i)
                               && std::holds_alternative<std::monostate>(file.results[i]);
        if (isMissing) {
            throw Unreadable();
        }
    }
}

/// Throws an ArgumentError for what another version made.
void checkVersion(const Json& json, const std::string& name)
{
    const auto version = json.at("version").get<std::string>();
    const auto engine = json.at("engine").get<int>();
    if (version != kProgramVersion || engine != report::kEngineRevision) {
        throw ArgumentError{inQuotes(name) + " was made by lockscope-cli "
                            + (version != kProgramVersion
                                   ? version + "; this is " + std::string(kProgramVersion)
                                   : "of another build")
                            + ": shards are merged by the version that searched them"};
    }
}

ShardFile readSound(const Json& json, const std::string& name)
{
    if (json.at("format") != kShardFormat) {
        throw ArgumentError{inQuotes(name) + " is not a shard of a search"};
    }
    checkVersion(json, name);
    if (json.at("digest") != digestOf(json)) {
        throw ArgumentError{inQuotes(name) + " is damaged: its content does not fit its digest"};
    }
    ShardFile file;
    file.shard = {json.at("shard").get<std::size_t>(), json.at("of").get<std::size_t>()};
    file.search = json.at("search");
    file.call = readCall(Parsed(file.search));
    if (json.at("plans") != digestOf(orderOf(file.call).tasks)) {
        throw ArgumentError{inQuotes(name) + " was made by a build with other plans than this one"};
    }
    readResults(json.at("results"), file);
    return file;
}

ShardFile readShardFile(const NamedText& named)
{
    const Json json = Json::parse(named.text, nullptr, false);
    if (!json.is_object() || !json.contains("format")) {
        throw ArgumentError{inQuotes(named.name) + " is not a shard of a search"};
    }
    try {
        return readSound(json, named.name);
    } catch (const Parsed::exception&) {
    } catch (const Unreadable&) {
    } catch (const protocol::FileFault&) {}
    throw ArgumentError{inQuotes(named.name) + " cannot be read: it is not what --shard prints"};
}

// Whether they belong together.

/// Throws an ArgumentError unless both are of one search.
void checkSame(const ShardFile& first, const ShardFile& other, const std::string& names)
{
    for (const auto& [member, value] : first.search.items()) {
        const auto theirs = other.search.find(member);
        if (theirs == other.search.end() || *theirs != value) {
            throw ArgumentError{
                names + " are of different searches: "
                + (member == "command" ? "the commands differ" : "--" + member + " differs")};
        }
    }
    if (first.shard.count != other.shard.count) {
        throw ArgumentError{names + " do not belong together: one is of "
                            + std::to_string(first.shard.count) + " shards, the other of "
                            + std::to_string(other.shard.count)};
    }
}

std::string missingText(std::span<const std::string> namesOfShards)
{
    std::string numbers;
    std::size_t count = 0;
    for (std::size_t i = 0; i < namesOfShards.size(); ++i) {
        if (namesOfShards[i].empty()) {
            numbers += (count++ > 0 ? ", " : "") + std::to_string(i + 1);
        }
    }
    if (count == 0) {
        return {};
    }
    return (count == 1 ? "shard " : "shards ") + numbers + " of "
           + std::to_string(namesOfShards.size()) + (count == 1 ? " is missing" : " are missing");
}

} // namespace

std::string shardFileText(const Shard& shard, const SearchCall& call,
                          std::vector<PartResult> results)
{
    pool::condense(results);
    Json json{{"format", kShardFormat},
              {"version", kProgramVersion},
              {"engine", report::kEngineRevision},
              {"shard", shard.number},
              {"of", shard.count}};
    json["search"] = std::visit([](const auto& arguments) { return searchJson(arguments); }, call);
    json["plans"] = digestOf(orderOf(call).tasks);
    json["results"] = resultsJson(results);
    json["digest"] = digestOf(json);
    return json.dump() + '\n';
}

MergedSearch mergedShards(std::span<const NamedText> files)
{
    std::optional<ShardFile> whole;
    std::vector<std::string> names; // by shard
    for (const NamedText& named : files) {
        ShardFile file = readShardFile(named);
        const std::size_t place = file.shard.number - 1;
        if (!whole) {
            names.resize(file.shard.count);
            names[place] = named.name;
            whole = std::move(file);
            continue;
        }
        checkSame(*whole, file, inQuotes(files.front().name) + " and " + inQuotes(named.name));
        if (!names[place].empty()) {
            throw ArgumentError{inQuotes(names[place]) + " and " + inQuotes(named.name)
                                + " are both shard " + std::to_string(place + 1) + " of "
                                + std::to_string(names.size())};
        }
        names[place] = named.name;
        for (std::size_t i = place; i < file.results.size(); i += names.size()) {
            whole->results[i] = std::move(file.results[i]);
        }
    }
    if (std::string missing = missingText(names); !missing.empty()) {
        throw ArgumentError{std::move(missing)};
    }
    return {std::move(whole->call), std::move(whole->results)};
}

} // namespace lockscope::cli
