#pragma once

#include <QAbstractItemModel>
#include <QListView>
#include <QString>
#include <QStyledItemDelegate>

namespace lockscope::models {
class LockCountsModel;
} // namespace lockscope::models

namespace lockscope::widgets {

/// Counts by state, format and prefix. Choosing a line adds its words to the filter, choosing it
/// again takes them away; lines whose words are in the filter are marked.
class LockSidePanel : public QListView {
    Q_OBJECT
public:
    explicit LockSidePanel(models::LockCountsModel& counts, QWidget* parent = nullptr);

    /// The filter as it is now, to mark lines by.
    void showFilter(const QString& filter);

    QSize sizeHint() const override;

Q_SIGNALS:
    void wordChosen(const QString& filterWord);

private:
    void choose(const QModelIndex& index);
};

/// Paints a line of the side panel: dot, words, count at the right.
class CountDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setActiveWords(const QStringList& words) { m_activeWords = words; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintHeading(QPainter& painter, const QStyleOptionViewItem& option,
                      const QModelIndex& index) const;
    void paintLine(QPainter& painter, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const;

    QStringList m_activeWords;
};

} // namespace lockscope::widgets
