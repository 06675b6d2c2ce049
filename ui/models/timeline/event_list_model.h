#pragma once

#include "ui/models/timeline/event_rows.h"
#include "ui/models/timeline/timeline_index.h"

#include <QAbstractTableModel>

namespace lockscope::models {

/// What happened in a run, a line each: what begins and ends, what happens in between, and the
/// commands that were sent. Texts are made when they are asked for; the order is found out at
/// the first access.
class EventListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, WhoColumn, WhatColumn, LockColumn, DetailColumn, ColumnCount };
    enum Role {
        InstantRole = Qt::UserRole, // Instant
        IsViolationRole,            // bool
        MessageRole,                // int: index in the chronicle; invalid for other rows
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Nothing is shown for none. `rows`: those of the chronicle, if they have been made already.
    void show(std::shared_ptr<const trace::Chronicle> chronicle, TimelineNames names,
              std::optional<std::vector<EventRow>> rows = std::nullopt);
    void clear() { show(nullptr, {}); }
    /// Only what happens within, its ends included; nothing: all of it.
    void setRange(std::optional<VisibleRange> range);
    void setTimeReference(TimeReference reference);

    Instant timeAt(int row) const;
    EventRow eventAt(int row) const;
    /// The last row that is not later; -1 when there is none.
    int rowAt(Instant time) const;
    /// A row as it is pasted elsewhere: its cells with tabs between them.
    QString lineAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// What a row says.
    struct Cells {
        QString who;
        QString what;
        QString lock;
        QString detail{};
    };

    const std::vector<EventRow>& rows() const;
    /// The first of all rows that is shown, and the one behind the last.
    std::pair<int, int> shownRows() const;
    const EventRow& rowFor(int row) const;
    QString cellText(int row, int column) const;
    Cells cellsOf(const EventRow& row) const;
    Cells spanCells(const trace::Span& span, bool isEnd) const;
    Cells serverHoldCells(const trace::ServerHold& serverHold, bool isEnd) const;
    Cells messageCells(const trace::Message& message) const;

    std::shared_ptr<const trace::Chronicle> m_chronicle;
    TimelineNames m_names;
    TimeReference m_reference;
    std::optional<VisibleRange> m_range;
    mutable std::optional<std::vector<EventRow>> m_rows; // all of the run, by time
};

} // namespace lockscope::models
