#include "core/kernel/report/run/world_plan_json.h"

#include "core/kernel/base/duration_text.h"
#include "core/kernel/base/kernel_text.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/plan_members.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

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
constexpr int kCountMax = 1000;
constexpr int kTriesMax = 1'000'000;

constexpr std::array<std::pair<Act::Kind, std::string_view>, 4> kActNames{
    {{Act::Kind::Acquire, "acquire"},
     {Act::Kind::Work, "work"},
     {Act::Kind::Release, "release"},
     {Act::Kind::Sleep, "sleep"}}};
constexpr std::array<std::pair<protocol::Mode, std::string_view>, 3> kModes{
    {{protocol::Mode::Exclusive, "exclusive"},
     {protocol::Mode::Read, "read"},
     {protocol::Mode::Write, "write"}}};

constexpr std::pair<const char*, bool Renewal::*> kRenewalFlags[] = {
    {"atOnce", &Renewal::isFirstAtOnce},
    {"stopsAtFirstError", &Renewal::stopsAtFirstError},
    {"hurriesAfterError", &Renewal::hurriesAfterError},
    {"tellsHolder", &Renewal::tellsHolder},
    {"sharesOneSwitch", &Renewal::sharesOneSwitch}};

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
    } else if (act.kind == Act::Kind::Release) {
        if (act.byAnotherTask) {
            json["byAnotherTask"] = true;
        }
    } else {
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
    if (renewal.countMax) {
        json["countMax"] = *renewal.countMax;
    }
    for (const auto& [name, flag] : kRenewalFlags) {
        if (renewal.*flag != usual.*flag) {
            json[name] = renewal.*flag;
        }
    }
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

Json unreachableJson(const WorldPlan& plan)
{
    Json list = Json::array();
    for (const auto& [client, server] : plan.unreachable) {
        list.push_back(Json{{"client", world::clientName(client)}, {"server", server}});
    }
    return list;
}

template<class Value>
Json valueJson(const Value& value)
{
    if constexpr (std::is_same_v<Value, Duration>) {
        return durationWord(value);
    } else {
        return value;
    }
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
        section.fail(name, KernelText::tr("A list of at most %1 is expected.", most));
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
        section.fail(name, KernelText::tr("Expected one of: %1.", words));
    }
    return found->first;
}

int clientNamed(const FileSection& section, std::string_view name, std::size_t countMax)
{
    const std::string letter = section.text(name);
    const int client = letter.size() == 1 ? letter[0] - 'A' : -1;
    if (client < 0 || client >= static_cast<int>(countMax)) {
        section.fail(name, KernelText::tr("There is no client with this letter before this one."));
    }
    return client;
}

Duration durationWithin(const FileSection& section, std::string_view name, Duration least,
                        Duration most = kPlanSpanMax)
{
    section.at(name);
    const Duration duration = section.durationOr(name, least);
    if (duration < least) {
        section.fail(name, KernelText::tr("This must be at least %1.", durationWord(least)));
    }
    if (duration > most) {
        section.fail(name, KernelText::tr("This must be at most %1.", durationWord(most)));
    }
    return duration;
}

Act readAct(const Parsed& element, const std::string& path)
{
    const FileSection section(element, path,
                              {"do", "key", "lease", "mode", "renewed", "byAnotherTask", "for"});
    Act act;
    act.kind = chosen(section, "do", kActNames);
    const auto refuse = [&section](std::initializer_list<std::string_view> names) {
        for (const std::string_view name : names) {
            if (section.has(name)) {
                section.fail(name, KernelText::tr("\"%1\" does not apply to this act.", name));
            }
        }
    };
    switch (act.kind) {
    case Act::Kind::Acquire:
        refuse({"for", "byAnotherTask"});
        act.span = durationWithin(section, "lease", 1ms);
        act.mode = section.has("mode") ? chosen(section, "mode", kModes)
                                       : protocol::Mode::Exclusive;
        act.isRenewed = section.flagOr("renewed", true);
        break;
    case Act::Kind::Release:
        refuse({"for", "lease", "mode", "renewed"});
        act.byAnotherTask = section.flagOr("byAnotherTask", false);
        break;
    case Act::Kind::Work:
    case Act::Kind::Sleep:
        refuse({"key", "lease", "mode", "renewed", "byAnotherTask"});
        act.span = durationWithin(section, "for", 0ms);
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
                            KernelText::tr("This client has nothing left to release.")};
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
    std::vector<std::string_view> known{"period", "countMax"};
    for (const auto& [name, flag] : kRenewalFlags) {
        known.emplace_back(name);
    }
    const FileSection section(plan.at(kRenewalMember), plan.pathOf(kRenewalMember), known);
    Renewal renewal;
    renewal.period = durationWithin(section, "period", 0ms);
    renewal.countMax = section.number("countMax", 1, kTriesMax);
    for (const auto& [name, flag] : kRenewalFlags) {
        renewal.*flag = section.flagOr(name, renewal.*flag);
    }
    return renewal;
}

