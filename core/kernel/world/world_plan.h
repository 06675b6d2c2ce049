#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/protocol/policies.h"
#include "core/kernel/store/command.h"
#include "core/kernel/world/fault_kind.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockscope::world {

/// One thing that a client does.
struct Act {
    enum class Kind : std::uint8_t {
        Acquire, // takes the lock of `key`; when that fails, goes on behind the matching Release
        Work,    // for `span`, or until it learns that a lock is lost
        Release, // gives back what it took last of `key`
        Sleep,   // for `span`
    };

    Kind kind = Kind::Work;
    int key = 0;
    protocol::Mode mode = protocol::Mode::Exclusive; // Acquire
    Duration span{0};                                // Acquire: the lease. Work, Sleep: how long
    bool isRenewed = true;      // Acquire: as the plan's renewal says; false: never
    bool byAnotherTask = false; // Release: of the same program, with an identity of its own

    static Act acquire(Duration lease, int key = 0);
    static Act work(Duration span) { return {Kind::Work, 0, protocol::Mode::Exclusive, span}; }
    static Act release(int key = 0) { return {Kind::Release, key}; }
    static Act sleep(Duration span) { return {Kind::Sleep, 0, protocol::Mode::Exclusive, span}; }

    Act as(protocol::Mode wanted) const;
    Act unrenewed() const;
    Act fromAnotherTask() const;

    friend bool operator==(const Act&, const Act&) = default;
};

/// What one client program does from its beginning to its end.
struct ClientPlan {
    Duration startAt{0};
    std::vector<Act> acts;
    /// The client whose identity this one has as well; nullopt: its own.
    std::optional<int> sharesIdentityWith;
    /// Crashes by the plan as soon as it holds a lock.
    bool diesHolding = false;

    /// Whether a lock of it is released by another task than the one that took it.
    bool handsOver() const;

    friend bool operator==(const ClientPlan&, const ClientPlan&) = default;
};

/// How much may go wrong in one run, and how badly. A value; every kind can be switched on alone.
struct FaultPlan {
    struct Fault {
        int countMax = 0;   // in one run; 0: never
        Duration amount{0}; // how long, or by how much; what it means is said at the kinds
        friend bool operator==(const Fault&, const Fault&) = default;
    };

    std::array<Fault, static_cast<std::size_t>(FaultKind::FaultKindCount)> faults{};
    int totalMax = 2; // of all kinds together

    Fault& of(FaultKind kind) { return faults.at(static_cast<std::size_t>(kind)); }
    const Fault& of(FaultKind kind) const { return faults.at(static_cast<std::size_t>(kind)); }
    bool allows(FaultKind kind) const { return of(kind).countMax > 0; }

    /// One kind alone, up to `countMax` times, with an amount that says something for this lease: a
    /// pause of one and a half leases, a clock that jumps over the whole lease.
    static FaultPlan only(FaultKind kind, Duration lease, int countMax = 1);
    /// One more kind.
    void add(FaultKind kind, Duration lease, int countMax = 1);

    friend bool operator==(const FaultPlan&, const FaultPlan&) = default;
};

/// The amount that FaultPlan::only() takes.
Duration usualAmount(FaultKind kind, Duration lease);

/// Makes another command of one that a client sends.
using CommandChange = store::Command (*)(store::Command);

/// What a simulated world is made of, and how far it goes. A run is a function of the protocol, the
/// plan and the steps that a schedule picks.
struct WorldPlan {
    std::string name; // "two clients at once"
    std::vector<ClientPlan> clients;
    int nodeCount = 1;
    Duration retryPause = std::chrono::seconds(3);
    int triesMax = 8;    // per acquisition
    Duration waitMax{0}; // per acquisition; 0: as long as the tries last
    protocol::Renewal renewal;
    Duration requestTimeout = std::chrono::seconds(3); // after which an answer is given up
    int permits = 1;
    bool areWritersPreferred = true;
    FaultPlan faults;
    std::vector<std::pair<int, int>> unreachable; // client, node: never reaches it
    Duration horizon = std::chrono::seconds(200); // nothing happens later
    Duration wakeUpMax = std::chrono::seconds(2); // a waiter that sleeps longer beside a free lock
                                                  // has lost its wake-up
    int bypassMax = 3;                            // a waiter that more later ones overtake starves
    std::uint64_t seed = 1;                       // of the tokens and jitters
    /// Servers have a replica although nothing that may go wrong needs one. Never saved.
    bool hasReplicas = false;
    /// By the digests of scripts: what the servers run in their place until they forget their
    /// scripts. For tests that plant mistakes; never saved.
    std::vector<std::pair<std::string, std::string>> plantedScripts;
    /// The mistake of a client in a command without a script; nullptr: none. For tests; never
    /// saved.
    CommandChange plantedChange = nullptr;

    int keyCount() const;
    Duration leaseMax() const;
    std::string keyName(int key) const;
};

/// "A", "B", … as stories name clients.
std::string clientName(int client);

} // namespace lockscope::world
