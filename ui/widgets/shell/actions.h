#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

class QAction;
class QActionGroup;

namespace lockscope::widgets {

/// Everything a user can do, with its words and its keys, in one place. The window connects the
/// actions and puts them into menus; the page of keyboard shortcuts lists them.
class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QObject* parent);

    // Server
    QAction* connectServer = nullptr;
    QAction* disconnectServer = nullptr;
    QAction* sweep = nullptr;
    QAction* deepSweep = nullptr;
    QAction* quit = nullptr;

    // Lock
    QAction* acquire = nullptr;
    QAction* copyReleaseCommand = nullptr;
    QAction* filterByFormat = nullptr;
    QAction* filterByOwner = nullptr;
    QAction* filterByPrefix = nullptr;
    QAction* capTtl = nullptr;
    QAction* release = nullptr;

    // View
    QAction* showLocks = nullptr;
    QAction* showLab = nullptr;
    QAction* showMatrix = nullptr;
    QAction* showContend = nullptr;
    QAction* focusFilter = nullptr;
    QAction* focusTable = nullptr;
    QAction* pause = nullptr; // checkable
    QAction* resetLayout = nullptr;
    QActionGroup* theme = nullptr; // data(): int(ThemeChoice)

    // Help
    QAction* shortcuts = nullptr;
    QAction* about = nullptr;

    /// One line of the page of shortcuts.
    struct Shortcut {
        QString keys;
        QString what;
    };
    /// All actions that have a key, and the keys that are no actions, in the order of the menus.
    QList<Shortcut> shortcutList(const QList<QAction*>& more) const;

private:
    QAction* add(const QString& name, const QString& text, const QList<QKeySequence>& keys = {},
                 QStringView icon = {});
    void createServerActions();
    void createLockActions();
    void createViewActions();
    void createHelpActions();

    QList<QAction*> m_all;
};

} // namespace lockscope::widgets
