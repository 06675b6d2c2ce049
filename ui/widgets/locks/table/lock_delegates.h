#pragma once

#include "core/kernel/base/time.h"
#include "ui/widgets/style/palette_colors.h"

#include <QPalette>
#include <QStyledItemDelegate>

#include <functional>

namespace lockscope::models {
struct LeaseBar;
} // namespace lockscope::models

namespace lockscope::widgets {

/// What the cells of the lock table have in common: a quiet background, tinted where a rule marks
/// the row, a hairline below, text in one line that is shortened where it does not fit, and the
/// greyed look of a lock that is gone or not confirmed. It paints directly: a styled text layout
/// per cell is what makes large tables slow.
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
        const StateColors::Mark* rule = nullptr; // of the rule that marks the row

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
    void paintBackground(const Cell& cell) const;

    mutable qint64 m_paletteKey = -1;
    mutable StateColors m_colors;
    mutable QFont m_cellFont;
    mutable QFont m_monospaced;
    mutable bool m_hasMonospaced = false;
};

/// The key in a fixed-width font, cut in the middle, behind the mark of its state; a triangle where
/// holders can be shown, and an indent for the holders.
class KeyDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

    /// Where the triangle is in a cell of this rectangle: the place to click.
    static QRect triangleRect(const QRect& cellRect, const QFontMetrics& metrics);

protected:
    void paintContents(const Cell& cell) const override;

private:
    void paintHolder(const Cell& cell) const;
    static void paintTriangle(const Cell& cell);
};

/// The owner's token in a fixed-width font, cut in the middle, and the client behind it, more
/// quietly.
class OwnerDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContents(const Cell& cell) const override;
};

/// The most urgent reason as an outlined pill in the colour of its urgency, the name of the rule
/// that marks the row, and whatever else there is to say as quiet text behind them.
class WhyDelegate : public CellDelegate {
    Q_OBJECT
public:
    using CellDelegate::CellDelegate;

protected:
    void paintContents(const Cell& cell) const override;

private:
    /// Returns where the pill ends.
    static int paintPill(const Cell& cell, const QString& text);
    /// The name of the rule that marks the row; returns what is left of `room` behind it.
    static QRect paintRule(const Cell& cell, const QRect& room);
};

/// What is left of the lease as a bar behind the number, with a tick where each of the latest
/// renewals came. It asks for the present itself, so a running countdown never touches the model.
class LeaseDelegate : public CellDelegate {
    Q_OBJECT
public:
    using NowFunction = std::function<Instant()>;

    explicit LeaseDelegate(NowFunction now, QObject* parent = nullptr);

protected:
    void paintContents(const Cell& cell) const override;

private:
    static QRect barRect(const Cell& cell);
    static void paintBar(const Cell& cell, const models::LeaseBar& bar);

    NowFunction m_now;
};

} // namespace lockscope::widgets
