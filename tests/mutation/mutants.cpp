#include "tests/mutation/mutants.h"

#include "core/kernel/base/arena.h"
#include "core/kernel/base/sha1.h"
#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/own_protocol.h"
#include "core/kernel/search/cell.h"
#include "core/kernel/search/default_plans.h"
#include "protocol_scripts.h"
#include "tests/mutation/changed_client.h"
#include "tests/mutation/changed_commands.h"
#include "tests/mutation/script_changes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace lockscope::mutation {

using protocol::LockProtocol;
using protocol::OwnStep;
using world::FaultKind;
using world::WorldPlan;

namespace {

constexpr const char* kExamples = LOCKSCOPE_SOURCE_DIR "/resources/protocols";

/// Few, as every command of a protocol is sent in the first runs of some plan.
constexpr search::Bounds kListeningBounds{60};

/// The verbs of the commands that clients of this thread have sent, and the digests of scripts.
thread_local std::set<std::string> heardVerbs;
thread_local std::set<std::string> heardDigests;

store::Command listenTo(store::Command command)
{
    const Arena::Scope outside(nullptr); // the world's memory is put back
    const Bytes& verb = command.words.front();
    if (verb == "EVALSHA") {
        heardDigests.insert(command.words[1]);
    } else {
        heardVerbs.insert(verb);
    }
    return command;
}

/// Runs the protocol without a fault, after a pause, and with servers that lose their scripts, so
/// that the commands and scripts that it sends become known.
void listenToAll(const LockProtocol& protocol)
{
    heardVerbs.clear();
    heardDigests.clear();
    sim::LuaEngine lua;
    for (const FaultKind fault : {FaultKind::Interleaving, FaultKind::Pause, FaultKind::MessageLoss,
                                  FaultKind::HandedOver}) {
        std::vector<WorldPlan> plans = search::plansFor(protocol.info(), fault);
        for (WorldPlan& plan : plans) {
            plan.plantedChange = listenTo;
        }
        search::searchPlans(protocol, plans, lua, kListeningBounds);
    }
}

/// The built-in protocols live as long as the program.
std::shared_ptr<const LockProtocol> borrowed(const LockProtocol& protocol)
{
    return {std::shared_ptr<const LockProtocol>(), &protocol};
}

Subject subjectOf(const LockProtocol& protocol)
{
    listenToAll(protocol);
    Subject subject{borrowed(protocol), {}, {heardVerbs.begin(), heardVerbs.end()}};
    for (const store::Script& script : protocol::scripts::kAll) {
        if (heardDigests.contains(std::string(script.digest))) {
            subject.scripts.push_back({std::string(script.name), std::string(script.digest),
                                       std::string(script.text)});
        }
    }
    return subject;
}

void addStep(Subject& subject, const char* name, const std::optional<OwnStep>& step)
{
    if (step) {
        subject.scripts.push_back({name, sha1Hex(step->script), step->script});
    }
}

/// The change where it does make another script for the servers.
void addScriptMutants(const Subject& subject, std::vector<Mutant>& mutants)
{
    for (const UsedScript& script : subject.scripts) {
        std::set<std::string> ids;
        for (ScriptChange& change : changesOf(script.text)) {
            std::string id = subject.id() + ": " + script.name + ": " + change.id();
            if (!ids.insert(id).second) {
                id += " (again)";
                ids.insert(id);
            }
            Mutant mutant{std::move(id), std::move(change.to), subject.protocol, {}, nullptr};
            mutant.scripts = {{script.digest, std::move(change.text)}};
            mutants.push_back(std::move(mutant));
        }
    }
}

void addCommandMutants(const Subject& subject, std::vector<Mutant>& mutants)
{
    for (const CommandChange& change : commandChanges()) {
        if (std::ranges::find(subject.verbs, change.verb) != subject.verbs.end()) {
            mutants.push_back({subject.id() + ": " + std::string(change.operation) + ": "
                                   + std::string(change.verb),
                               "",
                               subject.protocol,
                               {},
                               change.change});
        }
    }
}

void addClientMutants(const Subject& subject, std::vector<Mutant>& mutants)
{
    const protocol::ProtocolInfo& info = subject.protocol->info();
    for (const ClientMistake& mistake : kClientMistakes) {
        if ((mistake.needsRenewal && !info.defaults.renewal.isOn())
            || (mistake.needsExpiry && !info.hasExpiry)) {
            continue;
        }
        mutants.push_back({subject.id() + ": client: " + std::string(mistake.operation),
                           "",
                           std::make_shared<const ChangedClient>(subject.protocol, mistake),
                           {},
                           nullptr});
    }
}

} // namespace

void Mutant::plantIn(WorldPlan& plan) const
{
    plan.plantedScripts = scripts;
    plan.plantedChange = commandChange;
}

std::vector<Subject> builtinSubjects()
{
    std::vector<Subject> subjects;
    for (const LockProtocol* const protocol : protocol::builtinProtocols()) {
        subjects.push_back(subjectOf(*protocol));
    }
    return subjects;
}

std::optional<Subject> subjectOf(std::string_view protocolFile)
{
    auto read = protocol::readOwnLockPlan(protocolFile);
    auto* const plan = std::get_if<protocol::OwnLockPlan>(&read);
    if (plan == nullptr) {
        return std::nullopt;
    }
    Subject subject;
    addStep(subject, "acquire-check", plan->acquireCheck);
    addStep(subject, "acquire", plan->acquire);
    addStep(subject, "renew-check", plan->renewCheck);
    addStep(subject, "renew", plan->renew);
    addStep(subject, "release-check", plan->releaseCheck);
    addStep(subject, "release", plan->release);
    subject.protocol = std::make_shared<const protocol::OwnLock>(std::move(*plan));
    return subject;
}

std::vector<Subject> allSubjects()
{
    std::vector<Subject> subjects = builtinSubjects();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(kExamples)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    for (const std::filesystem::path& path : files) {
        std::ifstream file(path);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        if (std::optional<Subject> subject = subjectOf(text)) {
            subjects.push_back(std::move(*subject));
        }
    }
    return subjects;
}

std::vector<Mutant> mutantsOf(const Subject& subject)
{
    std::vector<Mutant> mutants;
    addScriptMutants(subject, mutants);
    addCommandMutants(subject, mutants);
    addClientMutants(subject, mutants);
    return mutants;
}

} // namespace lockscope::mutation