void readFaults(const FileSection& plan, FaultPlan& faults)
{
    readList(plan, "faults", faults.faults.size(),
             [&faults](const Parsed& element, const auto& path) {
                 const FileSection section(element, path, {"kind", "countMax", "amount"});
                 const auto kind = world::faultKindOf(section.text("kind"));
                 if (!kind) {
                     section.fail("kind", KernelText::tr("Unknown fault."));
                 }
                 if (isMisuse(*kind)) {
                     section.fail("kind",
                                  KernelText::tr(
                                      "This is not a fault: describe it by what the clients do."));
                 }
                 faults.of(*kind) = {section.number("countMax", 0, kCountMax).value_or(1),
                                     section.durationOr("amount", Duration(0))};
             });
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

int readValue(const FileSection& section, const PlanMember& member, const PlanMember::Number& kind)
{
    return section.number(member.name, kind.least, kind.most).value_or(kind.least);
}

Duration readValue(const FileSection& section, const PlanMember& member,
                   const PlanMember::Span& kind)
{
    return durationWithin(section, member.name, kind.least);
}

bool readValue(const FileSection& section, const PlanMember& member, const PlanMember::Flag&)
{
    return section.flagOr(member.name, false);
}

std::uint64_t readValue(const FileSection& section, const PlanMember& member,
                        const PlanMember::Seed&)
{
    const Parsed& seed = section.at(member.name);
    if (!seed.is_number_unsigned()) {
        section.fail(member.name, KernelText::tr("\"%1\" must be a whole number.", member.name));
    }
    return seed.get<std::uint64_t>();
}

void readMembers(const FileSection& section, WorldPlan& plan)
{
    for (const PlanMember& member : planMembers()) {
        if (!section.has(member.name)) {
            continue;
        }
        if (member.name == kRenewalMember) {
            plan.renewal = readRenewal(section);
            continue;
        }
        std::visit([&](const auto& kind) { kind.of(plan) = readValue(section, member, kind); },
                   member.value);
    }
}

} // namespace

Json worldPlanJson(const WorldPlan& plan)
{
    Json json{{"name", plan.name}, {"clients", Json::array()}};
    for (const ClientPlan& client : plan.clients) {
        json["clients"].push_back(clientJson(client));
    }
    WorldPlan values = plan;
    for (const PlanMember& member : planMembers()) {
        json[std::string(member.name)] =
            member.name == kRenewalMember
                ? renewalJson(plan.renewal)
                : std::visit([&values](const auto& kind) { return valueJson(kind.of(values)); },
                             member.value);
    }
    json["faults"] = faultsJson(plan.faults);
    json["unreachable"] = unreachableJson(plan);
    return json;
}

WorldPlan readWorldPlan(const Parsed& json, const std::string& path)
{
    std::vector<std::string_view> known{"name", "clients", "faults", "unreachable"};
    std::ranges::transform(planMembers(), std::back_inserter(known), &PlanMember::name);
    const FileSection section(json, path, known);
    WorldPlan plan;
    plan.name = section.textOr("name", QT_TRANSLATE_NOOP("KernelText", "a plan without a name"));
    section.at("clients");
    readList(section, "clients", kClientsMax, [&plan](const auto& client, const auto& clientPath) {
        plan.clients.push_back(readClient(client, clientPath, plan.clients.size()));
    });
    if (plan.clients.empty()) {
        section.fail("clients", KernelText::tr("At least one client is required."));
    }
    readMembers(section, plan);
    readFaults(section, plan.faults);
    readReach(section, plan);
    return plan;
}

std::optional<std::string> complaintAbout(const WorldPlan& plan, const protocol::ProtocolInfo& info)
{
    for (const ClientPlan& client : plan.clients) {
        for (const Act& act : client.acts) {
            if (act.kind == Act::Kind::Acquire && act.mode != protocol::Mode::Exclusive
                && !info.hasModes) {
                return KernelText::tr("%1 does not distinguish readers and writers.", info.id);
            }
            if (act.kind == Act::Kind::Acquire && act.mode == protocol::Mode::Exclusive
                && info.hasModes) {
                return KernelText::tr(
                    "%1 requires every lock to be either for reading or for writing.", info.id);
            }
        }
    }
    for (const PlanMember& member : planMembers()) {
        if (!member.appliesToProtocol(info) && !member.hasDefault(plan)) {
            return member.refusal(info.id);
        }
    }
    return std::nullopt;
}

} // namespace lockscope::report
