#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <compare>
#include <cstdint>
#include <string_view>

namespace lockscope::report {

/// Two numbers that order almost every pair of locks without looking at the records, so that
/// sorting a hundred thousand of them stays within a few cache lines. Numbers are the raw values; a
/// text contributes its beginning, and naturalOrder() decides what is still equal then.
struct SortKey {
    std::int64_t first = 0;
    std::int64_t second = 0;
    friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

SortKey sortKeyOfText(std::string_view text);
SortKey sortKeyOf(std::int64_t number);
SortKey sortKeyOf(Instant instant);
/// The rank, then the flags.
SortKey sortKeyOfWarnings(const inspect::LockRecord& record);

/// How urgent a lock is: severity, then how certain it is that it is one. -1 for what is probably
/// data, which comes behind everything else.
std::int64_t rankOf(const inspect::LockRecord& record);

/// The default order, the most urgent first: rank, then waiters, then how long it is held, each the
/// largest first. What was held already when it was first seen is of the age of all that was seen
/// in that minute.
SortKey urgencyOf(const inspect::LockRecord& record);

/// By name, in natural order, then by server.
std::strong_ordering orderByName(const inspect::LockId& a, const inspect::LockId& b);

/// As urgencyOf(), and what is equal in it by name.
bool isMoreUrgent(const inspect::LockRecord& a, const inspect::LockRecord& b);

/// Only its name sounds like a lock: it stands behind all locks, however they are sorted.
bool isProbablyData(const inspect::LockRecord& record);

} // namespace lockscope::report
