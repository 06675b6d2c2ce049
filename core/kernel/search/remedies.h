#pragma once

#include "core/kernel/search/search_task.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// What can be done about a protocol without another one in its place, and the searches that show
// whether it helps.
namespace lockscope::search {

enum class Remedy : std::uint8_t {
    LongerLease, // as many times as long, while whatever goes wrong takes as long as before
    Replicas,    // a grant counts once a replica has it: WAIT
};

/// A pause of one and a half leases, and all else that the default plans let go wrong, is over long
/// before.
inline constexpr int kLongerLease = 10;

/// Whether the remedy makes sense for the protocol at all.
bool isApplicable(Remedy remedy, const protocol::ProtocolInfo& info);

/// The row of the matrix for the protocol with all of the remedies.
std::vector<SearchTask> matrixRowWith(std::span<const Remedy> remedies,
                                      const std::shared_ptr<const protocol::LockProtocol>& protocol,
                                      std::span<const world::FaultKind> faults,
                                      const Bounds& bounds);

} // namespace lockscope::search
