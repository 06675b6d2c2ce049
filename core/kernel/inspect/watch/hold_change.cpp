#include "core/kernel/inspect/watch/hold_change.h"

#include <algorithm>
#include <chrono>

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

/// A time to live is measured when the reply arrives, up to a busy moment late. Nothing that was
/// sent is decided by this: the release itself compares the server's own instant.
constexpr Duration kJitter = 100ms;

bool isNameless(const LockRecord& lock)
{
    return std::ranges::all_of(lock.holders, [](const Holder& h) { return h.owner.empty(); });
}

bool isAmong(std::span<const Holder> holders, const Holder& wanted)
{
    return std::ranges::find(holders, wanted.owner, &Holder::owner) != holders.end();
}

bool isNoneAmong(std::span<const Holder> holders, std::span<const Holder> wanted)
{
    return std::ranges::none_of(wanted,
                                [&holders](const Holder& h) { return isAmong(holders, h); });
}

bool areAllAmong(std::span<const Holder> holders, std::span<const Holder> wanted)
{
    return std::ranges::all_of(wanted, [&holders](const Holder& h) { return isAmong(holders, h); });
}

bool hasMoved(const LockRecord& looked, const LockRecord& now)
{
    if (looked.expiresAt.has_value() != now.expiresAt.has_value()) {
        return true;
    }
    return (looked.expiresAt && std::chrono::abs(*now.expiresAt - *looked.expiresAt) > kJitter)
           || looked.acquiredAt() != now.acquiredAt() || looked.mode != now.mode;
}

} // namespace

HoldChange holdChangeOf(const LockRecord& looked, std::span<const Holder> meant,
                        const LockChange& change)
{
    if (change.lock == nullptr || change.lock->id != looked.id || change.at <= looked.firstSeen) {
        return HoldChange::Same;
    }
    const LockRecord& now = *change.lock;
    const bool isUnnamed = isNameless(looked);
    switch (change.kind) {
    case ChangeKind::Released: return HoldChange::Released;
    case ChangeKind::Expired: return HoldChange::Expired;
    case ChangeKind::Unwatched: return HoldChange::Same; // nothing became of the hold
    case ChangeKind::Appeared: // by the very holders: the watch is only later than the look
        if (isUnnamed || isNoneAmong(now.holders, looked.holders)) {
            return HoldChange::Taken;
        }
        break;
    case ChangeKind::Changed:
    case ChangeKind::Renewed:
        if (isUnnamed && !isNameless(now)) {
            return HoldChange::Taken;
        }
        if (isUnnamed && (change.kind == ChangeKind::Renewed || hasMoved(looked, now))) {
            return HoldChange::Moved;
        }
        break;
    }
    return areAllAmong(now.holders, meant) ? HoldChange::Same : HoldChange::HolderLeft;
}

} // namespace lockscope::inspect
