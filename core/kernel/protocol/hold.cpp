#include "core/kernel/protocol/hold.h"

#include "core/kernel/protocol/error_reply.h"

#include <algorithm>
#include <utility>

namespace lockscope::protocol {

using trace::EventKind;
using trace::LossReason;
using trace::RenewalFailure;

namespace {

/// After a renewal that brought no answer the next one follows this much sooner than usual.
constexpr int kHurry = 4;

} // namespace

Hold::Hold(const LockProtocol& protocol, Contender& self, Grant grant, Renewal renewal)
    : m_protocol(protocol),
      m_self(self),
      m_grant(std::move(grant)),
      m_renewal(renewal)
{
    if (m_grant.trustedUntil && isOutermost()) {
        if (m_renewal.tellsHolder) {
            m_leaseWatch = async::BackgroundTask(m_self.executor(), watchLease());
        }
        if (m_renewal.isOn()) {
            m_self.memory().isRenewing = true;
            m_keeper = async::BackgroundTask(m_self.executor(), keep());
        }
    }
}

Hold::~Hold() = default;

bool Hold::mayRenewAgain() const
{
    const bool isSwitchedOff = m_renewal.sharesOneSwitch && !m_self.memory().isRenewing;
    return !m_loss && !isSwitchedOff
           && (!m_renewal.countMax || m_renewalTries < *m_renewal.countMax);
}

async::Task<void> Hold::keep()
{
    Duration pause = m_renewal.isFirstAtOnce ? Duration(0) : m_renewal.period;
    while (true) {
        if (pause > Duration(0)) {
            co_await m_self.clock().wakeAt(m_self.now() + pause);
        }
        if (!mayRenewAgain()) {
            co_return;
        }
        const bool isRenewed = co_await renewOnce();
        if (m_loss || (!isRenewed && m_renewal.stopsAtFirstError)) {
            co_return;
        }
        const bool isUrgent = !isRenewed && m_renewal.hurriesAfterError;
        pause = isUrgent ? m_renewal.period / kHurry : m_renewal.period;
    }
}

async::Task<bool> Hold::renewOnce()
{
    ++m_renewalTries;
    const RenewOutcome outcome = co_await m_protocol.renew(m_self, m_grant);
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        ++m_renewalCount;
        m_grant.trustedUntil = renewed->trustedUntil;
        m_trouble.reset();
        m_self.record(EventKind::Renewed, m_grant.request, m_renewalCount);
        m_self.bell().open();
        co_return true;
    }
    if (const auto* const gone = std::get_if<NotHeld>(&outcome)) {
        noteTrouble(gone->isOtherOwner ? RenewalFailure::OtherOwner : RenewalFailure::Gone);
        lose(gone->isOtherOwner ? LossReason::OtherOwner : LossReason::Gone);
    } else if (const auto* const unavailable = std::get_if<Unavailable>(&outcome)) {
        const bool isRefused = !store::isPassing(*unavailable->problem);
        noteErrorReply(*unavailable->problem);
        noteTrouble(isRefused ? RenewalFailure::Refused : RenewalFailure::Unreachable);
        if (isRefused) {
            lose(LossReason::Refused);
        }
    } else {
        noteTrouble(RenewalFailure::Unknown);
    }
    co_return false;
}

void Hold::noteTrouble(RenewalFailure failure)
{
    m_trouble = failure;
    m_self.record(EventKind::RenewalFailed, m_grant.request, static_cast<std::int64_t>(failure));
}

void Hold::noteErrorReply(const store::Problem& problem)
{
    if (!m_errorReply && isErrorReply(problem)) {
        m_errorReply = problem;
    }
}

async::Task<void> Hold::watchLease()
{
    while (m_grant.trustedUntil && m_self.now() < *m_grant.trustedUntil) {
        co_await m_self.clock().wakeAt(*m_grant.trustedUntil);
    }
    if (!m_grant.trustedUntil) {
        co_return;
    }
    if (m_trouble) {
        lose(LossReason::Disconnected);
    } else if (m_renewal.isOn() && !mayRenewAgain()) {
        lose(LossReason::RenewalsUsedUp);
    } else {
        lose(LossReason::LeaseRanOut);
    }
}

void Hold::lose(LossReason reason)
{
    if (m_loss) {
        return;
    }
    m_loss = Loss{reason, m_self.now()};
    if (m_renewal.tellsHolder) {
        m_self.record(EventKind::Lost, m_grant.request, static_cast<std::int64_t>(reason));
    }
    m_self.bell().open();
}

async::Task<void> Hold::waitUntil(Instant deadline)
{
    while (!m_self.isInterrupted() && !(m_loss && m_renewal.tellsHolder)
           && m_self.now() < deadline) {
        co_await m_self.waitForBell(deadline);
    }
}

async::Task<void> Hold::doubt(LossReason reason)
{
    if (m_renewal.isOn() && isOutermost() && mayRenewAgain()) {
        co_await renewOnce();
    } else {
        lose(reason);
    }
}

void Hold::stopKeeping()
{
    m_keeper = {};
    m_leaseWatch = {};
    if (isOutermost()) {
        m_self.memory().isRenewing = false;
    }
}

void Hold::recordEnd(const ReleaseOutcome& outcome)
{
    if (const auto* const released = std::get_if<Released>(&outcome)) {
        m_self.record(EventKind::Released, m_grant.request, released->holdsLeft);
    } else if (const auto* const notHeld = std::get_if<NotHeld>(&outcome)) {
        m_self.record(EventKind::ReleaseRefused, m_grant.request, notHeld->isOtherOwner ? 1 : 0);
    } else if (const auto* const unavailable = std::get_if<Unavailable>(&outcome)) {
        noteErrorReply(*unavailable->problem);
        m_self.record(EventKind::ReleaseUncertain, m_grant.request,
                      isErrorReply(*unavailable->problem) ? 1 : 0);
    } else {
        m_self.record(EventKind::ReleaseUncertain, m_grant.request);
    }
}

async::Task<ReleaseOutcome> Hold::release()
{
    stopKeeping();
    m_self.record(EventKind::Releasing, m_grant.request);
    ReleaseOutcome outcome = co_await m_protocol.release(m_self, m_grant);
    recordEnd(outcome);
    co_return outcome;
}

async::Task<ReleaseOutcome> Hold::releaseBy(Contender& other)
{
    m_self.record(EventKind::Releasing, m_grant.request);
    ReleaseOutcome outcome = co_await m_protocol.release(other, m_grant);
    if (!std::holds_alternative<NotHeld>(outcome)) {
        stopKeeping();
    }
    recordEnd(outcome);
    co_return outcome;
}

} // namespace lockscope::protocol
