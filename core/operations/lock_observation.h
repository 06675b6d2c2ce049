#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/key_group.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/operations/servers.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope::operations {

/// What is observed: the keys of locks, by server.
using ObservedKeys = std::vector<std::vector<inspect::KeyGroup>>;

/// Looks at some locks again and again for `span`, so that the book learns what a single look does
/// not tell: renewals, counts that grow, holds that end and begin. It has seen them before. Their
/// clients and waiters are asked about as well. nullopt: done; otherwise the server that was lost,
/// and why. Runs on the executor of the servers; the references outlive the task.
async::Task<std::optional<std::pair<std::uint16_t, store::Problem>>> observeLocks(
    Servers& servers, Clock& clock, inspect::LockBook& book, inspect::FormatTablePtr formats,
    ObservedKeys keys, Duration span);

} // namespace lockscope::operations
