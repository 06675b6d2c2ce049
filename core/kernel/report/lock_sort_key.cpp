#include "core/kernel/report/lock_sort_key.h"

#include "core/kernel/base/natural_order.h"

#include <array>
#include <chrono>
#include <span>

namespace lockscope::report {

using inspect::Flag;

namespace {

/// Eight bytes as a number that compares like the bytes do.
std::int64_t packed(std::span<const unsigned char, 8> bytes)
{
    std::uint64_t number = 0;
    for (const unsigned char byte : bytes) {
        number = number << 8U | byte;
    }
    constexpr std::uint64_t kSignBit = std::uint64_t(1) << 63U;
    return static_cast<std::int64_t>(number ^ kSignBit);
}

/// When it was taken, as far as that is known. What was there already is older than it looks, by an
/// unknown time: what was found within one minute of looking counts as equally old, since the order
/// in which a sweep finds keys means nothing.
Instant ageOf(const inspect::LockRecord& record)
{
    return record.isTakenWhileWatching ? record.firstSeen
                                       : Instant(std::chrono::floor<std::chrono::minutes>(
                                           record.firstSeen.time_since_epoch()));
}

} // namespace

SortKey sortKeyOfText(std::string_view text)
{
    std::array<unsigned char, 16> beginning{};
    writeNaturalBeginning(text, beginning);
    const std::span<const unsigned char, 16> bytes(beginning);
    return {packed(bytes.first<8>()), packed(bytes.last<8>())};
}

SortKey sortKeyOf(std::int64_t number)
{
    return {number, 0};
}

SortKey sortKeyOf(Instant instant)
{
    return {instant.time_since_epoch().count(), 0};
}

SortKey sortKeyOfWarnings(const inspect::LockRecord& record)
{
    std::int64_t bits = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(Flag::FlagCount); ++i) {
        bits |= record.flags.has(static_cast<Flag>(i)) ? std::int64_t(1) << i : 0;
    }
    return {rankOf(record), bits};
}

std::int64_t rankOf(const inspect::LockRecord& record)
{
    if (isProbablyData(record)) {
        return -1;
    }
    // Among what is fine, who waits matters more than how sure we are.
    const std::int64_t severity = inspect::severityOf(record);
    return severity == 0 ? 0 : severity * 4 + static_cast<std::int64_t>(record.confidence);
}

SortKey urgencyOf(const inspect::LockRecord& record)
{
    return {-(rankOf(record) * (std::int64_t(1) << 32) + record.waiters.value_or(-1) + 1),
            ageOf(record).time_since_epoch().count()};
}

std::strong_ordering orderByName(const inspect::LockId& a, const inspect::LockId& b)
{
    const std::strong_ordering order = naturalOrder(a.name, b.name);
    return order != 0 ? order : a <=> b;
}

bool isMoreUrgent(const inspect::LockRecord& a, const inspect::LockRecord& b)
{
    const std::strong_ordering order = urgencyOf(a) <=> urgencyOf(b);
    return order != 0 ? order < 0 : orderByName(a.id, b.id) < 0;
}

bool isProbablyData(const inspect::LockRecord& record)
{
    return record.flags.has(Flag::ProbablyData);
}

} // namespace lockscope::report
