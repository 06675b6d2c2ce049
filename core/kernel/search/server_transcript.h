#pragma once

#include "core/kernel/search/explorer.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lockscope::search {

/// One thing that happens on a server in a run, as it can be done on a real one.
struct Exchange {
    enum class Kind : std::uint8_t {
        Ask,    // a connection sends `command`, which is answered with `reply`
        Begin,  // the same, but the answer comes later: the server waits, or it is a subscription
        Hear,   // a connection gets `reply` unasked: what it began is answered, a message
        HangUp, // a connection is closed, and made anew where a task still needs it
        Direct, // of no client: an operator's or the server's own doing, as `command`
    };

    Kind kind = Kind::Ask;
    Instant at{};
    std::size_t step = 0; // of the run
    int client = 0;
    world::LinkAddress link;
    bool isLate = false; // was delayed or copied: not on the connection of its client
    store::Command command;
    store::Reply reply;
};

/// Asked when everything is over, to see what is left.
struct Question {
    int node = 0;
    store::Command command;
    store::Reply reply;
};

/// All that the servers of one run are asked and answer, with its instants: what a real server has
/// to go through to show the same.
struct ServerTranscript {
    /// The first step that was not possible; nothing else is known then.
    std::optional<std::size_t> impossibleStep;
    /// The run is of a kind that only a simulated server can go through; likewise.
    std::optional<world::FaultKind> unrepeatable;
    std::vector<Exchange> exchanges;
    std::vector<Question> questions;
    std::vector<world::Violation> violations;
    Duration virtualTime{0};
    /// How near a request came to the end of a lease: what may happen that much earlier or later
    /// without a difference.
    Duration margin = Duration::max();
};

/// What the run says to its servers up to its last step. Where that is its end, the violations are
/// those of the concluded run.
ServerTranscript transcriptOf(const protocol::LockProtocol& protocol, const world::WorldPlan& plan,
                              std::span<const world::Step> steps, sim::LuaEngine& lua);

/// The same plan with everything so many times as fast. Protocols that count in whole seconds, or
/// have times of their own, may behave otherwise in it.
world::WorldPlan spedUp(world::WorldPlan plan, int factor);

} // namespace lockscope::search
