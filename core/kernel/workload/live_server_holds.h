#pragma once

#include "core/kernel/inspect/watch/holder_watch.h"
#include "core/kernel/protocol/identity.h"
#include "core/kernel/trace/server_hold_fold.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace lockscope::workload {

/// Makes the servers' lanes of a live run, one for each of several and one for their majority: of
/// looks at the locks, and of what the contenders are called there. What looks the same in two
/// looks, one after the other, is taken for one hold. After half a million of them nothing more is
/// taken.
class LiveServerHolds {
public:
    /// Those that can be told apart by what they write; see Identity::mark().
    void introduce(const protocol::Identity& identity, trace::ContenderId contender);

    /// In the order of time.
    void add(inspect::Look look) { m_looks.push_back(std::move(look)); }

    /// All clients that wrote anything before `instant` were introduced.
    void goOnTo(Instant instant);

    std::vector<trace::ServerHold> serverHolds() const { return m_fold.serverHolds(); }

private:
    std::optional<trace::ContenderId> contenderIn(std::string_view owner) const;
    void takeLook(const inspect::Look& look);

    std::map<Bytes, trace::ContenderId, std::less<>> m_contenders; // by their marks
    std::deque<inspect::Look> m_looks;                             // not yet taken
    trace::ServerHoldFold m_fold;
};

} // namespace lockscope::workload
