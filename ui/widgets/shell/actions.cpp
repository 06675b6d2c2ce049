#include "shell/actions.h"

#include "shell/icons.h"
#include "shell/settings.h"

#include <QAction>
#include <QActionGroup>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

Actions::Actions(QObject* parent) : QObject(parent)
{
    createServerActions();
    createLockActions();
    createViewActions();
    createHelpActions();
}

QAction* Actions::add(const QString& name, const QString& text, const QList<QKeySequence>& keys,
                      QStringView icon)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcuts(keys);
    if (!icon.isEmpty()) {
        action->setIcon(tintedIcon(icon));
    }
    m_all.append(action);
    return action;
}

void Actions::createServerActions()
{
    connectServer = add(u"actionConnect"_s, tr("&Connect…"), {QKeySequence::New}, u"connect");
    disconnectServer = add(u"actionDisconnect"_s, tr("&Disconnect"), {}, u"disconnect");
    sweep = add(u"actionSweep"_s, tr("&Sweep again"), {Qt::Key_F5}, u"sweep");
    deepSweep = add(u"actionDeepSweep"_s, tr("Dee&p sweep"), {Qt::SHIFT | Qt::Key_F5},
                    u"deep-sweep");
    quit = add(u"actionQuit"_s, tr("&Quit"), {Qt::CTRL | Qt::Key_Q});
}

void Actions::createLockActions()
{
    acquire = add(u"actionAcquire"_s, tr("&Acquire a lock…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_A},
                  u"key");
    copyReleaseCommand = add(u"actionCopyReleaseCommand"_s, tr("Copy release co&mmand"));
    filterByFormat = add(u"actionFilterByFormat"_s, tr("Filter by this &format"), {}, u"filter");
    filterByOwner = add(u"actionFilterByOwner"_s, tr("Filter by this o&wner"));
    filterByPrefix = add(u"actionFilterByPrefix"_s, tr("Filter by this &prefix"));
    capTtl = add(u"actionCapTtl"_s, tr("Cap the &TTL…"), {}, u"timer");
    // The key opens the dialog, which asks; no key releases.
    release = add(u"actionRelease"_s, tr("&Release…"), {QKeySequence::Delete}, u"release");
    release->setShortcutContext(Qt::WidgetShortcut);
}

void Actions::createViewActions()
{
    showLocks = add(u"actionShowLocks"_s, tr("Page: L&ocks"), {Qt::CTRL | Qt::Key_1});
    showLab = add(u"actionShowLab"_s, tr("Page: L&ab"), {Qt::CTRL | Qt::Key_2});
    showMatrix = add(u"actionShowMatrix"_s, tr("Page: &Matrix"), {Qt::CTRL | Qt::Key_3});
    showContend = add(u"actionShowContend"_s, tr("Page: &Contend"), {Qt::CTRL | Qt::Key_4});
    focusFilter = add(u"actionFocusFilter"_s, tr("&Filter"),
                      {QKeySequence(Qt::CTRL | Qt::Key_F), QKeySequence(Qt::CTRL | Qt::Key_L)},
                      u"filter");
    focusTable = add(u"actionFocusTable"_s, tr("&Lock table"), {Qt::CTRL | Qt::Key_T});
    pause = add(u"actionPause"_s, tr("&Pause"), {Qt::Key_Space}, u"pause");
    pause->setCheckable(true);
    // Space also types and presses buttons: it pauses only where it means nothing else.
    pause->setShortcutContext(Qt::WidgetShortcut);
    resetLayout = add(u"actionResetLayout"_s, tr("&Reset layout"));
    theme = new QActionGroup(this);
    const auto addTheme = [this](const QString& name, const QString& text, ThemeChoice choice) {
        QAction* action = add(name, text);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        theme->addAction(action);
    };
    addTheme(u"actionThemeSystem"_s, tr("Follow the &system"), ThemeChoice::FollowSystem);
    addTheme(u"actionThemeLight"_s, tr("&Light"), ThemeChoice::Light);
    addTheme(u"actionThemeDark"_s, tr("&Dark"), ThemeChoice::Dark);
}

void Actions::createHelpActions()
{
    shortcuts = add(u"actionShortcuts"_s, tr("&Keyboard shortcuts"),
                    {QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)});
    about = add(u"actionAbout"_s, tr("&About Lockscope"));
}

QList<Actions::Shortcut> Actions::shortcutList(const QList<QAction*>& more) const
{
    QList<Shortcut> list;
    for (const QAction* action : m_all + more) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) {
            keys += key.toString(QKeySequence::NativeText);
        }
        if (!keys.isEmpty()) {
            list.append({keys.join(u", "_s), action->text().remove(u'&').remove(u'…')});
        }
    }
    list.append({tr("Esc"), tr("Clear the filter, or close a dialog without changes")});
    list.append({tr("Up, Down"), tr("In the filter box: previous filters")});
    list.append({tr("Right, Left"), tr("In the table: show or hide the holders of a lock")});
    list.append({tr("Enter"), tr("In the table: the details of the lock")});
    return list;
}

} // namespace lockscope::widgets
