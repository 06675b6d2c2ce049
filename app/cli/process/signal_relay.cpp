#include "app/cli/process/signal_relay.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace lockscope::cli {

namespace {

bool isIgnored(int signalNumber)
{
    struct sigaction action {};
    return ::sigaction(signalNumber, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t setOf(std::initializer_list<int> signalNumbers)
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signalNumber : signalNumbers) {
        if (signalNumber != SIGHUP || !isIgnored(SIGHUP)) {
            ::sigaddset(&set, signalNumber);
        }
    }
    return set;
}

} // namespace

SignalRelay::SignalRelay(std::initializer_list<int> signalNumbers, Output& output)
    : m_output(output),
      m_set(setOf(signalNumbers))
{
    ::pthread_sigmask(SIG_BLOCK, &m_set, nullptr);
    m_file = ::signalfd(-1, &m_set, SFD_NONBLOCK | SFD_CLOEXEC);
    m_output.setInterruption(m_file);
    m_notifier = std::make_unique<QSocketNotifier>(m_file, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SignalRelay::read);
}

SignalRelay::~SignalRelay()
{
    m_notifier.reset();
    m_output.setInterruption(-1);
    ::close(m_file);
    ::pthread_sigmask(SIG_UNBLOCK, &m_set, nullptr);
}

void SignalRelay::read()
{
    signalfd_siginfo info;
    while (::read(m_file, &info, sizeof(info)) == sizeof(info)) {
        Q_EMIT received(static_cast<int>(info.ssi_signo));
    }
}

} // namespace lockscope::cli
