#include "ui/widgets/shell/server_badge.h"

#include "ui/widgets/controls/status_wording.h"
#include "ui/widgets/style/tones.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace lockscope::widgets {

namespace {

constexpr int kMargin = 10;
constexpr int kGap = 6;
constexpr int kBadgePadding = 6;

struct BadgeColors {
    QColor fill;
    QColor edge;
    QColor text;
};

void drawBadge(QPainter& painter, const QRect& rect, const QString& text, const BadgeColors& colors)
{
    painter.setPen(colors.edge.isValid() ? QPen(colors.edge) : QPen(Qt::NoPen));
    painter.setBrush(colors.fill.isValid() ? QBrush(colors.fill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(colors.text);
    painter.drawText(rect, Qt::AlignCenter, text);
}

} // namespace

ServerBadge::ServerBadge(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    showServers({});
}

void ServerBadge::showServers(const std::vector<store::Endpoint>& endpoints)
{
    m_environment.clear();
    m_isReadOnly = !endpoints.empty();
    for (const store::Endpoint& endpoint : endpoints) {
        m_isReadOnly = m_isReadOnly && endpoint.isReadOnly;
        if (m_environment.isEmpty()) {
            m_environment = QString::fromStdString(endpoint.environment);
        }
    }
    m_isOpen = !endpoints.empty();
    m_server = m_isOpen ? serversWording(endpoints) : tr("not connected");
    showName();
}

void ServerBadge::showWriteLimit(const QString& text)
{
    if (m_writeLimit != text) {
        m_writeLimit = text;
        showName();
    }
}

void ServerBadge::showName()
{
    QString name = m_server;
    if (!m_environment.isEmpty()) {
        name.prepend(m_environment + u", ");
    }
    if (const QString access = accessText(); !access.isEmpty()) {
        name.append(u", " + access);
    }
    setAccessibleName(name);
    setToolTip(m_isOpen ? name : tr("Connect…"));
    updateGeometry();
    update();
}

QString ServerBadge::accessText() const
{
    return m_isReadOnly ? tr("read-only") : m_writeLimit;
}

QFont ServerBadge::badgeFont() const
{
    QFont font = this->font();
    font.setPointSizeF(font.pointSizeF() * 0.88);
    font.setBold(true);
    return font;
}

int ServerBadge::badgeWidth(const QString& text) const
{
    return QFontMetrics(badgeFont()).horizontalAdvance(text) + 2 * kBadgePadding;
}

QSize ServerBadge::sizeHint() const
{
    int width = 2 * kMargin + fontMetrics().horizontalAdvance(m_server) + 2; // rounding
    if (!m_environment.isEmpty()) {
        width += badgeWidth(m_environment) + kGap;
    }
    if (const QString access = accessText(); !access.isEmpty()) {
        width += badgeWidth(access) + kGap;
    }
    return {width, fontMetrics().height() + 12};
}

QSize ServerBadge::minimumSizeHint() const
{
    return {sizeHint().width() - fontMetrics().horizontalAdvance(m_server)
                + fontMetrics().averageCharWidth()
                      * std::min<int>(12, static_cast<int>(m_server.size())),
            sizeHint().height()};
}

void ServerBadge::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(hasFocus() ? QPalette::Link : QPalette::Mid));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);

    const int badgeHeight = QFontMetrics(badgeFont()).height() + 2;
    const int badgeTop = (height() - badgeHeight) / 2;
    QRect space = rect().adjusted(kMargin, 0, -kMargin, 0);
    painter.setFont(badgeFont());
    if (!m_environment.isEmpty()) {
        const QRect badge(space.left(), badgeTop, badgeWidth(m_environment), badgeHeight);
        const QColor color = environmentColor(m_environment);
        if (color.isValid()) {
            drawBadge(painter, badge, m_environment, {color, QColor(), Qt::white});
        } else {
            const QColor quiet = palette().color(QPalette::PlaceholderText);
            drawBadge(painter, badge, m_environment,
                      {QColor(), quiet, palette().color(QPalette::Text)});
        }
        space.setLeft(badge.right() + 1 + kGap);
    }
    if (const QString access = accessText(); !access.isEmpty()) {
        const int width = badgeWidth(access);
        const QRect badge(space.right() + 1 - width, badgeTop, width, badgeHeight);
        const QColor edge = m_isReadOnly ? palette().color(QPalette::PlaceholderText)
                                         : severityColor(1, palette());
        drawBadge(painter, badge, access, {QColor(), edge, palette().color(QPalette::Text)});
        space.setRight(badge.left() - 1 - kGap);
    }
    painter.setFont(font());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(space, Qt::AlignVCenter | Qt::AlignLeft,
                     fontMetrics().elidedText(m_server, Qt::ElideRight, space.width()));
}

void ServerBadge::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) {
        Q_EMIT clicked();
    }
}

void ServerBadge::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) {
        Q_EMIT clicked();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace lockscope::widgets
