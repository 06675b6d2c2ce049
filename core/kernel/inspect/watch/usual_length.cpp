#include "core/kernel/inspect/watch/usual_length.h"

#include "core/kernel/inspect/watch/hold_history.h"
#include "core/kernel/inspect/watch/renewal_rhythm.h"

#include <algorithm>
#include <cstddef>

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

/// With fewer, what is usual is not known.
constexpr std::size_t kHoldsUntilUsual = 5;
/// Less than that is common: one run has more to do than the others.
constexpr int kTimesUsual = 9;
/// Holds of milliseconds may take a moment longer.
constexpr Duration kBeyondUsual = 2s;

} // namespace

std::optional<Duration> usualLengthOf(const LockRecord& record)
{
    const bool isKnown = record.history() && record.history()->holds.size() >= kHoldsUntilUsual;
    return isKnown ? std::optional(record.history()->longest()) : std::nullopt;
}

std::optional<Instant> usualUntil(const LockRecord& record)
{
    const std::optional<Duration> usual = usualLengthOf(record);
    return usual ? std::optional(record.firstSeen + *usual * 2) : std::nullopt;
}

std::optional<Instant> overdueFrom(const LockRecord& record)
{
    const std::optional<Duration> usual = usualLengthOf(record);
    if (!usual) {
        return std::nullopt;
    }
    const Instant tooLong = record.firstSeen
                            + std::max(*usual * kTimesUsual, *usual + kBeyondUsual);
    if (record.renewals == 0) {
        return tooLong;
    }
    const std::optional<Instant> silent = missesTwoRenewalsFrom(record);
    return std::max(tooLong, silent.value_or(record.lastRenewal + std::max(*usual, record.lease)));
}

} // namespace lockscope::inspect
