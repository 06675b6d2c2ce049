#include "ui/widgets/locks/table/lock_table_view.h"

#include "core/kernel/report/lock_json.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_columns.h"
#include "ui/widgets/locks/table/lock_delegates.h"
#include "ui/widgets/locks/table/lock_table_header.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <chrono>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

constexpr auto kTickInterval = std::chrono::milliseconds(100);

QString copied(const QString& text)
{
    QString line = text;
    return line.replace(u'\t', u' ').replace(u'\n', u' ');
}

} // namespace

LockTableView::LockTableView(LockTableModel& model, QWidget* parent)
    : QTableView(parent),
      m_model(model),
      m_header(new LockTableHeader(this)),
      m_frozenKey(*this, LockTableModel::KeyColumn)
{
    setObjectName(QStringLiteral("lockTable"));
    setAccessibleName(tr("Locks"));
    setAccessibleDescription(tr("One row per lock, the most urgent first. Enter shows the details. "
                                "Right shows the holders of a shared lock."));
    setUpLook();
    setUpHeaders(); // before the model comes: sizing a hundred thousand rows one by one takes
                    // seconds
    setModel(&m_model);
    m_columns = new LockColumns(*this, m_model, *m_header);
    m_header->setFrozen(&m_frozenKey);
    m_header->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    setUpDelegates();
    setUpCopying();
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, &LockTableView::tellCurrentLock);
    m_timer.setInterval(kTickInterval);
    connect(&m_timer, &QTimer::timeout, this, &LockTableView::tick);
    fitMetrics();
    m_columns->reset();
}

inspect::LockPtr LockTableView::currentLock() const
{
    return m_currentId ? m_model.lockAt(m_model.indexOf(*m_currentId)) : nullptr;
}

std::vector<inspect::LockPtr> LockTableView::selectedLocks() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        rows.push_back(index.row());
    }
    std::ranges::sort(rows);
    std::vector<inspect::LockPtr> locks;
    for (const int row : rows) {
        const inspect::LockPtr lock = m_model.lockAt(m_model.index(row, 0));
        const bool isHolderOfLast = !locks.empty() && lock->id == locks.back()->id;
        if (!isHolderOfLast) {
            locks.push_back(lock);
        }
    }
    return locks;
}

bool LockTableView::isChosenHidden() const
{
    return m_currentId && m_model.hides(*m_currentId);
}

QString LockTableView::alikeFilter(const QModelIndex& cell) const
{
    return m_model.alikeFilter(cell);
}

void LockTableView::takeKeyboard()
{
    setFocus();
    if (!currentIndex().isValid()) {
        setCurrentIndex(m_model.index(0, 0));
    }
}

void LockTableView::setCurrentLock(const inspect::LockId& id)
{
    m_currentId = id;
    const QModelIndex index = m_model.indexOf(id);
    if (index.isValid()) {
        setCurrentIndex(index);
        scrollTo(index);
    } else {
        const QScopedValueRollback leaving(m_isCurrentLeaving, true);
        selectionModel()->clear();
    }
    tellCurrentLock();
}

void LockTableView::forgetCurrentLock()
{
    m_currentId.reset();
    selectionModel()->clear();
    tellCurrentLock();
}

void LockTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (m_isCurrentLeaving) {
        return;
    }
    const inspect::LockPtr lock = m_model.lockAt(current);
    m_currentId = lock != nullptr ? std::optional(lock->id) : std::nullopt;
    tellCurrentLock();
}

void LockTableView::selectionChanged(const QItemSelection& selected,
                                     const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT selectedLocksChanged();
}

void LockTableView::dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                                const QList<int>&)
{
    // The base class repaints everything for every range, seen or not. All rows are equally high.
    const int height = verticalHeader()->defaultSectionSize();
    const int top = topLeft.row() * height - verticalOffset();
    const int bottom = (bottomRight.row() + 1) * height - verticalOffset();
    if (bottom > 0 && top < viewport()->height()) {
        const int visibleTop = std::max(top, 0);
        viewport()->update(0, visibleTop, viewport()->width(),
                           std::min(bottom, viewport()->height()) - visibleTop);
    }
    const int currentRow = currentIndex().row();
    if (currentRow >= topLeft.row() && currentRow <= bottomRight.row()) {
        tellCurrentLock();
    }
}

void LockTableView::rowsInserted(const QModelIndex& parent, int first, int last)
{
    QTableView::rowsInserted(parent, first, last);
    restoreCurrentRow();
}

void LockTableView::rowsAboutToBeRemoved(const QModelIndex& parent, int first, int last)
{
    const int currentRow = currentIndex().row();
    if (currentRow >= first && currentRow <= last) {
        // The base class would choose a neighbour, which the user did not ask for.
        const QScopedValueRollback leaving(m_isCurrentLeaving, true);
        selectionModel()->clearCurrentIndex(); // what else is selected stays so
    }
    QTableView::rowsAboutToBeRemoved(parent, first, last);
}

