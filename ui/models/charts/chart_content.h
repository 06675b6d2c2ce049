#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/histogram.h"

#include <QString>

#include <optional>
#include <vector>

// The scales of charts, and what a chart shows, without a word on how it is painted.
namespace lockscope::models {

/// The smallest of 1, 2, 5, 10, 20, 50 … that is not below `value`; at least 1.
double niceCeiling(double value);

/// Times of equal length on a logarithmic scale, and how many of the recorded ones are in it.
struct TimeBin {
    Duration from{0};
    Duration to{0};
    std::uint64_t count = 0;
};

/// The distribution as bins, `binsPerDecade` to a factor of ten, from the first that has something
/// in it to the last. Times below 10 µs are all in the first possible bin. Empty when nothing was
/// recorded.
std::vector<TimeBin> timeBins(const trace::Histogram& histogram, int binsPerDecade);

/// A value over a stretch of the horizontal axis, or at one place when `from` equals `to`.
struct ChartMark {
    double from = 0;
    double to = 0;
    double y = 0;
    QString readout; // the exact value in words
};

/// Values that belong together.
struct ChartSeries {
    enum class Shape {
        Bars,
        Steps, // the outline of bars
        Curve, // through the marks
    };

    Shape shape = Shape::Bars;
    bool isOther = false;   // of the run that is compared with
    bool isOnRight = false; // on the right axis, from 0 to 1
    double barFrom = 0.06;  // the part of a mark's width that its bar takes
    double barTo = 0.94;
    std::vector<ChartMark> marks; // from left to right
};

struct ChartTick {
    double at = 0;
    QString text;
};

struct ChartContent {
    QString title;
    QString note;      // a few words at the right of the title
    QString emptyText; // in the place of the chart when there is nothing to show
    double xFrom = 0;
    double xTo = 1;
    double yTop = 1; // of the left axis, which begins at 0
    std::vector<ChartTick> xTicks;
    std::vector<ChartTick> yTicks;
    std::vector<ChartTick> rightTicks; // empty: there is no right axis
    bool areTicksNames = false;        // shortened when they are too long, all of them are shown
    QString xTitle;
    std::optional<double> level; // a horizontal line to hold the values against
    std::vector<ChartSeries> series;
};

/// What stands at a place of the horizontal axis: a line for each series, and the stretch that the
/// first of them speaks of.
struct ChartReadout {
    double from = 0;
    double to = 0;
    QString text;
};

/// Bars and steps speak for their own stretch, of a curve the nearest mark. `ours` and `theirs`
/// tell the runs apart, when there are two. nullopt when nothing is there.
std::optional<ChartReadout> readoutAt(const ChartContent& content, double x, const QString& ours,
                                      const QString& theirs);

/// The place to read next: of the first series the mark after the one at `x`, before it when `step`
/// is -1; the outermost one when there is no further one, or when nothing has been read yet.
std::optional<double> nextPlace(const ChartContent& content, std::optional<double> x, int step);

/// The end of an axis that reaches at least to `value`, and round steps up to there.
double axisTop(double value);
/// The texts of three to five round values from 0 to axisTop(value), each with `unit` behind it.
std::vector<ChartTick> axisTicks(double value, const QString& unit = {});

} // namespace lockscope::models
