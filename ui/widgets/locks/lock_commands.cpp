#include "ui/widgets/locks/lock_commands.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/lock_counts_model.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/release/cap_ttl_dialog.h"
#include "ui/widgets/locks/release/release_dialog.h"
#include "ui/widgets/locks/release/release_journal.h"
#include "ui/widgets/locks/table/lock_filter_edit.h"
#include "ui/widgets/locks/table/lock_table_view.h"

#include <QAction>
#include <QMenu>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

QString formatFilterWord(const inspect::LockRecord& lock)
{
    return models::filterWord(u"format"_s, models::toQString(lock.format), false);
}

QString ownerFilterWord(const inspect::LockRecord& lock)
{
    const QString owner = ownerOf(lock);
    return owner.isEmpty() ? QString() : models::filterWord(u"owner"_s, owner, false);
}

QString prefixFilterWord(const inspect::LockRecord& lock)
{
    const std::string_view prefix = models::prefixOf(lock.id.name);
    return prefix.empty() ? QString()
                          : models::filterWord(u"key"_s, models::bytesText(prefix), true);
}

LockCommands::LockCommands(Parts parts, QWidget* window)
    : QObject(window),
      m_parts(std::move(parts)),
      m_window(window)
{
    connectActions();
    connect(&m_parts.table, &LockTableView::currentLockChanged, this,
            &LockCommands::refreshActions);
    connect(&m_parts.table, &LockTableView::contextRequested, this,
            [this](const inspect::LockId& /*id*/, const QPoint& position) { showMenu(position); });
    refreshActions({});
}

void LockCommands::connectActions()
{
    const auto onLock = [this](QAction* action, auto&& what) {
        connect(action, &QAction::triggered, this, [this, what] {
            if (const inspect::LockPtr lock = m_parts.table.currentLock()) {
                what(*lock);
            }
        });
    };
    onLock(m_parts.actions.filterByFormat,
           [this](const inspect::LockRecord& lock) { toggleFilterWord(formatFilterWord(lock)); });
    onLock(m_parts.actions.filterByOwner,
           [this](const inspect::LockRecord& lock) { toggleFilterWord(ownerFilterWord(lock)); });
    onLock(m_parts.actions.filterByPrefix,
           [this](const inspect::LockRecord& lock) { toggleFilterWord(prefixFilterWord(lock)); });
    onLock(m_parts.actions.capTtl,
           [this](const inspect::LockRecord& lock) { openCapTtlDialog(lock.id); });
    onLock(m_parts.actions.release,
           [this](const inspect::LockRecord& lock) { openReleaseDialog(lock.id); });
}

void LockCommands::setReadOnly(bool isReadOnly)
{
    m_isReadOnly = isReadOnly;
    refreshActions(m_parts.table.currentLock());
}

void LockCommands::setOnline(bool isOnline)
{
    if (m_isOnline != isOnline) {
        m_isOnline = isOnline;
        refreshActions(m_parts.table.currentLock());
    }
}

void LockCommands::refreshActions(const inspect::LockPtr& lock) const
{
    const LockActions& actions = m_parts.actions;
    const bool isChosen = lock != nullptr;
    for (QAction* copy : m_parts.table.copyActions()) {
        copy->setEnabled(isChosen);
    }
    actions.copyReleaseCommand->setEnabled(isChosen);
    actions.filterByFormat->setEnabled(isChosen);
    actions.filterByOwner->setEnabled(isChosen && !ownerOf(*lock).isEmpty());
    actions.filterByPrefix->setEnabled(isChosen && !prefixFilterWord(*lock).isEmpty());
    actions.treatAs->setEnabled(isChosen);
    actions.notALock->setEnabled(isChosen);
    const bool canSend = isChosen && !m_isReadOnly && m_isOnline;
    actions.capTtl->setEnabled(canSend && !lock->expiresAt);
    actions.release->setEnabled(canSend);
}

void LockCommands::fillMenu(QMenu& menu) const
{
    const LockActions& actions = m_parts.actions;
    menu.addActions(m_parts.table.copyActions());
    menu.addAction(actions.copyReleaseCommand);
    menu.addSeparator();
    menu.addAction(actions.filterByFormat);
    menu.addAction(actions.filterByOwner);
    menu.addAction(actions.filterByPrefix);
    menu.addSeparator();
    menu.addAction(actions.treatAs);
    menu.addAction(actions.notALock);
    menu.addSeparator();
    menu.addAction(actions.capTtl);
    menu.addSeparator();
    menu.addAction(actions.release);
}

void LockCommands::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(m_window);
    menu->setObjectName(u"lockContextMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*menu);
    menu->popup(position);
}

void LockCommands::toggleFilterWord(const QString& word)
{
    if (!word.isEmpty()) {
        m_parts.filter.toggleWord(word);
    }
}

void LockCommands::openReleaseDialog(const inspect::LockId& id)
{
    if (m_isReadOnly) {
        return;
    }
    auto* dialog = new ReleaseDialog(m_parts.desk, m_parts.context, id, m_window);
    connect(dialog, &ReleaseDialog::capTtlRequested, this, &LockCommands::openCapTtlDialog);
    dialog->takeWatched(m_parts.table.currentLock());
    open(*dialog, inspect::ReleaseAction::Release);
}

void LockCommands::openCapTtlDialog(const inspect::LockId& id)
{
    if (!m_isReadOnly) {
        open(*new CapTtlDialog(m_parts.desk, m_parts.context, id, m_window),
             inspect::ReleaseAction::CapTtl);
    }
}

void LockCommands::open(PlanDialog& dialog, inspect::ReleaseAction action)
{
    ReleaseJournal* journal = &m_parts.journal;
    connect(&dialog, &PlanDialog::attempted, journal, &ReleaseJournal::noteAttempt);
    connect(&dialog, &PlanDialog::leftUnanswered, journal, &ReleaseJournal::noteLeaving);
    connect(&dialog, &PlanDialog::withdrawn, journal,
            [journal, action](const inspect::LockId& id) { journal->noteWithdrawal(id, action); });
    connect(this, &LockCommands::lockChanged, &dialog, &PlanDialog::takeChange);
    dialog.open();
}

void LockCommands::takeLocks(const inspect::LockDelta& delta)
{
    for (const inspect::LockChange& change : delta.changes) {
        Q_EMIT lockChanged(change);
    }
}

} // namespace lockscope::widgets
