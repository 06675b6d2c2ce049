#pragma once

namespace lockscope::cli {

/// What the program tells its caller; stable, documented in --help and in the man page.
enum ExitCode : int {
    ExitDone = 0,
    ExitUnreachable = 1, // could not reach or talk to the server
    ExitBadArguments = 2,
    ExitChangedHands = 3, // the lock changed hands, nothing was done
    ExitAlreadyGone = 4,
    ExitRefused = 5,         // read-only, permission, policy
    ExitUnknown = 6,         // unknown whether it was applied
    ExitNotAcquired = 7,     // not acquired within the wait
    ExitCameBack = 8,        // released, but the same holder has it again
    ExitNotEnough = 9,       // not enough was tried to say anything
    ExitPromiseBroken = 10,  // a promise was broken
    ExitCannotExecute = 126, // of run, as a shell has it
    ExitNoSuchCommand = 127,
    ExitBySignal = 128, // and the number of the signal
};

} // namespace lockscope::cli
