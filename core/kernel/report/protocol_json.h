#pragma once

#include "core/kernel/protocol/protocol_info.h"
#include "core/kernel/report/lock_json.h"

#include <string>

namespace lockscope::report {

/// One entry of `protocols --format json`, as documented in the man page: `id`, `title`, `promises`
/// (ids) and `keys`; behind them what else is known: `assumptions` (what has to hold, by promise),
/// `summary`, `flaw` (null: none is known), `needs`, `defaults`, and what the protocol can do.
Json protocolJson(const protocol::ProtocolInfo& info);

/// "every 10.0 s", "never": how a hold is kept alive.
std::string renewalText(const protocol::Renewal& renewal);

/// "every 100 ms", "50 ms, doubling up to 1.0 s": how a refused client tries again.
std::string retryText(const protocol::Retry& retry);

} // namespace lockscope::report
