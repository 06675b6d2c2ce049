#include "core/kernel/report/run/world_plan_json.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/protocol/file_section.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lockscope::report {

using Parsed = nlohmann::json;
using protocol::FileFault;
using protocol::FileSection;
using protocol::Renewal;
using world::Act;
using world::ClientPlan;
using world::FaultKind;
using world::FaultPlan;
using world::WorldPlan;
using namespace std::chrono_literals;

namespace {

// What a person may want, and a search can still do.
constexpr std::size_t kClientsMax = 26; // each has a letter
constexpr std::size_t kActsMax = 1000;
constexpr int kKeysMax = 26;
constexpr int kServersMax = 15;
constexpr int kCountMax = 1000;
constexpr int kTriesMax = 1'000'000;
constexpr Duration kHorizonMax = std::chrono::hours(24 * 366);

constexpr std::array<std::pair<Act::Kind, std::string_view>, 4> kActNames{
    {{Act::Kind::Acquire, "acquire"},
     {Act::Kind::Work, "work"},
     {Act::Kind::Release, "release"},
     {Act::Kind::Sleep, "sleep"}}};
constexpr std::array<std::pair<protocol::Mode, std::string_view>, 3> kModes{
    {{protocol::Mode::Exclusive, "exclusive"},
     {protocol::Mode::Read, "read"},
     {protocol::Mode::Write, "write"}}};

template<class Table, class Value>
std::string_view nameIn(const Table& table, Value value)
{
    return std::ranges::find(table, value, &Table::value_type::first)->second;
}

// --- writing -----------------------------------------------------------------------------------

Json actJson(const Act& act)
{
    Json json{{"do", nameIn(kActNames, act.kind)}};
    const bool isAboutLock = act.kind == Act::Kind::Acquire || act.kind == Act::Kind::Release;
    if (isAboutLock && act.key != 0) {
        json["key"] = act.key;
    }
    if (act.kind == Act::Kind::Acquire) {
        json["lease"] = durationWord(act.span);
        if (act.mode != protocol::Mode::Exclusive) {
            json["mode"] = nameIn(kModes, act.mode);
        }
        if (!act.isRenewed) {
            json["renewed"] = false;
        }
    } else if (act.kind != Act::Kind::Release) {
        json["for"] = durationWord(act.span);
    }
    return json;
}

Json clientJson(const ClientPlan& client)
{
    Json json{{"startAt", durationWord(client.startAt)}, {"acts", Json::array()}};
    for (const Act& act : client.acts) {
        json["acts"].push_back(actJson(act));
    }
    if (client.sharesIdentityWith) {
        json["sharesIdentityWith"] = world::clientName(*client.sharesIdentityWith);
    }
    if (client.diesHolding) {
        json["diesHolding"] = true;
    }
    return json;
}

Json renewalJson(const Renewal& renewal)
{
    const Renewal usual;
    Json json{{"period", durationWord(renewal.period)}};
    const auto add = [&json](const char* name, bool value, bool usually) {
        if (value != usually) {
            json[name] = value;
        }
    };
    add("atOnce", renewal.isFirstAtOnce, usual.isFirstAtOnce);
    if (renewal.countMax) {
        json["countMax"] = *renewal.countMax;
    }
    add("stopsAtFirstError", renewal.stopsAtFirstError, usual.stopsAtFirstError);
    add("hurriesAfterError", renewal.hurriesAfterError, usual.hurriesAfterError);
    add("tellsHolder", renewal.tellsHolder, usual.tellsHolder);
    add("sharesOneSwitch", renewal.sharesOneSwitch, usual.sharesOneSwitch);
    return json;
}

Json faultsJson(const FaultPlan& faults)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < faults.faults.size(); ++i) {
        const FaultPlan::Fault& fault = faults.faults[i];
        if (fault.countMax > 0 || fault.amount != Duration(0)) {
            list.push_back(Json{{"kind", idOf(static_cast<FaultKind>(i))},
                                {"countMax", fault.countMax},
                                {"amount", durationWord(fault.amount)}});
        }
    }
    return list;
}

// --- reading -----------------------------------------------------------------------------------

using ReadElement = std::function<void(const Parsed& element, const std::string& path)>;

void readList(const FileSection& section, std::string_view name, std::size_t most,
              const ReadElement& read)
{
    if (!section.has(name)) {
        return;
    }
    const Parsed& list = section.at(name);
    if (!list.is_array() || list.size() > most) {
        section.fail(name, "A list of at most " + std::to_string(most) + " is expected.");
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        read(list[i], section.pathOf(name) + '/' + std::to_string(i));
    }
}

/// One of the words of the table.
template<class Table>
auto chosen(const FileSection& section, std::string_view name, const Table& table)
{
    const std::string word = section.text(name);
    const auto found = std::ranges::find(table, word, &Table::value_type::second);
    if (found == table.end()) {
        std::string words;
        for (const auto& [value, known] : table) {
            words += (words.empty() ? "" : ", ") + std::string(known);
        }
        section.fail(name, "Expected one of: " + words + ".");
    }
    return found->first;
}

