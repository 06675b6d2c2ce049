#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/report/cell_report.h"
#include "core/kernel/search/explorer.h"
#include "core/kernel/search/search_task.h"

#include <QObject>

#include <cstdint>
#include <vector>

namespace lockscope::service {

struct SearchOrder {
    std::vector<search::SearchTask> tasks;
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
    bool isPaused = false;   // by the user: nothing is being done, elapsed stands still
    bool isStopping = false; // it was cancelled; what is being done is given up

    bool isUnderWay() const { return phase == Phase::Searching || phase == Phase::Telling; }
    bool isOver() const { return phase == Phase::Finished || phase == Phase::Cancelled; }
};

/// Searches simulated worlds on worker threads. One search at a time. Results depend on the order
/// alone, not on the number of threads; those of a cancelled search on the moment as well. Runs on
/// the thread of its owner; signals arrive there.
class SearchRunner : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Ends a search that is going on, and starts this one.
    virtual void start(const SearchOrder& order) = 0;
    /// Over within 100 ms; until then the progress says that it is stopping.
    virtual void cancel() = 0;
    /// Stands still within 100 ms, and goes on where it was. Nothing happens when no search is
    /// under way; a new search is never paused.
    virtual void setPaused(bool isPaused) = 0;

    virtual const SearchProgress& progress() const = 0;
    /// One per task, in the order of the tasks; complete when the search is over.
    virtual const std::vector<report::CellReport>& reports() const = 0;
    /// The same as it was found, from Telling on: nothing is told yet, and runs are as long as they
    /// were. To be looked at while reports() is not complete.
    virtual const std::vector<report::CellReport>& findings() const = 0;

Q_SIGNALS:
    void progressed(const lockscope::service::SearchProgress& progress);
};

} // namespace lockscope::service
