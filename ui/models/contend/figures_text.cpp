#include "ui/models/contend/figures_text.h"

#include "core/kernel/report/csv_text.h"
#include "ui/models/charts/chart_content.h"
#include "ui/models/contend/latency_text.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using trace::Histogram;
using trace::RunStatistics;
using Unit = RunMetric::Unit;

namespace {

constexpr int kCsvBinsPerDecade = 8;

QString notCounted()
{
    return UiText::tr("not counted");
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
        addCount(u"acquisitions"_s, UiText::tr("Acquisitions"), m_statistics.acquisitions);
        add({u"acquisitions-per-second"_s,
             UiText::tr("Acquisitions per second"),
             Unit::Rate,
             m_statistics.acquisitionsPerSecond(),
             {}});
        addCount(u"gave-up"_s, UiText::tr("Gave up"), m_statistics.gaveUp);
        addTimes(u"wait"_s, UiText::tr("Wait"), m_statistics.wait);
        addTimes(u"hold"_s, UiText::tr("Hold"), m_statistics.hold);
        addEffort();
        addKnown(
            {u"jain"_s, UiText::tr("Jain's index"), Unit::Index, m_statistics.jainFairness(), {}},
            m_statistics.acquisitions > 0, UiText::tr("no acquisition"));
        addTrouble();
        return std::move(m_metrics);
    }

private:
    void add(RunMetric metric) { m_metrics.push_back(std::move(metric)); }

    void addKnown(RunMetric metric, bool isKnown, const QString& whyUnknown)
    {
        if (!isKnown) {
            metric.value.reset();
            metric.whyUnknown = whyUnknown;
        }
        add(std::move(metric));
    }

    void addCount(const QString& id, const QString& title, std::uint64_t count)
    {
        add({id, title, Unit::Count, static_cast<double>(count), {}});
    }

    void addTimes(const QString& id, const QString& title, const Histogram& times)
    {
        struct Quantile {
            QString name;
            double share;
        };
        const std::array quantiles{Quantile{u"p50"_s, 0.5}, Quantile{u"p95"_s, 0.95},
                                   Quantile{u"p99"_s, 0.99}, Quantile{u"max"_s, 1}};
        for (const auto& [name, share] : quantiles) {
            const Duration time = share < 1 ? times.quantile(share) : times.max();
            addKnown({id + u'-' + name,
                      title + u", "_s + name,
                      Unit::Time,
                      static_cast<double>(time.count()),
                      {}},
                     times.count() > 0, UiText::tr("none"));
        }
    }

    void addEffort()
    {
        const bool hasAny = m_statistics.acquisitions > 0;
        const QString none = UiText::tr("no acquisition");
        addKnown({u"tries-per-acquisition"_s,
                  UiText::tr("Attempts per acquisition"),
                  Unit::Rate,
                  m_statistics.triesPerAcquisition(),
                  {}},
                 hasAny, none);
        addKnown({u"commands-per-acquisition"_s,
                  UiText::tr("Commands per acquisition"),
                  Unit::Rate,
                  m_statistics.commandsPerAcquisition(),
                  {}},
                 hasAny && m_statistics.commands > 0, hasAny ? notCounted() : none);
        addCount(u"renewals"_s, UiText::tr("Renewals"), m_statistics.renewals);
    }

    void addTrouble()
    {
        addCount(u"overlaps"_s, UiText::tr("Overlaps"), m_statistics.overlaps);
        addKnown({u"wrong-releases"_s,
                  UiText::tr("Wrong releases"),
                  Unit::Count,
                  static_cast<double>(m_statistics.wrongReleases),
                  {}},
                 !m_figures.isOfSpans, notCounted());
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
             UiText::tr("in %1").arg(latencyText(statistics.elapsed)),
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
        isCounted ? numberText(statistics.commandsPerAcquisition()) : notCounted(), tries,
        UiText::tr(
            "Commands sent to the server per acquisition, including renewals and the release.")};
}

RunTile unknownReleases()
{
    RunTile tile = wrongReleaseTile(0);
    tile.value = notCounted();
    tile.detail = UiText::tr("from a timeline");
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
    CsvText()
    {
        addLine({u"run"_s, u"figure"_s, u"of"_s, u"from_us"_s, u"to_us"_s, u"value"_s, u"unit"_s});
    }

    void add(const RunFigures& figures)
    {
        m_run = figures.title;
        if (!figures.commandLine.isEmpty()) {
            addLine({m_run, u"command"_s, figures.commandLine, {}, {}, {}, {}});
        }
        for (const RunMetric& metric : metricsOf(figures)) {
            addLine({m_run,
                     metric.id,
                     {},
                     {},
                     {},
                     metric.value ? exact(*metric.value) : QString(),
                     metric.value ? unitOf(metric.unit) : metric.whyUnknown});
        }
        for (const TimeBin& bin : timeBins(figures.statistics.wait, kCsvBinsPerDecade)) {
            addLine({m_run,
                     u"waits"_s,
                     {},
                     text(bin.from),
                     text(bin.to),
                     QString::number(bin.count),
                     u"count"_s});
        }
        for (const CumulativePoint& point : cumulativeOf(figures.statistics.wait)) {
            addLine({m_run,
                     u"waits-not-longer"_s,
                     {},
                     {},
                     text(point.at),
                     exact(point.share),
                     u"share"_s});
        }
        addRates(figures);
        for (const ContenderShare& share : sharesOf(figures)) {
            addLine({m_run,
                     u"acquisitions-of"_s,
                     share.name,
                     {},
                     {},
                     QString::number(share.acquisitions),
                     u"count"_s});
        }
    }

    const QString& text() const { return m_text; }

private:
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

    void addRates(const RunFigures& figures)
    {
        for (const RateBin& bin : figures.rates) {
            addLine({m_run,
                     u"acquisitions-per-second"_s,
                     {},
                     text(bin.from.time_since_epoch()),
                     text(bin.to.time_since_epoch()),
                     exact(bin.perSecond),
                     u"rate"_s});
        }
    }

    void addLine(const std::array<QString, 7>& fields)
    {
        QStringList quoted;
        for (const QString& field : fields) {
            quoted += toQString(report::csvField(field.toStdString()));
        }
        m_text += quoted.join(u',') + u'\n';
    }

    QString m_run;
    QString m_text;
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
