#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/inspect/watch/sweep_findings.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace lockscope::report {

/// Keeps the order in which fields are written, as the documented examples have it.
using Json = nlohmann::ordered_json;

/// The lock as documented in the man page. `serverName` as serverName(Endpoint), for a Redlock row
/// the names joined by ",". Bytes that are not text appear in escaped() form. What is not known is
/// null: `heldForMs` unless the lock was taken while we watched, `owner` where the format records
/// none. A sole holder of a lock has mode "write". Behind the documented fields come `seenForMs`
/// (since it was first seen), `acquiredAt` (ISO 8601, by the writer's clock), `confirmed` (false:
/// read before the connection broke and not since) and, for a Redlock row, `quorum`.
Json lockJson(const inspect::LockRecord& record, std::string_view serverName, int database,
              Instant now);

/// One line of `watch`: {"at": ISO 8601 UTC with milliseconds, "change": …, "lock": …}.
Json nearMissJson(const inspect::NearMiss& miss, std::string_view serverName, int database,
                  Instant now);

Json changeJson(const inspect::LockChange& change, WallTime at, std::string_view serverName,
                int database, Instant now);

/// The commands, checks and warnings of a plan: what `release --dry-run --format json` prints.
Json planJson(const inspect::ReleasePlan& plan);

/// Of a released vote in a Redlock set: how many servers have the hold even now; else null.
Json votesJson(const inspect::ReleaseReport& report);

std::string csvHeader();
/// One line of `list --format csv`, RFC 4180, without a line end. Several owners or flags are
/// joined by ";"; what is not known is empty.
std::string csvLine(const inspect::LockRecord& record, std::string_view serverName, int database,
                    Instant now);

/// "2026-11-19T14:03:22.123Z"
std::string isoTime(WallTime time);

} // namespace lockscope::report
