#include "core/kernel/inspect/watch/lease_growth.h"

#include <algorithm>

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kLongerInARow = 5;
constexpr std::uint32_t kLongerWhenTripled = 2;
constexpr int kTimesFirst = 3;
/// Short leases are measured too roughly to tell how much they grow.
constexpr Duration kGrowthToTell = 5s;
/// A part of the first lease: a renewal is measured when it is seen, which may be a moment late.
constexpr int kPartOfFirst = 10;
constexpr Duration kLeastGrowth = 100ms;

} // namespace

LeaseGrowth afterRenewal(const LeaseGrowth& growth, const LockRecord& before,
                         const LockRecord& renewed)
{
    // The first look at a lock that was there before shows only what is left of a lease.
    const bool isLeaseKnown = before.isTakenWhileWatching || before.renewals > 0;
    const Duration first = growth.longer > 0 ? growth.first : before.lease;
    const Duration step = std::max(first / kPartOfFirst, kLeastGrowth);
    if (!isLeaseKnown || renewed.lease <= before.lease + step) {
        return {};
    }
    return {first, growth.longer + 1};
}

bool isGrowing(const LeaseGrowth& growth, Duration lease)
{
    const bool isTripled = lease >= growth.first * kTimesFirst
                           && lease - growth.first >= kGrowthToTell;
    return growth.longer >= kLongerInARow || (growth.longer >= kLongerWhenTripled && isTripled);
}

} // namespace lockscope::inspect
