#include "ui/widgets/locks/table/lock_delegates.h"

#include "ui/models/formatting.h"
#include "ui/models/locks/lease_bar.h"
#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/controls/state_mark.h"
#include "ui/widgets/style/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace lockscope::widgets {

using models::LeaseBar;
using models::LockTableModel;

namespace {

constexpr int kRuleBar = 4; // at the left of what a rule marks

/// The width that every digit takes, or 0 when they all take the same anyway.
int digitWidthOf(const QFontMetrics& metrics)
{
    int widest = 0;
    bool isTabular = true;
    for (char16_t digit = u'0'; digit <= u'9'; ++digit) {
        const int width = metrics.horizontalAdvance(QChar(digit));
        isTabular = isTabular && (widest == 0 || width == widest);
        widest = std::max(widest, width);
    }
    return isTabular ? 0 : widest;
}

void drawFromTheRight(QPainter& painter, const QRect& rect, const QString& text, int digitWidth)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const int baseline = rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) / 2;
    int right = rect.right() + 1;
    for (qsizetype i = text.size() - 1; i >= 0; --i) {
        const int advance = metrics.horizontalAdvance(text[i]);
        const int width = text[i].isDigit() ? digitWidth : advance;
        right -= width;
        painter.drawText(right + (width - advance) / 2, baseline, text.mid(i, 1));
    }
}

int markSizeOf(const QFontMetrics& metrics)
{
    return std::max(8, metrics.ascent() * 3 / 4);
}

QRect markRect(const QRect& cellRect, const QFontMetrics& metrics)
{
    const int size = markSizeOf(metrics);
    return {cellRect.left() + CellDelegate::paddingOf(metrics), cellRect.center().y() - size / 2,
            size, size};
}

/// Whether the text of the row is a token rather than words about it.
bool showsToken(const inspect::LockRecord& record, int holder)
{
    return holder < 0 ? models::isOwnerKnown(record)
                      : !record.holders[static_cast<std::size_t>(holder)].owner.empty();
}

QFont pillFontOf(const QFont& cellFont)
{
    QFont font = cellFont;
    font.setPointSizeF(cellFont.pointSizeF() * 0.9);
    return font;
}

} // namespace

CellDelegate::CellDelegate(QObject* parent) : QStyledItemDelegate(parent)
{}

int CellDelegate::paddingOf(const QFontMetrics& metrics)
{
    return std::max(4, metrics.averageCharWidth());
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const StateColors& colors = colorsOf(option.palette);
    const int padding = paddingOf(option.fontMetrics);
    const QVariant rule = index.data(LockTableModel::RuleColorRole);
    const Cell cell{*painter,
                    option,
                    index,
                    colors,
                    option.rect.adjusted(padding, 0, -padding, -1),
                    !index.data(LockTableModel::FadeRole).toString().isEmpty(),
                    index.data(LockTableModel::IsStaleRole).toBool(),
                    rule.isValid() ? &colors.ofRule(static_cast<models::RuleColor>(rule.toInt()))
                                   : nullptr};
    paintBackground(cell);
    paintContents(cell);
}

void CellDelegate::paintBackground(const Cell& cell) const
{
    const QRect& rect = cell.option.rect;
    if (cell.option.state.testFlag(QStyle::State_Selected)) {
        cell.painter.fillRect(rect, cell.colors.selection);
    } else if (cell.rule != nullptr) {
        cell.painter.fillRect(rect, cell.rule->tint);
    }
    if (cell.index.data(LockTableModel::IsFreshRole).toBool()) {
        cell.painter.fillRect(rect, cell.colors.hairline);
    }
    cell.painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, cell.colors.hairline);
}

QColor CellDelegate::Cell::textColor() const
{
    if (isGone) {
        return mixed(colors.quiet, option.palette.color(QPalette::Base), 0.8);
    }
    return isStale ? colors.quiet : option.palette.color(QPalette::Text);
}

