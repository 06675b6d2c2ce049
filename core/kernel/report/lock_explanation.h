#pragma once

#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/report/lock_json.h"

#include <string>
#include <vector>

namespace lockscope::report {

/// A lock in plain words, for a reader who does not know its library.
struct Explanation {
    struct Key {
        std::string key;     // escaped
        std::string meaning; // what is stored there, part by part
    };
    /// A command as one types it at the prompt of redis-cli, and what it is for.
    struct Step {
        std::string purpose;
        std::string command;
    };

    std::vector<Key> keys;
    std::string ifHolderDies;
    std::string wakeUp; // who wakes its waiters, and how
    std::vector<Step> inspect;
    /// One by one what a release does, and last all of it at once, which is the safe way. Empty
    /// where no safe release is known.
    std::vector<Step> release;
};

/// `snapshot` is what was seen of the lock on one server; `plan` what would release all of its
/// holds there, or nullptr.
Explanation explain(const inspect::LockRecord& lock, const inspect::LockSnapshot& snapshot,
                    const inspect::ReleasePlan* plan, Instant now);

Json explanationJson(const Explanation& explanation);

/// In paragraphs, each behind a heading of its own line.
std::string explanationText(const Explanation& explanation);

} // namespace lockscope::report
