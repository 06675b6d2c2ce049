#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockscope::world {

/// What can go wrong in a simulated world, or be done wrong. fault_info.h tells what each of them
/// is.
enum class FaultKind : std::uint8_t {
    Interleaving,   // nothing: the order of the steps alone
    Crash,          // a client program ends without a word, and may be started again
    Pause,          // a client program stands still, renewals included
    Hang,           // the worker of a client stops, its renewals go on
    ConnectionLoss, // a connection breaks: what was under way is lost, carried out or not
    MessageDelay,   // a request arrives much later than it was sent
    MessageLoss,    // a request or its answer is lost, the connection lives
    MessageCopy,    // a request is carried out a second time
    ClockSkew,      // the wall clock of a client is ahead or behind from the beginning
    ClockDrift,     // the clock of a client or of a server runs fast or slow
    ClockStep,      // a clock jumps, of a server or of a client
    ServerRestart,  // a server starts again, with its data or without
    Failover,       // a replica that is behind takes over
    Partition,      // a client and a server cannot reach each other for a while
    SlowNode,       // a server answers late for a while
    ScriptFlush,    // a server forgets its scripts
    ForceRelease,   // an operator deletes the keys of a lock
    Eviction,       // the server drops a key to save memory
    // Misuse. Nothing fails, but clients use a lock as it is not meant to be used.
    SharedIdentity, // two tasks are one owner to the server
    MixedLeases,    // an inner hold has a shorter lease than the outer one
    HandedOver,     // another task than the one that took a lock releases it
    FaultKindCount,
    FirstMisuse = SharedIdentity,
};

/// It is in the workload of a plan; no step of a run makes it happen.
constexpr bool isMisuse(FaultKind kind)
{
    return kind >= FaultKind::FirstMisuse && kind < FaultKind::FaultKindCount;
}

std::string_view idOf(FaultKind kind); // "message-delay"
std::optional<FaultKind> faultKindOf(std::string_view id);

} // namespace lockscope::world
