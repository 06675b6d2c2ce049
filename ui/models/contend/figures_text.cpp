#include "ui/models/contend/figures_text.h"

#include "core/kernel/report/csv_text.h"
#include "ui/models/charts/chart_content.h"
#include "ui/models/contend/latency_text.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using trace::Histogram;
using trace::RunStatistics;
using Unit = RunMetric::Unit;

namespace {

constexpr int kCsvBinsPerDecade = 8;

QString notRecorded()
{
    return UiText::tr("not recorded");
}

/// Collects the metrics of one run.
class MetricList {
public:
    explicit MetricList(const RunFigures& figures)
        : m_figures(figures),
          m_statistics(figures.statistics)
    {}

    std::vector<RunMetric> metrics()
    {
        const bool hasAny = m_statistics.acquisitions > 0;
        const QString none = hasAny ? QString() : UiText::tr("no acquisition");
        addCount(u"acquisitions"_s, UiText::tr("Acquisitions"), m_statistics.acquisitions);
        add(u"acquisitions-per-second"_s, UiText::tr("Acquisitions per second"), Unit::Rate,
            m_statistics.acquisitionsPerSecond());
        addCount(u"gave-up"_s, UiText::tr("Gave up"), m_statistics.gaveUp);
        addTimes(u"wait"_s, UiText::tr("Wait"), m_statistics.wait);
        addTimes(u"hold"_s, UiText::tr("Hold"), m_statistics.hold);
        add(u"tries-per-acquisition"_s, UiText::tr("Attempts per acquisition"), Unit::Rate,
            m_statistics.triesPerAcquisition(), none);
        add(u"commands-per-acquisition"_s, UiText::tr("Commands per acquisition"), Unit::Rate,
            m_statistics.commandsPerAcquisition(),
            hasAny && m_statistics.commands == 0 ? notRecorded() : none);
        addCount(u"renewals"_s, UiText::tr("Renewals"), m_statistics.renewals);
        add(u"jain"_s, UiText::tr("Jain's index"), Unit::Index, m_statistics.jainFairness(), none);
        addTrouble();
        return std::move(m_metrics);
    }

private:
    /// `whyUnknown`: empty when it is known.
    void add(const QString& id, const QString& title, Unit unit, double value,
             const QString& whyUnknown = {})
    {
        const bool isKnown = whyUnknown.isEmpty();
        m_metrics.push_back({id, title, unit, isKnown ? std::optional(value) : std::nullopt,
                             whyUnknown});
    }

    void addCount(const QString& id, const QString& title, std::uint64_t count,
                  const QString& whyUnknown = {})
    {
        add(id, title, Unit::Count, static_cast<double>(count), whyUnknown);
    }

    void addTimes(const QString& id, const QString& title, const Histogram& times)
    {
        const QString none = times.count() > 0 ? QString() : UiText::tr("none");
        const auto addTime = [&](const QString& name, Duration time) {
            add(id + u'-' + name, title + u", "_s + name, Unit::Time,
                static_cast<double>(time.count()), none);
        };
        addTime(u"p50"_s, times.quantile(0.5));
        addTime(u"p95"_s, times.quantile(0.95));
        addTime(u"p99"_s, times.quantile(0.99));
        addTime(u"max"_s, times.max());
    }

    void addTrouble()
    {
        addCount(u"overlaps"_s, UiText::tr("Overlaps"), m_statistics.overlaps);
        addCount(u"wrong-releases"_s, UiText::tr("Wrong releases"), m_statistics.wrongReleases,
                 m_figures.isOfSpans ? notRecorded() : QString());
        addCount(u"late-releases"_s, UiText::tr("Late releases"), m_statistics.lateReleases);
        addCount(u"crashes"_s, UiText::tr("Crashes"), m_statistics.crashes);
        addCount(u"pauses"_s, UiText::tr("Pauses"), m_statistics.pauses);
    }

