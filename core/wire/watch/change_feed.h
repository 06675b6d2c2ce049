#pragma once

#include "core/kernel/async/task.h"
#include "core/kernel/inspect/watch/watch_cost.h"
#include "core/service/lock_monitor.h"
#include "core/wire/connection/connection.h"
#include "core/wire/connection/subscriber.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::wire {

/// How news of changed keys come from a server, chosen by what that costs it. A quiet server tells
/// about every key. A busy one is asked about names only: with keyspace events, where they are on
/// already, about all that say "lock"; else by tracking, about the prefixes of the locks that are
/// known. Where neither may be had there are no news. What is measured meanwhile may change the
/// choice. Server configuration is only read, never changed. Runs on one thread.
class ChangeFeed final : public QObject {
    Q_OBJECT
public:
    /// What the news are wanted for.
    struct Interest {
        std::vector<Bytes> names;          // of the locks that are known
        std::vector<std::string> patterns; // of names that the user calls locks
        bool isDeep = false;               // any key may be a lock
    };

    /// Everything outlives the feed.
    ChangeFeed(Connection& connection, Subscriber& subscriber, async::Executor& executor,
               Clock& clock, std::function<Interest()> interest, QObject* parent = nullptr);
    ~ChangeFeed() override;

    /// Finds a way for a connection that is new. `writesPerSecond`: of all clients, at most.
    async::Task<void> begin(double writesPerSecond);
    void stop();

    /// No way any more, or a way at last: then begin() is called again.
    async::Task<bool> isAnotherWayBetter();

    service::LinkStatus::Live live() const { return m_live; }
    /// Why there is no push.
    const store::Problem& problem() const { return m_problem; }
    /// Locks with names of another kind than those that are known may be missed.
    bool hasGaps() const { return m_isNarrow; }

    /// So many keys were named, so many of them of interest.
    void count(std::uint64_t named, std::uint64_t ofInterest);
    /// Once a second; `writesPerSecond` of all clients.
    void endSecond(double writesPerSecond);
    /// Other names are known, or wanted, than before.
    void interestChanged();

    /// What the server does for this, beside our own commands and messages.
    inspect::WatchWork work() const;

Q_SIGNALS:
    /// What the news are about is not the same as before; some may have been missed in between.
    void scopeChanged();

private:
    enum class Scope { EveryKey, Names };

    Scope usualScope() const;
    async::Task<bool> track(std::vector<Bytes> prefixes);
    async::Task<bool> listen(std::vector<std::string> patterns);
    async::Task<bool> areEventsOn();
    async::Task<void> dropEvents();
    std::vector<Bytes> wantedNames() const;
    std::size_t usualCount() const;
    std::vector<Bytes> prefixesFor(Scope scope) const;
    std::vector<std::string> patternsFor(Scope scope) const;
    bool coversInterest() const;
    async::Task<void> change(Scope scope);
    void changeSoon(Scope scope);
    void noteScope(Scope scope);

    Connection& m_connection;
    Subscriber& m_subscriber;
    async::Executor& m_executor;
    Clock& m_clock;
    std::function<Interest()> m_interest;
    service::LinkStatus::Live m_live = service::LinkStatus::Live::None;
    store::Problem m_problem;
    bool m_isNarrow = false;
    std::vector<Bytes> m_prefixes;       // that are tracked; empty: every key, or none
    std::vector<std::string> m_patterns; // of keyspace events
    std::size_t m_fineness = 1;          // how many times as many prefixes as usual
    double m_writesPerSecond = 0;
    std::uint64_t m_unrelatedCount = 0; // of this second
    Instant m_scopeSince{};
    Instant m_busyAt{};      // was it last
    Duration m_narrowFor{0}; // at least, when the server is idle
    Instant m_nextSearch{};  // for a way, where there is none
    async::BackgroundTask m_changing;
};

/// True when these `notify-keyspace-events` flags report every change of strings and hashes, and
/// expiry.
bool reportsLockChanges(std::string_view flags);

} // namespace lockscope::wire
