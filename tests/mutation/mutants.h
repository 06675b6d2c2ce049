#pragma once

#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/store/command.h"
#include "core/kernel/world/world_plan.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::mutation {

/// A script that a protocol runs.
struct UsedScript {
    std::string name; // of its file; of a protocol file: the step
    std::string digest;
    std::string text;
};

/// A sound protocol, with all that mistakes can be made in.
struct Subject {
    std::shared_ptr<const protocol::LockProtocol> protocol;
    std::vector<UsedScript> scripts;
    std::vector<std::string> verbs; // of the commands that it sends without a script

    const std::string& id() const { return protocol->info().id; }
};

std::vector<Subject> builtinSubjects();
/// With the protocol files that are shipped as examples.
std::vector<Subject> allSubjects();

/// nullopt: the text is no protocol file.
std::optional<Subject> subjectOf(std::string_view protocolFile);

/// One mistake in a protocol.
struct Mutant {
    std::string id; // "set-nx-px-token: delete_if_equal: condition-false 6: value ~= ARGV[1]"
    std::string to; // what stands in the place of what the id ends with
    std::shared_ptr<const protocol::LockProtocol> protocol;
    std::vector<std::pair<std::string, std::string>> scripts; // see WorldPlan::plantedScripts
    world::CommandChange commandChange = nullptr;

    void plantIn(world::WorldPlan& plan) const;
};

std::vector<Mutant> mutantsOf(const Subject& subject);

} // namespace lockscope::mutation
