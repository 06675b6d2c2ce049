#include "ui/models/timeline/event_rows.h"

#include <algorithm>
#include <cstddef>

namespace lockscope::models {

using Kind = EventRow::Kind;
using trace::SpanEnd;

namespace {

/// Ends that are said by what begins then, or that are none.
bool isToldElsewhere(SpanEnd end)
{
    return end == SpanEnd::Granted || end == SpanEnd::Crashed || end == SpanEnd::Open;
}

} // namespace

std::vector<EventRow> eventRowsOf(const trace::Chronicle& run)
{
    std::vector<EventRow> rows;
    rows.reserve(2 * run.spans.size() + run.marks.size() + run.overlaps.size()
                 + 2 * run.serverHolds.size() + run.messages.size() + run.notes.size());
    const auto add = [&rows](const auto& items, Kind kind, auto timeOf, auto isRow) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (isRow(items[i])) {
                rows.push_back({timeOf(items[i]), static_cast<std::uint32_t>(i), kind});
            }
        }
    };
    const auto begin = [](const auto& item) { return item.from; };
    const auto end = [](const auto& item) { return item.to; };
    const auto always = [](const auto&) { return true; };
    const auto isTold = [](const auto& item) { return !isToldElsewhere(item.end); };
    // In this order where times are equal.
    add(
        run.messages, Kind::Message, [](const auto& message) { return message.sentAt; }, always);
    add(run.serverHolds, Kind::ServerHoldEnd, end, isTold);
    add(run.serverHolds, Kind::ServerHold, begin, always);
    add(run.spans, Kind::End, end, isTold);
    add(
        run.marks, Kind::Mark, [](const auto& mark) { return mark.at; }, always);
    add(run.spans, Kind::Begin, begin, always);
    add(run.overlaps, Kind::Overlap, begin, always);
    add(
        run.notes, Kind::Note, [](const auto& note) { return note.at; }, always);
    std::ranges::stable_sort(rows, {}, &EventRow::at);
    return rows;
}

} // namespace lockscope::models