int clientNamed(const FileSection& section, std::string_view name, std::size_t countMax)
{
    const std::string letter = section.text(name);
    const int client = letter.size() == 1 ? letter[0] - 'A' : -1;
    if (client < 0 || client >= static_cast<int>(countMax)) {
        section.fail(name, "There is no client with this letter before this one.");
    }
    return client;
}

Duration neededDuration(const FileSection& section, std::string_view name, Duration least)
{
    section.at(name);
    const Duration duration = section.durationOr(name, least);
    if (duration < least) {
        section.fail(name, "This must be at least " + durationWord(least) + '.');
    }
    return duration;
}

Act readAct(const Parsed& element, const std::string& path)
{
    const FileSection section(element, path, {"do", "key", "lease", "mode", "renewed", "for"});
    Act act;
    act.kind = chosen(section, "do", kActNames);
    const auto refuse = [&section](std::initializer_list<std::string_view> names) {
        for (const std::string_view name : names) {
            if (section.has(name)) {
                section.fail(name, '"' + std::string(name) + "\" does not apply to this act.");
            }
        }
    };
    switch (act.kind) {
    case Act::Kind::Acquire:
        refuse({"for"});
        act.span = neededDuration(section, "lease", 1ms);
        act.mode = section.has("mode") ? chosen(section, "mode", kModes)
                                       : protocol::Mode::Exclusive;
        act.isRenewed = section.flagOr("renewed", true);
        break;
    case Act::Kind::Release: refuse({"for", "lease", "mode", "renewed"}); break;
    case Act::Kind::Work:
    case Act::Kind::Sleep:
        refuse({"key", "lease", "mode", "renewed"});
        act.span = neededDuration(section, "for", 0ms);
        break;
    }
    act.key = section.number("key", 0, kKeysMax - 1).value_or(0);
    return act;
}

/// Nothing is released that was not acquired before.
void checkOrder(const std::vector<Act>& acts, const std::string& path)
{
    std::array<int, kKeysMax> depth{};
    for (std::size_t i = 0; i < acts.size(); ++i) {
        int& held = depth.at(static_cast<std::size_t>(acts[i].key));
        held += acts[i].kind == Act::Kind::Acquire ? 1 : 0;
        held -= acts[i].kind == Act::Kind::Release ? 1 : 0;
        if (held < 0) {
            throw FileFault{path + "/acts/" + std::to_string(i),
                            "This client has nothing left to release."};
        }
    }
}

ClientPlan readClient(const Parsed& element, const std::string& path, std::size_t index)
{
    const FileSection section(element, path,
                              {"startAt", "acts", "sharesIdentityWith", "diesHolding"});
    ClientPlan client;
    client.startAt = section.durationOr("startAt", client.startAt);
    section.at("acts");
    readList(section, "acts", kActsMax, [&client](const Parsed& act, const std::string& actPath) {
        client.acts.push_back(readAct(act, actPath));
    });
    checkOrder(client.acts, path);
    if (section.has("sharesIdentityWith")) {
        client.sharesIdentityWith = clientNamed(section, "sharesIdentityWith", index);
    }
    client.diesHolding = section.flagOr("diesHolding", false);
    return client;
}

Renewal readRenewal(const FileSection& plan)
{
    Renewal renewal;
    if (!plan.has("renewal")) {
        return renewal;
    }
    const FileSection section(plan.at("renewal"), plan.pathOf("renewal"),
                              {"period", "atOnce", "countMax", "stopsAtFirstError",
                               "hurriesAfterError", "tellsHolder", "sharesOneSwitch"});
    renewal.period = neededDuration(section, "period", 0ms);
    renewal.isFirstAtOnce = section.flagOr("atOnce", renewal.isFirstAtOnce);
    renewal.countMax = section.number("countMax", 1, kTriesMax);
    renewal.stopsAtFirstError = section.flagOr("stopsAtFirstError", renewal.stopsAtFirstError);
    renewal.hurriesAfterError = section.flagOr("hurriesAfterError", renewal.hurriesAfterError);
    renewal.tellsHolder = section.flagOr("tellsHolder", renewal.tellsHolder);
    renewal.sharesOneSwitch = section.flagOr("sharesOneSwitch", renewal.sharesOneSwitch);
    return renewal;
}

void readFaults(const FileSection& plan, FaultPlan& faults)
{
    readList(plan, "faults", faults.faults.size(),
             [&faults](const Parsed& element, const auto& path) {
                 const FileSection section(element, path, {"kind", "countMax", "amount"});
                 const auto kind = world::faultKindOf(section.text("kind"));
                 if (!kind) {
                     section.fail("kind", "Unknown fault.");
                 }
                 faults.of(*kind) = {section.number("countMax", 0, kCountMax).value_or(1),
                                     section.durationOr("amount", Duration(0))};
             });
    faults.totalMax = plan.number("faultsMax", 0, kCountMax).value_or(faults.totalMax);
}

