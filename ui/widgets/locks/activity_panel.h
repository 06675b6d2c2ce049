#pragma once

#include "core/kernel/inspect/lock_record.h"

#include <QStyledItemDelegate>
#include <QTreeView>

namespace lockscope::widgets {

/// What happened, newest at the bottom. It follows the newest entry until the user scrolls up.
/// Choosing an entry asks for its lock.
class ActivityPanel : public QTreeView {
    Q_OBJECT
public:
    /// `activity`: an ActivityModel, or what a filter leaves of it. Outlives the panel.
    explicit ActivityPanel(QAbstractItemModel& activity, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

Q_SIGNALS:
    void lockChosen(const lockscope::inspect::LockId& id);
    /// Ctrl+C: the lines that are selected.
    void copyRequested();

private:
    void createHeader();
    void follow();
    bool hasHiddenLines() const;

    bool m_isFollowing = true;
};

/// Paints an entry: keys as keys, what we did ourselves and what went wrong in their colours.
class ActivityDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace lockscope::widgets
