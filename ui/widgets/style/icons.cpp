#include "ui/widgets/style/icons.h"

#include "ui/models/user_files.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

/// The library is static: without this the linker would drop the resources. Has to be outside of
/// any namespace.
static void initResources()
{
    Q_INIT_RESOURCE(app);
}

namespace lockscope::widgets {

using namespace Qt::StringLiterals;

namespace {

QByteArray readIcon(QStringView name)
{
    initResources();
    return models::resourceBytes(u":/icons/"_s + name + u".svg"_s);
}

class TintedIconEngine : public QIconEngine {
public:
    explicit TintedIconEngine(QByteArray svg) : m_svg(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
               QIcon::State /*state*/) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor color = QGuiApplication::palette().color(group, QPalette::ButtonText);
        QByteArray colored = m_svg;
        QSvgRenderer renderer(colored.replace("currentColor", color.name().toLatin1()));
        renderer.render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new TintedIconEngine(m_svg); }

private:
    QByteArray m_svg;
};

} // namespace

QIcon tintedIcon(QStringView name)
{
    return QIcon(new TintedIconEngine(readIcon(name)));
}

QIcon applicationIcon()
{
    initResources();
    return QIcon(u":/icons/lockscope.svg"_s);
}

} // namespace lockscope::widgets
