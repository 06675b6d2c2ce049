#pragma once

#include "core/kernel/async/gate.h"
#include "core/kernel/async/task.h"
#include "core/kernel/base/clock.h"
#include "core/kernel/inspect/key_reader.h"
#include "core/kernel/inspect/lock_names.h"
#include "core/kernel/inspect/watch/budget_pace.h"
#include "core/kernel/inspect/watch/scan_loop_check.h"
#include "core/kernel/inspect/watch/scan_pacer.h"
#include "core/kernel/store/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::inspect {

/// Where a sweep delivers what it finds, page by page, on its executor.
class SweepSink {
public:
    virtual ~SweepSink() = default;
    virtual void sighted(std::vector<LockSnapshot> snapshots) = 0;
    /// `scanned` counts keys, `total` is what DBSIZE said when the sweep began; keys come and go
    /// meanwhile, so at the end they need not be equal.
    virtual void progressed(std::uint64_t scanned, std::uint64_t total) = 0;
    /// A sweep for newcomers passes the key over.
    virtual bool isKnown(const Bytes&) const { return false; }
};

struct SweepOptions {
    std::uint16_t server = 0;
    bool isDeep = false; // every key that could be a lock by type and size, whatever its name
    bool isForNewcomers = false; // what the sink knows already is not read again
    std::uint32_t pageCount = 0; // COUNT of SCAN; 0: chosen and adapted by measuring
};

struct SweepEnd {
    store::Problem problem; // kind None: every key was looked at
    std::uint64_t scanned = 0;
    std::uint64_t total = 0;
    /// Keys with names that are too long to be kept (limits::kKeyNameBytesMax): nothing is known of
    /// them.
    std::uint64_t longNameCount = 0;
};

/// Looks at every key of the database once: names by SCAN, what may be a lock more closely. The
/// next page of names is asked for while the details of earlier pages are under way. Keys that
/// exist all along are found (the guarantee of SCAN); keys that come and go meanwhile may or may
/// not be.
class Sweep {
public:
    /// Everything outlives the sweep. With a budget, it is kept to: pages come one after the other.
    Sweep(async::Executor& executor, store::Store& store, Clock& clock, KeyReader& reader,
          const NameRules& names, SweepSink& sink, BudgetPace* pace = nullptr);

    /// One at a time.
    async::Task<SweepEnd> run(SweepOptions options);

private:
    struct Page {
        std::string cursor;
        std::vector<Bytes> keys;
        std::uint64_t longNameCount = 0; // not among the keys

        std::uint64_t size() const { return keys.size() + longNameCount; }
    };

    async::Task<std::optional<store::Problem>> countKeys();
    async::Task<std::optional<store::Problem>> scanToTheEnd();
    async::Pending<store::Outcome> askForPage(const std::string& cursor);
    std::uint32_t pageCount() const;
    bool isPaced() const { return m_pace != nullptr && m_pace->isBounded(); }
    std::size_t keysPerBatch() const;
    async::Task<void> settle();
    static std::variant<Page, store::Problem> pageOf(store::Outcome outcome);
    bool isCandidate(const Bytes& key) const;
    async::Task<void> readCandidates(std::vector<Bytes> keys);
    struct Batch {
        KeyReader::Approach approach;
        std::vector<KeyGroup> groups;
    };
    void startDetails(std::size_t atLeast);
    async::Task<void> readDetails(Batch batch);
    async::Task<void> deliver(std::vector<LockSnapshot> snapshots);
    async::Task<void> waitForDetails(std::size_t atMost);

    store::Store& m_store;
    Clock& m_clock;
    KeyReader& m_reader;
    const NameRules& m_names;
    SweepSink& m_sink;
    BudgetPace* m_pace; // null: there is no budget

    SweepOptions m_options;
    SweepEnd m_end;
    ScanPacer m_pacer;
    ScanLoopCheck m_loopCheck;
    Duration m_roundTrip{0}; // of a command that costs the server nothing
    Instant m_askedAt{};
    Instant m_pieceBegunAt{}; // of what has to be paid for
    /// Not asked for yet.
    Batch m_likely{KeyReader::Approach::Direct, {}};
    Batch m_others{KeyReader::Approach::SizeFirst, {}};
    std::size_t m_detailsUnderWay = 0;
    std::optional<store::Problem> m_detailsProblem;
    async::Gate m_detailsDone;
    async::TaskScope m_details;
};

} // namespace lockscope::inspect
