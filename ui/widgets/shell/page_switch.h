#pragma once

#include "ui/widgets/shell/page.h"

#include <QByteArray>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QStackedWidget;

namespace lockscope::widgets {

class PageBar;

/// The pages of the window, one of them shown, each with its tools and its docks: they make way for
/// those of another page, and are where they were when it is back.
class PageSwitch : public QObject {
    Q_OBJECT
public:
    /// Becomes the central widget of `window`.
    PageSwitch(QMainWindow& window, PageBar& bar);

    /// Returns what shows the page, for a menu; its key counts the pages.
    QAction* add(const Page& page);

    QString current() const;
    bool isFirstShown() const;
    /// False when there is no such page.
    bool show(const QString& name);
    void showFirst();

    /// Gives the docks the sizes they have at first. What saveState() of the window says then is
    /// what resetDocks() returns to.
    void arrangeDocks();
    void resetDocks();

private:
    struct Entry {
        QList<QWidget*> tools;
        QList<QDockWidget*> docks; // those of this page only
        // While another page is shown: what makes way for it, and how large that was.
        QList<QDockWidget*> hidden;
        QList<QDockWidget*> inFront; // of those: no other tab was over it
        QList<int> widths;
        QList<int> heights;
    };

    QDockWidget* addDock(const PageDock& description);
    void sizeDocks();
    QSize sizeOf(const PageDock& dock) const;
    /// A page that is not shown does not say how large the window must be.
    void fitToCurrent();
    void leave(Entry& entry);
    void enter(Entry& entry);

    QMainWindow& m_window;
    PageBar& m_bar;
    QStackedWidget* m_pages = nullptr;
    QList<Entry> m_entries;
    QList<PageDock> m_docks; // of all pages
    QByteArray m_firstState;
};

} // namespace lockscope::widgets
