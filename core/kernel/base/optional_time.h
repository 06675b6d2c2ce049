#pragma once

#include "core/kernel/base/time.h"

#include <compare>
#include <optional>

namespace lockscope {

/// A point in time, or none, without room for the difference: the beginning of all time stands for
/// none. Otherwise as std::optional, with which it changes places freely; none is before any.
template<class Point>
class OptionalTime {
public:
    constexpr OptionalTime() = default;
    // NOLINTBEGIN(google-explicit-constructor,hicpp-explicit-conversions): as of std::optional
    constexpr OptionalTime(std::nullopt_t) {}
    constexpr OptionalTime(Point at) : m_at(at) {}
    constexpr OptionalTime(const std::optional<Point>& at) : m_at(at.value_or(Point::min())) {}
    constexpr operator std::optional<Point>() const
    {
        return has_value() ? std::optional(m_at) : std::nullopt;
    }
    // NOLINTEND(google-explicit-constructor,hicpp-explicit-conversions)

    // NOLINTBEGIN(readability-identifier-naming): as std::optional names them
    constexpr bool has_value() const { return m_at != Point::min(); }
    constexpr Point value_or(Point other) const { return has_value() ? m_at : other; }
    // NOLINTEND(readability-identifier-naming)
    constexpr explicit operator bool() const { return has_value(); }
    constexpr Point operator*() const { return m_at; }
    constexpr const Point* operator->() const { return &m_at; }
    constexpr void reset() { m_at = Point::min(); }

    friend constexpr auto operator<=>(const OptionalTime&, const OptionalTime&) = default;
    friend constexpr bool operator==(const OptionalTime&, const OptionalTime&) = default;
    friend constexpr bool operator==(const OptionalTime& a, std::nullopt_t)
    {
        return !a.has_value();
    }
    // Otherwise std::optional would compare what is in it.
    friend constexpr bool operator==(const OptionalTime& a, const std::optional<Point>& b)
    {
        return a == OptionalTime(b);
    }
    friend constexpr bool operator==(const std::optional<Point>& a, const OptionalTime& b)
    {
        return OptionalTime(a) == b;
    }
    friend constexpr bool operator==(const OptionalTime& a, const Point& b)
    {
        return a == OptionalTime(b);
    }

private:
    Point m_at = Point::min();
};

using OptionalInstant = OptionalTime<Instant>;
using OptionalWallTime = OptionalTime<WallTime>;

} // namespace lockscope
