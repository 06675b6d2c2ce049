#include "ui/widgets/locks/servers/server_tabs.h"

#include "ui/widgets/controls/labels.h"
#include "ui/widgets/controls/layouts.h"
#include "ui/widgets/style/tones.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStackedWidget>

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kIconSize(16, 16);
constexpr int kNameLength = 40;

/// A bar in the colour of the environment, and the dot that says how the server is doing.
QIcon iconOf(const ServerTabLook& look, const QPalette& palette, qreal ratio)
{
    QPixmap pixmap(kIconSize * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (const QColor color = environmentColor(look.environment); color.isValid()) {
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(0, 1, 4, 14), 1, 1);
    }
    painter.setBrush(colorOf(look.tone, palette));
    painter.drawEllipse(QRectF(7, 4, 8, 8));
    painter.end();
    return QIcon(pixmap);
}

QString textOf(const ServerTabLook& look)
{
    QString name = look.name;
    if (name.size() > kNameLength) {
        name = name.left(kNameLength) + u'…';
    }
    const QString text = look.note.isEmpty() ? name : name + u" · "_s + look.note;
    return QString(text).replace(u'&', u"&&"_s);
}

/// How the servers are doing where it is not as it should be.
QString noteOf(const WatchState& state, bool isPaused)
{
    if (!state.isOpen()) {
        return {};
    }
    if (state.onlineCount() == 0) {
        const service::LinkStatus& link = state.worstLink();
        const bool isFirst = link.problem.kind == store::Problem::Kind::None;
        return state.wasOnline() ? ServerTabs::tr("lost")
               : isFirst         ? ServerTabs::tr("connecting")
                                 : ServerTabs::tr("unreachable");
    }
    return isPaused ? ServerTabs::tr("paused") : QString();
}

} // namespace

ServerTabLook tabLookOf(const QString& name, const WatchState& state, bool isPaused, Instant now)
{
    const LinkWording wording = linkWording(state, now);
    ServerTabLook look;
    look.name = name;
    look.note = noteOf(state, isPaused);
    look.environment = QString::fromStdString(state.environment());
    look.tone = wording.tone;
    look.toolTip = serversWording(state.endpoints());
    if (!look.environment.isEmpty()) {
        look.toolTip.prepend(look.environment + u" · "_s);
    }
    return look;
}

ServerTabBar::ServerTabBar(QWidget* parent) : QTabBar(parent)
{
    setObjectName(u"serverTabs"_s);
    setAccessibleName(tr("Servers"));
    setDocumentMode(true);
    setDrawBase(false);
    setExpanding(false);
    setTabsClosable(true);
    setIconSize(kIconSize);
    setFocusPolicy(Qt::TabFocus);
}

void ServerTabBar::mouseReleaseEvent(QMouseEvent* event)
{
    const int index = tabAt(event->position().toPoint());
    if (event->button() == Qt::MiddleButton && index >= 0) {
        Q_EMIT tabCloseRequested(index);
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

void ServerTabBar::contextMenuEvent(QContextMenuEvent* event)
{
    const int index = tabAt(event->pos());
    if (index < 0) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setObjectName(u"serverTabMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Close")), &QAction::triggered, this,
            [this, index] { Q_EMIT tabCloseRequested(index); });
    connect(menu->addAction(tr("Close the others")), &QAction::triggered, this,
            [this, index] { Q_EMIT othersClosed(index); });
    menu->popup(event->globalPos());
}

ServerTabs::ServerTabs(QWidget* parent) : QWidget(parent)
{
    m_pages = new QStackedWidget(this);
    m_bar = new ServerTabBar(this);
    m_line = createHairline(Qt::Horizontal, this);
    createColumn(this, {}, 0, {m_bar, m_line, growing(m_pages)});
    connect(m_bar, &QTabBar::currentChanged, this, &ServerTabs::chosen);
    connect(m_bar, &QTabBar::tabCloseRequested, this, &ServerTabs::closeRequested);
    connect(m_bar, &ServerTabBar::othersClosed, this, &ServerTabs::othersClosed);
    showBar();
}

void ServerTabs::addPage(QWidget* page)
{
    m_looks.emplace_back();
    m_pages->addWidget(page);
    const QSignalBlocker blocker(m_bar); // what is current is said by setCurrent()
    m_bar->addTab({});
    showBar();
}

void ServerTabs::removePage(int index)
{
    m_looks.erase(m_looks.begin() + index);
    m_pages->removeWidget(m_pages->widget(index));
    const QSignalBlocker blocker(m_bar);
    m_bar->removeTab(index);
    showBar();
}

void ServerTabs::setCurrent(int index)
{
    m_pages->setCurrentIndex(index);
    setFocusProxy(m_pages->currentWidget());
    const QSignalBlocker blocker(m_bar);
    m_bar->setCurrentIndex(index);
}

void ServerTabs::setLook(int index, const ServerTabLook& look)
{
    if (m_looks[static_cast<std::size_t>(index)] != look) {
        m_looks[static_cast<std::size_t>(index)] = look;
        showLook(index);
    }
}

void ServerTabs::showLook(int index)
{
    const ServerTabLook& look = m_looks[static_cast<std::size_t>(index)];
    m_bar->setTabText(index, textOf(look));
    m_bar->setTabIcon(index, iconOf(look, palette(), devicePixelRatioF()));
    m_bar->setTabToolTip(index, look.toolTip);
}

void ServerTabs::showBar()
{
    const bool areSeveral = m_looks.size() > 1;
    m_bar->setVisible(areSeveral);
    m_line->setVisible(areSeveral);
}

void ServerTabs::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT shownChanged(true);
}

void ServerTabs::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    Q_EMIT shownChanged(false);
}

void ServerTabs::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        for (int index = 0; index < static_cast<int>(m_looks.size()); ++index) {
            showLook(index);
        }
    }
}

} // namespace lockscope::widgets