QModelIndex LockTableView::indexAt(const QPoint& position) const
{
    const QModelIndex index = QTableView::indexAt(position);
    return index.isValid() && m_frozenKey.covers(position.x())
               ? index.siblingAtColumn(m_frozenKey.column())
               : index;
}

QRect LockTableView::visualRect(const QModelIndex& index) const
{
    const QRect rect = QTableView::visualRect(index);
    return index.column() == m_frozenKey.column() ? m_frozenKey.placed(rect) : rect;
}

/// The key is in sight wherever the table is scrolled to sideways.
void LockTableView::scrollTo(const QModelIndex& index, ScrollHint hint)
{
    const int horizontal = horizontalScrollBar()->value();
    QTableView::scrollTo(index, hint);
    if (index.column() == m_frozenKey.column()) {
        horizontalScrollBar()->setValue(horizontal);
    }
}

void LockTableView::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    if (dx != 0) { // else what is frozen would move with the others
        viewport()->update();
        m_header->viewport()->update();
    }
}

void LockTableView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_frozenKey.isOverOthers()) {
        QStyleOptionViewItem option;
        initViewItemOption(&option);
        QPainter painter(viewport());
        m_frozenKey.paint(painter, event->region(), option);
    }
}

QModelIndex LockTableView::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const int column = std::max(currentIndex().column(), 0);
    switch (action) {
    case MoveHome: return m_model.index(0, column);
    case MoveEnd: return m_model.index(m_model.rowCount() - 1, column);
    default: return QTableView::moveCursor(action, modifiers);
    }
}

void LockTableView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const inspect::LockPtr lock = currentLock()) {
            Q_EMIT detailsRequested(lock->id);
        }
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!expandOrCollapse(event->key())) {
            horizontalScrollBar()->triggerAction(event->key() == Qt::Key_Left
                                                     ? QAbstractSlider::SliderSingleStepSub
                                                     : QAbstractSlider::SliderSingleStepAdd);
        }
        return;
    default: QTableView::keyPressEvent(event);
    }
}

void LockTableView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !toggleTriangleAt(event->position().toPoint())) {
        QTableView::mousePressEvent(event);
    }
}

void LockTableView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (event->button() != Qt::LeftButton || toggleTriangleAt(position)) {
        return;
    }
    if (const inspect::LockPtr lock = m_model.lockAt(indexAt(position))) {
        Q_EMIT detailsRequested(lock->id);
    }
}

void LockTableView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool isFromKeyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = isFromKeyboard ? currentIndex() : indexAt(event->pos());
    if (const inspect::LockPtr lock = m_model.lockAt(index)) {
        const QPoint position = isFromKeyboard
                                    ? viewport()->mapToGlobal(visualRect(index).bottomLeft())
                                    : event->globalPos();
        Q_EMIT contextRequested(index, position);
    }
    event->accept();
}

void LockTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    m_columns->fit();
}

void LockTableView::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    m_columns->fit();
    tick();
    m_timer.start();
}

void LockTableView::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QTableView::hideEvent(event);
}

void LockTableView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (m_columns == nullptr) {
        return;
    }
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fitMetrics();
        m_columns->fit();
    }
}

void LockTableView::setUpLook()
{
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
}

void LockTableView::setUpHeaders()
{
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalHeader(m_header);
}

void LockTableView::setUpDelegates()
{
    setItemDelegate(new CellDelegate(this));
    setItemDelegateForColumn(LockTableModel::KeyColumn, new KeyDelegate(this));
    setItemDelegateForColumn(LockTableModel::OwnerColumn, new OwnerDelegate(this));
    setItemDelegateForColumn(LockTableModel::ExpiresColumn,
                             new LeaseDelegate([this] { return m_model.now(); }, this));
    setItemDelegateForColumn(LockTableModel::WhyColumn, new WhyDelegate(this));
}

void LockTableView::setUpCopying()
{
    addCopyAction(tr("Copy key"), &LockTableView::keyToCopy)->setShortcut(QKeySequence::Copy);
    addCopyAction(tr("Copy owner"), &LockTableView::ownerToCopy);
    addCopyAction(tr("Copy row"), &LockTableView::rowToCopy)
        ->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    addCopyAction(tr("Copy as JSON"), &LockTableView::jsonToCopy);
}

QAction* LockTableView::addCopyAction(const QString& text,
                                      QString (LockTableView::*textToCopy)() const)
{
    auto* action = new QAction(text, this);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, textToCopy] {
        if (currentLock() != nullptr) {
            QGuiApplication::clipboard()->setText((this->*textToCopy)());
        }
    });
    addAction(action);
    m_copyActions.append(action);
    return action;
}

