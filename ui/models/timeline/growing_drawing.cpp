#include "ui/models/timeline/growing_drawing.h"

#include "core/kernel/report/run/live_record.h"

#include <algorithm>
#include <utility>

namespace lockscope::models {

namespace {

/// What a chronicle has not taken yet.
struct News {
    std::vector<trace::Event> events;
    std::vector<trace::ServerHold> serverHolds; // all of them: some change after they began
    Instant end{};
};

RunDrawing drawn(const std::shared_ptr<trace::GrowingChronicle>& record, News news,
                 const TimelineNames& names, TimelineSetup setup)
{
    record->append(news.events);
    record->setServerHolds(std::move(news.serverHolds));
    return drawingOf({record, &record->extendTo(news.end)}, names, std::move(setup));
}

} // namespace

RunDrawing drawingOf(std::shared_ptr<const trace::Chronicle> chronicle, const TimelineNames& names,
                     TimelineSetup setup)
{
    RunDrawing drawing;
    drawing.index = std::make_unique<TimelineIndex>(chronicle, setup.grouping, names);
    drawing.index->arrange(setup.arrangement);
    drawing.rows = eventRowsOf(*chronicle);
    drawing.chronicle = std::move(chronicle);
    drawing.setup = std::move(setup);
    return drawing;
}

GrowingDrawing::GrowingDrawing(TimelineNames names, int permits) : m_names(std::move(names))
{
    for (Record& record : m_records) {
        record.chronicle = std::make_shared<trace::GrowingChronicle>(permits);
    }
}

GrowingDrawing::Work GrowingDrawing::next(std::span<const trace::Event> events,
                                          std::vector<trace::ServerHold> serverHolds,
                                          TimelineSetup setup)
{
    const auto free = std::ranges::find_if(m_records, [](const Record& record) {
        return record.chronicle.use_count() == 1; // drawings and works share it
    });
    if (events.empty() || free == m_records.end()) {
        return {};
    }
    const Duration first = events.front().at.time_since_epoch();
    News news;
    news.events = report::countedFrom(first, events.subspan(free->eventCount));
    news.serverHolds = report::countedFrom(first, std::move(serverHolds));
    news.end = report::endOf(Instant(events.back().at - first), news.serverHolds);
    free->eventCount = events.size();
    return [record = free->chronicle, news = std::move(news), names = m_names,
            setup = std::move(setup)]() mutable {
        return drawn(record, std::move(news), names, std::move(setup));
    };
}

} // namespace lockscope::models
