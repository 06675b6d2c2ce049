#pragma once

#include "core/kernel/sim/keyspace.h"
#include "core/kernel/world/ledger.h"
#include "tests/kernel/world/stage.h"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

namespace lockscope::testing {

/// A ledger that is fed by hand with what clients A, B, C and D do, and what stands on one server.
struct LedgerBook {
    using Purpose = world::Purpose;
    using Overwriting = world::Ledger::Overwriting;

    protocol::ProtocolInfo info;
    world::WorldPlan plan;
    sim::Keyspace keys;
    Instant now{};
    world::ServerClock clock;
    world::Ledger ledger;

    explicit LedgerBook(protocol::ProtocolInfo ofProtocol = {}, int permits = 1)
        : info(std::move(ofProtocol)),
          plan(fourFor(permits)),
          ledger(info, plan)
    {}

    void wait(Duration span) { now += span; }
    sim::ServerTime serverNow() const { return clock.at(now); }

    protocol::Grant grant(Duration lease = std::chrono::seconds(10)) const
    {
        protocol::Grant grant;
        grant.request.lease = lease;
        grant.trustedUntil = now + lease;
        return grant;
    }
    void grantTo(int client, Duration lease = std::chrono::seconds(10))
    {
        ledger.granted(client, grant(lease), now);
    }
    void grantTo(int client, protocol::Mode mode)
    {
        protocol::Grant shared = grant();
        shared.request.mode = mode;
        ledger.granted(client, shared, now);
    }
    void grantFence(int client, std::int64_t fence)
    {
        protocol::Grant fenced = grant();
        fenced.fence = fence;
        ledger.granted(client, fenced, now);
    }

    /// What a command of the client made of the key; lease 0: no expiry.
    std::optional<Overwriting> writes(int client, Purpose purpose, std::string_view key,
                                      std::string_view value,
                                      Duration lease = std::chrono::seconds(10))
    {
        sim::Entry* entry = keys.find(key);
        if (entry == nullptr) {
            entry = &keys.insert(key, Bytes(value));
        }
        entry->value = Bytes(value);
        entry->expiresAtMs = lease == Duration(0) ? sim::Entry::kNever
                                                  : sim::toEpochMs(serverNow()) + toMs(lease);
        return ran(client, purpose);
    }
    void removes(int client, Purpose purpose, std::string_view key)
    {
        if (sim::Entry* const entry = keys.find(key)) {
            keys.erase(*entry);
        }
        ran(client, purpose);
    }
    std::optional<Overwriting> ran(int client, Purpose purpose)
    {
        return ledger.commandRan(client, 0, purpose, std::as_const(keys).entries(), clock, now);
    }
    /// Acquires by a command that writes its name.
    void takes(int client, Duration lease = std::chrono::seconds(10))
    {
        writes(client, Purpose::Acquire, "k", world::clientName(client), lease);
        grantTo(client, lease);
    }

    QByteArray broken() const { return textOf(ledger.violations()); }

private:
    static world::WorldPlan fourFor(int permits)
    {
        world::WorldPlan plan = planOf({aRound(), aRound(), aRound(), aRound()});
        plan.permits = permits;
        return plan;
    }
};

} // namespace lockscope::testing
