#pragma once

#include "core/kernel/inspect/lock_record.h"
#include "ui/widgets/locks/table/frozen_column.h"

#include <QTableView>
#include <QTimer>

#include <optional>
#include <vector>

class QAction;

namespace lockscope::models {
class LockTableModel;
} // namespace lockscope::models

namespace lockscope::widgets {

class LockColumns;
class LockTableHeader;

/// The lock table. The current lock is remembered by its id: it stays the current one while rows
/// move, while a filter hides it, and when it is taken again after it was gone.
class LockTableView : public QTableView {
    Q_OBJECT
public:
    /// `model` outlives the view.
    explicit LockTableView(models::LockTableModel& model, QWidget* parent = nullptr);

    /// The lock the user chose, as it is now; null when none is chosen or it is not in the table.
    inspect::LockPtr currentLock() const;
    void setCurrentLock(const inspect::LockId& id);
    /// All that are selected, from the top. The current one need not be among them.
    std::vector<inspect::LockPtr> selectedLocks() const;
    /// What the user chose, whether it is in the table or not.
    const std::optional<inspect::LockId>& chosenId() const { return m_currentId; }
    /// True when the filter hides what the user chose.
    bool isChosenHidden() const;
    /// The keyboard comes here, to the chosen lock; where none is in the table, to the first one.
    void takeKeyboard();
    /// Another server is watched now: what was chosen before is chosen no more.
    void forgetCurrentLock();

    LockColumns& columns() { return *m_columns; }

    /// The term of a filter that finds locks like the one of this cell; empty where there is none.
    QString alikeFilter(const QModelIndex& cell) const;

    /// "Copy key", "Copy owner", "Copy row", "Copy as JSON", for a context menu. Their shortcuts
    /// work while the table has the focus.
    QList<QAction*> copyActions() const { return m_copyActions; }

    QModelIndex indexAt(const QPoint& position) const override;
    QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

Q_SIGNALS:
    /// The user chose another lock, or the chosen one changed or went. Null: none is chosen, or it
    /// is gone, or the filter hides it.
    void currentLockChanged(const lockscope::inspect::LockPtr& lock);
    /// Others than before are selected.
    void selectedLocksChanged();
    /// Enter or a double click.
    void detailsRequested(const lockscope::inspect::LockId& id);
    /// The context menu key or a right click on this cell; the position is global.
    void contextRequested(const QModelIndex& cell, const QPoint& position);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected,
                          const QItemSelection& deselected) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles = {}) override;
    void rowsInserted(const QModelIndex& parent, int first, int last) override;
    void rowsAboutToBeRemoved(const QModelIndex& parent, int first, int last) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setUpLook();
    void setUpHeaders();
    void setUpDelegates();
    void setUpCopying();
    QAction* addCopyAction(const QString& text, QString (LockTableView::*textToCopy)() const);

    void fitMetrics();
    void tick();
    void repaintColumn(int column);
    void restoreCurrentRow();
    void tellCurrentLock();

    bool expandOrCollapse(int key);
    bool toggleTriangleAt(const QPoint& position);

    QString keyToCopy() const;
    QString ownerToCopy() const;
    QString rowToCopy() const;
    QString jsonToCopy() const;

    models::LockTableModel& m_model;
    LockTableHeader* m_header;
    FrozenColumn m_frozenKey;
    LockColumns* m_columns = nullptr;
    QTimer m_timer;
    QList<QAction*> m_copyActions;
    std::optional<inspect::LockId> m_currentId;
    inspect::LockPtr m_toldLock; // what currentLockChanged() said last
    std::optional<inspect::LockId> m_toldId;
    bool m_isCurrentLeaving = false; // the current row is going away; the user did not choose that
};

} // namespace lockscope::widgets
