#include "core/wire/signal_relay.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace lockscope::wire {

namespace {

// The state of the handler. A forked process has the handler until it calls exec, and the pipe of
// its parent: its signals are not the parent's.
std::atomic<int> handlerPipe = -1;
std::atomic<pid_t> handlerProcess = 0;

void handle(int signalNumber)
{
    const int error = errno;
    if (::getpid() == handlerProcess) {
        const auto byte = static_cast<unsigned char>(signalNumber);
        [[maybe_unused]] const ssize_t count = ::write(handlerPipe, &byte, sizeof(byte));
    }
    errno = error;
}

bool isIgnored(int signalNumber)
{
    struct sigaction action {};
    return ::sigaction(signalNumber, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

SignalRelay::SignalRelay(std::initializer_list<int> signalNumbers, QObject* parent)
    : QObject(parent)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    m_readEnd = ends[0];
    m_writeEnd = ends[1];
    handlerProcess = ::getpid();
    handlerPipe = m_writeEnd;
    m_notifier = std::make_unique<QSocketNotifier>(m_readEnd, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &SignalRelay::read);
    struct sigaction action {};
    action.sa_handler = &handle;
    action.sa_flags = SA_RESTART;
    for (const int signalNumber : signalNumbers) {
        if (signalNumber == SIGHUP && isIgnored(SIGHUP)) {
            continue;
        }
        struct sigaction before {};
        ::sigaction(signalNumber, &action, &before);
        m_before.emplace_back(signalNumber, before);
    }
}

SignalRelay::~SignalRelay()
{
    for (const auto& [signalNumber, before] : m_before) {
        ::sigaction(signalNumber, &before, nullptr);
    }
    handlerProcess = 0;
    m_notifier.reset();
    ::close(m_readEnd);
    ::close(m_writeEnd);
}

void SignalRelay::read()
{
    unsigned char signalNumber = 0;
    while (::read(m_readEnd, &signalNumber, sizeof(signalNumber)) == sizeof(signalNumber)) {
        Q_EMIT received(signalNumber);
    }
}

} // namespace lockscope::wire