void readReach(const FileSection& section, WorldPlan& plan)
{
    readList(section, "unreachable", kCountMax, [&plan](const Parsed& element, const auto& path) {
        const FileSection pair(element, path, {"client", "server"});
        pair.at("server");
        plan.unreachable.emplace_back(clientNamed(pair, "client", plan.clients.size()),
                                      pair.number("server", 0, plan.nodeCount - 1).value_or(0));
    });
}

void readLimits(const FileSection& section, WorldPlan& plan)
{
    plan.retryPause = section.has("retryPause") ? neededDuration(section, "retryPause", 1ms)
                                                : plan.retryPause;
    plan.triesMax = section.number("triesMax", 1, kTriesMax).value_or(plan.triesMax);
    plan.waitMax = section.durationOr("waitMax", plan.waitMax);
    plan.requestTimeout = section.has("requestTimeout")
                              ? neededDuration(section, "requestTimeout", 1ms)
                              : plan.requestTimeout;
    plan.permits =
        section.number("permits", 1, static_cast<int>(kClientsMax)).value_or(plan.permits);
    plan.areWritersPreferred = section.flagOr("writersPreferred", plan.areWritersPreferred);
    plan.horizon = section.durationOr("horizon", plan.horizon);
    if (plan.horizon > kHorizonMax) {
        section.fail("horizon", "The horizon must not exceed one year.");
    }
    plan.wakeUpMax = section.durationOr("wakeUpMax", plan.wakeUpMax);
    plan.bypassMax = section.number("bypassMax", 0, kCountMax).value_or(plan.bypassMax);
    if (section.has("seed")) {
        if (!section.at("seed").is_number_unsigned()) {
            section.fail("seed", "\"seed\" must be a whole number.");
        }
        plan.seed = section.at("seed").get<std::uint64_t>();
    }
}

} // namespace

Json worldPlanJson(const WorldPlan& plan)
{
    Json json{{"name", plan.name}, {"clients", Json::array()}};
    for (const ClientPlan& client : plan.clients) {
        json["clients"].push_back(clientJson(client));
    }
    json["servers"] = plan.nodeCount;
    json["retryPause"] = durationWord(plan.retryPause);
    json["triesMax"] = plan.triesMax;
    json["waitMax"] = durationWord(plan.waitMax);
    json["renewal"] = renewalJson(plan.renewal);
    json["requestTimeout"] = durationWord(plan.requestTimeout);
    json["permits"] = plan.permits;
    json["writersPreferred"] = plan.areWritersPreferred;
    json["faults"] = faultsJson(plan.faults);
    json["faultsMax"] = plan.faults.totalMax;
    json["unreachable"] = Json::array();
    for (const auto& [client, server] : plan.unreachable) {
        json["unreachable"].push_back(Json{{"client", world::clientName(client)},
                                           {"server", server}});
    }
    json["horizon"] = durationWord(plan.horizon);
    json["wakeUpMax"] = durationWord(plan.wakeUpMax);
    json["bypassMax"] = plan.bypassMax;
    json["seed"] = plan.seed;
    return json;
}

WorldPlan readWorldPlan(const Parsed& json, const std::string& path)
{
    const FileSection section(json, path,
                              {"name", "clients", "servers", "retryPause", "triesMax", "waitMax",
                               "renewal", "requestTimeout", "permits", "writersPreferred", "faults",
                               "faultsMax", "unreachable", "horizon", "wakeUpMax", "bypassMax",
                               "seed"});
    WorldPlan plan;
    plan.name = section.textOr("name", "a plan without a name");
    section.at("clients");
    readList(section, "clients", kClientsMax, [&plan](const auto& client, const auto& clientPath) {
        plan.clients.push_back(readClient(client, clientPath, plan.clients.size()));
    });
    if (plan.clients.empty()) {
        section.fail("clients", "At least one client is required.");
    }
    plan.nodeCount = section.number("servers", 1, kServersMax).value_or(plan.nodeCount);
    plan.renewal = readRenewal(section);
    readFaults(section, plan.faults);
    readReach(section, plan);
    readLimits(section, plan);
    return plan;
}

std::optional<std::string> complaintAbout(const WorldPlan& plan, const protocol::ProtocolInfo& info)
{
    for (const ClientPlan& client : plan.clients) {
        for (const Act& act : client.acts) {
            if (act.kind == Act::Kind::Acquire && act.mode != protocol::Mode::Exclusive
                && !info.hasModes) {
                return info.id + " does not distinguish readers and writers.";
            }
            if (act.kind == Act::Kind::Acquire && act.mode == protocol::Mode::Exclusive
                && info.hasModes) {
                return info.id + " requires every lock to be either for reading or for writing.";
            }
        }
    }
    if (plan.nodeCount > 1 && info.keys != protocol::KeyUse::OnePerServer) {
        return info.id + " uses a single server.";
    }
    if (plan.permits > 1 && !info.hasPermits) {
        return info.id + " has one holder at a time.";
    }
    if (plan.renewal.isOn() && !info.canRenew) {
        return info.id + " cannot renew a lock.";
    }
    return std::nullopt;
}

} // namespace lockscope::report