void CellDelegate::paintContents(const Cell& cell) const
{
    const QString text = cell.index.data().toString();
    const auto alignment = cell.index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    const bool isUnknown = text == u"?" || text == u"–";
    const QColor color = isUnknown ? cell.colors.quiet : cell.textColor();
    if (alignment.testFlag(Qt::AlignRight)) {
        drawNumber(cell, cell.contents, text, color);
    } else {
        // Addresses differ at their end.
        const bool isServer = cell.index.column() == LockTableModel::ServerColumn;
        drawText(cell, cell.contents, text, cell.option.font, color, alignment,
                 isServer ? Qt::ElideLeft : Qt::ElideRight);
    }
}

void CellDelegate::drawText(const Cell& cell, const QRect& rect, const QString& text,
                            const QFont& font, const QColor& color, Qt::Alignment alignment,
                            Qt::TextElideMode mode)
{
    if (text.isEmpty() || rect.width() <= 0) {
        return;
    }
    cell.painter.setFont(font);
    cell.painter.setPen(color);
    const QFontMetrics metrics(font);
    // Measuring is the dear part, and most texts are far from filling their cell.
    const bool surelyFits = text.size() * metrics.maxWidth() <= rect.width();
    const QString shown = surelyFits ? text : metrics.elidedText(text, mode, rect.width());
    cell.painter.drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter | Qt::TextSingleLine),
                          shown);
}

void CellDelegate::drawNumber(const Cell& cell, const QRect& rect, const QString& text,
                              const QColor& color)
{
    const QFontMetrics metrics(cell.option.font);
    const int digitWidth = digitWidthOf(metrics);
    if (digitWidth == 0 || metrics.horizontalAdvance(text) + text.size() * 2 > rect.width()) {
        drawText(cell, rect, text, cell.option.font, color, Qt::AlignRight, Qt::ElideRight);
        return;
    }
    cell.painter.setFont(cell.option.font);
    cell.painter.setPen(color);
    drawFromTheRight(cell.painter, rect, text, digitWidth);
}

const QFont& CellDelegate::monospaced(const QFont& cellFont) const
{
    if (!m_hasMonospaced || m_cellFont != cellFont) {
        m_hasMonospaced = true;
        m_cellFont = cellFont;
        m_monospaced = monospacedFont();
    }
    return m_monospaced;
}

const StateColors& CellDelegate::colorsOf(const QPalette& palette) const
{
    if (m_paletteKey != palette.cacheKey()) {
        m_paletteKey = palette.cacheKey();
        m_colors = stateColorsOf(palette);
    }
    return m_colors;
}

QRect KeyDelegate::triangleRect(const QRect& cellRect, const QFontMetrics& metrics)
{
    const int width = metrics.height();
    return {cellRect.right() - width, cellRect.top(), width, cellRect.height()};
}

void KeyDelegate::paintContents(const Cell& cell) const
{
    if (cell.rule != nullptr) {
        const QRect& rect = cell.option.rect;
        cell.painter.fillRect(rect.left(), rect.top(), kRuleBar, rect.height() - 1,
                              cell.rule->color);
    }
    if (cell.index.data(LockTableModel::HolderIndexRole).toInt() >= 0) {
        paintHolder(cell);
        return;
    }
    const QFontMetrics& metrics = cell.option.fontMetrics;
    const auto state =
        static_cast<inspect::LockState>(cell.index.data(LockTableModel::StateRole).toInt());
    const int severity = cell.index.data(LockTableModel::SeverityRole).toInt();
    const QRect mark = markRect(cell.option.rect, metrics);
    const QColor color = colorOfState(state, severity, cell.colors);
    if (cell.isGone) {
        cell.painter.fillRect(QRect(mark.left(), mark.center().y(), mark.width(), 2),
                              cell.textColor());
    } else {
        paintStateMark(cell.painter, mark, state, color);
    }
    QRect room = cell.contents;
    room.setLeft(mark.right() + paddingOf(metrics) + 2);
    if (cell.index.data(LockTableModel::IsExpandableRole).toBool()) {
        paintTriangle(cell);
        room.setRight(triangleRect(cell.option.rect, metrics).left());
    }
    QFont font = monospaced(cell.option.font);
    font.setStrikeOut(cell.isGone);
    drawText(cell, room, cell.index.data().toString(), font, cell.textColor(), Qt::AlignLeft,
             Qt::ElideMiddle);
}

