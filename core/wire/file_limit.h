#pragma once

namespace lockscope::wire {

/// Lets this process have as many open files as the system allows: every contender is a connection,
/// and the usual limit of 1,024 is meant for programs that use select().
void raiseFileLimit();

} // namespace lockscope::wire
