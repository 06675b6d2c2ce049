#pragma once

#include "inspect/lock_record.h"

#include <compare>
#include <cstdint>
#include <string_view>

namespace lockscope::models {

/// What locks can be ordered by. Urgency is the order nobody had to ask for: what needs a person
/// comes first.
enum class SortField : std::uint8_t {
    Urgency, // severity, then waiters, then how long it is held, each the largest first; then the
             // key
    Key,
    Format,
    Mode,  // then the number of holders
    Owner, // of the first holder
    Holds,
    Expires, // the end that comes first; "never" is last
    HeldFor,
    Renewals,
    Waiters, // unknown comes before none
    Server,
    Why, // severity, then the flags
};

/// Two numbers that order almost every pair of locks without looking at the records, so that
/// sorting a hundred thousand of them stays within a few cache lines. Numbers are the raw values; a
/// text contributes its first sixteen bytes, and sortTextOf() decides what is still equal then.
struct SortKey {
    std::int64_t first = 0;
    std::int64_t second = 0;
    friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

SortKey sortKeyOf(const inspect::LockRecord& record, SortField field);

/// The whole text of a textual field; empty for numbers. Points into the record.
std::string_view sortTextOf(const inspect::LockRecord& record, SortField field);

} // namespace lockscope::models
