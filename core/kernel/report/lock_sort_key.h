#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <compare>
#include <cstdint>
#include <string_view>

namespace lockscope::report {

/// Two numbers that order almost every pair of locks without looking at the records, so that
/// sorting a hundred thousand of them stays within a few cache lines. Numbers are the raw values; a
/// text contributes its first sixteen bytes, and its field decides what is still equal then.
struct SortKey {
    std::int64_t first = 0;
    std::int64_t second = 0;
    friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

SortKey sortKeyOfText(std::string_view text);
SortKey sortKeyOf(std::int64_t number);
SortKey sortKeyOf(Instant instant);
/// Severity, then the flags.
SortKey sortKeyOf(inspect::FlagSet flags);

/// The default order, the most urgent first: severity, then waiters, then how
/// long it is held, each the largest first.
SortKey urgencyOf(const inspect::LockRecord& record);

} // namespace lockscope::report
