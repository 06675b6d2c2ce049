#pragma once

#include <QStyledItemDelegate>

namespace lockscope::widgets {

/// Paints a line of models::PromiseListModel: a mark with a shape of its own, the promise and what
/// became of it, and below in grey the evidence.
class VerdictDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace lockscope::widgets
