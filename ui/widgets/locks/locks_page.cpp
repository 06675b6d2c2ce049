#include "ui/widgets/locks/locks_page.h"

#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/controls/empty_state.h"
#include "ui/widgets/controls/labels.h"
#include "ui/widgets/locks/data_line.h"
#include "ui/widgets/locks/near_misses_dialog.h"
#include "ui/widgets/locks/table/columns_line.h"
#include "ui/widgets/locks/table/filter_line.h"
#include "ui/widgets/locks/table/lock_table_view.h"
#include "ui/widgets/locks/watched_names.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

LocksPage::LocksPage(models::LockTableModel& locks, QWidget* parent)
    : QWidget(parent),
      m_locks(locks)
{
    setObjectName(u"locksPage"_s);
    m_stack = new QStackedWidget(this); // first: the Tab key goes in the order of creation
    m_empty = new EmptyState(this);
    m_table = new LockTableView(locks, this);
    m_table->setObjectName(u"lockTable"_s);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_table);
    m_data = new DataLine(this);
    m_names = new WatchedNamesBar(this);
    m_filterLine = new FilterLine(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filterLine);
    layout->addWidget(m_stack, 1);
    layout->addLayout(createLineBelow());
    layout->addWidget(createHairline(Qt::Horizontal, this));
    layout->addWidget(m_names);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_stack);
    m_stack->setFocusPolicy(Qt::StrongFocus);
    connect(m_empty, &EmptyState::stepChosen, this, &LocksPage::stepChosen);
    connect(m_data, &DataLine::toggled, this, &LocksPage::probableDataToggled);
    connect(m_names, &WatchedNamesBar::patternsChanged, this, &LocksPage::patternsChanged);
    connect(m_names, &WatchedNamesBar::nearMissesRequested, this, &LocksPage::showNearMisses);
}

/// What the table does not show.
QLayout* LocksPage::createLineBelow()
{
    m_notShown = new ColumnsLine(m_table->columns(), this);
    auto* line = new QHBoxLayout;
    line->setSpacing(0);
    line->addWidget(m_data, 1);
    line->addWidget(m_notShown, 1);
    return line;
}

void LocksPage::showNearMisses()
{
    inspect::SweepFindings all;
    for (const WatchState::Findings& findings : m_findings) {
        if (findings) {
            all.add(*findings);
        }
    }
    auto* dialog = new NearMissesDialog(all, this);
    connect(dialog, &NearMissesDialog::namesChosen, this, [this](const QStringList& more) {
        QStringList patterns = m_names->patterns() + more;
        patterns.removeDuplicates();
        m_names->showPatterns(patterns);
        Q_EMIT patternsChanged(patterns);
    });
    dialog->open();
}

void LocksPage::showState(const WatchState& state, Instant now)
{
    // Rows that fade are no locks any more, and still something to see.
    LockCounts counts;
    counts.known = std::max<qint64>(m_locks.heldLockCount() - m_locks.hiddenDataCount(),
                                    m_locks.rowCount());
    counts.shown = m_locks.rowCount();
    m_findings = state.findings();
    m_data->showCount(m_locks.probableDataCount(), m_locks.showsProbableData());
    m_names->showNearMisses(state.sweep().nearMissCount);
    m_situation = situationOf(state, counts);
    if (m_situation == LocksSituation::Table) {
        turnTo(m_table);
        offerMostUrgent();
        return;
    }
    m_hasOffered = m_hasOffered && m_situation == LocksSituation::AllHidden;
    m_empty->showText(emptyText(m_situation, state, counts, now));
    turnTo(m_empty);
}

void LocksPage::offerMostUrgent()
{
    m_hasOffered = m_hasOffered || m_table->currentLock() != nullptr;
    if (m_hasOffered) {
        return;
    }
    const inspect::LockPtr top = m_locks.lockAt(m_locks.index(0, 0));
    if (top && inspect::stateOf(*top) == inspect::LockState::Suspicious) {
        m_table->setCurrentLock(top->id);
        m_hasOffered = true;
    }
}

void LocksPage::turnTo(QWidget* widget)
{
    const bool hadFocus = m_stack->hasFocus() || m_stack->isAncestorOf(QApplication::focusWidget());
    m_stack->setCurrentWidget(widget);
    if (hadFocus && widget == m_table) {
        m_table->setFocus();
    }
}

} // namespace lockscope::widgets
