#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <QTableView>
#include <QTimer>

#include <optional>

class QAction;

namespace lockscope::models {
class LockTableModel;
struct ColumnSizing;
} // namespace lockscope::models

namespace lockscope::widgets {

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
    /// What the user chose, whether it is in the table or not.
    const std::optional<inspect::LockId>& chosenId() const { return m_currentId; }
    /// True when the filter hides what the user chose.
    bool isChosenHidden() const;
    /// Another server is watched now: what was chosen before is chosen no more.
    void forgetCurrentLock();

    /// Which columns are shown, how wide, in which order, and what they are sorted by.
    QByteArray saveState() const;
    /// False, and nothing changed, when the bytes are not from saveState().
    bool restoreState(const QByteArray& state);
    void resetColumns();

    /// "Copy key", "Copy owner", "Copy row", "Copy as JSON", for a context menu. Their shortcuts
    /// work while the table has the focus.
    QList<QAction*> copyActions() const { return m_copyActions; }

Q_SIGNALS:
    /// The user chose another lock, or the chosen one changed or went. Null: none is chosen, or it
    /// is gone, or the filter hides it.
    void currentLockChanged(const lockscope::inspect::LockPtr& lock);
    /// Enter or a double click.
    void detailsRequested(const lockscope::inspect::LockId& id);
    /// The context menu key or a right click; the position is global.
    void contextRequested(const lockscope::inspect::LockId& id, const QPoint& position);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
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
    void fitColumns();
    models::ColumnSizing sizingOf(int column) const;
    void chooseColumns();
    void showHeaderMenu(const QPoint& position);
    void showColumnByChoice(int column, bool isShown);
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
    QTimer m_timer;
    QList<QAction*> m_copyActions;
    std::optional<inspect::LockId> m_currentId;
    inspect::LockPtr m_toldLock; // what currentLockChanged() said last
    std::optional<inspect::LockId> m_toldId;
    bool m_isCurrentLeaving = false; // the current row is going away; the user did not choose that
    bool m_areColumnsFitted = true;  // false once the user gave one a width
    bool m_isFittingColumns = false;
    bool m_hasChosenColumns = false; // true once the user showed or hid one
};

} // namespace lockscope::widgets
