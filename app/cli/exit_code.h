#pragma once

namespace lockscope::cli {

/// What the program tells its caller; stable, documented in --help and in the man page.
enum ExitCode : int {
    ExitDone = 0,
    ExitUnreachable = 1, // could not reach or talk to the server
    ExitBadArguments = 2,
    ExitChangedHands = 3, // the lock changed hands, nothing was done
    ExitAlreadyGone = 4,
    ExitRefused = 5, // read-only, permission, policy
    ExitUnknown = 6, // unknown whether it was applied
};

} // namespace lockscope::cli
