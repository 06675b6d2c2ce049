#include "core/kernel/report/lock_sort_key.h"

namespace lockscope::report {

using inspect::Flag;

namespace {

/// Eight bytes as a number that compares like the bytes do; missing ones count as zero.
std::int64_t packedBytes(std::string_view text)
{
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < sizeof packed; ++i) {
        packed <<= 8U;
        packed |= i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    }
    constexpr std::uint64_t kSignBit = std::uint64_t(1) << 63U;
    return static_cast<std::int64_t>(packed ^ kSignBit);
}

} // namespace

SortKey sortKeyOfText(std::string_view text)
{
    const std::string_view rest = text.size() > 8 ? text.substr(8) : std::string_view();
    return {packedBytes(text), packedBytes(rest)};
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
            record.firstSeen.time_since_epoch().count()};
}

bool isProbablyData(const inspect::LockRecord& record)
{
    return record.flags.has(Flag::ProbablyData);
}

} // namespace lockscope::report
