#pragma once

#include <sys/types.h>

#include <memory>
#include <utility>
#include <vector>

namespace lockscope::conduct {

/// Looks into /proc whether a process and its descendants do anything. A thread that only waits for
/// a processor counts as running, so a busy machine makes this slower, not wrong. A look costs some
/// microseconds per thread: the files stay open.
class RestProbe {
public:
    explicit RestProbe(pid_t process);
    ~RestProbe();
    RestProbe(const RestProbe&) = delete;
    RestProbe& operator=(const RestProbe&) = delete;

    /// All threads sleep or stand still: nothing happens there until something comes from outside
    /// or a timer ends. True for a process that is gone.
    bool isAtRest();
    /// All its threads are stopped (SIGSTOP), not only asleep. True for a process that is gone.
    bool isStandingStill();

private:
    struct Thread {
        int stat = -1; // files in /proc
        int children = -1;
    };

    bool listThreads();
    void closeThreads();
    bool areChildrenAtRest(const Thread& thread);

    pid_t m_process;
    int m_stat = -1; // of the process: how many threads there are
    int m_threadCount = -1;
    std::vector<Thread> m_threads;
    std::vector<std::pair<pid_t, std::unique_ptr<RestProbe>>> m_children;
};

} // namespace lockscope::conduct
