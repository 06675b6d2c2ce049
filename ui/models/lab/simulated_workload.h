#pragma once

#include "core/kernel/workload/distribution.h"
#include "core/kernel/world/world_plan.h"

#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace lockscope::models {

/// What the clients of a simulated world have in common, when they do the same: acquire, work,
/// release, think, again and again.
struct SimulatedWorkload {
    int clientCount = 2;
    Duration stagger{0};  // between the beginnings of two clients
    int keyCount = 1;     // a round draws one of them
    int roundCount = 1;   // of each client
    int reentryDepth = 1; // how often it takes the lock in a round
    workload::Distribution hold = workload::Distribution::constant(std::chrono::seconds(4));
    workload::Distribution think; // between two rounds
    Duration lease = std::chrono::seconds(10);
    std::optional<double> readShare; // of the rounds, spread evenly; nullopt: there are no modes

    friend bool operator==(const SimulatedWorkload&, const SimulatedWorkload&) = default;
};

/// The clients of a plan. A function of its arguments: the seed is that of keys and times, which
/// are drawn in milliseconds.
std::vector<world::ClientPlan> clientsOf(const SimulatedWorkload& workload, std::uint64_t seed);

/// The workload that makes these clients; nullopt when they do something else. Times that were
/// drawn cannot be told back: then there is none either.
std::optional<SimulatedWorkload> workloadOf(const std::vector<world::ClientPlan>& clients,
                                            std::uint64_t seed);

/// A line for each client: "A, from 0s: takes k for 10s, works 4s, releases k".
QStringList clientLines(const world::WorldPlan& plan);

} // namespace lockscope::models
