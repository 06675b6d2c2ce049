#include "ui/models/contend/run_figures.h"

#include "core/kernel/trace/run_labels.h"
#include "ui/models/formatting.h"

#include <algorithm>
#include <cmath>

namespace lockscope::models {

using trace::Chronicle;
using trace::Mark;
using trace::RunStatistics;
using trace::Span;
using trace::SpanEnd;

namespace {

constexpr double kRateBinsMin = 6;
constexpr double kRateBinsMax = 60;

double perSecond(std::uint64_t count, Duration length)
{
    const double seconds = std::chrono::duration<double>(length).count();
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

/// Includes the end of a range that reaches to the end of the record.
VisibleRange closed(VisibleRange range, const Chronicle& chronicle)
{
    if (range.to >= chronicle.end) {
        range.to = std::max(range.to, chronicle.end) + Duration(1);
    }
    return range;
}

/// Counts what lies within a range.
class SpanCounter {
public:
    SpanCounter(VisibleRange range, int contenderCount) : m_range(range)
    {
        m_statistics.acquisitionsOf.resize(static_cast<std::size_t>(std::max(contenderCount, 0)));
    }

    void see(const Span& span)
    {
        switch (span.kind) {
        case Span::Kind::Waiting: seeWait(span); return;
        case Span::Kind::Holding: seeHold(span); return;
        case Span::Kind::Paused: m_statistics.pauses += isWithin(span.from) ? 1 : 0; return;
        case Span::Kind::Down: m_statistics.crashes += isWithin(span.from) ? 1 : 0; return;
        }
    }

    void see(const Mark& mark)
    {
        const std::uint64_t count = isWithin(mark.at) ? 1 : 0;
        switch (mark.kind) {
        case Mark::Kind::Refused: m_statistics.tries += count; return;
        case Mark::Kind::Renewed: m_statistics.renewals += count; return;
        case Mark::Kind::ReleaseRefused: m_statistics.lateReleases += count; return;
        case Mark::Kind::Rejected: m_statistics.rejectedEffects += count; return;
        case Mark::Kind::RenewalFailed: return;
        }
    }

    void see(const trace::Overlap& overlap)
    {
        const bool isTouched = overlap.from < m_range.to && overlap.to > m_range.from;
        m_statistics.overlaps += isTouched || isWithin(overlap.from) ? 1 : 0;
    }

    const RunStatistics& statistics() const { return m_statistics; }

private:
    bool isWithin(Instant at) const { return m_range.from <= at && at < m_range.to; }

    void seeWait(const Span& span)
    {
        m_statistics.requests += isWithin(span.from) ? 1 : 0;
        if (!isWithin(span.to)) {
            return;
        }
        // Those that end without the lock count, too, and so do those that the record cuts: who
        // waits longest of all would else be the one who is left out.
        m_statistics.wait.add(span.to - span.from);
        m_statistics.withdrew += span.end == SpanEnd::Open ? 1 : 0;
        m_statistics.gaveUp += span.end == SpanEnd::GaveUp ? 1 : 0;
        m_statistics.uncertain += span.end == SpanEnd::Uncertain ? 1 : 0;
    }

    void seeHold(const Span& span)
    {
        if (isWithin(span.from)) {
            ++m_statistics.acquisitions;
            ++m_statistics.tries;
            if (span.contender < m_statistics.acquisitionsOf.size()) {
                ++m_statistics.acquisitionsOf[span.contender];
            }
        }
        if (isWithin(span.to) && span.end != SpanEnd::Open) {
            m_statistics.hold.add(span.to - span.from);
            m_statistics.losses += span.end == SpanEnd::Lost ? 1 : 0;
            m_statistics.uncertain += span.end == SpanEnd::Uncertain ? 1 : 0;
        }
    }

    VisibleRange m_range;
    RunStatistics m_statistics;
};

std::vector<Instant> grantsOf(const Chronicle& chronicle, VisibleRange range)
{
    std::vector<Instant> grants;
    for (const Span& span : chronicle.spans) {
        if (span.kind == Span::Kind::Holding && range.from <= span.from && span.from < range.to) {
            grants.push_back(span.from);
        }
    }
    return grants;
}

/// Round instants within the range, and its two ends. Few where few grants are to be spread.
std::vector<Instant> binEdges(VisibleRange range, std::size_t grantCount)
{
    const double binCount = std::clamp(2 * std::sqrt(static_cast<double>(grantCount)), kRateBinsMin,
                                       kRateBinsMax);
    std::vector<Instant> edges{range.from};
    for (const Tick& tick : ticks(range, binCount, 1)) {
        if (tick.at > range.from && tick.at < range.to) {
            edges.push_back(tick.at);
        }
    }
    edges.push_back(range.to);
    return edges;
}

} // namespace

void RateSeries::clear()
{
    m_samples.clear();
    m_resolution = Duration(0);
}

void RateSeries::add(RateSample sample)
{
    const bool isNew = m_samples.empty() || sample.at - m_samples.back().at > m_resolution;
    if (!isNew) {
        return;
    }
    m_samples.push_back(sample);
    if (m_samples.size() > kSamplesAtMost) {
        coarsen();
    }
}

void RateSeries::coarsen()
{
    for (std::size_t pair = 0; pair < m_samples.size() / 2; ++pair) {
        const RateSample& one = m_samples[2 * pair];
        const RateSample& other = m_samples[2 * pair + 1];
        m_samples[pair] = {other.at, (one.perSecond + other.perSecond) / 2};
    }
    m_samples.resize(m_samples.size() / 2);
    m_resolution = (m_samples.back().at - m_samples.front().at)
                   / static_cast<std::int64_t>(m_samples.size());
}

double RateSeries::largest() const
{
    double largest = 0;
    for (const RateSample& sample : m_samples) {
        largest = std::max(largest, sample.perSecond);
    }
    return largest;
}

RunFigures figuresOf(const RunStatistics& statistics, const QStringList& contenderNames)
{
    RunFigures figures;
    figures.statistics = statistics;
    figures.contenderNames = contenderNames;
    return figures;
}

RunFigures figuresOf(const Chronicle& chronicle, std::optional<VisibleRange> range,
                     const TimelineNames& names, int contenderCount)
{
    const VisibleRange wanted = range.value_or(wholeOf(chronicle));
    SpanCounter counter(closed(wanted, chronicle), contenderCount);
    for (const Span& span : chronicle.spans) {
        counter.see(span);
    }
    for (const Mark& mark : chronicle.marks) {
        counter.see(mark);
    }
    for (const trace::Overlap& overlap : chronicle.overlaps) {
        counter.see(overlap);
    }
    RunFigures figures;
    figures.isOfSpans = true;
    figures.statistics = counter.statistics();
    figures.statistics.elapsed = std::max(wanted.length(), Duration(0));
    figures.rates = ratesOf(chronicle, wanted);
    for (int id = 0; id < contenderCount; ++id) {
        figures.contenderNames += names.contender(static_cast<trace::ContenderId>(id));
    }
    return figures;
}

VisibleRange wholeOf(const Chronicle& chronicle)
{
    Instant from{};
    if (!chronicle.spans.empty()) {
        from = std::min(from, chronicle.spans.front().from);
    }
    return {from, chronicle.end};
}

std::vector<RateBin> ratesOf(const Chronicle& chronicle, VisibleRange range)
{
    if (range.isEmpty()) {
        return {};
    }
    const std::vector<Instant> grants = grantsOf(chronicle, closed(range, chronicle));
    const std::vector<Instant> edges = binEdges(range, grants.size());
    std::vector<RateBin> bins;
    auto next = grants.begin();
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const bool isLast = i + 2 == edges.size();
        const auto end = isLast ? grants.end() : std::lower_bound(next, grants.end(), edges[i + 1]);
        const auto count = static_cast<std::uint64_t>(end - next);
        bins.push_back({edges[i], edges[i + 1], perSecond(count, edges[i + 1] - edges[i]), count});
        next = end;
    }
    return bins;
}

std::vector<RateBin> ratesOf(const RateSeries& series)
{
    std::vector<RateBin> bins;
    Duration from{0};
    for (const RateSample& sample : series.samples()) {
        if (sample.at > from) {
            bins.push_back({Instant(from), Instant(sample.at), sample.perSecond, std::nullopt});
            from = sample.at;
        }
    }
    return bins;
}

std::vector<ContenderShare> sharesOf(const RunFigures& figures)
{
    const RunStatistics& statistics = figures.statistics;
    std::uint64_t total = 0;
    for (const std::uint64_t count : statistics.acquisitionsOf) {
        total += count;
    }
    std::vector<ContenderShare> shares;
    for (std::size_t i = 0; i < statistics.acquisitionsOf.size(); ++i) {
        const std::uint64_t count = statistics.acquisitionsOf[i];
        const double share = total > 0 ? static_cast<double>(count) / static_cast<double>(total)
                                       : 0;
        const auto row = static_cast<qsizetype>(i);
        const QString usual = toQString(trace::contenderName(i));
        const QString name = row < figures.contenderNames.size() ? figures.contenderNames[row]
                                                                 : usual;
        shares.push_back({name, name == usual ? QString::number(i) : name, count, share});
    }
    std::ranges::stable_sort(shares, std::ranges::greater(), &ContenderShare::acquisitions);
    return shares;
}

std::vector<CumulativePoint> cumulativeOf(const trace::Histogram& histogram)
{
    std::vector<CumulativePoint> points;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < trace::Histogram::kBarCount && seen < histogram.count(); ++i) {
        const trace::Histogram::Bar bar = histogram.barAt(i);
        if (bar.count > 0) {
            seen += bar.count;
            points.push_back({std::min(bar.from + (bar.to - bar.from) / 2, histogram.max()),
                              static_cast<double>(seen) / static_cast<double>(histogram.count())});
        }
    }
    return points;
}

} // namespace lockscope::models
