#pragma once

#include <QRect>

class QPainter;
class QRegion;
class QStyleOptionViewItem;
class QTableView;

namespace lockscope::widgets {

/// Keeps one column of a table in sight: when it would be scrolled out at the left edge, it is
/// painted over the others there. Whose key a lease is has to be seen beside the lease.
class FrozenColumn {
public:
    /// `view` outlives the object.
    FrozenColumn(const QTableView& view, int column) : m_view(view), m_column(column) {}

    /// It is painted over the others now.
    bool isOverOthers() const;
    int column() const { return m_column; }
    /// Whether a position in the viewport, or in the header, belongs to it while it is over others.
    bool covers(int x) const;
    /// Where a cell of the column is, given where it would be without this.
    QRect placed(const QRect& cell) const;

    /// Paints the rows of `region` over what is there. `option`: of the view.
    void paint(QPainter& painter, const QRegion& region, QStyleOptionViewItem option) const;

private:
    const QTableView& m_view;
    int m_column;
};

} // namespace lockscope::widgets
