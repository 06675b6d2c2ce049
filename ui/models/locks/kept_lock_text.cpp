#include "ui/models/locks/kept_lock_text.h"

#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

namespace lockscope::models {

using namespace Qt::StringLiterals;
using service::KeptLock;
using State = KeptLock::State;
using Tone = KeptLockText::Tone;
using trace::LossReason;

namespace {

QString explained(const KeptLock& lock)
{
    return lock.problem.kind == store::Problem::Kind::None
               ? QString()
               : toQString(store::explain(lock.problem));
}

QString joined(const QStringList& sentences)
{
    QStringList some = sentences;
    some.removeAll(QString());
    return some.join(u' ');
}

QString heldDetail(const KeptLock& lock, Instant now)
{
    QStringList parts;
    parts += lock.trustedUntil ? UiText::tr("%1 left.").arg(timeLeftText(lock, now))
                               : UiText::tr("No expiry: the lock stays until it is released.");
    if (lock.renewalCount > 0) {
        parts += lock.renewalCount == 1 ? UiText::tr("Renewed once.")
                                        : UiText::tr("Renewed %1 times.").arg(lock.renewalCount);
    }
    if (lock.fence) {
        parts += UiText::tr("Fence %1.").arg(*lock.fence);
    }
    return parts.join(u' ');
}

KeptLockText uncertainText(const KeptLock& lock)
{
    const QString what =
        lock.isStillWanted ? UiText::tr("The reply was lost: you may or may not hold the lock. Do "
                                        "not rely on it. Release it, or wait until it expires.")
                           : UiText::tr("The reply to the release was lost: the lock may exist "
                                        "until its lease ends. Check the lock table.");
    return {Tone::Warning, UiText::tr("unknown"), joined({what, explained(lock)})};
}

} // namespace

KeptLockText textOf(const KeptLock& lock, Instant now)
{
    switch (lock.state) {
    case State::Connecting: return {Tone::Quiet, UiText::tr("connecting"), {}};
    case State::Waiting:
        return {Tone::Warning, UiText::tr("waiting"),
                UiText::tr("Held by another owner; waiting for %1.")
                    .arg(durationText(now - lock.since))};
    case State::Held: return {Tone::Good, UiText::tr("held"), heldDetail(lock, now)};
    case State::Lost:
        return {Tone::Bad, UiText::tr("lost"),
                joined({lock.loss ? lossSentence(*lock.loss) : QString(),
                        UiText::tr("Stop all work that relies on the lock, then release it.")})};
    case State::Releasing: return {Tone::Quiet, UiText::tr("releasing"), {}};
    case State::Released:
        return {lock.wasOtherOwner ? Tone::Warning : Tone::Quiet, UiText::tr("released"),
                lock.wasOtherOwner
                    ? UiText::tr("Another owner already held the lock; nothing was removed.")
                    : QString()};
    case State::Refused:
        return {Tone::Warning, UiText::tr("not acquired"),
                UiText::tr(
                    "Another owner held the lock the whole time. The lock table shows the owner.")};
    case State::Failed: return {Tone::Bad, UiText::tr("failed"), explained(lock)};
    case State::Uncertain: return uncertainText(lock);
    }
    return {};
}

QString timeLeftText(const KeptLock& lock, Instant now)
{
    if (lock.state != State::Held) {
        return {};
    }
    return lock.trustedUntil ? durationText(*lock.trustedUntil - now) : UiText::tr("no expiry");
}

QString lossSentence(LossReason reason)
{
    switch (reason) {
    case LossReason::Gone: return UiText::tr("A renewal found that the lock no longer exists.");
    case LossReason::OtherOwner:
        return UiText::tr("A renewal found that another owner holds the lock.");
    case LossReason::LeaseRanOut: return UiText::tr("The lease expired.");
    case LossReason::Disconnected: return UiText::tr("No renewal succeeded within the lease.");
    case LossReason::RenewalsUsedUp:
        return UiText::tr("The maximum number of renewals was reached and the lease expired.");
    case LossReason::Refused: return UiText::tr("The server refused the renewal.");
    }
    return {};
}

} // namespace lockscope::models