void KeyDelegate::paintHolder(const Cell& cell) const
{
    const QRect mark = markRect(cell.option.rect, cell.option.fontMetrics);
    QRect room = cell.contents;
    room.setLeft(mark.right() + paddingOf(cell.option.fontMetrics) + mark.width());
    drawText(cell, room, cell.index.data().toString(), cell.option.font, cell.colors.quiet,
             Qt::AlignLeft, Qt::ElideRight);
}

void KeyDelegate::paintTriangle(const Cell& cell)
{
    const QRect room = triangleRect(cell.option.rect, cell.option.fontMetrics);
    const double half = cell.option.fontMetrics.ascent() / 3.0;
    const QPointF c = QRectF(room).center();
    const bool isExpanded = cell.index.data(LockTableModel::IsExpandedRole).toBool();
    const QPolygonF shape = isExpanded ? QPolygonF({QPointF(c.x() - half, c.y() - half / 2),
                                                    QPointF(c.x() + half, c.y() - half / 2),
                                                    QPointF(c.x(), c.y() + half / 2)})
                                       : QPolygonF({QPointF(c.x() - half / 2, c.y() - half),
                                                    QPointF(c.x() + half / 2, c.y()),
                                                    QPointF(c.x() - half / 2, c.y() + half)});
    cell.painter.save();
    cell.painter.setRenderHint(QPainter::Antialiasing);
    cell.painter.setPen(Qt::NoPen);
    cell.painter.setBrush(cell.colors.quiet);
    cell.painter.drawPolygon(shape);
    cell.painter.restore();
}

void OwnerDelegate::paintContents(const Cell& cell) const
{
    const auto record = cell.index.data(LockTableModel::RecordRole).value<inspect::LockPtr>();
    const int holder = cell.index.data(LockTableModel::HolderIndexRole).toInt();
    const QString text = cell.index.data().toString();
    if (record == nullptr || !showsToken(*record, holder)) {
        drawText(cell, cell.contents, text, cell.option.font, cell.colors.quiet, Qt::AlignLeft,
                 Qt::ElideRight);
        return;
    }
    const QString client = cell.index.data(LockTableModel::SecondaryTextRole).toString();
    const QFont& font = monospaced(cell.option.font);
    if (client.isEmpty()) {
        drawText(cell, cell.contents, text, font, cell.textColor(), Qt::AlignLeft, Qt::ElideMiddle);
        return;
    }
    // The client is what a person recognises: it keeps its room, and the token gives way.
    const QFontMetrics metrics(font);
    const int gap = metrics.averageCharWidth();
    const int clientWidth = cell.option.fontMetrics.horizontalAdvance(client) + 2; // rounding
    const int tokenAtLeast = std::min(metrics.horizontalAdvance(text),
                                      7 * metrics.averageCharWidth());
    const int tokenRoom = std::max(cell.contents.width() - gap - clientWidth, tokenAtLeast);
    const QString token = metrics.elidedText(text, Qt::ElideMiddle, tokenRoom);
    drawText(cell, cell.contents, token, font, cell.textColor(), Qt::AlignLeft, Qt::ElideRight);
    QRect rest = cell.contents;
    rest.setLeft(rest.left() + metrics.horizontalAdvance(token) + gap);
    drawText(cell, rest, client, cell.option.font, cell.colors.quiet, Qt::AlignLeft,
             Qt::ElideRight);
}

void WhyDelegate::paintContents(const Cell& cell) const
{
    const QString reason = cell.index.data().toString();
    QRect rest = cell.contents;
    if (!reason.isEmpty()) {
        rest.setLeft(paintPill(cell, reason) + paddingOf(cell.option.fontMetrics));
    }
    if (cell.rule != nullptr) {
        rest = paintRule(cell, rest);
    }
    drawText(cell, rest, cell.index.data(LockTableModel::SecondaryTextRole).toString(),
             cell.option.font, cell.colors.quiet, Qt::AlignLeft, Qt::ElideRight);
}

