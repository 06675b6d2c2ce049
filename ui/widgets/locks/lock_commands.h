#pragma once

#include "core/service/release_desk.h"
#include "ui/widgets/locks/lock_facts.h"

#include <QObject>
#include <QPoint>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QModelIndex;
class QWidget;

namespace lockscope::widgets {

class LockActions;
class LockFilterEdit;
class LockTableView;
class PlanDialog;
class ReleaseJournal;

/// What can be done with the chosen lock, or with several that are selected: filter by its traits,
/// and the dialogs that change something. It keeps the lock actions enabled as the lock and the
/// connection allow.
class LockCommands : public QObject {
    Q_OBJECT
public:
    struct Parts {
        LockActions& actions;
        LockTableView& table;
        LockFilterEdit& filter;
        service::ReleaseDesk& desk;
        ReleaseJournal& journal;
        std::function<FactContext()> context;
    };

    /// The dialogs open over `window`.
    LockCommands(Parts parts, QWidget* window);

    void setReadOnly(bool isReadOnly);
    void setOnline(bool isOnline);

    /// Fills a menu: look and copy first, then filter, then what it is treated as, then what
    /// leaves the lock there, and the release apart at the end.
    void fillMenu(QMenu& menu) const;

    void openReleaseDialog(const inspect::LockId& id);
    void openCapTtlDialog(const inspect::LockId& id);
    /// Ends the connection of the client that holds the lock.
    void openDisconnectDialog(const inspect::LockId& id, const Bytes& owner);
    /// Releases or caps several together.
    void openBulkDialog(inspect::ReleaseAction action, const std::vector<inspect::LockPtr>& locks);

    /// What the watch saw; the dialogs that release one of these locks have to know, also while
    /// the table is paused.
    void takeLocks(const inspect::LockDelta& delta);

Q_SIGNALS:
    void lockChanged(const lockscope::inspect::LockChange& change);

private:
    void open(PlanDialog& dialog, inspect::ReleaseAction action);
    void connectActions();
    void onSelected(QAction* action, inspect::ReleaseAction what,
                    void (LockCommands::*openForOne)(const inspect::LockId&));
    void refreshActions(const inspect::LockPtr& lock) const;
    void showMenu(const QModelIndex& cell, const QPoint& position);
    void addCellFilters(QMenu& menu, const QString& term);
    void toggleFilterWord(const QString& word);

    Parts m_parts;
    QWidget* m_window = nullptr;
    bool m_isReadOnly = false;
    bool m_isOnline = true;
};

/// The words for the filter box that select locks like this one; empty when it has no such trait.
QString formatFilterWord(const inspect::LockRecord& lock);
QString ownerFilterWord(const inspect::LockRecord& lock);
QString prefixFilterWord(const inspect::LockRecord& lock);

} // namespace lockscope::widgets
