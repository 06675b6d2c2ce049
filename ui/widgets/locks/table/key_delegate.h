#pragma once

#include "ui/widgets/locks/table/cell_delegate.h"

namespace lockscope::widgets {

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

} // namespace lockscope::widgets
