#pragma once

#include <QStyledItemDelegate>

namespace lockscope::widgets {

/// Paints a line of models::StoryModel: its number, when it happened, and what; the violation in
/// red, and below the line of no return that it is one.
class StoryDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace lockscope::widgets
