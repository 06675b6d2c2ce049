#include "ui/models/matrix/matrix_fill.h"

#include "core/kernel/search/matrix_tasks.h"

#include <QThread>

#include <algorithm>
#include <utility>

namespace lockscope::models {

using service::SearchProgress;

namespace {

/// One core is left to the window and its user.
int threadCount()
{
    return std::max(1, QThread::idealThreadCount() - 1);
}

/// How much of a row is searched; putting it into words takes no time to speak of.
double shareOf(const SearchProgress& row)
{
    if (row.phase != SearchProgress::Phase::Searching) {
        return row.phase == SearchProgress::Phase::Telling ? 1 : 0;
    }
    return static_cast<double>(row.doneCount)
           / static_cast<double>(std::max<std::size_t>(row.partCount, 1));
}

} // namespace

MatrixFill::MatrixFill(Context context, const search::Bounds& bounds, QObject* parent)
    : QObject(parent),
      m_context(context),
      m_bounds(bounds)
{
    connect(&m_context.cache, &CellCache::looked, this, &MatrixFill::takeLooked);
    connect(&m_context.searcher, &service::SearchRunner::progressed, this,
            &MatrixFill::takeProgress);
}

void MatrixFill::start()
{
    if (!isUnderWay()) {
        enter(Phase::Looking);
        lookNext();
    }
}

void MatrixFill::startAnew()
{
    stop();
    m_context.matrix.forget();
    m_lookedFor.clear();
    for (int row = 0; row < m_context.matrix.rowCount(); ++row) {
        m_lookedFor.push_back(m_context.matrix.protocolAt(row)); // what it knows is not wanted
    }
    start();
}

void MatrixFill::stop()
{
    if (!isUnderWay()) {
        return;
    }
    const bool isSearching = m_phase == Phase::Searching;
    enter(Phase::Stopped);
    if (isSearching) {
        m_context.searcher.cancel();
    }
}

double MatrixFill::share() const
{
    const int rowCount = m_context.matrix.rowCount();
    const double known = m_context.matrix.knownCount() + (m_current ? shareOf(progress()) : 0);
    return rowCount > 0 ? known / rowCount : 1;
}

search::SearchTask MatrixFill::taskOf(const QModelIndex& cell) const
{
    const MatrixModel& matrix = m_context.matrix;
    const world::FaultKind fault = *matrix.cellAt(cell.row(), cell.column()).fault;
    return search::matrixRow(matrix.protocolAt(cell.row()), std::span(&fault, 1), m_bounds).front();
}

std::vector<search::SearchTask> MatrixFill::tasksOf(const ProtocolPtr& protocol) const
{
    return search::matrixRow(protocol, m_context.matrix.faults(), m_bounds);
}

void MatrixFill::go()
{
    if (m_phase == Phase::Looking) {
        lookNext();
    } else if (m_phase == Phase::Searching) {
        searchNext();
    }
}

void MatrixFill::lookNext()
{
    const MatrixModel& matrix = m_context.matrix;
    for (int row = 0; row < matrix.rowCount(); ++row) {
        const ProtocolPtr protocol = matrix.protocolAt(row);
        const bool isNew = std::ranges::find(m_lookedFor, protocol) == m_lookedFor.end();
        if (!matrix.isKnown(row) && isNew) {
            m_lookedFor.push_back(protocol);
            m_context.cache.look(tasksOf(protocol));
            return;
        }
    }
    enter(Phase::Searching);
    searchNext();
}

void MatrixFill::takeLooked(const MatrixRow& row)
{
    const bool isWanted = m_phase != Phase::Searching; // else it was asked for before startAnew()
    if (isWanted && !row.cells.empty()) {
        m_context.matrix.show(row.tasks.front().protocol, row.cells);
    }
    if (m_phase == Phase::Looking) {
        lookNext();
        Q_EMIT progressed();
    }
}

void MatrixFill::searchNext()
{
    const MatrixModel& matrix = m_context.matrix;
    for (int row = 0; row < matrix.rowCount(); ++row) {
        if (!matrix.isKnown(row)) {
            m_current = matrix.protocolAt(row);
            m_tasks = tasksOf(m_current);
            m_context.searcher.start({m_tasks, threadCount()});
            return;
        }
    }
    m_context.matrix.sortRows();
    enter(Phase::Finished);
}

void MatrixFill::takeProgress(const SearchProgress& progress)
{
    if (m_phase != Phase::Searching) {
        return; // the end of what was stopped
    }
    if (progress.phase == SearchProgress::Phase::Finished) {
        const std::vector<report::CellReport>& cells = m_context.searcher.reports();
        m_context.cache.keep({m_tasks, cells});
        m_context.matrix.show(std::exchange(m_current, nullptr), cells);
        // Later: the searcher is still signalling that it is done.
        QMetaObject::invokeMethod(this, &MatrixFill::go, Qt::QueuedConnection);
    }
    Q_EMIT progressed();
}

void MatrixFill::enter(Phase phase)
{
    m_phase = phase;
    m_current = nullptr;
    Q_EMIT progressed();
}

} // namespace lockscope::models
