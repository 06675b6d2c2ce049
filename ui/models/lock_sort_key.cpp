#include "lock_sort_key.h"

#include <algorithm>
#include <array>
#include <limits>

namespace lockscope::models {

namespace {

using inspect::Flag;
using inspect::LockRecord;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t microsecondsOf(Instant instant)
{
    return instant.time_since_epoch().count();
}

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

SortKey keyOfText(std::string_view text)
{
    const std::string_view rest = text.size() > 8 ? text.substr(8) : std::string_view();
    return {packedBytes(text), packedBytes(rest)};
}

std::int64_t flagBits(inspect::FlagSet flags)
{
    std::int64_t bits = 0;
    for (unsigned i = 0; i < static_cast<unsigned>(Flag::FlagCount); ++i) {
        bits |= flags.has(static_cast<Flag>(i)) ? std::int64_t(1) << i : 0;
    }
    return bits;
}

/// Unknown sorts before none.
std::int64_t waitersOf(const LockRecord& record)
{
    return record.waiters.value_or(-1);
}

SortKey urgencyOf(const LockRecord& record)
{
    const std::int64_t severity = inspect::severityOf(record.flags);
    return {-((severity << 32) + waitersOf(record) + 1), microsecondsOf(record.firstSeen)};
}

} // namespace

SortKey sortKeyOf(const LockRecord& record, SortField field)
{
    switch (field) {
    case SortField::Urgency: return urgencyOf(record);
    case SortField::Key:
    case SortField::Format:
    case SortField::Owner: return keyOfText(sortTextOf(record, field));
    case SortField::Mode:
        return {static_cast<std::int64_t>(record.mode), std::ssize(record.holders)};
    case SortField::Holds: return {record.holds(), 0};
    case SortField::Expires:
        return {record.expiresAt ? microsecondsOf(*record.expiresAt) : kNever, 0};
    case SortField::HeldFor: return {-microsecondsOf(record.firstSeen), 0};
    case SortField::Renewals: return {record.renewals, 0};
    case SortField::Waiters: return {waitersOf(record), 0};
    case SortField::Server: return {record.id.server, 0};
    case SortField::Why: return {inspect::severityOf(record.flags), flagBits(record.flags)};
    }
    return {};
}

std::string_view sortTextOf(const LockRecord& record, SortField field)
{
    switch (field) {
    case SortField::Urgency:
    case SortField::Key: return record.id.name;
    case SortField::Format: return record.format;
    case SortField::Owner:
        return record.holders.empty() ? std::string_view() : record.holders.front().owner;
    default: return {};
    }
}

} // namespace lockscope::models
