#pragma once

#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/inspect/watch/hold_change.h"
#include "core/operations/lock_details.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::widgets {

// What is checked before a plan is sent, whether for one lock or for many.

/// Why it is not known whether a lock that was not found exists: other servers may have it, and
/// could not be asked. Empty: it does not exist.
QString unknownText(const operations::LockDetails& details);

/// Why the lock that was read cannot be released; empty: it can.
QString releaseObstacle(const operations::LockDetails& details);

/// Why no expiry can be put on the lock that was read; empty: it can.
QString capObstacle(const operations::LockDetails& details);

/// The guard of the lock that was read, for every plan about it; nullopt: it needs none.
std::optional<inspect::KeyGuard> guardOf(const operations::LockDetails& details);

/// What became of a hold since the plan for it was made; empty for Same.
QString changeSentence(inspect::HoldChange became);

/// The plan with what the watch knows of its owners: a single look knows no other locks. `watched`
/// may be null.
inspect::ReleasePlan withTies(inspect::ReleasePlan plan, const inspect::LockPtr& watched);

/// The plan that an offer to cap becomes for this time; nullopt where it is none.
std::optional<inspect::ReleasePlan> cappedPlan(const inspect::ReleasePlan& offer,
                                               const QString& time);

/// For each server of a plan that is a replica, its master: see inspect::ReleasePlan.
using Masters = std::vector<std::pair<std::uint16_t, std::string>>;

/// The masters of the plans that were made of what was read.
Masters mastersOf(const operations::LockDetails& details);

/// True if the environment of the lock's server, or that of one of the masters, asks for a reason.
bool isReasonNeeded(const inspect::LockId& id, const FactContext& context,
                    const Masters& masters = {});

/// Names the masters that are written to in place of replicas, a sentence for each, with their
/// environments. Empty without masters: the server itself is written to.
QString destinationText(const Masters& masters, const FactContext& context);

} // namespace lockscope::widgets
