#pragma once

#include "core/kernel/inspect/decoder.h"
#include "core/kernel/inspect/lock_record.h"
#include "core/kernel/inspect/observation.h"
#include "core/kernel/inspect/release_plan.h"
#include "core/kernel/report/by_hand.h"
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

    std::vector<Key> keys;
    std::string whileHeld; // who keeps it alive; empty where that is not known
    std::string ifHolderDies;
    std::string wakeUp; // who wakes its waiters, and how
    std::vector<ByHand> inspect;
    std::vector<ByHand> release; // empty where no safe release is known
};

/// `snapshot` is what was seen of the lock on one server; `plan` what would release all of its
/// holds there, or nullptr.
Explanation explain(const inspect::LockRecord& lock, const inspect::LockSnapshot& snapshot,
                    const inspect::ReleasePlan* plan, Instant now,
                    const inspect::Recognisers& recognisers = inspect::builtinDecoders());

Json explanationJson(const Explanation& explanation);

} // namespace lockscope::report
