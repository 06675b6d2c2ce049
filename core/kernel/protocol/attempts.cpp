#include "core/kernel/protocol/attempts.h"

#include "core/kernel/protocol/error_reply.h"

#include <algorithm>
#include <utility>

namespace lockscope::protocol {

using trace::EventKind;

Attempts::Attempts(const LockProtocol& protocol, Contender& self, LockRequest request)
    : m_protocol(protocol),
      m_self(self),
      m_request(std::move(request)),
      m_deadline(self.now() + m_request.waitLimit)
{}

async::Task<AcquireOutcome> Attempts::next()
{
    return next(m_protocol.attempt(m_self, m_request));
}

async::Task<AcquireOutcome> Attempts::next(async::Task<AcquireOutcome> attempt)
{
    ++m_count;
    AcquireOutcome outcome = co_await std::move(attempt);
    record(outcome);
    co_return outcome;
}

void Attempts::record(const AcquireOutcome& outcome)
{
    if (const auto* const refused = std::get_if<Refused>(&outcome)) {
        m_self.record(EventKind::Refused, m_request,
                      refused->remaining ? refused->remaining->count() : -1);
    } else if (const auto* const uncertain = std::get_if<Uncertain>(&outcome)) {
        m_uncertain = *uncertain;
        ++m_unansweredCount;
    }
}

bool Attempts::isWorthAnotherTry(const AcquireOutcome& outcome) const
{
    const auto* const unavailable = std::get_if<Unavailable>(&outcome);
    return (unavailable == nullptr || store::isPassing(*unavailable->problem))
           && !m_self.isInterrupted() && !isOutOfTime() && m_request.retry.allowsTryAfter(m_count);
}

bool Attempts::isOver(AcquireOutcome& outcome)
{
    if (auto* const grant = grantOf(outcome)) {
        grant->tries = m_count;
        // A server that counts holds may have counted a try whose answer was lost. No task works
        // under that try, so the grant may well be the outermost hold.
        grant->holds = std::max(1, grant->holds - m_unansweredCount);
        return true;
    }
    if (isWorthAnotherTry(outcome)) {
        return false;
    }
    if (m_uncertain) {
        outcome = *m_uncertain;
    } else if (auto* const refused = std::get_if<Refused>(&outcome)) {
        refused->tries = m_count;
        refused->isInterrupted = m_self.isInterrupted();
    }
    return true;
}

async::Task<void> Attempts::pause()
{
    const Duration pause = m_request.retry.pauseAfter(m_count, m_self.rng());
    return m_self.sleepUntil(std::min(m_self.now() + pause, m_deadline));
}

async::Task<AcquireOutcome> acquire(const LockProtocol& protocol, Contender& self,
                                    LockRequest request)
{
    self.record(EventKind::Requested, request);
    AcquireOutcome outcome = Refused{std::nullopt, 0}; // when the policy allows not a single try
    if (request.retry.allowsTryAfter(0)) {
        outcome = co_await protocol.acquire(self, request);
    }
    if (const auto* const grant = grantOf(outcome)) {
        self.record(EventKind::Granted, request, grant->tries);
    } else if (const auto* const refused = std::get_if<Refused>(&outcome)) {
        const auto kind = refused->isInterrupted ? EventKind::Withdrew : EventKind::GaveUp;
        self.record(kind, request, refused->tries);
    } else if (std::holds_alternative<Uncertain>(outcome)) {
        self.record(EventKind::Uncertain, request);
    } else if (const auto* const unavailable = std::get_if<Unavailable>(&outcome)) {
        self.record(EventKind::Unavailable, request, isErrorReply(*unavailable->problem) ? 1 : 0);
    }
    co_return outcome;
}

} // namespace lockscope::protocol
