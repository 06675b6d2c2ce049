#include "shell/window_docks.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QMainWindow>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("WindowDocks", text);
}

} // namespace

WindowDocks::WindowDocks(QMainWindow& window, const Panels& panels) : m_window(window)
{
    m_window.setDockNestingEnabled(true);
    m_window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_counts = add(u"countsDock"_s, translated("Counts"), panels.counts, Qt::LeftDockWidgetArea);
    m_details = add(u"detailsDock"_s, translated("Details"), panels.details,
                    Qt::RightDockWidgetArea);
    m_activity = add(u"activityDock"_s, translated("Activity"), panels.activity,
                     Qt::BottomDockWidgetArea);
    m_held = add(u"heldDock"_s, translated("My locks"), panels.held, Qt::BottomDockWidgetArea);
}

QDockWidget* WindowDocks::add(const QString& name, const QString& title, QWidget* panel,
                              Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name);
    dock->setWidget(panel);
    m_window.addDockWidget(area, dock);
    return dock;
}

void WindowDocks::arrange()
{
    size();
    m_firstState = m_window.saveState();
}

void WindowDocks::reset()
{
    m_window.restoreState(m_firstState);
    size();
}

void WindowDocks::size()
{
    // In characters: fonts of one height differ by a third.
    const QFontMetrics metrics = m_window.fontMetrics();
    const int character = metrics.averageCharWidth();
    m_window.resizeDocks({m_counts, m_details}, {character * 30, character * 46}, Qt::Horizontal);
    m_window.resizeDocks({m_activity}, {metrics.height() * 9}, Qt::Vertical);
}

void WindowDocks::showDetails()
{
    m_details->show();
}

void WindowDocks::showHeld(bool isShown)
{
    m_held->setVisible(isShown);
    m_window.resizeDocks({m_activity, m_held}, {1, 1}, Qt::Horizontal); // side by side
}

QList<QAction*> WindowDocks::toggles() const
{
    return {m_counts->toggleViewAction(), m_details->toggleViewAction(),
            m_activity->toggleViewAction(), m_held->toggleViewAction()};
}

} // namespace lockscope::widgets
