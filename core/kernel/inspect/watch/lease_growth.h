#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <cstdint>

// Leases that are too long for any purpose.
namespace lockscope::inspect {

/// A longer lease is as good as none: a crash of its holder blocks other clients until a human
/// notices. The longest lease with a purpose is that of a mark for a job that runs once a month.
/// Sessions, and the marks that schedulers leave for a day, are shorter. 31 days given in
/// milliseconds where seconds are expected are 45 minutes: leases of jobs are caught from there on.
constexpr Duration kLongestLease = std::chrono::days(31);

/// How often in a row a renewal left more time than the one before it did. Empty for most locks.
struct LeaseGrowth {
    Duration first{0};        // the lease before the first of these renewals
    std::uint32_t longer = 0; // such renewals
    friend bool operator==(const LeaseGrowth&, const LeaseGrowth&) = default;
};

/// After a renewal that made `renewed` of `before`.
LeaseGrowth afterRenewal(const LeaseGrowth& growth, const LockRecord& before,
                         const LockRecord& renewed);

/// True if the renewals add to what is left: five in a row left more time each, or the lease is
/// three times the first one after at least two of them.
bool isGrowing(const LeaseGrowth& growth, Duration lease);

} // namespace lockscope::inspect
