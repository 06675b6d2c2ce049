#pragma once

#include "core/service/search_runner.h"
#include "ui/models/locks/cell_cache.h"
#include "ui/models/matrix/matrix_model.h"

#include <QObject>

namespace lockscope::models {

/// Makes every row of a matrix known, one after the other: those that the cache knows first, then
/// by searching. The matrix is sorted when all rows are known. Everything it is given outlives it;
/// the searcher is its alone.
class MatrixFill : public QObject {
    Q_OBJECT
public:
    enum class Phase { Idle, Looking, Searching, Finished, Stopped };

    struct Context {
        service::SearchRunner& searcher;
        CellCache& cache;
        MatrixModel& matrix;
    };

    MatrixFill(Context context, const search::Bounds& bounds, QObject* parent = nullptr);

    /// Fills what is missing. Looks into the cache only for protocols that it was not asked for
    /// before.
    void start();
    /// Searches everything anew.
    void startAnew();
    /// What is being searched is lost; what is known stays.
    void stop();

    Phase phase() const { return m_phase; }
    bool isUnderWay() const { return m_phase == Phase::Looking || m_phase == Phase::Searching; }
    /// What is being searched; nullptr: nothing.
    ProtocolPtr current() const { return m_current; }
    /// Of the current row.
    const service::SearchProgress& progress() const { return m_context.searcher.progress(); }
    /// How much is known, the current row in part, from 0 to 1.
    double share() const;
    /// What was searched for the cell, to do it again.
    search::SearchTask taskOf(const QModelIndex& cell) const;

Q_SIGNALS:
    void progressed();

private:
    std::vector<search::SearchTask> tasksOf(const ProtocolPtr& protocol) const;
    void go();
    void lookNext();
    void searchNext();
    void takeLooked(const MatrixRow& row);
    void takeProgress(const service::SearchProgress& progress);
    void enter(Phase phase);

    Context m_context;
    search::Bounds m_bounds;
    Phase m_phase = Phase::Idle;
    ProtocolPtr m_current;
    std::vector<search::SearchTask> m_tasks; // of the current row
    std::vector<ProtocolPtr> m_lookedFor;    // in the cache
};

} // namespace lockscope::models
