#pragma once

#include "core/kernel/base/time.h"
#include "core/kernel/trace/chronicle.h"
#include "core/kernel/trace/run_statistics.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

// What the statistics of a run show: pure functions of what was counted, or of the spans of its
// timeline.
namespace lockscope::models {

/// How fast something went at one moment of a run.
struct RateSample {
    Duration at{0};
    double perSecond = 0;
};

/// A rate over the time of a run. Of a long run it keeps coarser samples, so that there are never
/// more than a screen can show.
class RateSeries {
public:
    static constexpr std::size_t kSamplesAtMost = 1200;

    void clear();
    /// `at` does not go back; a sample closer to the one before than the resolution is left out.
    void add(RateSample sample);

    std::span<const RateSample> samples() const { return m_samples; }
    double largest() const;

private:
    void coarsen();

    std::vector<RateSample> m_samples;
    Duration m_resolution{0};
};

/// How fast locks were granted in a part of a run.
struct RateBin {
    Instant from{};
    Instant to{};
    double perSecond = 0;
    std::optional<std::uint64_t> count; // nullopt: only the rate was measured
};

/// The figures of a run, of a part of it, or of several runs together.
struct RunFigures {
    QString title;       // tells it from other runs
    QString commandLine; // makes it once more; may be empty
    QString verdict{};   // what it came to, in a few words; may be empty
    trace::RunStatistics statistics;
    std::vector<RateBin> rates; // empty: it is not known when the acquisitions were
    Duration duration{0};       // that the timeline of the rates reaches at least to
    QStringList contenderNames;
    bool isExact = true; // false: the record that was counted is not complete
    /// Counted from spans, which know less: overlaps are those of beliefs, whose lock a release
    /// removed is not in them, and to enter once more what one holds is no acquisition.
    bool isOfSpans = false;

    bool isEmpty() const { return statistics.requests == 0 && statistics.acquisitions == 0; }
};

/// From all that was counted, without times.
RunFigures figuresOf(const trace::RunStatistics& statistics, const QStringList& contenderNames);

/// Of what lies within the range, of the whole record without one: requests, grants and marks by
/// their instant, waits and holds by their end, overlaps when they touch it. A range that reaches
/// to the end of the record includes it. Takes as long as there are spans.
RunFigures figuresOf(const trace::Chronicle& chronicle, std::optional<VisibleRange> range,
                     const TimelineNames& names, int contenderCount);

/// From the beginning, or the first span before it, to the end of the record.
VisibleRange wholeOf(const trace::Chronicle& chronicle);

/// Grants over time, in stretches of a round length; the first and the last are cut by the range.
std::vector<RateBin> ratesOf(const trace::Chronicle& chronicle, VisibleRange range);
/// The rates of a live run, each over the time since the sample before.
std::vector<RateBin> ratesOf(const RateSeries& series);

/// What one contender got.
struct ContenderShare {
    QString name;
    QString shortName; // "3" of "contender 3", for where many stand side by side
    std::uint64_t acquisitions = 0;
    double share = 0; // 0 to 1
};

/// Who got most comes first; among equals the order of their numbers.
std::vector<ContenderShare> sharesOf(const RunFigures& figures);

/// How many of all recorded times are not longer.
struct CumulativePoint {
    Duration at{0};
    double share = 0; // 0 to 1
};

/// Rises with each time that was recorded, to 1 at the longest. Empty when there is none.
std::vector<CumulativePoint> cumulativeOf(const trace::Histogram& histogram);

} // namespace lockscope::models
