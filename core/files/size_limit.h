#pragma once

#include <csignal>
#include <ctime>

namespace lockscope::files {

/// A limit on the size of files (ulimit -f) ends a process by SIGXFSZ. While this lives, the thread
/// gets the error EFBIG from write() instead.
class SizeLimitAsError {
public:
    SizeLimitAsError()
    {
        ::sigemptyset(&m_set);
        ::sigaddset(&m_set, SIGXFSZ);
        ::pthread_sigmask(SIG_BLOCK, &m_set, &m_before);
    }
    ~SizeLimitAsError()
    {
        const timespec atOnce{};
        ::sigtimedwait(&m_set, nullptr, &atOnce);
        ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    SizeLimitAsError(const SizeLimitAsError&) = delete;
    SizeLimitAsError& operator=(const SizeLimitAsError&) = delete;

private:
    sigset_t m_set{};
    sigset_t m_before{};
};

} // namespace lockscope::files
