#include "ui/widgets/shell/page_switch.h"

#include "ui/widgets/shell/menu_entries.h"
#include "ui/widgets/shell/page_bar.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>

#include <utility>

namespace lockscope::widgets {

PageSwitch::PageSwitch(QMainWindow& window, PageBar& bar)
    : QObject(&window),
      m_window(window),
      m_bar(bar)
{
    m_pages = new QStackedWidget(&window);
    window.setCentralWidget(m_pages);
    window.setDockNestingEnabled(true);
    window.setDocumentMode(true); // tabs of docks look as those inside of pages
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    connect(&bar, &PageBar::pageChosen, this, &PageSwitch::show);
}

QAction* PageSwitch::add(const Page& page)
{
    m_pages->addWidget(page.widget);
    m_bar.addPage(page.name, nameOfTitle(page.title));
    Entry& entry = m_entries.emplaceBack();
    entry.tools = page.tools;
    for (const PageDock& description : page.docks) {
        QDockWidget* const dock = addDock(description);
        if (!description.isBesideAllPages) {
            entry.docks.append(dock);
        }
    }
    if (m_entries.size() > 1) {
        leave(entry);
    }
    fitToCurrent();
    auto* const action = new QAction(tr("Page: %1").arg(page.title), this);
    action->setObjectName(u"actionShow" + page.name.left(1).toUpper() + page.name.mid(1));
    if (const auto key = Qt::Key_0 + m_entries.size(); key <= Qt::Key_9) {
        action->setShortcut(Qt::CTRL | static_cast<Qt::Key>(key));
    }
    connect(action, &QAction::triggered, this, [this, name = page.name] { show(name); });
    return action;
}

QDockWidget* PageSwitch::addDock(const PageDock& description)
{
    auto* const dock = new QDockWidget(description.title, &m_window);
    dock->setObjectName(description.name);
    dock->setWidget(description.panel);
    m_window.addDockWidget(description.area, dock);
    // As it will be if its page is not the one that is shown first.
    dock->show();
    dock->resize(sizeOf(description).expandedTo(dock->minimumSizeHint()));
    if (!description.behind.isEmpty()) {
        auto* const front = m_window.findChild<QDockWidget*>(description.behind);
        m_window.tabifyDockWidget(front, dock);
        front->raise();
    }
    m_docks.append(description);
    return dock;
}

QString PageSwitch::current() const
{
    return m_bar.names().value(m_pages->currentIndex());
}

bool PageSwitch::isFirstShown() const
{
    return m_pages->currentIndex() == 0;
}

bool PageSwitch::show(const QString& name)
{
    const auto index = static_cast<int>(m_bar.names().indexOf(name));
    if (index < 0) {
        return false;
    }
    m_bar.setCurrent(name);
    if (index != m_pages->currentIndex()) {
        leave(m_entries[m_pages->currentIndex()]);
        m_pages->setCurrentIndex(index);
        fitToCurrent();
        enter(m_entries[index]);
    }
    return true;
}

void PageSwitch::showFirst()
{
    if (!m_entries.isEmpty()) {
        show(m_bar.names().first());
    }
}

void PageSwitch::fitToCurrent()
{
    for (int i = 0; i < m_pages->count(); ++i) {
        const auto policy = i == m_pages->currentIndex() ? QSizePolicy::Preferred
                                                         : QSizePolicy::Ignored;
        m_pages->widget(i)->setSizePolicy(policy, policy);
    }
}

void PageSwitch::leave(Entry& entry)
{
    for (QWidget* tool : entry.tools) {
        tool->hide();
    }
    for (QDockWidget* dock : entry.docks) {
        if (!dock->isHidden()) {
            entry.hidden.append(dock);
            if (!dock->visibleRegion().isEmpty()) {
                entry.inFront.append(dock);
            }
            entry.widths.append(dock->width());
            entry.heights.append(dock->height());
        }
    }
    for (QDockWidget* dock : entry.hidden) {
        dock->hide();
    }
}

void PageSwitch::enter(Entry& entry)
{
    for (QWidget* tool : entry.tools) {
        tool->show();
    }
    const QList<QDockWidget*> docks = std::exchange(entry.hidden, {});
    for (QDockWidget* dock : docks) {
        dock->show();
    }
    for (QDockWidget* dock : std::exchange(entry.inFront, {})) {
        dock->raise();
    }
    // A dock area that was empty has forgotten how large it was.
    m_window.resizeDocks(docks, std::exchange(entry.widths, {}), Qt::Horizontal);
    m_window.resizeDocks(docks, std::exchange(entry.heights, {}), Qt::Vertical);
}

void PageSwitch::arrangeDocks()
{
    sizeDocks();
    m_firstState = m_window.saveState();
}

void PageSwitch::resetDocks()
{
    m_window.restoreState(m_firstState);
    sizeDocks();
}

void PageSwitch::sizeDocks()
{
    for (const auto orientation : {Qt::Horizontal, Qt::Vertical}) {
        QList<QDockWidget*> docks;
        QList<int> sizes;
        for (const PageDock& description : m_docks) {
            const QSize size = sizeOf(description);
            if (const int extent = orientation == Qt::Horizontal ? size.width() : size.height();
                extent > 0) {
                docks.append(m_window.findChild<QDockWidget*>(description.name));
                sizes.append(extent);
            }
        }
        m_window.resizeDocks(docks, sizes, orientation);
    }
}

QSize PageSwitch::sizeOf(const PageDock& dock) const
{
    // In characters: fonts of one height differ by a third.
    const QFontMetrics metrics = m_window.fontMetrics();
    return {dock.size.width() * metrics.averageCharWidth(), dock.size.height() * metrics.height()};
}

} // namespace lockscope::widgets
