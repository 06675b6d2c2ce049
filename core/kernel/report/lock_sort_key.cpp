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

SortKey sortKeyOf(inspect::FlagSet flags)
{
    std::int64_t bits = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(Flag::FlagCount); ++i) {
        bits |= flags.has(static_cast<Flag>(i)) ? std::int64_t(1) << i : 0;
    }
    return {inspect::severityOf(flags), bits};
}

SortKey urgencyOf(const inspect::LockRecord& record)
{
    const std::int64_t severity = inspect::severityOf(record.flags);
    return {-((severity << 32) + record.waiters.value_or(-1) + 1),
            record.firstSeen.time_since_epoch().count()};
}

} // namespace lockscope::report
