#pragma once

#include "search/story.h"

#include <QAbstractListModel>

#include <vector>

namespace lockscope::models {

/// A counterexample in plain words, a line each.
class StoryModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        TimeRole = Qt::UserRole, // QString: "12.000 s"
        IsViolationRole,         // bool
    };

    using QAbstractListModel::QAbstractListModel;

    void show(std::vector<search::StoryLine> story);

    Instant timeAt(int row) const;
    /// The last line that is not later; -1 when there is none.
    int rowAt(Instant time) const;
    /// All of it, numbered, as it is pasted into a ticket.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<search::StoryLine> m_story;
};

} // namespace lockscope::models
