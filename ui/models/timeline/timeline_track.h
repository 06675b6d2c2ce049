#pragma once

#include "ui/models/timeline/timeline_scale.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockscope::models {

/// Something that lasts, with what bisection needs to find it.
struct TimelineInterval {
    Instant from{};
    Instant to{};
    std::uint32_t index = 0;  // in its list of the chronicle
    std::uint32_t latest = 0; // the position of the one that ends last, up to this one
};

/// Neighbours that are drawn as one: how many, when the first of them begins, and the one that
/// ends last, of several the first.
struct TimelineBunch {
    Instant first{};
    Instant from{};
    Instant to{};
    std::uint32_t index = 0;
    std::uint32_t count = 0;

    /// Nothing of `later` may begin before what is here.
    void add(const TimelineBunch& later)
    {
        if (count == 0) {
            *this = later;
            return;
        }
        if (later.to > to) {
            from = later.from;
            to = later.to;
            index = later.index;
        }
        count += later.count;
    }
};

/// What of one kind is in a row, in the order of `from`. It is filled, then sealed, then asked.
///
/// Where thousands share a pixel, reading them all takes longer than painting what is seen of
/// them. So time is also cut into pages of equal length, with a bunch for each: pages of about
/// eight at first, then of twice that length, and so on. Those of one length lie in a row in
/// memory: jumping from column to column instead, among all that there are, takes longer than
/// reading all.
class TimelineTrack {
public:
    using Iterator = std::vector<TimelineInterval>::const_iterator;

    void append(Instant from, Instant to, std::uint32_t index);
    /// Nothing is appended any more. Puts all in order, which takes no time when it came so.
    void seal();

    bool empty() const { return m_items.empty(); }
    std::size_t size() const { return m_items.size(); }
    Iterator begin() const { return m_items.begin(); }
    Iterator end() const { return m_items.end(); }
    const TimelineInterval& operator[](std::size_t position) const { return m_items[position]; }
    const TimelineInterval& front() const { return m_items.front(); }
    const TimelineInterval& back() const { return m_items.back(); }

    /// When the last of all ends.
    Instant latestEnd() const { return m_items[m_items.back().latest].to; }
    /// The first that does not begin before an instant.
    Iterator firstSince(Instant at) const;
    /// All that begin before an instant and are not over before it, and what is between them.
    TimelineBunch reachingInto(Instant at) const;

    /// The longest pages that are not longer than `length`, those in which something may begin
    /// within the range; some are empty. None when those would have less than a few each.
    std::span<const TimelineBunch> pagesWithin(VisibleRange range, Duration length) const;

private:
    static constexpr std::size_t kPerPage = 8;   // on average, of the shortest
    static constexpr std::size_t kFewest = 4096; // are soon read, less than ten to a pixel

    void makePages();
    std::size_t pageOf(Instant at, std::size_t level) const;

    std::vector<TimelineInterval> m_items;
    std::vector<std::vector<TimelineBunch>> m_pages; // each level twice as long as the one before
    int m_pageBits = 0; // the length of the shortest: so many bits of microseconds
};

} // namespace lockscope::models
