#include "ui/models/locks/held_locks.h"

#include "core/kernel/base/duration_text.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using service::KeptLock;
using trace::LossReason;
using State = KeptLock::State;
using Tone = KeptLockText::Tone;

namespace {

constexpr Duration kUsualWait = 10s;
constexpr int kPermitsMax = 100'000;

/// Reads a time of at least `least`; what is wrong with it, or nothing.
QString readTime(const QString& text, Duration least, Duration& value)
{
    const auto typed = lockscope::parseDuration(text.trimmed().toStdString());
    if (!typed) {
        return UiText::tr("Use a form such as 250ms, 10s or 5m.");
    }
    if (*typed < least) {
        return UiText::tr("At least %1.").arg(toQString(lockscope::durationWord(least)));
    }
    value = *typed;
    return {};
}

QString readKey(const QString& text, Bytes& key)
{
    if (text.isEmpty()) {
        return UiText::tr("Enter a key.");
    }
    const auto bytes = unescaped(text.toStdString());
    if (!bytes) {
        return UiText::tr("\\x must be followed by two hexadecimal digits.");
    }
    key = *bytes;
    return {};
}

QString readPermits(const QString& text, int& permits)
{
    bool isNumber = false;
    const int typed = text.trimmed().toInt(&isNumber);
    if (!isNumber || typed < 1 || typed > kPermitsMax) {
        return UiText::tr("Enter a whole number of at least 1.");
    }
    permits = typed;
    return {};
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
    parts += lock.trustedUntil ? UiText::tr("%1 left.").arg(timeLeftText(lock, now))
                               : UiText::tr("No expiry: the lock stays until it is released.");
    if (lock.renewalCount > 0) {
        parts += lock.renewalCount == 1 ? UiText::tr("Renewed once.")
                                        : UiText::tr("Renewed %1 times.").arg(lock.renewalCount);
    }
    if (lock.fence) {
        parts += UiText::tr("Fence %1.").arg(*lock.fence);
    }
    if (lock.isWatched) {
        parts += UiText::tr("A loss is noticed at once.");
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

Qt::Alignment alignmentOfHeldLocksColumn(int column)
{
    const bool isNumber = column == HeldLocksModel::LeftColumn
                          || column == HeldLocksModel::RenewalsColumn;
    return (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

} // namespace

AcquireDraft AcquireDraft::withDefaults(ProtocolPtr protocol)
{
    AcquireDraft draft;
    const protocol::ProtocolInfo& info = protocol->info();
    draft.lease = toQString(lockscope::durationWord(info.defaults.lease));
    draft.wait = toQString(lockscope::durationWord(kUsualWait));
    draft.permits = u"1"_s;
    draft.isKeptRenewed = info.canRenew;
    draft.protocol = std::move(protocol);
    return draft;
}

ParsedAcquire readAcquireDraft(const AcquireDraft& draft)
{
    ParsedAcquire parsed;
    const protocol::ProtocolInfo& info = draft.protocol->info();
    service::KeepOrder& order = parsed.order;
    order.protocol = draft.protocol;
    order.servers = draft.servers;
    if (info.keys != protocol::KeyUse::OnePerServer && order.servers.size() > 1) {
        order.servers.resize(1);
    }
    order.request = protocol::LockRequest::withDefaults(info, {});
    parsed.keyError = readKey(draft.key, order.request.key);
    if (info.hasExpiry) {
        parsed.leaseError = readTime(draft.lease, 1ms, order.request.lease);
    }
    parsed.waitError = readTime(draft.wait, 0ms, order.request.waitLimit);
    if (info.hasPermits) {
        parsed.permitsError = readPermits(draft.permits, order.request.permits);
    }
    order.request.mode = info.hasModes ? draft.mode : protocol::Mode::Exclusive;
    if (draft.isKeptRenewed) {
        order.renewal = renewalFor(info, order.request.lease);
    }
    return parsed;
}

protocol::Renewal renewalFor(const protocol::ProtocolInfo& info, Duration lease)
{
    protocol::Renewal renewal = info.defaults.renewal;
    if (!info.canRenew) {
        renewal.period = Duration(0);
    } else if (!renewal.isOn() || renewal.period >= lease) {
        renewal.period = std::max<Duration>(lease / 3, 1ms);
    }
    return renewal;
}

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
    case LossReason::Gone: return UiText::tr("The lock no longer exists on the server.");
    case LossReason::OtherOwner: return UiText::tr("Another owner holds the lock.");
    case LossReason::LeaseRanOut: return UiText::tr("The lease expired.");
    case LossReason::Disconnected: return UiText::tr("No renewal succeeded within the lease.");
    case LossReason::RenewalsUsedUp:
        return UiText::tr("The maximum number of renewals was reached and the lease expired.");
    case LossReason::Refused: return UiText::tr("The server refused the renewal.");
    }
    return {};
}

HeldLocksModel::HeldLocksModel(std::function<Instant()> now, QObject* parent)
    : QAbstractTableModel(parent),
      m_now(std::move(now))
{}

void HeldLocksModel::takeKeptLock(const KeptLock& lock)
{
    const auto found = std::find_if(m_locks.begin(), m_locks.end(),
                                    [&lock](const KeptLock& known) { return known.id == lock.id; });
    const int row = static_cast<int>(found - m_locks.begin());
    if (found == m_locks.end()) {
        if (!lock.isOver()) {
            beginInsertRows({}, row, row);
            m_locks.push_back(lock);
            endInsertRows();
        }
    } else if (lock.isOver()) {
        beginRemoveRows({}, row, row);
        m_locks.erase(found);
        endRemoveRows();
    } else {
        *found = lock;
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
}

void HeldLocksModel::refreshTimes()
{
    if (!m_locks.empty()) {
        Q_EMIT dataChanged(index(0, StateColumn), index(rowCount() - 1, LeftColumn));
    }
}

int HeldLocksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_locks.size());
}

int HeldLocksModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString HeldLocksModel::textAt(const KeptLock& lock, int column) const
{
    switch (column) {
    case KeyColumn: return bytesText(lock.key);
    case ProtocolColumn: return toQString(lock.protocolId);
    case StateColumn: return textOf(lock, m_now()).state;
    case LeftColumn: return timeLeftText(lock, m_now());
    case RenewalsColumn: return countText(lock.renewalCount);
    case ServerColumn: return toQString(lock.server);
    default: return {};
    }
}

QVariant HeldLocksModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const KeptLock& lock = lockAt(index.row());
    switch (role) {
    case Qt::DisplayRole: return textAt(lock, index.column());
    case Qt::TextAlignmentRole: return alignmentOfHeldLocksColumn(index.column()).toInt();
    case Qt::ToolTipRole: return textOf(lock, m_now()).detail;
    case IdRole: return QVariant::fromValue<quint64>(lock.id);
    case ToneRole: return static_cast<int>(textOf(lock, m_now()).tone);
    default: return {};
    }
}

QVariant HeldLocksModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignmentOfHeldLocksColumn(section).toInt();
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case KeyColumn: return tr("Key");
    case ProtocolColumn: return tr("Protocol");
    case StateColumn: return tr("State");
    case LeftColumn: return tr("Time left");
    case RenewalsColumn: return tr("Renewals");
    case ServerColumn: return tr("Server");
    default: return {};
    }
}

} // namespace lockscope::models
