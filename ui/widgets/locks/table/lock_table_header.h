#pragma once

#include <QHeaderView>

namespace lockscope::widgets {

class FrozenColumn;

/// The titles of the columns, flat and quiet, standing exactly over the texts of the cells.
class LockTableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit LockTableHeader(QWidget* parent = nullptr);

    /// What the whole title needs, without the arrow.
    int titleWidth(int column) const;

    /// The title of this column stays with it. Outlives the header.
    void setFrozen(const FrozenColumn* frozen) { m_frozen = frozen; }

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    int arrowWidth() const;
    void paintArrow(QPainter& painter, const QRect& rect) const;
    void sortByFrozen();

    const FrozenColumn* m_frozen = nullptr;
};

} // namespace lockscope::widgets
