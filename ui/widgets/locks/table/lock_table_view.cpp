#include "ui/widgets/locks/table/lock_table_view.h"

#include "core/kernel/report/lock_fields.h"
#include "core/kernel/report/lock_json.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/column_fit.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_delegates.h"
#include "ui/widgets/locks/table/lock_table_header.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDataStream>
#include <QGuiApplication>
#include <QHeaderView>
#include <QIODevice>
#include <QKeyEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>
#include <chrono>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

constexpr auto kTickInterval = std::chrono::milliseconds(100);
constexpr quint32 kStateMagic = 0x4c545632; // "LTV2": the columns are others than in LTV1

QString copied(const QString& text)
{
    QString line = text;
    return line.replace(u'\t', u' ').replace(u'\n', u' ');
}

} // namespace

LockTableView::LockTableView(LockTableModel& model, QWidget* parent)
    : QTableView(parent),
      m_model(model),
      m_header(new LockTableHeader(this))
{
    setObjectName(QStringLiteral("lockTable"));
    setAccessibleName(tr("Locks"));
    setAccessibleDescription(tr("One row per lock, the most urgent first. Enter shows the details. "
                                "Right shows the holders of a shared lock."));
    setUpLook();
    setUpHeaders(); // before the model comes: sizing a hundred thousand rows one by one takes
                    // seconds
    setModel(&m_model);
    m_header->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    setUpDelegates();
    setUpCopying();
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, &LockTableView::tellCurrentLock);
    connect(&m_model, &LockTableModel::serversChanged, this, &LockTableView::fitColumns);
    m_timer.setInterval(kTickInterval);
    connect(&m_timer, &QTimer::timeout, this, &LockTableView::tick);
    fitMetrics();
    resetColumns();
}

inspect::LockPtr LockTableView::currentLock() const
{
    return m_currentId ? m_model.lockAt(m_model.indexOf(*m_currentId)) : nullptr;
}

bool LockTableView::isChosenHidden() const
{
    return m_currentId && m_model.hides(*m_currentId);
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

QByteArray LockTableView::saveState() const
{
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << kStateMagic << m_areColumnsFitted << m_hasChosenColumns << m_header->saveState();
    return state;
}

bool LockTableView::restoreState(const QByteArray& state)
{
    QDataStream stream(state);
    quint32 magic = 0;
    bool areColumnsFitted = true;
    bool hasChosenColumns = false;
    QByteArray headerState;
    stream >> magic >> areColumnsFitted >> hasChosenColumns >> headerState;
    if (stream.status() != QDataStream::Ok || magic != kStateMagic) {
        return false;
    }
    const QScopedValueRollback fitting(m_isFittingColumns, true);
    if (!m_header->restoreState(headerState)) {
        return false;
    }
    m_header->setSectionHidden(LockTableModel::KeyColumn, false);
    m_hasChosenColumns = hasChosenColumns;
    m_areColumnsFitted = areColumnsFitted;
    sortByColumn(m_header->sortIndicatorSection(), m_header->sortIndicatorOrder());
    fitColumns();
    return true;
}

void LockTableView::resetColumns()
{
    const QScopedValueRollback fitting(m_isFittingColumns, true);
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        m_header->setSectionHidden(column, false);
        m_header->moveSection(m_header->visualIndex(column), column);
    }
    m_hasChosenColumns = false;
    m_areColumnsFitted = true;
    fitColumns();
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
        selectionModel()->clear();
    }
    QTableView::rowsAboutToBeRemoved(parent, first, last);
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
        Q_EMIT contextRequested(lock->id, position);
    }
    event->accept();
}

void LockTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void LockTableView::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    fitColumns();
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
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fitMetrics();
        fitColumns();
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
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
}

void LockTableView::setUpHeaders()
{
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalHeader(m_header);
    connect(m_header, &QWidget::customContextMenuRequested, this, &LockTableView::showHeaderMenu);
    connect(m_header, &QHeaderView::sectionResized, this,
            [this] { m_areColumnsFitted = m_areColumnsFitted && m_isFittingColumns; });
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

void LockTableView::fitColumns()
{
    if (!m_areColumnsFitted) {
        return;
    }
    const QScopedValueRollback fitting(m_isFittingColumns, true);
    chooseColumns();
    std::vector<int> columns;
    std::vector<models::ColumnSizing> sizings;
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        if (!isColumnHidden(column)) {
            columns.push_back(column);
            sizings.push_back(sizingOf(column));
        }
    }
    const std::vector<int> widths = models::fittedWidths(sizings, viewport()->width());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        setColumnWidth(columns[i], widths[i]);
    }
}

models::ColumnSizing LockTableView::sizingOf(int column) const
{
    const auto& size = report::lockField(static_cast<report::LockColumn>(column)).column.width;
    const int character = fontMetrics().horizontalAdvance(u'0');
    const int padding = 2 * CellDelegate::paddingOf(fontMetrics());
    const int least = std::max(size.least * character + padding, m_header->titleWidth(column));
    return {std::max(size.usual * character + padding, least), least, size.share};
}

/// As long as the user did not choose: the server when there are several, and of the rest what
/// fits. A reason to look that is beyond the edge of the window is of no use.
void LockTableView::chooseColumns()
{
    if (m_hasChosenColumns) {
        return;
    }
    int needed = 0;
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        const auto& field = report::lockField(static_cast<report::LockColumn>(column));
        const bool isUseful = !field.terminal.isForSeveralServers || m_model.serverCount() > 1;
        setColumnHidden(column, !isUseful);
        needed += isUseful ? sizingOf(column).minimum : 0;
    }
    for (int turn = 1; turn <= LockTableModel::ColumnCount; ++turn) {
        for (const report::LockField& field : report::lockFields()) {
            if (needed > viewport()->width() && field.column.givesWay == turn) {
                setColumnHidden(field.column.column, true);
                needed -= sizingOf(field.column.column).minimum;
            }
        }
    }
}

void LockTableView::showHeaderMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        QAction* action =
            menu->addAction(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column != LockTableModel::KeyColumn);
        connect(action, &QAction::toggled, this,
                [this, column](bool isShown) { showColumnByChoice(column, isShown); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this,
            &LockTableView::resetColumns);
    menu->popup(m_header->viewport()->mapToGlobal(position));
}

void LockTableView::showColumnByChoice(int column, bool isShown)
{
    const QScopedValueRollback fitting(m_isFittingColumns, true);
    m_hasChosenColumns = true;
    setColumnHidden(column, !isShown);
    fitColumns();
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
    if (m_model.hasFreshCells()) {
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
        setCurrentIndex(index);
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
    const std::string server = m_model.serverText(lock->id).toStdString();
    return models::toQString(
        report::lockJson(*lock, server, m_model.database(), m_model.now()).dump(2));
}

} // namespace lockscope::widgets
