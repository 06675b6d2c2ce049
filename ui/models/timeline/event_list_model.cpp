#include "ui/models/timeline/event_list_model.h"

#include "ui/models/formatting.h"
#include "ui/models/timeline/timeline_words.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using Kind = EventRow::Kind;
using trace::Message;
using trace::Span;
using trace::SpanEnd;

namespace {

/// "12 ms"; what takes no time at all says so.
QString lengthText(Duration length)
{
    return tickText(Instant(length));
}

} // namespace

void EventListModel::show(std::shared_ptr<const trace::Chronicle> chronicle, TimelineNames names,
                          std::optional<std::vector<EventRow>> rows)
{
    beginResetModel();
    m_chronicle = std::move(chronicle);
    m_names = std::move(names);
    m_rows = std::move(rows);
    endResetModel();
}

void EventListModel::setRange(std::optional<VisibleRange> range)
{
    if (m_range != range) {
        beginResetModel();
        m_range = range;
        endResetModel();
    }
}

void EventListModel::setTimeReference(TimeReference reference)
{
    if (std::exchange(m_reference, reference) != reference && rowCount() > 0) {
        Q_EMIT dataChanged(index(0, TimeColumn), index(rowCount() - 1, TimeColumn));
    }
}

const std::vector<EventRow>& EventListModel::rows() const
{
    if (!m_rows) {
        m_rows = m_chronicle ? eventRowsOf(*m_chronicle) : std::vector<EventRow>();
    }
    return *m_rows;
}

int EventListModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid()) {
        return 0;
    }
    const auto [first, last] = shownRows();
    return last - first;
}

std::pair<int, int> EventListModel::shownRows() const
{
    const std::vector<EventRow>& all = rows();
    if (!m_range) {
        return {0, static_cast<int>(all.size())};
    }
    const auto first = std::ranges::lower_bound(all, m_range->from, {}, &EventRow::at);
    const auto last = std::ranges::upper_bound(all, m_range->to, {}, &EventRow::at);
    return {static_cast<int>(first - all.begin()),
            static_cast<int>(std::max(first, last) - all.begin())};
}

const EventRow& EventListModel::rowFor(int row) const
{
    return rows().at(static_cast<std::size_t>(shownRows().first) + static_cast<std::size_t>(row));
}

Instant EventListModel::timeAt(int row) const
{
    return rowFor(row).at;
}

EventRow EventListModel::eventAt(int row) const
{
    return rowFor(row);
}

int EventListModel::rowAt(Instant time) const
{
    const auto [first, last] = shownRows();
    const auto begin = rows().begin() + first;
    const auto behind = std::ranges::upper_bound(begin, rows().begin() + last, time, {},
                                                 &EventRow::at);
    return static_cast<int>(behind - begin) - 1;
}

QString EventListModel::lineAt(int row) const
{
    QStringList cells;
    for (int column = 0; column < ColumnCount; ++column) {
        cells += cellText(row, column);
    }
    return cells.join(u'\t');
}

int EventListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const EventRow& row = rowFor(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return cellText(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return index.column() == TimeColumn ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter))
                                            : QVariant();
    case InstantRole: return QVariant::fromValue(row.at);
    case IsViolationRole: return row.kind == Kind::Overlap;
    case MessageRole:
        return row.kind == Kind::Message ? QVariant(static_cast<int>(row.index)) : QVariant();
    default: return {};
    }
}

QVariant EventListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == TimeColumn) {
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter); // as its cells
    }
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return QAbstractTableModel::headerData(section, orientation, role);
    }
    switch (section) {
    case TimeColumn: return tr("Time");
    case WhoColumn: return tr("Who");
    case WhatColumn: return tr("What");
    case LockColumn: return tr("Lock");
    case DetailColumn: return tr("Detail");
    default: return {};
    }
}

