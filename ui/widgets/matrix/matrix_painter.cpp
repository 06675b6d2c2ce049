#include "ui/widgets/matrix/matrix_painter.h"

#include "ui/models/formatting.h"
#include "ui/models/matrix/cell_wording.h"
#include "ui/widgets/controls/harm_mark.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>

namespace lockscope::widgets {

using models::MatrixModel;
using report::CellStanding;
using search::Harm;

namespace {

constexpr int kMarkGap = 4;
constexpr int kCellMargin = 1;
constexpr int kHeadingPadding = 3;
constexpr int kGroupGap = 2; // above the name of a group
constexpr int kLegendSpacing = 20;
constexpr double kFoldMarkScale = 0.55;
constexpr double kFoldMarkBase = 1.2; // half of its base, in halves of its height
constexpr double kHeadingScale = 0.92;
constexpr double kDimmed = 0.5;
constexpr double kDotRadius = 1.75;

constexpr std::array kExplained{CellStanding::Held, CellStanding::HeldSoFar,
                                CellStanding::NotExercised, CellStanding::Untested,
                                CellStanding::NotApplicable};

bool hasMark(const MatrixCell& cell)
{
    return cell.harm || cell.standing == CellStanding::Held
           || cell.standing == CellStanding::HeldSoFar;
}

double markSize(const QFontMetrics& metrics)
{
    return metrics.capHeight() * 1.1;
}

int contentWidth(const MatrixCell& cell, const QString& text, const QFontMetrics& metrics)
{
    const int mark = hasMark(cell) ? static_cast<int>(markSize(metrics)) + kMarkGap : 0;
    return mark + metrics.horizontalAdvance(text);
}

QColor colorOf(const MatrixCell& cell, const StateColors& colors)
{
    if (cell.harm) {
        return colorOfHarm(*cell.harm, colors);
    }
    switch (cell.standing) {
    case CellStanding::Untested: return colors.amber;
    case CellStanding::Held: return colors.green;
    default: return colors.quiet;
    }
}

void paintGround(QPainter& painter, const QRect& rect, const MatrixCell& cell,
                 const StateColors& colors)
{
    if (!cell.harm) {
        return;
    }
    const double margin = kCellMargin + 0.5;
    paintHarmGround(painter, QRectF(rect).adjusted(margin, margin, -margin, -margin), *cell.harm,
                    cell.standing == CellStanding::Harmed, colors);
}

/// Of what did not happen.
void paintUnharmedMark(QPainter& painter, const QRectF& rect, CellStanding standing,
                       const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, rect.width() / 5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const double inset = rect.width() / 8;
    const QRectF room = rect.adjusted(inset, inset, -inset, -inset);
    if (standing == CellStanding::Held) {
        painter.drawPolyline(QPolygonF({QPointF(room.left(), room.center().y()),
                                        QPointF(room.left() + room.width() * 0.38, room.bottom()),
                                        QPointF(room.right(), room.top())}));
    } else {
        painter.drawEllipse(room);
    }
    painter.restore();
}

/// Mark and text from the left edge on.
void paintContent(QPainter& painter, const QRect& rect, const MatrixCell& cell, const QString& text,
                  const QFontMetrics& metrics, const StateColors& colors)
{
    const QColor color = colorOf(cell, colors);
    QRect room = rect;
    if (hasMark(cell)) {
        const double size = markSize(metrics);
        const QRectF mark(rect.left(), rect.top() + (rect.height() - size) / 2, size, size);
        if (cell.harm) {
            paintHarmMark(painter, mark, *cell.harm, color);
        } else {
            paintUnharmedMark(painter, mark, cell.standing, color);
        }
        room.setLeft(rect.left() + static_cast<int>(size) + kMarkGap);
    }
    painter.setPen(color);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

void paintDot(QPainter& painter, const QRect& rect, const StateColors& colors)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.quiet);
    painter.drawEllipse(QPointF(rect.right() - 3.5, rect.top() + 4.5), kDotRadius, kDotRadius);
    painter.restore();
}

struct LegendEntry {
    MatrixCell cell;
    QString meaning;
};

std::vector<LegendEntry> legendEntries(const std::vector<Harm>& never)
{
    std::vector<LegendEntry> entries;
    for (const Harm harm : never) {
        MatrixCell cell;
        cell.standing = CellStanding::Harmed;
        cell.harm = harm;
        entries.push_back({cell, models::toQString(search::nameOf(harm))});
    }
    const auto addExample = [&](CellStanding standing) {
        MatrixCell cell;
        cell.standing = standing;
        cell.text = models::exampleOf(standing);
        if (standing == CellStanding::Harmed || standing == CellStanding::HarmedAnyway) {
            cell.harm = never.front();
        }
        entries.push_back({cell, models::meaningOf(standing)});
    };
    addExample(CellStanding::Harmed);
    addExample(CellStanding::HarmedAnyway);
    for (const CellStanding standing : kExplained) {
        addExample(standing);
    }
    MatrixCell other;
    other.hasOthers = true;
    entries.push_back({other, MatrixModel::tr("something else happens")});
    return entries;
}

} // namespace

