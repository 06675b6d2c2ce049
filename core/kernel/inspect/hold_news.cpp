#include "inspect/hold_news.h"

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

/// The first holder of a Redlock row is the one that the servers agree on, the others are rivals.
bool hasLostAHolder(const LockRecord& looked, const LockRecord& now)
{
    const std::size_t count = looked.quorum.total > 0 ? 1 : looked.holders.size();
    return std::any_of(looked.holders.begin(), looked.holders.begin() + std::ptrdiff_t(count),
                       [&now](const Holder& holder) {
                           return std::ranges::find(now.holders, holder.owner, &Holder::owner)
                                  == now.holders.end();
                       });
}

bool hasMoved(const LockRecord& looked, const LockRecord& now)
{
    if (looked.expiresAt.has_value() != now.expiresAt.has_value()) {
        return true;
    }
    return (looked.expiresAt && std::chrono::abs(*now.expiresAt - *looked.expiresAt) > kJitter)
           || looked.acquiredAt != now.acquiredAt || looked.mode != now.mode;
}

} // namespace

HoldNews newsOf(const LockRecord& looked, const LockChange& change)
{
    if (change.lock == nullptr || change.lock->id != looked.id || change.at <= looked.firstSeen) {
        return HoldNews::Same;
    }
    switch (change.kind) {
    case ChangeKind::Released: return HoldNews::Released;
    case ChangeKind::Expired: return HoldNews::Expired;
    case ChangeKind::Appeared: // by that very holder: the watch is only later than the look
        return !isNameless(looked) && !hasLostAHolder(looked, *change.lock) ? HoldNews::Same
                                                                            : HoldNews::Taken;
    case ChangeKind::Changed:
    case ChangeKind::Renewed: break;
    }
    if (isNameless(looked)) {
        return !isNameless(*change.lock) ? HoldNews::Taken
               : change.kind == ChangeKind::Renewed || hasMoved(looked, *change.lock)
                   ? HoldNews::Moved
                   : HoldNews::Same;
    }
    return hasLostAHolder(looked, *change.lock) ? HoldNews::HolderLeft : HoldNews::Same;
}

bool tellsHoldsApart(const ReleasePlan& plan)
{
    for (std::size_t i = 0; i < plan.recipe.checks.size(); ++i) {
        if (!plan.recipe.checks[i].comparesExpiry || plan.expiresAtMs[i]) {
            return true;
        }
    }
    return false;
}

} // namespace lockscope::inspect
