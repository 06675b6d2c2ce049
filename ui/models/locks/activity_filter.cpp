#include "ui/models/locks/activity_filter.h"

#include "core/kernel/report/csv_text.h"
#include "core/kernel/report/lock_json.h"
#include "ui/models/locks/activity_model.h"

#include <algorithm>

namespace lockscope::models {

namespace {

std::string textAt(const QAbstractItemModel& activity, int row, int column, int role)
{
    return activity.index(row, column).data(role).toString().toStdString();
}

} // namespace

void ActivityFilter::setText(const QString& text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool ActivityFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    return std::ranges::all_of(m_words, [&](const QString& word) {
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column) {
            const QModelIndex index = sourceModel()->index(row, column, parent);
            if (index.data().toString().contains(word, Qt::CaseInsensitive)) {
                return true;
            }
        }
        return false;
    });
}

QString activityLine(const QAbstractItemModel& activity, int row)
{
    QStringList texts;
    for (int column = 0; column < activity.columnCount(); ++column) {
        texts += activity.index(row, column).data().toString();
    }
    return texts.join(u'\t');
}

std::string activityAsCsv(const QAbstractItemModel& activity)
{
    std::string text = "at,what,key,details\r\n";
    for (int row = 0; row < activity.rowCount(); ++row) {
        text += textAt(activity, row, 0, ActivityModel::IsoTimeRole);
        for (int column = ActivityModel::KindColumn; column < ActivityModel::ColumnCount;
             ++column) {
            text += ',' + report::csvField(textAt(activity, row, column, Qt::DisplayRole));
        }
        text += "\r\n";
    }
    return text;
}

std::string activityAsJson(const QAbstractItemModel& activity)
{
    std::string text;
    for (int row = 0; row < activity.rowCount(); ++row) {
        const auto at = [&](int column) { return textAt(activity, row, column, Qt::DisplayRole); };
        const report::Json line{{"at", textAt(activity, row, 0, ActivityModel::IsoTimeRole)},
                                {"what", at(ActivityModel::KindColumn)},
                                {"key", at(ActivityModel::KeyColumn)},
                                {"details", at(ActivityModel::TextColumn)}};
        text += (text.empty() ? "[\n" : ",\n") + line.dump();
    }
    return text.empty() ? "[]\n" : text + "\n]\n";
}

} // namespace lockscope::models
