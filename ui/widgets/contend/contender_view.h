#pragma once

#include <QStyledItemDelegate>
#include <QTreeView>

class QSortFilterProxyModel;
class QTimer;

namespace lockscope::models {
class ContenderTableModel;
} // namespace lockscope::models

namespace lockscope::widgets {

/// The contenders of a live run. A column that changes all the time is put in order again twice a
/// second, not with every change: rows that never stand still cannot be read.
class ContenderView : public QTreeView {
    Q_OBJECT
public:
    explicit ContenderView(models::ContenderTableModel& contenders, QWidget* parent = nullptr);

    QSize sizeHint() const override;

private:
    void createHeader();
    void resort();

    QSortFilterProxyModel* m_order = nullptr;
    QTimer* m_resortSoon = nullptr;
};

/// Paints a contender: a mark of its own shape and colour for every state, before the word.
class ContenderDelegate : public QStyledItemDelegate {
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
