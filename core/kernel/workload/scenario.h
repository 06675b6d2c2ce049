#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/base/time.h"
#include "core/kernel/protocol/lock_request.h"
#include "core/kernel/protocol/policies.h"
#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/workload/distribution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::workload {

/// Who wants which lock, how often, and what goes wrong. The same value drives contenders on real
/// servers and in the simulator.
struct Scenario {
    enum class Kind : std::uint8_t {
        Contention, // think, acquire, hold, release, again
        HotStandby, // one works and dies, the others poll: how long until the next one works?
        Draw,       // one try each, all at once, never released: exactly one may win
    };

    Kind kind = Kind::Contention;
    int contenderCount = 10;
    /// Of all contenders together, to each server; 0: one each. Fewer than contenders: they are
    /// spread over them and pipeline, as most drivers do, and a crash leaves them open.
    int connectionCount = 0;
    int keyCount = 1;
    Bytes keyPrefix = "lock:contend"; // the keys are "<prefix>:0", "<prefix>:1", …
    Distribution think = Distribution::exponential(std::chrono::milliseconds(20));
    Distribution hold = Distribution::constant(std::chrono::milliseconds(5));
    Duration lease = std::chrono::seconds(30);
    Duration waitLimit = std::chrono::seconds(30);
    protocol::Retry retry;
    protocol::Renewal renewal;
    double readShare = 0; // of the requests, 0 to 1; of protocols with modes
    int reentryDepth = 1; // how often a holder takes the lock it holds; of reentrant protocols
    double crashProbability = 0; // per hold, 0 to 1: the holder vanishes without releasing
    double pauseProbability = 0; // per hold: the holder stands still beyond its lease
    Duration pauseFor{0};        // 0: one and a half leases
    int permits = 1;             // of a semaphore
    bool areWritersPreferred = true;
    Duration duration = std::chrono::seconds(10);
    std::uint64_t seed = 1;

    /// With the protocol's own lease, retry and renewal.
    static Scenario withDefaults(const protocol::ProtocolInfo& info);

    Bytes keyAt(int index) const;
    /// For the lock with this number, as exclusive as the protocol has it by itself.
    protocol::LockRequest requestFor(int index) const;
    bool sharesConnections() const
    {
        return connectionCount > 0 && connectionCount < contenderCount;
    }
    Duration pauseLength() const { return pauseFor > Duration(0) ? pauseFor : lease + lease / 2; }
};

std::string_view idOf(Scenario::Kind kind); // "contention", "hot-standby", "draw"
std::optional<Scenario::Kind> scenarioKindOf(std::string_view id);

/// What is wrong with it for this protocol, one sentence each; empty: it can run.
std::vector<std::string> complaintsAbout(const Scenario& scenario,
                                         const protocol::ProtocolInfo& info);

} // namespace lockscope::workload
