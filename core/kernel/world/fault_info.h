#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/world/fault_group.h"
#include "core/kernel/world/fault_kind.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::world {

class FaultOffers;
struct FaultScene;
struct Step;
struct WorldPlan;

/// How a replay of a run on a real server has the fault happen there.
enum class Replay : std::uint8_t {
    ByMessages, // by what the clients send and do not send
    HangUp,     // all connections of the client are closed
    HangUpOne,  // the connection of the step is closed
    FlushScripts,
    DeleteKeys, // those that are gone
    Impossible, // no server can be made to do it at the right moment
};

/// All that is known of a kind of fault: its words, when it may happen in a world, and what it
/// does. Files, command line, window, searches and worlds go by this alone; no other place tells
/// kinds apart. They are written in faults/, one file per group.
struct FaultInfo {
    std::string_view id;          // in files and on the command line: never changes
    std::string (*name)();        // for headings and lists, in words of ten letters at most
    std::string (*description)(); // one sentence
    /// What happened, without a full stop; `what` is the command concerned, "request" if unknown.
    std::string (*story)(const Step& step, const WorldPlan& plan, const std::string& what);
    /// What has to be so for it not to happen, behind "safe while": "no client crashes". The same
    /// for kinds that are alike. Null for what is no fault.
    std::string (*spared)() = nullptr;
    FaultKind kind = FaultKind::Interleaving;
    FaultGroup group = FaultGroup::Order; // the column of the matrix in which it is shown
    /// Renewals may not get through either, and a holder that depends on them is late.
    bool hindersRenewals = false;
    /// It strikes the oldest request of a connection: the one that its step names.
    bool hitsRequests = false;
    /// Servers have a replica in plans that allow it.
    bool needsReplica = false;
    /// What it takes from the assumptions of a claim.
    protocol::Conditions breaks = {};
    /// How long, or by how much, for a plan with this lease. Null: it has no amount.
    Duration (*usualAmount)(Duration lease) = nullptr;
    /// Whether it makes a difference to the protocol. Null: to every one.
    bool (*concerns)(const protocol::ProtocolInfo& info) = nullptr;
    /// Null: ByMessages.
    Replay (*replay)(const Step& step) = nullptr;
    /// Adds the variants that may happen at an occasion (fault_scene.h). Null: it never happens.
    void (*offer)(const FaultScene& scene, FaultOffers& offers) = nullptr;
    /// Has it happen: the step is one of those offered.
    void (*carryOut)(const Step& step, const FaultScene& scene) = nullptr;
};

/// All kinds, in the order of FaultKind.
std::span<const FaultInfo> allFaults();

const FaultInfo& infoOf(FaultKind kind);

} // namespace lockscope::world
