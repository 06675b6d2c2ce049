#pragma once

#include <sys/types.h>

#include <cstdint>

// What CommandProcess and the process that guards its command say to each other, one message at a
// time on a socket that keeps them apart.
namespace lockscope::cli {

/// To the guard.
struct GuardOrder {
    enum class Kind : std::int32_t {
        SignalGroup,   // `number`, to all processes of the command
        SignalCommand, // `number`, to the command alone
        Trust,         // the lock is good until `untilUs`
        End,           // SIGTERM to all descendants, SIGKILL later
    };
    static constexpr std::int64_t kForEver = -1;

    Kind kind = Kind::End;
    std::int32_t number = 0;
    std::int64_t untilUs = kForEver; // on the time line of LoopClock
};

/// From the guard.
struct GuardMessage {
    enum class Kind : std::int32_t {
        Started,     // `number` is the process of the command
        CannotStart, // `number` is the error
        Stopped,     // the command is, by SIGSTOP or the like
        Ended,       // `number` is the exit code of the command, as a shell has it
        Waiting,     // `count` processes that it started go on; one of them is `number`
        TrustEnded,  // no renewal of the lock was reported in time: the guard ends the command
        Killing,     // SIGTERM was not enough
        Over,        // nothing of the command goes on, but for `count` processes, such as `number`
    };

    Kind kind = Kind::Over;
    std::int32_t number = 0;
    std::int32_t count = 0;
};

} // namespace lockscope::cli
