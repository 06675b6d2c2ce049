#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockscope::inspect {

/// True when the lock may be one vote of a Redlock: its format says so, and it names its one owner.
bool isQuorumVote(const LockRecord& record, std::span<const Decoder> decoders = builtinDecoders());

/// Folds what the servers of a Redlock set hold under one name into one row. `votes` has an entry
/// per server, null where the server has no such lock. The row names the owner with the most votes
/// first, `incumbent` where two have equally many; it ends when so many votes have run out that no
/// majority is left. nullopt when there is no vote at all.
///
/// The vote of a server among `unknown` is not known, unless it was read and is confirmed: it may
/// have a vote that was not seen, and one that was seen before its connection was lost may have
/// gone. Such a vote names the owner of the row only where no other does, and is not counted.
std::optional<LockRecord> foldQuorum(std::span<const LockPtr> votes,
                                     std::string_view incumbent = {},
                                     std::span<const std::uint16_t> unknown = {});

} // namespace lockscope::inspect
