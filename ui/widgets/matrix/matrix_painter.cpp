#include "ui/widgets/matrix/matrix_painter.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPolygonF>

#include <array>

namespace lockscope::widgets {

using models::MatrixModel;
using Standing = MatrixModel::Standing;

namespace {

constexpr int kMarkGap = 4;
constexpr int kCellMargin = 1;
constexpr double kCorner = 3;
constexpr int kHeadingPadding = 3;
constexpr int kLegendSpacing = 20;
constexpr double kHeadingScale = 0.92;

constexpr std::array kExplained{Standing::Broken,   Standing::BrokenAnyway,
                                Standing::Held,     Standing::HeldSoFar,
                                Standing::Untested, Standing::NotApplicable};

bool hasMark(Standing standing)
{
    return standing != Standing::Unknown && standing != Standing::Untested
           && standing != Standing::NotApplicable;
}

double markSize(const QFontMetrics& metrics)
{
    return metrics.capHeight() * 0.95;
}

int contentWidth(const MatrixCell& cell, const QFontMetrics& metrics)
{
    const int mark = hasMark(cell.standing) ? static_cast<int>(markSize(metrics)) + kMarkGap : 0;
    return mark + metrics.horizontalAdvance(cell.text);
}

QColor faint(QColor color)
{
    color.setAlphaF(0.5F);
    return color;
}

/// What was not promised speaks less loudly.
QColor tintOf(Standing standing, const StateColors& colors)
{
    switch (standing) {
    case Standing::Broken: return colors.redTint;
    case Standing::Untested:
    case Standing::BrokenAnyway: return faint(colors.amberTint);
    default: return {};
    }
}

/// Mark and text from the left edge on.
void paintContent(QPainter& painter, const QRect& rect, const MatrixCell& cell,
                  const QFontMetrics& metrics, const StateColors& colors)
{
    const QColor color = colorOf(cell.standing, colors);
    QRect room = rect;
    if (hasMark(cell.standing)) {
        const double size = markSize(metrics);
        const double middle = rect.top() + rect.height() / 2.0;
        paintMatrixMark(painter, {double(rect.left()), middle - size / 2, size, size},
                        cell.standing, color);
        room.setLeft(rect.left() + static_cast<int>(size) + kMarkGap);
    }
    painter.setPen(color);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, cell.text);
}

} // namespace

QColor colorOf(Standing standing, const StateColors& colors)
{
    switch (standing) {
    case Standing::Broken: return colors.red;
    case Standing::Untested:
    case Standing::BrokenAnyway: return colors.amber;
    case Standing::Held: return colors.green;
    case Standing::HeldSoFar:
    case Standing::Unknown:
    case Standing::NotApplicable: break;
    }
    return colors.quiet;
}

void paintMatrixMark(QPainter& painter, const QRectF& rect, Standing standing, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, rect.width() / 5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const double inset = rect.width() / 10;
    const QRectF room = rect.adjusted(inset, inset, -inset, -inset);
    switch (standing) {
    case Standing::Broken:
        painter.drawLine(room.topLeft(), room.bottomRight());
        painter.drawLine(room.topRight(), room.bottomLeft());
        break;
    case Standing::BrokenAnyway:
        painter.drawPolygon(QPolygonF({QPointF(room.center().x(), room.top()), room.bottomRight(),
                                       room.bottomLeft()}));
        break;
    case Standing::Held:
        painter.drawPolyline(QPolygonF({QPointF(room.left(), room.center().y()),
                                        QPointF(room.left() + room.width() * 0.38, room.bottom()),
                                        QPointF(room.right(), room.top())}));
        break;
    case Standing::HeldSoFar: painter.drawEllipse(room); break;
    case Standing::Untested:
    case Standing::Unknown:
    case Standing::NotApplicable: break;
    }
    painter.restore();
}

void paintMatrixCell(QPainter& painter, const QRect& rect, const MatrixCell& cell,
                     const QFont& font, const StateColors& colors)
{
    const QFontMetrics metrics(font);
    painter.save();
    painter.setFont(font);
    if (const QColor tint = tintOf(cell.standing, colors); tint.isValid()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawRoundedRect(QRectF(rect).adjusted(kCellMargin, kCellMargin, -kCellMargin,
                                                      -kCellMargin),
                                kCorner, kCorner);
    }
    const int width = contentWidth(cell, metrics);
    paintContent(painter,
                 QRect(rect.left() + (rect.width() - width) / 2, rect.top(), width, rect.height()),
                 cell, metrics, colors);
    painter.restore();
}

QFont matrixHeadingFont(const QFont& font)
{
    QFont heading = font;
    heading.setPointSizeF(font.pointSizeF() * kHeadingScale);
    return heading;
}

QSize matrixHeadingSize(const QString& title, const QFont& font)
{
    const QFontMetrics metrics(matrixHeadingFont(font));
    int width = 0;
    const QStringList words = title.split(u' ');
    for (const QString& word : words) {
        width = std::max(width, metrics.horizontalAdvance(word));
    }
    return {width + 2 * kHeadingPadding,
            static_cast<int>(words.size()) * metrics.lineSpacing() + 2 * kHeadingPadding};
}

void paintMatrixHeading(QPainter& painter, const QRect& rect, const QString& title,
                        const QFont& font, const QColor& color)
{
    painter.save();
    painter.setFont(matrixHeadingFont(font));
    painter.setPen(color);
    QString lines = title;
    lines.replace(u' ', u'\n');
    painter.drawText(rect.adjusted(0, 0, 0, -kHeadingPadding), Qt::AlignHCenter | Qt::AlignBottom,
                     lines);
    painter.restore();
}

int layMatrixLegend(QPainter* painter, const QRect& rect, const QFont& font,
                    const QPalette& palette)
{
    const QFontMetrics metrics(font);
    const StateColors colors = stateColorsOf(palette);
    const int lineHeight = metrics.height() + kMarkGap;
    QPoint at = rect.topLeft();
    for (const Standing standing : kExplained) {
        const MatrixCell cell{standing, models::exampleOf(standing)};
        const QString meaning = models::meaningOf(standing);
        const int cellWidth = contentWidth(cell, metrics) + 2 * kMarkGap;
        const int width = cellWidth + metrics.horizontalAdvance(meaning);
        if (at.x() > rect.left() && at.x() + width > rect.right()) {
            at = {rect.left(), at.y() + lineHeight};
        }
        if (painter != nullptr) {
            const QRect line(at, QSize(width, lineHeight));
            painter->setFont(font);
            paintContent(*painter, line, cell, metrics, colors);
            painter->setPen(palette.color(QPalette::Text));
            painter->drawText(line.adjusted(cellWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              meaning);
        }
        at.rx() += width + kLegendSpacing;
    }
    return at.y() + lineHeight - rect.top();
}

} // namespace lockscope::widgets
