#include "ui/widgets/locks/lock_commands.h"

#include "core/kernel/inspect/filter/filter_editing.h"
#include "core/kernel/report/release_ladder.h"
#include "ui/models/formatting.h"
#include "ui/models/locks/lock_counts_model.h"
#include "ui/widgets/locks/lock_actions.h"
#include "ui/widgets/locks/release/bulk_dialog.h"
#include "ui/widgets/locks/release/cap_ttl_dialog.h"
#include "ui/widgets/locks/release/disconnect_dialog.h"
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
    return models::filterWord(u"format"_s, models::toQString(lock.format()), false);
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
    connect(&m_parts.table, &LockTableView::selectedLocksChanged, this,
            [this] { refreshActions(m_parts.table.currentLock()); });
    connect(&m_parts.table, &LockTableView::contextRequested, this, &LockCommands::showMenu);
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
    onLock(m_parts.actions.disconnect, [this](const inspect::LockRecord& lock) {
        if (!lock.holders.empty()) {
            openDisconnectDialog(lock.id, lock.holders.front().owner);
        }
    });
    onSelected(m_parts.actions.capTtl, inspect::ReleaseAction::CapTtl,
               &LockCommands::openCapTtlDialog);
    onSelected(m_parts.actions.release, inspect::ReleaseAction::Release,
               &LockCommands::openReleaseDialog);
}

/// One lock has a dialog of its own, several have one together.
void LockCommands::onSelected(QAction* action, inspect::ReleaseAction what,
                              void (LockCommands::*openForOne)(const inspect::LockId&))
{
    connect(action, &QAction::triggered, this, [this, what, openForOne] {
        const std::vector<inspect::LockPtr> locks = m_parts.table.selectedLocks();
        if (locks.size() > 1) {
            openBulkDialog(what, locks);
        } else if (const inspect::LockPtr lock = m_parts.table.currentLock()) {
            (this->*openForOne)(lock->id);
        }
    });
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
    const auto selectedCount = static_cast<qint64>(m_parts.table.selectedLocks().size());
    const bool areSeveral = selectedCount > 1;
    const bool canSend = (isChosen || areSeveral) && !m_isReadOnly && m_isOnline;
    actions.capTtl->setEnabled(canSend && (areSeveral || !lock->expiresAt));
    actions.release->setEnabled(canSend);
    actions.disconnect->setEnabled(canSend && !areSeveral
                                   && report::soleClientOf(*lock) != nullptr);
    const QString count = models::countText(selectedCount);
    actions.capTtl->setText(areSeveral ? tr("Cap the &TTL of %1 locks…").arg(count)
                                       : tr("Cap the &TTL…"));
    actions.release->setText(areSeveral ? tr("&Release %1 locks…").arg(count) : tr("&Release…"));
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
    menu.addAction(actions.disconnect);
    menu.addSeparator();
    menu.addAction(actions.release);
}

void LockCommands::showMenu(const QModelIndex& cell, const QPoint& position)
{
    auto* menu = new QMenu(m_window);
    menu->setObjectName(u"lockContextMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addCellFilters(*menu, m_parts.table.alikeFilter(cell));
    fillMenu(*menu);
    menu->popup(position);
}

/// What is in the cell, as a term of the filter.
void LockCommands::addCellFilters(QMenu& menu, const QString& term)
{
    if (term.isEmpty()) {
        return;
    }
    const auto add = [&](const QString& name, const QString& text, const QString& word) {
        QAction* action = menu.addAction(QString(text.arg(word)).replace(u'&', u"&&"_s));
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, [this, word] { m_parts.filter.narrow(word); });
    };
    add(u"applyAsFilter"_s, tr("Apply as filter: %1"), term);
    add(u"notThis"_s, tr("Not this: %1"),
        models::toQString(inspect::oppositeOf(term.toStdString())));
    menu.addSeparator();
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
    connect(dialog, &ReleaseDialog::disconnectRequested, this, &LockCommands::openDisconnectDialog);
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

void LockCommands::openDisconnectDialog(const inspect::LockId& id, const Bytes& owner)
{
    if (m_isReadOnly) {
        return;
    }
    auto* dialog = new DisconnectDialog(m_parts.desk, m_parts.context, id, owner, m_window);
    connect(dialog, &DisconnectDialog::done, &m_parts.journal, &ReleaseJournal::noteSentence);
    dialog->open();
}

void LockCommands::openBulkDialog(inspect::ReleaseAction action,
                                  const std::vector<inspect::LockPtr>& locks)
{
    if (m_isReadOnly) {
        return;
    }
    auto* dialog = new BulkDialog(m_parts.desk, m_parts.context, action, locks, m_window);
    ReleaseJournal* journal = &m_parts.journal;
    connect(dialog, &BulkDialog::attempted, journal, &ReleaseJournal::noteAttempt);
    connect(dialog, &BulkDialog::leftUnanswered, journal, &ReleaseJournal::noteLeaving);
    connect(this, &LockCommands::lockChanged, dialog, &BulkDialog::takeChange);
    dialog->open();
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
