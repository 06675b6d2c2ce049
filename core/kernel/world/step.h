#pragma once

#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/host.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::world {

/// One thing that may happen next in a world. Whole runs are written down as their steps.
struct Step {
    enum class Kind : std::uint8_t {
        Serve,     // a server carries out the oldest request of a connection and answers
        ServeLate, // a server carries out a request that was delayed or copied
        Advance,   // time goes on to the next thing that is due
        Fault,     // something goes wrong
    };

    Kind kind = Kind::Advance;
    FaultKind fault = FaultKind::Interleaving;
    std::uint8_t variant = 0; // of the fault: see World; ServeLate: which of the late ones
    std::uint8_t client = 0;
    std::uint8_t node = 0;
    LinkRole role = LinkRole::Commands;

    static Step serve(int client, int node, LinkRole role)
    {
        Step step;
        step.kind = Kind::Serve;
        step.client = static_cast<std::uint8_t>(client);
        step.node = static_cast<std::uint8_t>(node);
        step.role = role;
        return step;
    }
    static Step ofFault(FaultKind fault, int client, int node, int variant = 0,
                        LinkRole role = LinkRole::Commands)
    {
        Step step = serve(client, node, role);
        step.kind = Kind::Fault;
        step.fault = fault;
        step.variant = static_cast<std::uint8_t>(variant);
        return step;
    }

    // By the order of the fields: it decides which of two equivalent schedules is kept
    // (StepScheduler::isBetterBeforeLatest).
    friend bool operator==(const Step&, const Step&) = default;
    friend auto operator<=>(const Step&, const Step&) = default;
};

/// "serve A 0", "late 0", "advance", "pause A 0 0": what counterexample files are made of.
std::string toText(const Step& step);
std::optional<Step> parseStep(std::string_view text);

/// What goes wrong among the steps: every kind once, in the order in which they come.
std::vector<FaultKind> faultsIn(std::span<const Step> steps);

} // namespace lockscope::world