int WhyDelegate::paintPill(const Cell& cell, const QString& text)
{
    const QFont font = pillFontOf(cell.option.font);
    const QFontMetrics metrics(font);
    const int padding = metrics.height() / 2;
    const int width = std::min(metrics.horizontalAdvance(text) + 2 * padding + 2,
                               cell.contents.width());
    const int height = metrics.height() + 2;
    const QRect pill(cell.contents.left(), cell.contents.center().y() - height / 2, width, height);
    const int severity = cell.index.data(LockTableModel::SeverityRole).toInt();
    const QColor color = cell.isGone ? cell.textColor() : cell.colors.ofSeverity(severity);
    cell.painter.save();
    cell.painter.setRenderHint(QPainter::Antialiasing);
    cell.painter.setPen(QPen(color, 1));
    cell.painter.setBrush(Qt::NoBrush);
    cell.painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), height / 2.0,
                                 height / 2.0);
    cell.painter.restore();
    drawText(cell, pill.adjusted(padding, 0, -padding, 0), text, font, color, Qt::AlignHCenter,
             Qt::ElideRight);
    return pill.right();
}

QRect WhyDelegate::paintRule(const Cell& cell, const QRect& room)
{
    const QString name = cell.index.data(LockTableModel::RuleNameRole).toString();
    const QFont font = pillFontOf(cell.option.font);
    const int padding = paddingOf(cell.option.fontMetrics);
    const int width = std::min(QFontMetrics(font).horizontalAdvance(name) + kRuleBar + padding + 2,
                               room.width());
    if (name.isEmpty() || width < 4 * padding) {
        return room; // the tooltip has it
    }
    QRect label = room;
    label.setWidth(width);
    const int inset = std::max(4, label.height() / 5);
    cell.painter.fillRect(label.left(), label.top() + inset, kRuleBar, label.height() - 2 * inset,
                          cell.rule->color);
    drawText(cell, label.adjusted(kRuleBar + padding / 2, 0, 0, 0), name, font, cell.rule->color,
             Qt::AlignLeft, Qt::ElideRight);
    return room.adjusted(width + padding, 0, 0, 0);
}

LeaseDelegate::LeaseDelegate(NowFunction now, QObject* parent)
    : CellDelegate(parent),
      m_now(std::move(now))
{}

void LeaseDelegate::paintContents(const Cell& cell) const
{
    const auto record = cell.index.data(LockTableModel::RecordRole).value<inspect::LockPtr>();
    if (record == nullptr) {
        return;
    }
    const int holder = cell.index.data(LockTableModel::HolderIndexRole).toInt();
    const QRect textRect = barRect(cell).adjusted(0, 0, -paddingOf(cell.option.fontMetrics), 0);
    if (cell.isGone) {
        drawNumber(cell, textRect, cell.index.data().toString(), cell.textColor());
        return;
    }
    const Instant now = m_now();
    const auto end = cell.index.data(LockTableModel::ExpiresAtRole).value<std::optional<Instant>>();
    const LeaseBar bar = models::leaseBarOf(*record, holder, now);
    paintBar(cell, bar);
    const QColor color = bar.kind == LeaseBar::Kind::Never     ? cell.colors.red
                         : bar.kind == LeaseBar::Kind::Overdue ? cell.colors.amber
                                                               : cell.textColor();
    drawNumber(cell, textRect, models::expiresText(end, now), color);
}

QRect LeaseDelegate::barRect(const Cell& cell)
{
    const int inset = std::max(3, cell.option.rect.height() / 7);
    return cell.contents.adjusted(0, inset, 0, -inset);
}

void LeaseDelegate::paintBar(const Cell& cell, const LeaseBar& bar)
{
    const QRect rect = barRect(cell);
    const QColor fill = cell.isStale                          ? cell.colors.hairline
                        : bar.kind == LeaseBar::Kind::Overdue ? cell.colors.amberTint
                                                              : cell.colors.greenTint;
    cell.painter.fillRect(rect, cell.colors.track);
    QRect filled = rect;
    filled.setWidth(static_cast<int>(std::lround(bar.fraction * rect.width())));
    cell.painter.fillRect(filled, fill);
    const int tickHeight = std::max(3, rect.height() / 4);
    for (std::size_t i = 0; i < bar.tickCount; ++i) {
        const int x = rect.left()
                      + static_cast<int>(std::lround(bar.ticks[i] * (rect.width() - 1)));
        cell.painter.fillRect(x, rect.bottom() + 1 - tickHeight, 1, tickHeight,
                              cell.isStale ? cell.colors.quiet : cell.colors.green);
    }
}

} // namespace lockscope::widgets
