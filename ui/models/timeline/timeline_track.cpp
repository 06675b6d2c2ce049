#include "ui/models/timeline/timeline_track.h"

#include <algorithm>
#include <bit>

namespace lockscope::models {

void TimelineTrack::append(Instant from, Instant to, std::uint32_t index)
{
    m_items.push_back({from, std::max(from, to), index, 0});
}

void TimelineTrack::seal()
{
    if (!std::ranges::is_sorted(m_items, {}, &TimelineInterval::from)) {
        std::ranges::stable_sort(m_items, {}, &TimelineInterval::from);
    }
    std::uint32_t latest = 0;
    for (std::uint32_t i = 0; i < m_items.size(); ++i) {
        latest = m_items[i].to > m_items[latest].to ? i : latest;
        m_items[i].latest = latest;
    }
    makePages();
}

void TimelineTrack::makePages()
{
    m_pages.clear();
    if (size() < kFewest) {
        return;
    }
    const auto length = static_cast<std::uint64_t>((back().from - front().from).count());
    m_pageBits = int(std::bit_width(length / (size() / kPerPage + 1) | 1U)) - 1;
    m_pages.emplace_back(pageOf(back().from, 0) + 1);
    for (const TimelineInterval& item : m_items) {
        m_pages[0][pageOf(item.from, 0)].add({item.from, item.from, item.to, item.index, 1});
    }
    while (m_pages.back().size() > 1) {
        const std::vector<TimelineBunch>& halves = m_pages.back();
        std::vector<TimelineBunch> pages((halves.size() + 1) / 2);
        for (std::size_t i = 0; i < halves.size(); ++i) {
            if (halves[i].count > 0) {
                pages[i / 2].add(halves[i]);
            }
        }
        m_pages.push_back(std::move(pages));
    }
}

std::size_t TimelineTrack::pageOf(Instant at, std::size_t level) const
{
    const auto since = static_cast<std::size_t>((at - m_items.front().from).count());
    return since >> (static_cast<std::size_t>(m_pageBits) + level);
}

TimelineTrack::Iterator TimelineTrack::firstSince(Instant at) const
{
    return std::ranges::lower_bound(m_items, at, {}, &TimelineInterval::from);
}

TimelineBunch TimelineTrack::reachingInto(Instant at) const
{
    const auto inside = firstSince(at);
    const auto first = std::partition_point(begin(), inside, [&](const auto& item) {
        return m_items[item.latest].to < at;
    });
    if (first == inside) {
        return {};
    }
    const TimelineInterval& longest = m_items[std::prev(inside)->latest];
    return {first->from, longest.from, longest.to, longest.index,
            static_cast<std::uint32_t>(inside - first)};
}

std::span<const TimelineBunch> TimelineTrack::pagesWithin(VisibleRange range, Duration length) const
{
    const int bits = int(std::bit_width(static_cast<std::uint64_t>(length.count()))) - 1;
    if (m_pages.empty() || bits < m_pageBits || range.to < front().from) {
        return {};
    }
    const std::size_t level = std::min(static_cast<std::size_t>(bits - m_pageBits),
                                       m_pages.size() - 1);
    const std::span<const TimelineBunch> pages(m_pages[level]);
    const std::size_t first = pageOf(std::max(range.from, front().from), level);
    const std::size_t end = pageOf(std::min(range.to, back().from), level) + 1;
    return first < end ? pages.subspan(first, end - first) : std::span<const TimelineBunch>();
}

} // namespace lockscope::models
