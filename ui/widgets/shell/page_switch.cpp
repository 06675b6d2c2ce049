#include "shell/page_switch.h"

#include "shell/page_bar.h"

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
    connect(&bar, &PageBar::pageChosen, this, &PageSwitch::show);
}

void PageSwitch::add(const QString& name, const QString& title, QWidget* page,
                     const QAction* shortcut)
{
    m_pages->addWidget(page);
    m_bar.addPage(name, title);
    connect(shortcut, &QAction::triggered, this, [this, name] { show(name); });
    fitToCurrent();
}

bool PageSwitch::isFirstShown() const
{
    return m_pages->currentIndex() <= 0;
}

bool PageSwitch::show(const QString& name)
{
    const auto index = static_cast<int>(m_bar.names().indexOf(name));
    if (index < 0) {
        return false;
    }
    m_bar.setCurrent(name);
    if (index == m_pages->currentIndex()) {
        return true;
    }
    const bool wasFirst = isFirstShown();
    if (wasFirst) {
        leaveFirst();
    }
    m_pages->setCurrentIndex(index);
    fitToCurrent();
    if (isFirstShown()) {
        returnToFirst();
    }
    Q_EMIT pageShown(name);
    return true;
}

void PageSwitch::fitToCurrent()
{
    for (int i = 0; i < m_pages->count(); ++i) {
        const auto policy = i == m_pages->currentIndex() ? QSizePolicy::Preferred
                                                         : QSizePolicy::Ignored;
        m_pages->widget(i)->setSizePolicy(policy, policy);
    }
}

void PageSwitch::leaveFirst()
{
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
        if (!m_common.contains(dock) && !dock->isHidden()) {
            m_hidden.append(dock);
            m_widths.append(dock->width());
            m_heights.append(dock->height());
        }
    }
    for (QDockWidget* dock : m_hidden) {
        dock->hide();
    }
}

void PageSwitch::returnToFirst()
{
    const QList<QDockWidget*> docks = std::exchange(m_hidden, {});
    for (QDockWidget* dock : docks) {
        dock->show();
    }
    // A dock area that was empty has forgotten how large it was.
    m_window.resizeDocks(docks, std::exchange(m_widths, {}), Qt::Horizontal);
    m_window.resizeDocks(docks, std::exchange(m_heights, {}), Qt::Vertical);
}

} // namespace lockscope::widgets
