#pragma once

#include "core/kernel/base/bytes.h"
#include "core/kernel/inspect/watch/watch_cost.h"
#include "core/kernel/store/metered_store.h"

#include <cstdint>
#include <vector>

namespace lockscope::wire {

/// What watching costs, second by second: what really went through the store, and what the server
/// says that its commands take it.
class WatchAccount {
public:
    /// The store outlives this.
    explicit WatchAccount(const store::MeteredStore& store) : m_store(store) {}

    /// The outcome of INFO commandstats.
    void takeStatistics(const store::Outcome& commandStatistics);

    /// Names of changed keys that were told.
    void takeMessages(const std::vector<Bytes>& keys);

    /// Adds what happened since the last call, once a second. `sentCount` of commands were sent in
    /// all, some of them beside the store: heartbeats and subscriptions.
    void addSecondTo(inspect::WatchWork& work, std::uint64_t sentCount);

private:
    const store::MeteredStore& m_store;
    store::MeteredStore::Calls m_callsBefore; // that are in the account
    store::Outcome m_statistics;
    store::Usage m_usageBefore;
    std::uint64_t m_messageBytes = 0;
};

} // namespace lockscope::wire
