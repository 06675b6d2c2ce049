#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/watch/budget_pace.h"
#include "core/kernel/inspect/watch/lock_book.h"
#include "core/kernel/inspect/watch/read_order.h"
#include "core/kernel/inspect/watch/sweep.h"
#include "core/kernel/inspect/watch/sweep_findings.h"
#include "core/kernel/store/store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace lockscope::inspect {

/// Hears how the watching goes. Called on the watcher's executor.
class WatchObserver {
public:
    virtual ~WatchObserver() = default;
    /// The book has news: LockBook::takeDelta() is worth a call.
    virtual void bookChanged() = 0;
    virtual void sweepProgressed(std::uint16_t server, std::uint64_t scanned, std::uint64_t total,
                                 bool isDone, bool isDeep) = 0;
    /// What the sweep that is just done came upon beside locks; before its last sweepProgressed().
    virtual void sweepFound(std::uint16_t server,
                            std::shared_ptr<const SweepFindings> findings) = 0;
    /// Why the watching cannot see everything: the sweep failed, or values may not be read. Called
    /// when it changes; kind None: nothing is in the way any more.
    virtual void limited(std::uint16_t server, const store::Problem& problem) = 0;
};

struct WatchSettings {
    std::uint16_t server = 0;
    bool isDeep = false;
    std::vector<std::string> patterns; // names that the user calls locks
    FormatTablePtr formats = builtinFormatTable();
    /// Whether news of changed keys arrive through keyChanged(). Without them known locks are
    /// polled.
    bool hasPush = false;
    bool hasGaps = false;                               // see LockWatcher::setGaps()
    Duration resweepInterval = std::chrono::minutes(2); // measured from the end of the last sweep
    Duration pollInterval = std::chrono::seconds(1);    // of known locks, without push
    Duration pollingResweepInterval = std::chrono::seconds(10);
    /// Kept to by what looks at all keys, or at all locks; the store has to count.
    store::Budget budget = {};
};

/// Watches the locks of one server through one connection: sweeps once, then re-reads what changed,
/// asks at the predicted end of each lease whether it really is over, counts waiters, and sweeps
/// again now and then to repair what the news missed. All of it keeps to the budget together. Lives
/// as long as the connection: a new connection gets a new watcher, and the book carries what is
/// known across. Kernel code: the store may be anything.
class LockWatcher final : private SweepSink {
public:
    /// From one look at changed keys to the next, at least. A look costs mostly that the server is
    /// asked at all, so that what changes meanwhile shares one; a change after a pause is looked at
    /// at once.
    static constexpr Duration kLookInterval = std::chrono::milliseconds(20);

    /// Everything outlives the watcher. Starts at once.
    LockWatcher(async::Executor& executor, Clock& clock, store::Store& store, LockBook& book,
                WatchObserver& observer, WatchSettings settings);

    /// The key was changed. Cheap; many calls within kLookInterval become one look.
    void keyChanged(const Bytes& key);

    /// It is not known what changed (FLUSHALL, lost news): everything is looked at again.
    void everythingChanged();

    void resweep(bool isDeep);

    /// The server did not answer for a while, and now it does; the news of that time have arrived.
    /// What is known is confirmed again as soon as what they named was read.
    void resume();

    /// Whether from now on the news concern the names of known locks only: then keys with other
    /// names are looked for more often. Looks at everything once, as news may have been missed.
    void setGaps(bool hasGaps);

    /// Other names are called locks from now on. Looks at every key again.
    void setPatterns(std::vector<std::string> patterns);

    /// Other formats are recognised from now on; the book knows them. Looks at every key again.
    void setFormats(FormatTablePtr formats);

    /// How many keyChanged() calls concerned keys that look like locks, so far.
    std::uint64_t changeCount() const { return m_changeCount; }

private:
    async::Task<void> run();
    async::Task<bool> sweepOnce();
    async::Task<void> readUnseen();
    async::Task<bool> readPiece(std::vector<KeyGroup>& groups);
    async::Task<void> keepSweeping();
    async::Task<void> followChanges();
    async::Task<bool> lookAtChanged();
    async::Task<void> probeExpiries();
    async::Task<void> pollKnown();
    void lookAtWaitedFor(const std::vector<Bytes>& names);
    async::Task<void> keepCountingWaiters();
    async::Task<void> keepListingClients();
    async::Task<void> keepTime();
    async::Task<void> tickBook();
    async::Task<void> retryUnreadable();
    Duration pauseAfterSweep(bool isDone, Duration spent) const;
    Duration usualPause() const;
    bool seesKnownLocks() const;
    void confirm();
    async::Task<bool> readAndSee(std::vector<KeyGroup> groups); // through readPiece()
    KeyGroup groupOfChanged(const Bytes& key) const;

    void lookAgainLater(const std::vector<KeyGroup>& groups);
    enum class Occasion : std::uint8_t { News, Sweep };
    bool see(LockSnapshot& snapshot, Occasion occasion);
    LockBook::Absence absenceOf(const LockSnapshot& snapshot, Occasion occasion) const;
    void loseNews();
    void noticeLimits(const LockSnapshot& snapshot);
    store::Problem limitOfSweep() const;
    void setLimit(const store::Problem& problem);

    void sighted(std::vector<LockSnapshot> snapshots) override;
    void progressed(std::uint64_t scanned, std::uint64_t total) override;
    bool isKnown(const Bytes& key) const override;
    void published();
    void lookSoon(const Bytes& key);
    bool isOfInterest(const Bytes& key) const;

    Clock& m_clock;
    store::Store& m_store;
    LockBook& m_book;
    WatchObserver& m_observer;
    WatchSettings m_settings;
    NameRules m_names;
    ServerWallClock m_wallClock;
    KeyReader m_reader;
    BudgetPace m_pace;
    Sweep m_sweep;

    /// The keys that a complete sweep looked at: those that these rules take for locks, or all.
    struct Coverage {
        NameRules names;
        bool isDeep = false;
        Instant begunAt{};
    };

    std::optional<Coverage> m_covered; // by the last one; nullopt: news were lost since then
    std::uint64_t m_lossCount = 0;     // how often news were lost
    bool m_isSweepDeep = false;        // the one that is running
    bool m_isSwept = false;            // by the last one that ended
    bool m_isForNewcomers = false;     // so is it
    Instant m_nextFullSweep{};
    bool m_isToConfirm = false;         // when nothing is dirty any more
    std::vector<KeyGroup> m_unreadable; // some of the keys that may not be read
    store::Problem m_limit;             // what the observer heard last
    store::Problem m_limitOfValues;     // found by the running sweep
    SweepFindings m_findings;           // of the running sweep
    store::Problem m_limitOfClients;
    std::unordered_set<Bytes> m_dirty;
    ReadOrder m_readOrder; // of all looks but those of a sweep
    std::uint64_t m_changeCount = 0;
    Instant m_nextLookAt{}; // not before
    async::Gate m_dirtyGate;
    async::Gate m_expiryGate;
    async::Gate m_sweepGate;
    Instant m_plannedProbe = Instant::max();
    async::TaskScope m_tasks; // last: what runs in it uses everything above
};

} // namespace lockscope::inspect
