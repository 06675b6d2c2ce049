#pragma once

#include "core/kernel/store/command.h"
#include "core/kernel/world/fault_kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::conduct {

/// A request as a replay meets it again: the n-th of its kind that a process sends in a run. Keys,
/// tokens and times are not part of it, they are new in each run.
struct MessageName {
    int process = 0;
    std::string kind;   // see messageKindOf()
    int occurrence = 0; // from 1; 0: no message
    int server = 0;     // to which, from 1; 0: there is one alone

    friend bool operator==(const MessageName&, const MessageName&) = default;
};

/// "SET", "CLIENT SETNAME", "EVALSHA 1a2b3c4d": the command, and of a script the beginning of its
/// digest.
std::string messageKindOf(const store::Command& command);

/// What drivers say to a server for themselves, by the kind of a message.
bool isHousekeeping(std::string_view kind);

/// "A's EVALSHA 1a2b3c4d", with the number where it is not the first, and the server where there
/// are several.
std::string describe(const MessageName& name);

/// What a conductor does besides letting everything happen at once, first come first served.
enum class Interference : std::uint8_t {
    DelayRequest,    // a request is carried out only later
    DelayReply,      // the answer arrives only later
    LoseRequest,     // the connection is cut, the request was not carried out
    LoseReply,       // the connection is cut, the request was carried out
    KillAfter,       // the process is killed, the request was carried out
    KillIdle,        // the process is killed between two messages
    Pause,           // the process stands still for a while, between two messages
    Isolate,         // the connections are cut and new ones refused for a while
    InterruptBefore, // the call is broken off while the request is under way, which is then lost
    InterruptAfter,  // the call is broken off while the answer is under way, which then arrives
    PassTime,        // nothing happens for longer than a lease
    ForgetScripts,   // the server does not know its scripts when a request comes
    RestartServer,   // it starts again with its data, between two messages
    ServerDown,      // of several servers one is down for a while and keeps its data
    FailOver,        // from a request on no write reaches the replica that takes over in the end
    LagReplicas,     // from a request on no write reaches a replica for a while
    InterferenceCount,
};

/// Of --faults: what it is in a simulated world.
world::FaultKind faultOf(Interference kind);
/// All that a conductor can have happen, in the order of --faults; orders that are no fault, too.
std::vector<world::FaultKind> possibleFaults();
bool isDeath(Interference kind);
/// It hits everybody who talks to the server.
bool isOfServer(Interference kind);
std::string_view idOf(Interference kind); // "delay-request"
/// It ends behind an act; the others are over at once.
bool lasts(Interference kind);
/// It is named by a message; the others by a process, or by nothing, and an act.
bool isAtMessage(Interference kind);
/// The request is carried out before.
bool isBehindRequest(Interference kind);

/// When, while something lasts, more time passes than a lease.
enum class Leap : std::uint8_t {
    None,
    AtBegin, // before others do anything
    AtEnd,   // after they have: what they left for those who wait may have an end, too
};

/// One thing that a conductor does.
struct Deviation {
    Interference kind = Interference::PassTime;
    MessageName message; // of the others only the process, or the server
    int act = 0;         // before which it happens where no message names the moment
    int untilAct = 0;    // behind which it ends, where it lasts
    Leap leap = Leap::None;

    friend bool operator==(const Deviation&, const Deviation&) = default;
};

/// Others come first, and nothing else is different: no time passes, nothing is lost.
bool isOrderOnly(const Deviation& deviation);

/// Both can be part of one run: they do not hit the same thing at the same moment.
bool areApart(const Deviation& a, const Deviation& b);

/// The process is killed in a run with these.
bool isKilledBy(std::span<const Deviation> deviations, int process);

/// In how many steps a reader counts it: a delay past the lease is two.
int stepsOf(const Deviation& deviation);
int stepsOf(std::span<const Deviation> deviations);

/// "A's UNLINK is delayed until more than a lease has passed", without a full stop.
std::string describe(const Deviation& deviation);

/// "delay-request A 5 12 past-lease 1 UNLINK": what files of finds are made of.
std::string toText(const Deviation& deviation);
std::optional<Deviation> parseDeviation(std::string_view text);

} // namespace lockscope::conduct
