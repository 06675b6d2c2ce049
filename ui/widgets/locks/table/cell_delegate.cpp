#include "ui/widgets/locks/table/cell_delegate.h"

#include "ui/models/locks/lock_table_model.h"
#include "ui/widgets/style/theme.h"

#include <QPainter>

#include <algorithm>

namespace lockscope::widgets {

using models::LockTableModel;

namespace {

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
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, colors.selection);
    }
    if (index.data(LockTableModel::IsFreshRole).toBool()) {
        painter->fillRect(option.rect, colors.hairline);
    }
    painter->fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1,
                      colors.hairline);
    const int padding = paddingOf(option.fontMetrics);
    const Cell cell{*painter,
                    option,
                    index,
                    colors,
                    option.rect.adjusted(padding, 0, -padding, -1),
                    !index.data(LockTableModel::FadeRole).toString().isEmpty(),
                    index.data(LockTableModel::IsStaleRole).toBool()};
    paintContents(cell);
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

} // namespace lockscope::widgets
