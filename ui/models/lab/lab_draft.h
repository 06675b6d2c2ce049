#pragma once

#include "core/service/live_runner.h"
#include "core/service/search_runner.h"
#include "ui/models/protocol_list_model.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::models {

/// What the laboratory is asked to search: one protocol, in the usual plans against some kinds of
/// faults, or in a scenario of the user's own.
struct LabDraft {
    ProtocolPtr protocol;
    std::vector<world::FaultKind> faults; // of the usual plans: each alone; none: the order of the
                                          // steps
    int clientCount = 0;                  // of the usual plans; 0: two or three, as they have them
    std::optional<world::WorldPlan> scenario{}; // with its faults; nullopt: the usual plans
    QString scenarioFile{};                     // where it is saved just like this; empty: nowhere
    std::uint64_t schedulesMax = 3000;          // of each plan
    std::uint64_t seed = 1;                     // of the first random run
    std::uint64_t runCount = 10'000;            // random ones
};

/// The kinds that make a difference to the protocol, in their own order; without Interleaving,
/// which is always looked at, and without misuse, which is no fault.
std::vector<world::FaultKind> faultsFor(const protocol::ProtocolInfo& info);

/// Everything that can happen, the shortest first. In the usual plans: one task per kind of fault,
/// the order of the steps alone before all others. A scenario is one task.
service::SearchOrder orderOf(const LabDraft& draft);

/// Random runs: one task, in which all faults of the draft may meet.
service::SearchOrder simulateOrderOf(const LabDraft& draft);

/// What a run of the order is called among others: "set-nx-ex, Pause", "set-nx-ex, random runs".
QString runName(const service::SearchOrder& order);

/// The call of lockscope-cli that does what orderOf() does. `protocolFile`: where a protocol of the
/// user's own was read from. Empty when a scenario or an own protocol is not in a file.
QString exploreCommand(const LabDraft& draft, const QString& protocolFile);

/// The same for one cell of the matrix.
QString cellCommand(const search::SearchTask& cell, const QString& protocolFile);

/// The same for simulateOrderOf().
QString simulateCommand(const LabDraft& draft, const QString& protocolFile);

/// The draft as a live run on private servers of its own, ten seconds long. Of the faults those
/// come along that a contender can do to itself, each at one hold in twenty: crashes and pauses.
workload::LiveRunOrder liveOrderOf(const LabDraft& draft);

} // namespace lockscope::models
