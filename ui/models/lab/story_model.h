#pragma once

#include "core/kernel/search/inevitability.h"
#include "core/kernel/search/story.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

namespace lockscope::models {

/// A counterexample in plain words, a line each.
class StoryModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        TimeRole = Qt::UserRole, // QString: "12.000 s"
        NumberRole,              // QString: "3"; empty where a line belongs to the step before
        IsViolationRole,         // bool
        TurningPointRole,        // QString: why from here on nothing helps; empty elsewhere
    };

    using QAbstractListModel::QAbstractListModel;

    void show(std::vector<search::StoryLine> story);
    /// Marks a line of the story that is shown.
    void setTurningPoint(const search::TurningPoint& turn);

    Instant timeAt(int row) const;
    /// The last line that is not later; -1 when there is none.
    int rowAt(Instant time) const;
    /// The number of the step to which a line belongs, and the first line of a step, or of the one
    /// before where none begins there; -1 when there is none.
    std::uint32_t stepAt(int row) const;
    int rowAtStep(std::uint32_t step) const;
    /// Whether all of it happens within a millisecond: its order says more than its times.
    bool isInstant() const;
    /// All of it, numbered, as it is pasted into a ticket.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QString turnText() const;

    std::vector<search::StoryLine> m_story;
    std::optional<search::TurningPoint> m_turn;
};

} // namespace lockscope::models
