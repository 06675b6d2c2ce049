#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>

// Who descends from a process, as /proc tells it. Nothing here allocates: it may be called between
// fork() and exec() of a program with several threads.
namespace lockscope::wire {

struct ProcessEntry {
    pid_t process = 0;
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    bool isOver = false; // only its parent has not taken note
};

/// nullopt: there is no such process.
std::optional<ProcessEntry> processEntry(pid_t process);

/// The living descendants of `root`, as many as there is room for. Those whose parents have ended
/// count when `root` is a subreaper.
std::span<const ProcessEntry> descendantsOf(pid_t root, std::span<ProcessEntry> room);

/// SIGKILL for all descendants of `root`. False when there were none.
bool killDescendantsOnce(pid_t root);

/// Ends all descendants by SIGKILL, and those that they start meanwhile. `reap` takes note of
/// children that have ended. Gives up after about a second: some may be kept by the system, or
/// belong to another user.
template<class Reap>
void killDescendants(pid_t root, Reap reap)
{
    constexpr int kRounds = 100;
    for (int round = 0; round < kRounds && killDescendantsOnce(root); ++round) {
        ::poll(nullptr, 0, 10);
        reap();
    }
}

} // namespace lockscope::wire
