#include "core/wire/alarm.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace lockscope::wire {

namespace {

/// What the system understands as "never".
constexpr Duration kNever(0);
constexpr Duration kSoon(1);

int openDescriptor()
{
    // The clock of std::chrono::steady_clock, and so of LoopClock.
    const int descriptor = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) {
        throw std::system_error(errno, std::generic_category(), "timerfd_create");
    }
    return descriptor;
}

} // namespace

Alarm::Alarm(QObject* parent)
    : QObject(parent),
      m_descriptor(openDescriptor()),
      m_notifier(m_descriptor, QSocketNotifier::Read, this) // moves to another thread with this
{
    // Qt posts an event for a notifier that is moved while it listens.
    m_notifier.setEnabled(false);
    connect(&m_notifier, &QSocketNotifier::activated, this, &Alarm::ring);
}

Alarm::~Alarm()
{
    m_notifier.setEnabled(false); // while the descriptor is still open
    ::close(m_descriptor);
}

void Alarm::setFor(Instant when)
{
    if (m_setFor != when) {
        m_setFor = when;
        m_notifier.setEnabled(true);
        tellSystem(std::max(when.time_since_epoch(), kSoon));
    }
}

void Alarm::cancel()
{
    if (m_setFor) {
        m_setFor.reset();
        tellSystem(kNever);
    }
}

void Alarm::tellSystem(Duration sinceBoot) const
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(sinceBoot);
    itimerspec setting{};
    setting.it_value.tv_sec = seconds.count();
    setting.it_value.tv_nsec = std::chrono::nanoseconds(sinceBoot - seconds).count();
    ::timerfd_settime(m_descriptor, TFD_TIMER_ABSTIME, &setting, nullptr);
}

void Alarm::ring()
{
    std::uint64_t count = 0;
    if (::read(m_descriptor, &count, sizeof(count)) == sizeof(count)) { // else it was set anew
        m_setFor.reset();
        Q_EMIT rang();
    }
}

} // namespace lockscope::wire
