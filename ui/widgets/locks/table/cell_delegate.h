#pragma once

#include "ui/widgets/style/palette_colors.h"

#include <QPalette>
#include <QStyledItemDelegate>

namespace lockscope::widgets {

/// What the cells of the lock table have in common: a quiet background, a hairline below, text in
/// one line that is shortened where it does not fit, and the greyed look of a lock that is gone or
/// not confirmed. It paints directly: a styled text layout per cell is what makes large tables
/// slow.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit CellDelegate(QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const final;

    /// The room between the edge of a cell and its contents.
    static int paddingOf(const QFontMetrics& metrics);

protected:
    /// A cell about to be painted.
    struct Cell {
        QPainter& painter;
        const QStyleOptionViewItem& option;
        const QModelIndex& index;
        const StateColors& colors;
        QRect contents;
        bool isGone = false;
        bool isStale = false;

        QColor textColor() const;
    };

    /// Paints the contents; the background is there already.
    virtual void paintContents(const Cell& cell) const;

    /// Text in one line, vertically centred, cut in `mode`; digits all take the same width when
    /// `isNumber`.
    static void drawText(const Cell& cell, const QRect& rect, const QString& text,
                         const QFont& font, const QColor& color, Qt::Alignment alignment,
                         Qt::TextElideMode mode);
    static void drawNumber(const Cell& cell, const QRect& rect, const QString& text,
                           const QColor& color);

    /// The font for keys and tokens, in a size that goes with the font of the cell.
    const QFont& monospaced(const QFont& cellFont) const;

private:
    const StateColors& colorsOf(const QPalette& palette) const;

    mutable qint64 m_paletteKey = -1;
    mutable StateColors m_colors;
    mutable QFont m_cellFont;
    mutable QFont m_monospaced;
    mutable bool m_hasMonospaced = false;
};

} // namespace lockscope::widgets
