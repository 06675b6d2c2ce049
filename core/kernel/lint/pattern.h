#pragma once

#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/violation.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockscope::lint {

/// What is known to go wrong with lock scripts. The text ids are part of the JSON.
enum class Pattern : std::uint8_t {
    ScriptError,          // a step is answered with an error
    UnlistedAnswer,       // a step answers what the file gives no meaning
    NeverGranted,         // a free lock is refused
    GrantedWhileHeld,     // a second client is granted the lock
    NoExpiry,             // the lock of a client that died stays
    LateExpiry,           // it stays if the client dies between two commands
    WrongLease,           // the server keeps it for another time than was asked for
    NoOwner,              // nothing on the server says whose hold it is
    RefusalChangesLock,   // a refused client changes the hold of another one
    AcquireInTwoCommands, // looks with one command, takes with the next
    UncomparedRelease,    // deletes whoever's hold it is
    ReleaseInTwoCommands, // compares with one command, deletes with the next
    ReleaseLeavesLock,    // given back, and still there
    ForgetsCount,         // the first release frees a lock that was taken twice
    RenewsAnybody,        // extends whoever's hold it is
    RenewalInTwoCommands, // compares with one command, extends with the next
    RevivesLock,          // a renewal makes a lock that is over anew
    UselessRenewal,       // the lease does not begin anew
    UntruthfulRenewal,    // says that it was renewed when it was not
    LateRenewal,          // the first renewal comes when the lease is over
    NoWakeUp,             // waiters listen, and the release tells them nothing
    ClientClock,          // times of the clients' clocks are sent to the server
    UndeclaredKey,        // a key that is not among KEYS
    PatternCount,
};

std::string_view idOf(Pattern pattern); // "uncompared-release"

/// What is wrong, in one sentence, and in another what would be right.
std::string sentenceFor(Pattern pattern);
std::string remedyFor(Pattern pattern);

/// Whether a run in which this broke, with this going wrong (nullopt: nothing or several things),
/// is what the pattern leads to.
bool isProvedBy(Pattern pattern, world::ViolationKind kind, std::optional<world::FaultKind> fault);

} // namespace lockscope::lint
