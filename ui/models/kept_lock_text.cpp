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
    parts += lock.trustedUntil ? translated("For %1 more.").arg(timeLeftText(lock, now))
                               : translated("It has no expiry: it stays until it is released.");
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
        lock.isStillWanted
            ? translated("The answer got lost: the lock may be ours, or nobody's. Do not rely on "
                         "it. Release it, which removes what may be there as the protocol does, "
                         "or let it run out.")
            : translated("The answer to the release got lost: the lock may still be there until "
                         "its lease is over. The lock table shows whether it is.");
    return {Tone::Warning, translated("unknown"), joined({what, explained(lock)})};
}

} // namespace

KeptLockText textOf(const KeptLock& lock, Instant now)
{
    switch (lock.state) {
    case State::Connecting: return {Tone::Quiet, translated("connecting"), {}};
    case State::Waiting:
        return {Tone::Warning, translated("waiting"),
                translated("Somebody else holds it; asking since %1.")
                    .arg(durationText(now - lock.since))};
    case State::Held: return {Tone::Good, translated("held"), heldDetail(lock, now)};
    case State::Lost:
        return {Tone::Bad, translated("lost"),
                joined({lock.loss ? lossSentence(*lock.loss) : QString(),
                        translated("Stop whatever relies on it, then release it to tidy up.")})};
    case State::Releasing: return {Tone::Quiet, translated("releasing"), {}};
    case State::Released:
        return {lock.wasOtherOwner ? Tone::Warning : Tone::Quiet, translated("released"),
                lock.wasOtherOwner ? translated("Somebody else had it by then; nothing was "
                                                "removed.")
                                   : QString()};
    case State::Refused:
        return {Tone::Warning, translated("not acquired"),
                translated("Somebody else held it all the time. The lock table shows who.")};
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
    return lock.trustedUntil ? durationText(*lock.trustedUntil - now) : translated("no end");
}

QString lossSentence(LossReason reason)
{
    switch (reason) {
    case LossReason::Gone: return translated("A renewal found no lock any more.");
    case LossReason::OtherOwner: return translated("A renewal found the lock of somebody else.");
    case LossReason::LeaseRanOut: return translated("Its lease ran out.");
    case LossReason::Disconnected:
        return translated("No renewal got through for as long as the lease.");
    case LossReason::RenewalsUsedUp:
        return translated("It was renewed as often as allowed, and the lease is over.");
    case LossReason::Refused: return translated("The server refused to renew it.");
    }
    return {};
}

} // namespace lockscope::models
