#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

#include <string>

namespace lockscope::models {

/// The lines of the activity that hold all words of a text, in any of their columns, ignoring case.
class ActivityFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// An empty text lets everything pass.
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

/// A line as text: its columns with tabs between.
QString activityLine(const QAbstractItemModel& activity, int row);

/// All lines of the activity, or of what a filter leaves of it, with times in UTC: RFC 4180, and an
/// array of objects with the same members.
std::string activityAsCsv(const QAbstractItemModel& activity);
std::string activityAsJson(const QAbstractItemModel& activity);

} // namespace lockscope::models
