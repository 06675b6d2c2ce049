#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/trace/server_hold_fold.h"
#include "core/kernel/world/world.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope::search {

/// Follows who stands in the locks on the servers of a world, step by step.
class ServerHoldBook {
public:
    /// `info` is of the protocol of the world and outlives the book.
    explicit ServerHoldBook(const protocol::ProtocolInfo& info) : m_info(info) {}

    /// The world after the step of that number, in which a server carried out something for
    /// `served`, if for any client.
    void see(const world::World& world, std::optional<int> served, std::uint32_t step);

    /// Up to the latest step.
    std::vector<trace::ServerHold> serverHolds() const { return m_fold.serverHolds(); }

private:
    using HoldKey = std::pair<trace::LockId, std::uint64_t>;

    std::vector<trace::CurrentHold> currentHoldsIn(const world::World& world,
                                                   std::optional<int> served);
    std::optional<trace::ContenderId> writerOf(const HoldKey& hold, std::optional<int> served);

    const protocol::ProtocolInfo& m_info;
    trace::ServerHoldFold m_fold;
    std::map<HoldKey, std::optional<trace::ContenderId>> m_writers; // of what stands there
};

} // namespace lockscope::search
