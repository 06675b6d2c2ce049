#pragma once

#include <QHeaderView>

namespace lockscope::widgets {

/// The faults over the matrix, a line per word, or the protocols at its left. What belongs to the
/// current cell stands out.
class MatrixHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit MatrixHeader(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// The section that is being searched; -1: none.
    void setBusySection(int section);
    /// What the widest title needs.
    int widthOfTitles() const;

    QSize sizeHint() const override;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString titleOf(int section) const;
    bool isCurrent(int section) const;
    void paintProtocol(QPainter& painter, const QRect& rect, int section) const;

    int m_busySection = -1;
};

} // namespace lockscope::widgets
