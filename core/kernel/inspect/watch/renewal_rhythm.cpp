#include "core/kernel/inspect/watch/renewal_rhythm.h"

#include "core/kernel/base/kernel_text.h"

#include <algorithm>

namespace lockscope::inspect {

namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kRenewalsUntilKnown = 2;
/// Timers of busy clients, and our look at the key, are late by this much.
constexpr Duration kJitter = 300ms;

/// From one renewal to the next, on average; nullopt where that is not even.
std::optional<Duration> evenInterval(const LockRecord& record)
{
    const std::size_t count = std::min<std::size_t>(record.renewals, record.renewedAtMs.size());
    if (count < kRenewalsUntilKnown || record.lease <= Duration(0)) {
        return std::nullopt;
    }
    Duration shortest = Duration::max();
    Duration longest = Duration::zero();
    Duration sum = Duration::zero();
    for (std::size_t i = 0; i < count; ++i) {
        if (record.renewedAtMs[i] == 0) {
            return std::nullopt; // it had run out: that was no renewal in time
        }
        // What was left then is what the lease lacks of a whole one.
        const Duration interval = record.lease - std::chrono::milliseconds(record.renewedAtMs[i]);
        shortest = std::min(shortest, interval);
        longest = std::max(longest, interval);
        sum += interval;
    }
    const bool isEven = longest - shortest <= std::max(kJitter, longest / 5);
    return isEven && shortest > Duration(0) ? std::optional(sum / static_cast<int>(count))
                                            : std::nullopt;
}

/// To a tenth of a second, long ones to half of one: more was not measured.
Duration rounded(Duration interval)
{
    const Duration step = interval >= 2s ? Duration(500ms) : Duration(100ms);
    return std::max(step, (interval + step / 2) / step * step);
}

/// How late a renewal may be.
Duration patienceOf(Duration every)
{
    return std::max(kJitter, every / 5);
}

} // namespace

std::optional<RenewalRhythm> rhythmOf(const LockRecord& record, Instant now)
{
    const std::optional<Duration> interval = evenInterval(record);
    if (!interval) {
        return std::nullopt;
    }
    RenewalRhythm rhythm;
    rhythm.every = rounded(*interval);
    const Duration late = now - record.lastRenewal - patienceOf(rhythm.every);
    rhythm.missed = std::max<std::int64_t>(0, late / rhythm.every);
    return rhythm;
}

std::optional<Instant> missesTwoRenewalsFrom(const LockRecord& record)
{
    const std::optional<Duration> interval = evenInterval(record);
    if (!interval) {
        return std::nullopt;
    }
    const Duration every = rounded(*interval);
    return record.lastRenewal + patienceOf(every) + 2 * every;
}

bool isRenewedLikeLock(const LockRecord& record)
{
    const std::optional<Duration> interval = evenInterval(record);
    return interval && *interval >= record.lease / 6 && *interval <= record.lease * 6 / 7;
}

void promoteForBehaviour(LockRecord& record)
{
    record.confidence = std::max(record.confidence, Confidence::Medium);
    record.addEvidence(QT_TRANSLATE_NOOP("KernelText", "it was renewed like a lock"));
    record.addEvidence(QT_TRANSLATE_NOOP("KernelText",
                                         "it was released and taken again by another owner"));
}

} // namespace lockscope::inspect