    const RunFigures& m_figures;
    const RunStatistics& m_statistics;
    std::vector<RunMetric> m_metrics;
};

std::vector<RunTile> acquisitionTiles(const RunStatistics& statistics)
{
    return {{u"acquisitions"_s, UiText::tr("Acquisitions"), countText(statistics.acquisitions),
             UiText::tr("of %1").arg(countedText(static_cast<std::int64_t>(statistics.requests),
                                                 UiText::tr("request"), UiText::tr("requests"))),
             UiText::tr("Number of times a lock was granted.")},
            {u"rate"_s, UiText::tr("Acquisitions per second"),
             numberText(statistics.acquisitionsPerSecond()),
             UiText::tr("over %1").arg(latencyText(statistics.elapsed)),
             UiText::tr("Average number of times a lock was granted per second.")}};
}

RunTile commandTile(const RunStatistics& statistics)
{
    const bool isCounted = statistics.acquisitions > 0 && statistics.commands > 0;
    const QString tries = statistics.acquisitions > 0
                              ? UiText::tr("per acquisition · %1 attempts")
                                    .arg(numberText(statistics.triesPerAcquisition()))
                              : UiText::tr("per acquisition");
    return {
        u"commands"_s, UiText::tr("Commands"),
        isCounted ? numberText(statistics.commandsPerAcquisition()) : notRecorded(), tries,
        UiText::tr(
            "Commands sent to the server per acquisition, including renewals and the release.")};
}

RunTile unknownReleases()
{
    RunTile tile = wrongReleaseTile(0);
    tile.value = notRecorded();
    tile.detail = UiText::tr("not visible in a timeline");
    tile.meaning = UiText::tr("A timeline does not record which hold a release removed.");
    return tile;
}

RunTile overlapTileOf(const RunFigures& figures)
{
    RunTile tile = overlapTile(figures.statistics.overlaps);
    if (figures.isOfSpans) {
        tile.detail = figures.statistics.overlaps > 0 ? UiText::tr("as believed by the contenders")
                                                      : QString();
        tile.meaning = UiText::tr("Number of times two contenders believed they held the same lock "
                                  "although only one may hold it.");
    }
    return tile;
}

QString differenceText(const RunMetric& ours, const RunMetric& theirs)
{
    if (!ours.value || !theirs.value) {
        return u"–"_s;
    }
    if (*ours.value == *theirs.value) {
        return UiText::tr("same");
    }
    if (*theirs.value == 0) {
        return UiText::tr("from 0");
    }
    const double percent = (*ours.value - *theirs.value) / *theirs.value * 100;
    const double size = std::abs(percent);
    const QString sign = percent < 0 ? u"−"_s : u"+"_s;
    if (size < 0.05) {
        return UiText::tr("under 0.1 %");
    }
    const QString digits = size < 9.95 ? QString::number(size, 'f', 1)
                                       : countText(std::llround(size));
    return sign + digits + u" %"_s;
}

/// One line after the other.
class CsvText {
public:
    void add(const RunFigures& figures)
    {
        m_run = figures.title;
        if (!figures.commandLine.isEmpty()) {
            addLine({.figure = u"command"_s, .of = figures.commandLine});
        }
        if (!figures.verdict.isEmpty()) {
            addLine({.figure = u"verdict"_s, .of = figures.verdict});
        }
        for (const RunMetric& metric : metricsOf(figures)) {
            addLine({.figure = metric.id,
                     .value = metric.value ? exact(*metric.value) : QString(),
                     .unit = metric.value ? unitOf(metric.unit) : metric.whyUnknown});
        }
        addWaits(figures.statistics.wait);
        for (const RateBin& bin : figures.rates) {
            addLine({.figure = u"acquisitions-per-second"_s,
                     .from = text(bin.from.time_since_epoch()),
                     .to = text(bin.to.time_since_epoch()),
                     .value = exact(bin.perSecond),
                     .unit = u"rate"_s});
        }
        for (const ContenderShare& share : sharesOf(figures)) {
            addLine({.figure = u"acquisitions-of"_s,
                     .of = share.name,
                     .value = QString::number(share.acquisitions),
                     .unit = u"count"_s});
        }
    }

