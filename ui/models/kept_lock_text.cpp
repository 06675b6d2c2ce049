#include "kept_lock_text.h"

#include "formatting.h"

#include <QCoreApplication>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using service::KeptLock;
using State = KeptLock::State;
using Tone = KeptLockText::Tone;
using trace::LossReason;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("KeptLock", text);
}

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
    parts += lock.trustedUntil ? translated("%1 left.").arg(timeLeftText(lock, now))
                               : translated("No expiry: the lock stays until it is released.");
    if (lock.renewalCount > 0) {
        parts += lock.renewalCount == 1 ? translated("Renewed once.")
                                        : translated("Renewed %1 times.").arg(lock.renewalCount);
    }
    if (lock.fence) {
        parts += translated("Fence %1.").arg(*lock.fence);
    }
    return parts.join(u' ');
}

KeptLockText uncertainText(const KeptLock& lock)
{
    const QString what =
        lock.isStillWanted ? translated("The reply was lost: you may or may not hold the lock. Do "
                                        "not rely on it. Release it, or wait until it expires.")
                           : translated("The reply to the release was lost: the lock may exist "
                                        "until its lease ends. Check the lock table.");
    return {Tone::Warning, translated("unknown"), joined({what, explained(lock)})};
}

} // namespace

KeptLockText textOf(const KeptLock& lock, Instant now)
{
    switch (lock.state) {
    case State::Connecting: return {Tone::Quiet, translated("connecting"), {}};
    case State::Waiting:
        return {Tone::Warning, translated("waiting"),
                translated("Held by another owner; waiting for %1.")
                    .arg(durationText(now - lock.since))};
    case State::Held: return {Tone::Good, translated("held"), heldDetail(lock, now)};
    case State::Lost:
        return {Tone::Bad, translated("lost"),
                joined({lock.loss ? lossSentence(*lock.loss) : QString(),
                        translated("Stop all work that relies on the lock, then release it.")})};
    case State::Releasing: return {Tone::Quiet, translated("releasing"), {}};
    case State::Released:
        return {lock.wasOtherOwner ? Tone::Warning : Tone::Quiet, translated("released"),
                lock.wasOtherOwner
                    ? translated("Another owner already held the lock; nothing was removed.")
                    : QString()};
    case State::Refused:
        return {Tone::Warning, translated("not acquired"),
                translated(
                    "Another owner held the lock the whole time. The lock table shows the owner.")};
    case State::Failed: return {Tone::Bad, translated("failed"), explained(lock)};
    case State::Uncertain: return uncertainText(lock);
    }
    return {};
}

QString timeLeftText(const KeptLock& lock, Instant now)
{
    if (lock.state != State::Held) {
        return {};
    }
    return lock.trustedUntil ? durationText(*lock.trustedUntil - now) : translated("no expiry");
}

QString lossSentence(LossReason reason)
{
    switch (reason) {
    case LossReason::Gone: return translated("A renewal found that the lock no longer exists.");
    case LossReason::OtherOwner:
        return translated("A renewal found that another owner holds the lock.");
    case LossReason::LeaseRanOut: return translated("The lease expired.");
    case LossReason::Disconnected: return translated("No renewal succeeded within the lease.");
    case LossReason::RenewalsUsedUp:
        return translated("The maximum number of renewals was reached and the lease expired.");
    case LossReason::Refused: return translated("The server refused the renewal.");
    }
    return {};
}

} // namespace lockscope::models
