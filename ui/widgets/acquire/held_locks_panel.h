#pragma once

#include "ui/models/locks/held_locks.h"

#include <QStyledItemDelegate>
#include <QWidget>

class QLabel;
class QPushButton;
class QTimer;
class QTreeView;

namespace lockscope::widgets {

/// The locks that are held by hand: how long they last, and the way to give them back.
class HeldLocksPanel : public QWidget {
    Q_OBJECT
public:
    explicit HeldLocksPanel(service::LockKeeper& keeper, QWidget* parent = nullptr);

    bool isEmpty() const { return m_model.rowCount() == 0; }

    QSize sizeHint() const override;

Q_SIGNALS:
    /// The first lock was asked for, or the last one is over.
    void emptinessChanged();

private:
    void createTable();
    QWidget* createButtons();
    void releaseCurrent();
    void refresh();

    service::LockKeeper& m_keeper;
    models::HeldLocksModel m_model;
    QTreeView* m_table = nullptr;
    QLabel* m_empty = nullptr;
    QPushButton* m_release = nullptr;
    QPushButton* m_releaseAll = nullptr;
    QTimer* m_tick = nullptr;
    bool m_wasEmpty = true;
};

/// A lock held by hand: its key as a key, its state with a dot in its colour.
class HeldLockDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace lockscope::widgets
