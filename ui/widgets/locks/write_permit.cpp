#include "ui/widgets/locks/write_permit.h"

#include <algorithm>
#include <utility>

namespace lockscope::widgets {

WritePermit::WritePermit(std::function<Instant()> now, bool mayWrite, QObject* parent)
    : QObject(parent),
      m_now(std::move(now)),
      m_mayWrite(mayWrite)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &WritePermit::expire);
}

void WritePermit::open(const std::vector<store::Endpoint>& endpoints)
{
    m_timer.stop();
    m_isProduction = std::ranges::any_of(endpoints, store::isProduction);
    const bool isReadOnly = m_isProduction
                            || std::ranges::any_of(endpoints, &store::Endpoint::isReadOnly);
    m_state = endpoints.empty() ? State::Closed
              : !m_mayWrite     ? State::Never
              : isReadOnly      ? State::ReadOnly
                                : State::Granted;
}

void WritePermit::grant()
{
    if (m_state == State::Closed || m_state == State::Never) {
        return;
    }
    if (m_isProduction) {
        m_end = m_now() + kProductionSpan;
        m_timer.start(std::chrono::ceil<std::chrono::milliseconds>(kProductionSpan));
    }
    turnTo(m_isProduction ? State::Limited : State::Granted);
}

void WritePermit::revoke()
{
    if (mayWrite()) {
        m_timer.stop();
        turnTo(State::ReadOnly);
    }
}

void WritePermit::expire()
{
    if (m_state != State::Limited) {
        return;
    }
    if (m_now() < m_end) {
        // The clock of the servers' monitor and that of the timer may differ a little.
        m_timer.start(std::chrono::ceil<std::chrono::milliseconds>(m_end - m_now()));
        return;
    }
    revoke();
    Q_EMIT expired();
}

Duration WritePermit::left() const
{
    if (m_state != State::Limited) {
        return {};
    }
    return std::max<Duration>(m_end - m_now(), std::chrono::microseconds(1));
}

std::vector<store::Endpoint> WritePermit::applyTo(std::vector<store::Endpoint> endpoints) const
{
    for (store::Endpoint& endpoint : endpoints) {
        endpoint.isReadOnly = !mayWrite();
    }
    return endpoints;
}

void WritePermit::turnTo(State state)
{
    m_state = state;
    Q_EMIT changed();
}

} // namespace lockscope::widgets
