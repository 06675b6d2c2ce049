#pragma once

#include "core/kernel/base/time.h"

#include <cstdint>

namespace lockscope::cli {

/// What the guard of a command is given.
struct GuardTask {
    char* const* words; // the command; looked up in PATH
    char* const* environment;
    int link;               // to CommandProcess, see guard_link.h
    int terminal;           // that the command gets; -1: none
    Duration killAfter;     // between SIGTERM and SIGKILL
    std::int64_t trustedUs; // see GuardOrder::untilUs
};

/// The life of the process that stands between lockscope-cli and its command, so that nothing of
/// the command goes on without the lock, whatever becomes of lockscope-cli. It starts the command
/// and sees the end of whatever descends from it. When the other end of the link is closed before
/// the command is over, or no renewal of the lock is reported in time, it ends all of them.
///
/// Called in a child between fork() and exec(): neither allocates nor returns.
[[noreturn]] void guardCommand(const GuardTask& task);

} // namespace lockscope::cli
