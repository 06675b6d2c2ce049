#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/rng.h"
#include "core/kernel/protocol/hold.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/world/ledger.h"
#include "core/kernel/world/world_plan.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope::world {

/// Carries out what a client's plan says, by the protocol's own coroutines, and tells the ledger
/// what the client believes. All that is referred to outlives it.
class PlannedLife {
public:
    struct Setting {
        const protocol::LockProtocol& protocol;
        const WorldPlan& plan;
        const ClientPlan& acts;
        Ledger& ledger;
        const Instant& now; // the world's, for the ledger
        int client;
        bool isRestarted = false; // it does not wait for its start again
    };

    /// `other` is another task of the same program; null where the plan needs none.
    PlannedLife(const Setting& setting, protocol::Contender& self, protocol::Contender* other)
        : m_setting(setting),
          m_self(self),
          m_other(other),
          m_rngBefore(self.rng())
    {}

    /// Runs the plan to its end. Called once.
    async::Task<void> run();

    /// The worker never goes on behind its present act; renewals do.
    void hang() { m_isHung = true; }
    bool isHung() const { return m_isHung; }
    bool isFinished() const { return m_isFinished; }
    bool isReleasing() const { return m_isReleasing; }
    /// The grant of a hold that the client has not begun to give back; the latest one of nested
    /// holds. nullptr if the client has no such hold.
    const protocol::Grant* grantOf(int key) const;

    /// A request that has no outcome yet, and the random numbers that it began with.
    struct Waiting {
        protocol::LockRequest request;
        Rng rng;
    };
    /// nullopt if the client does not wait for a lock.
    std::optional<Waiting> waitingFor() const;

private:
    using Holds = std::vector<std::unique_ptr<protocol::Hold>>;

    async::Task<bool> acquire(const Act& act, Holds& holds);
    async::Task<void> work(Duration span, Holds& holds);
    async::Task<void> release(int key, Holds& holds);
    async::Task<void> releaseByOther(int key, Holds& holds, Holds& refused);
    static std::unique_ptr<protocol::Hold> takeLast(int key, Holds& holds);
    async::Task<void> giveBack(const protocol::Grant& possible);
    protocol::LockRequest requestFor(const Act& act) const;
    std::size_t behindRelease(std::size_t acquireIndex) const;

    Setting m_setting;
    protocol::Contender& m_self;
    protocol::Contender* m_other;
    async::Gate m_never;
    const Holds* m_holds = nullptr;   // while run() runs
    const Act* m_acquiring = nullptr; // while its request has no outcome
    Rng m_rngBefore;                  // the client's, when that request began
    bool m_isHung = false;
    bool m_isFinished = false;
    bool m_isReleasing = false;
};

} // namespace lockscope::world
