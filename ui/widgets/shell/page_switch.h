#pragma once

#include <QList>
#include <QObject>
#include <QStringList>

class QAction;
class QDockWidget;
class QMainWindow;
class QStackedWidget;

namespace lockscope::widgets {

class PageBar;

/// The pages of the window, one of them shown. The docks belong to the first page: they make way
/// for another one and are where they were when the first one is back.
class PageSwitch : public QObject {
    Q_OBJECT
public:
    /// Becomes the central widget of `window`.
    PageSwitch(QMainWindow& window, PageBar& bar);

    /// `shortcut` shows the page as well.
    void add(const QString& name, const QString& title, QWidget* page, const QAction* shortcut);
    /// A dock that is there on every page; others belong to the first one.
    void setCommon(QDockWidget* dock) { m_common.append(dock); }

    /// False when there is no such page.
    bool show(const QString& name);
    bool isFirstShown() const;

Q_SIGNALS:
    void pageShown(const QString& name);

private:
    /// A page that is not shown does not say how large the window must be.
    void fitToCurrent();
    void leaveFirst();
    void returnToFirst();

    QMainWindow& m_window;
    PageBar& m_bar;
    QStackedWidget* m_pages = nullptr;
    QList<QDockWidget*> m_common;
    // While another page is shown: what makes way for it, and how large that was.
    QList<QDockWidget*> m_hidden;
    QList<int> m_widths;
    QList<int> m_heights;
};

} // namespace lockscope::widgets