MatrixCell matrixCellAt(const QModelIndex& index)
{
    MatrixCell cell;
    cell.standing = index.data(MatrixModel::StandingRole).value<CellStanding>();
    if (const int harm = index.data(MatrixModel::HarmRole).toInt(); harm >= 0) {
        cell.harm = static_cast<Harm>(harm);
    }
    cell.text = index.data().toString();
    cell.number = index.data(MatrixModel::NumberRole).toString();
    cell.hasOthers = index.data(MatrixModel::HasOthersRole).toBool();
    cell.isDimmed =
        index.model()->headerData(index.row(), Qt::Vertical, MatrixModel::IsDimmedRole).toBool();
    return cell;
}

void paintMatrixCell(QPainter& painter, const QRect& rect, const MatrixCell& cell,
                     const QFont& font, const StateColors& colors)
{
    const QFontMetrics metrics(font);
    painter.save();
    painter.setFont(font);
    painter.setOpacity(cell.isDimmed ? kDimmed : 1);
    paintGround(painter, rect, cell, colors);
    const bool isRoomy = contentWidth(cell, cell.text, metrics) + kMarkGap <= rect.width();
    const QString& text = isRoomy ? cell.text : cell.number;
    const int width = contentWidth(cell, text, metrics);
    paintContent(painter,
                 QRect(rect.left() + (rect.width() - width) / 2, rect.top(), width, rect.height()),
                 cell, text, metrics, colors);
    if (cell.hasOthers && !cell.harm) {
        paintDot(painter, rect, colors);
    }
    painter.restore();
}

QFont matrixHeadingFont(const QFont& font)
{
    QFont heading = font;
    heading.setPointSizeF(font.pointSizeF() * kHeadingScale);
    return heading;
}

QSize matrixHeadingSize(const QString& title, const QFont& font, bool isOnSide)
{
    const QFontMetrics metrics(matrixHeadingFont(font));
    if (isOnSide) {
        return {metrics.lineSpacing() + 2 * kHeadingPadding,
                metrics.horizontalAdvance(title) + 4 * kHeadingPadding};
    }
    int width = 0;
    const QStringList words = title.split(u' ');
    for (const QString& word : words) {
        width = std::max(width, metrics.horizontalAdvance(word));
    }
    return {width + 2 * kHeadingPadding,
            static_cast<int>(words.size()) * metrics.lineSpacing() + 2 * kHeadingPadding};
}

