#pragma once

#include "core/kernel/store/cluster.h"
#include "core/kernel/store/command.h"
#include "core/kernel/store/reply.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Which nodes of a cluster a command is for, and what their answers come to. Nothing here sends
// anything.
namespace lockscope::store {

/// Where a command has to be sent.
struct ClusterRoute {
    enum class Kind : std::uint8_t {
        Slot,        // to the master of its keys
        SplitSlots,  // nowhere: its keys are in different slots
        AnyMaster,   // it is about no key
        EveryMaster, // each tells a part of the answer
        EveryNode,   // the same, replicas included: clients may be connected to any
        Walk,        // SCAN: one master after the other
    };
    Kind kind = Kind::AnyMaster;
    std::uint16_t slot = 0;

    friend bool operator==(const ClusterRoute&, const ClusterRoute&) = default;
};

/// Of the commands that this program sends; a command of another kind is taken for one whose first
/// argument is its key.
ClusterRoute clusterRouteOf(const Command& command);

/// One answer made of those of several nodes: numbers are added up, lists of channels united, lists
/// of clients written one behind the other. The first error is the answer, if there is one.
/// `replies` is not empty.
Reply mergedReply(const Command& command, std::span<const Reply> replies);

/// The answer to a command whose keys are in different slots.
Reply crossSlotReply();

/// How far a SCAN of all masters has come, as its cursor says: "7-2-1024", the walk, the place of
/// the master in it, and that master's own cursor.
struct ClusterCursor {
    std::uint32_t walk = 0;
    std::uint32_t place = 0;
    std::string ofNode = "0";

    friend bool operator==(const ClusterCursor&, const ClusterCursor&) = default;
};
std::string toText(const ClusterCursor& cursor);
/// Nullopt for the "0" that begins a walk, and for what is none of ours.
std::optional<ClusterCursor> clusterCursorOf(std::string_view text);

} // namespace lockscope::store
