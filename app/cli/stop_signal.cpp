#include "cli/stop_signal.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace lockscope::cli {

namespace {

sigset_t stopSignals()
{
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGINT);
    ::sigaddset(&set, SIGTERM);
    return set;
}

} // namespace

StopSignal::StopSignal()
{
    const sigset_t set = stopSignals();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_file = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    m_notifier = std::make_unique<QSocketNotifier>(m_file, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        signalfd_siginfo info;
        while (::read(m_file, &info, sizeof(info)) > 0) {}
        Q_EMIT requested();
    });
}

StopSignal::~StopSignal()
{
    m_notifier.reset();
    ::close(m_file);
    const sigset_t set = stopSignals();
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace lockscope::cli
