#pragma once

#include "core/kernel/base/time.h"

#include <QString>

#include <optional>
#include <vector>

// From instants to pixels and back. Pure geometry: the ruler, the lanes and the overview of a
// timeline all use these. Instants count from the beginning of the run: Instant{} is "0 s".
namespace lockscope::models {

/// The part of a run that is looked at.
struct VisibleRange {
    Instant from{};
    Instant to{};

    bool isEmpty() const { return to <= from; }
    Duration length() const { return to - from; }

    friend bool operator==(const VisibleRange&, const VisibleRange&) = default;
};

/// Where an instant stands, in pixels from the left edge; less than 0 or more than `width` when it
/// is not visible. 0 when the range is empty or reversed, or when there is no width.
double xOf(Instant at, VisibleRange range, double width);

/// The instant at a place, to the nearest microsecond. The beginning of the range when that is
/// empty or reversed, or when there is no width.
Instant instantAt(double x, VisibleRange range, double width);

/// A line of the ruler.
struct Tick {
    Instant at{};
    double x = 0; // pixels

    friend bool operator==(const Tick&, const Tick&) = default;
};

/// The smallest round step that is not below `least`: 1, 2 or 5 × 10ⁿ up to ten seconds, then
/// 15 s, 30 s, a minute, and round numbers of minutes, hours and days. At least 1 µs.
Duration tickStep(Duration least);

/// The multiples of a round step within the range, at least `pixelsBetweenMin` pixels apart. None
/// when the range is empty or reversed, or when there is no width.
std::vector<Tick> ticks(VisibleRange range, double width, double pixelsBetweenMin);

/// The time since the beginning, exactly and as short as can be: "0 s", "350 ms", "1.25 s",
/// "2 min", "1 min 30 s".
QString tickText(Instant at);

/// A time with all its digits: "10.000 s"; six decimals where three do not say it all.
QString exactTimeText(Duration time);

/// "3.214 s": to the millisecond, as stories and verdicts have it.
QString storyTimeText(Instant at);

/// Where the user counts from; nothing: from the beginning of the run.
using TimeReference = std::optional<Instant>;

/// As above; counted from a reference it has a sign: "+1.5 s", "-0.250 s", and "0 s" there.
QString tickText(Instant at, const TimeReference& reference);
QString exactTimeText(Instant at, const TimeReference& reference);
/// The lines of a ruler that are round for who counts from there.
std::vector<Tick> ticks(VisibleRange range, double width, double pixelsBetweenMin,
                        const TimeReference& reference);

} // namespace lockscope::models