void paintMatrixHeading(QPainter& painter, const QRect& rect, const QString& title,
                        const QFont& font, const QColor& color, bool isOnSide)
{
    painter.save();
    painter.setFont(matrixHeadingFont(font));
    painter.setPen(color);
    if (isOnSide) {
        painter.translate(rect.left(), rect.bottom());
        painter.rotate(-90);
        painter.drawText(QRect(kHeadingPadding, 0, rect.height(), rect.width()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, title);
    } else {
        QString lines = title;
        lines.replace(u' ', u'\n');
        painter.drawText(rect.adjusted(0, 0, 0, -kHeadingPadding),
                         Qt::AlignHCenter | Qt::AlignBottom, lines);
    }
    painter.restore();
}

int matrixGroupHeight(const QFont& font)
{
    return QFontMetrics(matrixHeadingFont(font)).height() + kGroupGap + kHeadingPadding;
}

void paintMatrixGroup(QPainter& painter, const QRect& rect, const QString& name, const QFont& font,
                      const StateColors& colors)
{
    QFont caption = matrixHeadingFont(font);
    caption.setBold(true);
    painter.save();
    painter.setFont(caption);
    painter.setPen(colors.quiet);
    painter.drawText(rect.adjusted(0, 0, 0, -kHeadingPadding),
                     Qt::AlignLeft | Qt::AlignBottom | Qt::TextSingleLine, name.toUpper());
    painter.restore();
}

int matrixFoldMarkHeight(const QFont& font)
{
    return QFontMetrics(matrixHeadingFont(font)).height() * 2 / 3;
}

void paintFoldMark(QPainter& painter, const QRect& rect, bool isFolded, const QColor& color)
{
    const double half = std::min(rect.width(), rect.height()) * kFoldMarkScale / 2;
    const QPointF middle = QRectF(rect).center();
    const QPointF along = isFolded ? QPointF(half, 0) : QPointF(0, half);
    const QPointF across(along.y(), along.x());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({middle + along, middle - along + across * kFoldMarkBase,
                                   middle - along - across * kFoldMarkBase}));
    painter.restore();
}

void paintUnfoldedGroup(QPainter& painter, const QRect& rect, const QString& name,
                        const QFont& font, const QColor& color)
{
    const QFont heading = matrixHeadingFont(font);
    const QFontMetrics metrics(heading);
    const int mark = metrics.height();
    const int width = std::min(rect.width(), metrics.horizontalAdvance(name) + mark);
    const QRect text(rect.left() + (rect.width() - width) / 2, rect.top(), width,
                     rect.height() - kHeadingPadding);
    painter.save();
    painter.setFont(heading);
    painter.setPen(color);
    painter.drawText(text.adjusted(mark, 0, 0, 0),
                     Qt::AlignLeft | Qt::AlignBottom | Qt::TextSingleLine, name);
    paintFoldMark(painter, QRect(text.left(), text.bottom() - mark + 1, mark, mark), false, color);
    const int middle = text.bottom() - mark / 2;
    const int end = kMarkGap;
    painter.drawLine(rect.left() + end, middle, text.left() - kMarkGap, middle);
    painter.drawLine(text.right() + kMarkGap, middle, rect.right() - end, middle);
    painter.restore();
}

int layMatrixLegend(QPainter* painter, const QRect& rect, const std::vector<Harm>& never,
                    const QFont& font, const QPalette& palette)
{
    const QFontMetrics metrics(font);
    const StateColors colors = stateColorsOf(palette);
    const int lineHeight = metrics.height() + kMarkGap;
    QPoint at = rect.topLeft();
    for (const LegendEntry& entry : legendEntries(never)) {
        const int cellWidth = contentWidth(entry.cell, entry.cell.text, metrics) + 3 * kMarkGap;
        const int width = cellWidth + metrics.horizontalAdvance(entry.meaning);
        if (at.x() > rect.left() && at.x() + width > rect.right()) {
            at = {rect.left(), at.y() + lineHeight};
        }
        if (painter != nullptr) {
            const QRect line(at, QSize(width, lineHeight));
            const QRect sample(at, QSize(cellWidth - kMarkGap, lineHeight));
            if (!entry.cell.text.isEmpty()) {
                paintGround(*painter, sample, entry.cell, colors);
            }
            painter->setFont(font);
            paintContent(*painter, sample.adjusted(kMarkGap, 0, 0, 0), entry.cell, entry.cell.text,
                         metrics, colors);
            if (entry.cell.hasOthers) {
                paintDot(*painter, sample, colors);
            }
            painter->setPen(palette.color(QPalette::Text));
            painter->drawText(line.adjusted(cellWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                              entry.meaning);
        }
        at.rx() += width + kLegendSpacing;
    }
    return at.y() + lineHeight - rect.top();
}

} // namespace lockscope::widgets