void LockTableView::fitMetrics()
{
    constexpr int kGrid = 4;
    const int height = fontMetrics().height() + 12;
    verticalHeader()->setMinimumSectionSize(1);
    verticalHeader()->setDefaultSectionSize((height + kGrid - 1) / kGrid * kGrid);
    m_header->setMinimumSectionSize(3 * fontMetrics().averageCharWidth());
}

void LockTableView::focusInEvent(QFocusEvent* event)
{
    if (currentIndex().isValid()) {
        QTableView::focusInEvent(event);
        return;
    }
    // The item view in between would make the first row the current one, unasked.
    QAbstractScrollArea::focusInEvent(event); // NOLINT(bugprone-parent-virtual-call)
    viewport()->update();
}

void LockTableView::tick()
{
    if (m_model.isPaused()) {
        return;
    }
    if (m_model.hasFreshCells() || m_model.colorRules().dependOnTime()) {
        viewport()->update();
    }
    m_model.advance(m_model.now());
    repaintColumn(LockTableModel::ExpiresColumn);
    repaintColumn(LockTableModel::HeldColumn);
}

void LockTableView::repaintColumn(int column)
{
    if (m_model.rowCount() > 0 && !isColumnHidden(column)) {
        viewport()->update(columnViewportPosition(column), 0, columnWidth(column),
                           viewport()->height());
    }
}

void LockTableView::restoreCurrentRow()
{
    if (!m_currentId || currentIndex().isValid()) {
        return;
    }
    const QModelIndex index = m_model.indexOf(*m_currentId);
    if (index.isValid()) {
        setAutoScroll(false); // it came back by itself: what the reader looks at stays in place
        // Others that are selected are so for something that is to be done to them, and this may be
        // another hold by now.
        selectionModel()->setCurrentIndex(index, selectionModel()->hasSelection()
                                                     ? QItemSelectionModel::NoUpdate
                                                     : QItemSelectionModel::ClearAndSelect
                                                           | QItemSelectionModel::Rows);
        setAutoScroll(true);
    }
}

void LockTableView::tellCurrentLock()
{
    const inspect::LockPtr lock = currentLock();
    if (lock != m_toldLock || m_currentId != m_toldId) {
        m_toldLock = lock;
        m_toldId = m_currentId;
        Q_EMIT currentLockChanged(lock);
    }
}

bool LockTableView::expandOrCollapse(int key)
{
    const QModelIndex current = currentIndex();
    if (!current.isValid()) {
        return false;
    }
    const bool wantsExpanded = key == Qt::Key_Right;
    if (current.data(LockTableModel::HolderIndexRole).toInt() >= 0) {
        const QModelIndex lockIndex = m_model.indexOf(m_model.lockAt(current)->id);
        if (!wantsExpanded) {
            setCurrentIndex(lockIndex);
        }
        return !wantsExpanded;
    }
    const bool isExpanded = current.data(LockTableModel::IsExpandedRole).toBool();
    if (!current.data(LockTableModel::IsExpandableRole).toBool() || isExpanded == wantsExpanded) {
        return false;
    }
    m_model.setExpanded(current, wantsExpanded);
    return true;
}

bool LockTableView::toggleTriangleAt(const QPoint& position)
{
    const QModelIndex index = indexAt(position);
    if (index.column() != LockTableModel::KeyColumn
        || !index.data(LockTableModel::IsExpandableRole).toBool()
        || !KeyDelegate::triangleRect(visualRect(index), fontMetrics()).contains(position)) {
        return false;
    }
    m_model.setExpanded(index, !index.data(LockTableModel::IsExpandedRole).toBool());
    return true;
}

QString LockTableView::keyToCopy() const
{
    return models::toQString(escaped(currentLock()->id.name));
}

QString LockTableView::ownerToCopy() const
{
    QStringList owners;
    for (const inspect::Holder& holder : currentLock()->holders) {
        owners.append(models::toQString(escaped(holder.owner)));
    }
    return owners.join(u'\n');
}

QString LockTableView::rowToCopy() const
{
    QStringList texts;
    const QModelIndex row = m_model.indexOf(*m_currentId);
    for (int visual = 0; visual < LockTableModel::ColumnCount; ++visual) {
        const int column = m_header->logicalIndex(visual);
        if (!isColumnHidden(column)) {
            texts.append(copied(row.siblingAtColumn(column).data().toString()));
        }
    }
    return texts.join(u'\t');
}

QString LockTableView::jsonToCopy() const
{
    const inspect::LockPtr lock = currentLock();
    const models::LockTableModel::Place place = m_model.placeOf(lock->id);
    return models::toQString(
        report::lockJson(*lock, place.server, place.database, m_model.now()).dump(2));
}

} // namespace lockscope::widgets
