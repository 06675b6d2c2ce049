#include "ui/models/timeline/zoom_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockscope::models {

void ZoomState::setFull(VisibleRange full)
{
    full.to = std::max(full.from, full.to);
    m_past.clear();
    m_future.clear();
    select(std::nullopt);
    m_full = full;
    go(full);
}

void ZoomState::extendFull(VisibleRange full)
{
    full.to = std::max(full.from, full.to);
    const bool wasAll = m_visible == m_full;
    m_full = full;
    if (m_isFollowing) {
        go(wasAll ? full : fitted({full.to - m_visible.length(), full.to}));
    } else {
        go(fitted(m_visible));
    }
    if (m_selection) {
        select(m_selection);
    }
}

void ZoomState::setFollowing(bool isFollowing)
{
    if (std::exchange(m_isFollowing, isFollowing) == isFollowing) {
        return;
    }
    if (isFollowing) {
        go({m_full.to - m_visible.length(), m_full.to});
    }
    Q_EMIT followingChanged(isFollowing);
}

void ZoomState::show(VisibleRange range)
{
    if (range.to < range.from) {
        std::swap(range.from, range.to);
    }
    const VisibleRange before = m_visible;
    const VisibleRange after = fitted(range);
    if (after == before) {
        return;
    }
    m_future.clear();
    m_past.push_back(before);
    if (m_past.size() > kStepsAtMost) {
        m_past.erase(m_past.begin());
    }
    go(after);
}

void ZoomState::fit()
{
    show(m_full);
}

void ZoomState::zoomAround(Instant at, double factor)
{
    if (!std::isfinite(factor) || factor <= 0 || m_visible.isEmpty()) {
        return;
    }
    const Instant still = m_isFollowing ? m_visible.to
                                        : std::clamp(at, m_visible.from, m_visible.to);
    const auto before = static_cast<double>(m_visible.length().count());
    const Duration after = allowed(before / factor);
    const double share = static_cast<double>((still - m_visible.from).count()) / before;
    const Duration ahead(std::llround(share * static_cast<double>(after.count())));
    // At an end of the run the length counts more than the place.
    const Instant from = std::clamp(still - ahead, m_full.from, m_full.to - after);
    show({from, from + after});
}

void ZoomState::panBy(Duration by)
{
    by = std::clamp(by, m_full.from - m_visible.from, m_full.to - m_visible.to);
    go({m_visible.from + by, m_visible.to + by});
}

void ZoomState::back()
{
    travel(m_past, m_future);
}

void ZoomState::forward()
{
    travel(m_future, m_past);
}

void ZoomState::select(std::optional<VisibleRange> selection)
{
    if (selection) {
        const auto [first, last] = std::minmax(selection->from, selection->to);
        selection = VisibleRange{std::clamp(first, m_full.from, m_full.to),
                                 std::clamp(last, m_full.from, m_full.to)};
    }
    if (std::exchange(m_selection, selection) != selection) {
        Q_EMIT selectionChanged();
    }
}

VisibleRange ZoomState::fitted(VisibleRange range) const
{
    // Cut first: differences of what is far outside could not be counted.
    range.from = std::clamp(range.from, m_full.from, m_full.to);
    range.to = std::clamp(range.to, m_full.from, m_full.to);
    const Duration length = allowed(static_cast<double>(range.length().count()));
    const Duration missing = length - range.length();
    const Instant from = std::clamp(range.from - missing / 2, m_full.from, m_full.to - length);
    return {from, from + length};
}

Duration ZoomState::allowed(double lengthUs) const
{
    const auto longest = static_cast<double>(m_full.length().count());
    const double shortest = std::min(static_cast<double>(kShortestSpan.count()), longest);
    return Duration(std::llround(std::clamp(lengthUs, shortest, longest)));
}

void ZoomState::go(VisibleRange range)
{
    if (std::exchange(m_visible, range) != range) {
        Q_EMIT rangeChanged();
    }
    if (m_visible.to < m_full.to) {
        setFollowing(false);
    }
}

void ZoomState::travel(std::vector<VisibleRange>& from, std::vector<VisibleRange>& to)
{
    if (from.empty()) {
        return;
    }
    to.push_back(m_visible);
    const VisibleRange target = from.back();
    from.pop_back();
    go(target);
}

} // namespace lockscope::models
