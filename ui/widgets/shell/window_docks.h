#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

class QAction;
class QDockWidget;
class QMainWindow;
class QWidget;

namespace lockscope::widgets {

/// The docks around the table: what stands where, and how wide it is at first.
class WindowDocks {
public:
    struct Panels {
        QWidget* counts;
        QWidget* details;
        QWidget* activity;
        QWidget* held; // by hand; there only while somebody holds something
    };
    WindowDocks(QMainWindow& window, const Panels& panels);

    /// The sizes at first. What saveState() of the window says then is what reset() returns to.
    void arrange();
    void reset();

    void showDetails();
    void showHeld(bool isShown);
    QDockWidget& held() const { return *m_held; }

    /// For a menu: which are shown.
    QList<QAction*> toggles() const;

private:
    QDockWidget* add(const QString& name, const QString& title, QWidget* panel,
                     Qt::DockWidgetArea area);
    void size();

    QMainWindow& m_window;
    QDockWidget* m_counts = nullptr;
    QDockWidget* m_details = nullptr;
    QDockWidget* m_activity = nullptr;
    QDockWidget* m_held = nullptr;
    QByteArray m_firstState;
};

} // namespace lockscope::widgets
