#pragma once

#include "ui/models/matrix/matrix_model.h"

#include <QTableView>

namespace lockscope::widgets {

/// The matrix as a grid that takes the room there is. A click on a cell or Enter opens it. A click
/// on the heading of a group of faults, or Space in one of its columns, folds or unfolds it.
class MatrixView : public QTableView {
    Q_OBJECT
public:
    explicit MatrixView(models::MatrixModel& matrix, QWidget* parent = nullptr);

    /// The row that is being searched; -1: none.
    void setBusyRow(int row);

    /// The rectangle of the cell alone, without the name of a group above it.
    QRect visualRect(const QModelIndex& index) const override;
    /// Invalid on the name of a group.
    QModelIndex indexAt(const QPoint& point) const override;

Q_SIGNALS:
    /// One in which something broke.
    void cellChosen(const QModelIndex& index);
    /// The cell that the pointer or the keyboard came to.
    void cellLookedAt(const QModelIndex& index);
    /// The group is to be folded, or to be unfolded if it is folded.
    void groupToggled(lockscope::world::FaultGroup group);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    class Header;

    void toggle(int column);
    void choose(const QModelIndex& index);
    void lookAt(const QModelIndex& index);
    void fit();
    void fitRows();

    Header* m_faults = nullptr;
    Header* m_protocols = nullptr;
};

} // namespace lockscope::widgets
