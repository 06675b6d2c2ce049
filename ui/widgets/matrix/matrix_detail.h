#pragma once

#include <QModelIndex>
#include <QWidget>

class QPushButton;

namespace lockscope::widgets {

class ElidedLabel;

/// What there is to say about one cell of the matrix, below the grid.
class MatrixDetail : public QWidget {
    Q_OBJECT
public:
    explicit MatrixDetail(QWidget* parent = nullptr);

    /// Invalid: what to do here.
    void showCell(const QModelIndex& cell);

Q_SIGNALS:
    void openRequested(const QModelIndex& cell);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QPersistentModelIndex m_cell;
    ElidedLabel* m_title = nullptr;
    ElidedLabel* m_text = nullptr;
    QPushButton* m_open = nullptr;
};

} // namespace lockscope::widgets
