#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/world/fault_kind.h"
#include "core/kernel/world/world_plan.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lockscope::service {

/// Every run of every plan, within bounds that each plan has for itself.
struct SystematicSearch {
    search::Bounds bounds;
};

/// Random runs; run n of them has the seed `seed` + n.
struct RandomSearch {
    std::uint64_t seed = 1;
    std::uint64_t runCount = 1000;
};

/// One cell of the matrix.
struct SearchTask {
    std::shared_ptr<const protocol::LockProtocol> protocol; // built-in ones are shared without
                                                            // owning
    std::optional<world::FaultKind> fault;                  // what the plans are about; only a name
    std::vector<world::WorldPlan> plans; // none: the fault makes no difference to the protocol
    std::variant<SystematicSearch, RandomSearch> method;
    bool isShortened = true; // what broke is stripped of everything it can do without
};

struct SearchOrder {
    std::vector<SearchTask> tasks;
    int threadCount = 0; // 0: one per core
};

/// How a search is doing, some ten times a second.
struct SearchProgress {
    enum class Phase {
        Idle,      // no search yet
        Searching, // looking for runs in which something breaks
        Telling,   // making them short and putting them into words
        Finished,
        Cancelled, // what was seen until then can be had
    };

    Phase phase = Phase::Idle;
    Duration elapsed{0};       // pauses not counted
    search::Coverage coverage; // so far; states are counted when a plan is done
    std::uint64_t schedulesPerSecond = 0;
    std::size_t doneCount = 0; // parts of the phase
    std::size_t partCount = 0;
    bool isPaused = false; // by the user: nothing is being done, elapsed stands still

    bool isUnderWay() const { return phase == Phase::Searching || phase == Phase::Telling; }
    bool isOver() const { return phase == Phase::Finished || phase == Phase::Cancelled; }
};

/// Searches simulated worlds on worker threads. One search at a time. Results depend on the order
/// alone, not on the number of threads; those of a cancelled search on the moment as well. Lives on
/// the thread of its owner; signals arrive there.
class SearchRunner : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Ends a search that is going on, and starts this one.
    virtual void start(const SearchOrder& order) = 0;
    /// Over within 100 ms.
    virtual void cancel() = 0;
    /// Stands still within 100 ms, and goes on where it was. Nothing happens when no search is
    /// under way; a new search is never paused.
    virtual void setPaused(bool isPaused) = 0;

    virtual const SearchProgress& progress() const = 0;
    /// One per task, in the order of the tasks; complete when the search is over.
    virtual const std::vector<report::CellReport>& reports() const = 0;

Q_SIGNALS:
    void progressed(const lockscope::service::SearchProgress& progress);
};

} // namespace lockscope::service