    const QString& text() const { return m_text; }

private:
    /// What stands behind the run.
    struct Line {
        QString figure;
        QString of{};
        QString from{};
        QString to{};
        QString value{};
        QString unit{};
    };

    static QString text(Duration time) { return QString::number(time.count()); }
    static QString exact(double value) { return QString::number(value, 'g', 12); }

    static QString unitOf(Unit unit)
    {
        switch (unit) {
        case Unit::Count: return u"count"_s;
        case Unit::Rate: return u"ratio"_s;
        case Unit::Time: return u"us"_s;
        case Unit::Index: return u"index"_s;
        }
        return {};
    }

    void addWaits(const Histogram& waits)
    {
        for (const TimeBin& bin : timeBins(waits, kCsvBinsPerDecade)) {
            addLine({.figure = u"waits"_s,
                     .from = text(bin.from),
                     .to = text(bin.to),
                     .value = QString::number(bin.count),
                     .unit = u"count"_s});
        }
        for (const CumulativePoint& point : cumulativeOf(waits)) {
            addLine({.figure = u"waits-not-longer"_s,
                     .to = text(point.at),
                     .value = exact(point.share),
                     .unit = u"share"_s});
        }
    }

    void addLine(const Line& line)
    {
        QStringList quoted;
        for (const QString& field :
             {m_run, line.figure, line.of, line.from, line.to, line.value, line.unit}) {
            quoted += toQString(report::csvField(field.toStdString()));
        }
        m_text += quoted.join(u',') + u'\n';
    }

    QString m_run;
    QString m_text = u"run,figure,of,from_us,to_us,value,unit\n"_s;
};

} // namespace

std::vector<RunMetric> metricsOf(const RunFigures& figures)
{
    return MetricList(figures).metrics();
}

QString metricText(const RunMetric& metric)
{
    if (!metric.value) {
        return metric.whyUnknown;
    }
    switch (metric.unit) {
    case Unit::Count: return countText(std::llround(*metric.value));
    case Unit::Time: return latencyText(Duration(std::llround(*metric.value)));
    case Unit::Rate:
    case Unit::Index: break;
    }
    return numberText(*metric.value);
}

std::vector<RunTile> figureTiles(const RunFigures& figures)
{
    const RunStatistics& statistics = figures.statistics;
    std::vector<RunTile> tiles = acquisitionTiles(statistics);
    std::ranges::move(waitTiles(statistics.wait), std::back_inserter(tiles));
    tiles.push_back(commandTile(statistics));
    tiles.push_back(fairnessTile(statistics, static_cast<int>(statistics.acquisitionsOf.size())));
    tiles.push_back(overlapTileOf(figures));
    tiles.push_back(figures.isOfSpans ? unknownReleases()
                                      : wrongReleaseTile(statistics.wrongReleases));
    return tiles;
}

std::vector<ComparisonRow> comparisonRows(const RunFigures& ours, const RunFigures& theirs)
{
    const std::vector<RunMetric> our = metricsOf(ours);
    const std::vector<RunMetric> their = metricsOf(theirs);
    std::vector<ComparisonRow> rows;
    if (!ours.verdict.isEmpty() && !theirs.verdict.isEmpty()) {
        const bool isSame = ours.verdict == theirs.verdict;
        rows.push_back({UiText::tr("Verdict"), ours.verdict, theirs.verdict,
                        isSame ? UiText::tr("same") : u"–"_s});
    }
    for (std::size_t i = 0; i < our.size(); ++i) {
        rows.push_back({our[i].title, metricText(our[i]), metricText(their[i]),
                        differenceText(our[i], their[i])});
    }
    return rows;
}

QString figuresCsv(const RunFigures& figures, const RunFigures* other)
{
    CsvText text;
    text.add(figures);
    if (other != nullptr) {
        text.add(*other);
    }
    return text.text();
}

} // namespace lockscope::models