QString EventListModel::cellText(int row, int column) const
{
    const EventRow& item = rowFor(row);
    if (column == TimeColumn) {
        return exactTimeText(item.at, m_reference);
    }
    const Cells cells = cellsOf(item);
    switch (column) {
    case WhoColumn: return cells.who;
    case WhatColumn: return cells.what;
    case LockColumn: return cells.lock;
    case DetailColumn: return cells.detail;
    default: return {};
    }
}

EventListModel::Cells EventListModel::cellsOf(const EventRow& row) const
{
    switch (row.kind) {
    case Kind::Begin: return spanCells(m_chronicle->spans[row.index], false);
    case Kind::End: return spanCells(m_chronicle->spans[row.index], true);
    case Kind::ServerHold: return serverHoldCells(m_chronicle->serverHolds[row.index], false);
    case Kind::ServerHoldEnd: return serverHoldCells(m_chronicle->serverHolds[row.index], true);
    case Kind::Message: return messageCells(m_chronicle->messages[row.index]);
    case Kind::Mark: {
        const trace::Mark& mark = m_chronicle->marks[row.index];
        return {m_names.contender(mark.contender), TimelineWords::eventText(mark.kind),
                m_names.lock(mark.lock)};
    }
    case Kind::Note: {
        const trace::Note& note = m_chronicle->notes[row.index];
        return {m_names.contender(note.contender), tr("writes: %1").arg(toQString(note.text)), {}};
    }
    case Kind::Overlap: {
        const trace::Overlap& overlap = m_chronicle->overlaps[row.index];
        return {m_names.contender(overlap.second), tr("also believes it holds the lock"),
                m_names.lock(overlap.lock),
                tr("together with %1, for %2")
                    .arg(m_names.contender(overlap.first), lengthText(overlap.to - overlap.from))};
    }
    }
    return {};
}

EventListModel::Cells EventListModel::spanCells(const Span& span, bool isEnd) const
{
    const QString who = m_names.contender(span.contender);
    const QString length = lengthText(span.to - span.from);
    const bool isOfLock = span.kind == Span::Kind::Waiting || span.kind == Span::Kind::Holding;
    const QString lock = isOfLock ? m_names.lock(span.lock) : QString();
    if (isEnd) {
        return {who, TimelineWords::endText(span.end), lock, tr("after %1").arg(length)};
    }
    const QString until = span.end == SpanEnd::Open
                              ? tr("for %1, until the record ends").arg(length)
                              : tr("for %1, then %2").arg(length, TimelineWords::endText(span.end));
    switch (span.kind) {
    case Span::Kind::Waiting: return {who, tr("waits"), lock, until};
    case Span::Kind::Holding:
        return {who, span.isRead ? tr("holds, shared") : tr("holds"), lock, until};
    case Span::Kind::Paused: return {who, tr("is paused"), lock, until};
    case Span::Kind::Down: return {who, tr("crashes"), lock};
    }
    return {};
}

EventListModel::Cells EventListModel::serverHoldCells(const trace::ServerHold& serverHold,
                                                      bool isEnd) const
{
    const QString holder = m_names.holder(serverHold.holder);
    return {TimelineWords::serverText(serverHold.node),
            isEnd ? tr("no longer lists %1").arg(holder) : tr("lists %1 as holder").arg(holder),
            m_names.lock(serverHold.lock),
            isEnd ? TimelineWords::endText(serverHold.end)
                  : tr("for %1").arg(lengthText(serverHold.to - serverHold.from))};
}

EventListModel::Cells EventListModel::messageCells(const Message& message) const
{
    QStringList way;
    way += message.appliedAt
               ? tr("applied after %1").arg(lengthText(*message.appliedAt - message.sentAt))
               : tr("never arrived");
    if (message.appliedAt) {
        way += message.answeredAt
                   ? tr("answered after %1").arg(lengthText(*message.answeredAt - message.sentAt))
                   : tr("no answer");
    }
    if (message.node > 0) {
        way += tr("server %1").arg(message.node + 1);
    }
    return {m_names.contender(message.contender), toQString(message.text), {}, listed(way)};
}

} // namespace lockscope::models
