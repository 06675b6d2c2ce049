#include "ui/widgets/locks/table/lock_columns.h"

#include "core/kernel/report/lock_fields.h"
#include "ui/models/locks/column_fit.h"
#include "ui/models/locks/column_state.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/locks/table/lock_delegates.h"
#include "ui/widgets/locks/table/lock_table_header.h"

#include <QAction>
#include <QMenu>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

const report::LockField& fieldOf(int column)
{
    return report::lockField(static_cast<report::LockColumn>(column));
}

} // namespace

LockColumns::LockColumns(QTableView& view, const LockTableModel& model, LockTableHeader& header)
    : QObject(&view),
      m_view(view),
      m_model(model),
      m_header(header)
{
    connect(&m_header, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        showMenu(m_header.viewport()->mapToGlobal(position));
    });
    connect(&m_header, &QHeaderView::sectionResized, this,
            [this] { m_areFitted = m_areFitted && m_isFitting; });
    connect(&m_model, &LockTableModel::serversChanged, this, &LockColumns::fit);
}

QString LockColumns::savedState() const
{
    models::ColumnState state;
    state.areFitted = m_areFitted;
    state.hasChosen = m_hasChosen;
    state.sortColumn = m_header.sortIndicatorSection();
    state.sortOrder = m_header.sortIndicatorOrder();
    for (int place = 0; place < LockTableModel::ColumnCount; ++place) {
        const int column = m_header.logicalIndex(place);
        state.columns.append({column, m_header.sectionSize(column),
                              m_header.isSectionHidden(column)});
    }
    return models::textOf(state);
}

/// Not by QHeaderView::restoreState(): a changed byte in what it reads can make it take all memory,
/// and its columns are numbers, which differ from version to version.
bool LockColumns::restore(const QString& text)
{
    const auto state = models::columnStateOf(text);
    if (!state) {
        return false;
    }
    const QScopedValueRollback fitting(m_isFitting, true);
    int place = 0;
    for (const models::ColumnState::Column& each : state->columns) {
        m_header.moveSection(m_header.visualIndex(each.column), place++);
        if (each.width > 0) {
            m_header.resizeSection(each.column, each.width);
        }
        m_header.setSectionHidden(each.column,
                                  each.isHidden && each.column != LockTableModel::KeyColumn);
    }
    m_hasChosen = state->hasChosen;
    m_areFitted = state->areFitted;
    m_view.sortByColumn(state->sortColumn, state->sortOrder);
    fit();
    return true;
}

void LockColumns::reset()
{
    const QScopedValueRollback fitting(m_isFitting, true);
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        m_header.setSectionHidden(column, false);
        m_header.moveSection(m_header.visualIndex(column), column);
    }
    m_hasChosen = false;
    m_areFitted = true;
    fit();
}

void LockColumns::fit()
{
    const QScopedValueRollback fitting(m_isFitting, true);
    if (m_areFitted) {
        choose();
        std::vector<int> columns;
        std::vector<models::ColumnSizing> sizings;
        for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
            if (!m_view.isColumnHidden(column)) {
                columns.push_back(column);
                sizings.push_back(sizingOf(column));
            }
        }
        const std::vector<int> widths = models::fittedWidths(sizings, m_view.viewport()->width());
        for (std::size_t i = 0; i < columns.size(); ++i) {
            m_view.setColumnWidth(columns[i], widths[i]);
        }
    }
    tellGivenWay();
}

models::ColumnSizing LockColumns::sizingOf(int column) const
{
    const auto& size = fieldOf(column).column.width;
    const int character = m_view.fontMetrics().horizontalAdvance(u'0');
    const int padding = 2 * CellDelegate::paddingOf(m_view.fontMetrics());
    const int least = std::max(size.least * character + padding, m_header.titleWidth(column));
    return {std::max(size.usual * character + padding, least), least, size.share};
}

bool LockColumns::isUseful(int column) const
{
    const report::LockField& field = fieldOf(column);
    return (!field.terminal.isForSeveralServers || m_model.serverCount() > 1)
           && (!field.column.isForClusters || m_model.hasClusters());
}

/// As long as the user did not: the server when there are several, node and slot in a cluster, and
/// of the rest what fits. A
/// reason to look that is beyond the edge of the window is of no use.
void LockColumns::choose()
{
    if (m_hasChosen) {
        return;
    }
    int needed = 0;
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        m_view.setColumnHidden(column, !isUseful(column));
        needed += isUseful(column) ? sizingOf(column).minimum : 0;
    }
    makeRoom(needed);
}

void LockColumns::makeRoom(int needed)
{
    for (int turn = 1; turn <= LockTableModel::ColumnCount; ++turn) {
        for (const report::LockField& field : report::lockFields()) {
            const int column = field.column.column;
            if (needed > m_view.viewport()->width() && field.column.givesWay == turn
                && isUseful(column)) {
                m_view.setColumnHidden(column, true);
                needed -= sizingOf(column).minimum;
            }
        }
    }
}

/// What the user hid is known to the user.
void LockColumns::tellGivenWay()
{
    QStringList titles;
    for (int column = 0; column < LockTableModel::ColumnCount && !m_hasChosen; ++column) {
        if (isUseful(column) && m_view.isColumnHidden(column)) {
            titles += titleOf(column);
        }
    }
    if (titles != m_givenWay) {
        m_givenWay = titles;
        Q_EMIT givenWayChanged(titles);
    }
}

void LockColumns::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(&m_view);
    menu->setObjectName(QStringLiteral("columnMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        QAction* action = menu->addAction(titleOf(column));
        action->setCheckable(true);
        action->setChecked(!m_view.isColumnHidden(column));
        action->setEnabled(column != LockTableModel::KeyColumn);
        connect(action, &QAction::toggled, this,
                [this, column](bool isShown) { showByChoice(column, isShown); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Show all columns")), &QAction::triggered, this,
            &LockColumns::showAll);
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, &LockColumns::reset);
    menu->popup(position);
}

void LockColumns::showByChoice(int column, bool isShown)
{
    const QScopedValueRollback fitting(m_isFitting, true);
    m_hasChosen = true;
    m_view.setColumnHidden(column, !isShown);
    fit();
}

/// More than there may be room for: the table scrolls sideways then.
void LockColumns::showAll()
{
    const QScopedValueRollback fitting(m_isFitting, true);
    m_hasChosen = true;
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        m_view.setColumnHidden(column, !isUseful(column));
    }
    fit();
}

QString LockColumns::titleOf(int column) const
{
    return m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

} // namespace lockscope::widgets
