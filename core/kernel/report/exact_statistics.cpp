#include "core/kernel/report/exact_statistics.h"

#include "core/kernel/base/kernel_text.h"
#include "core/kernel/report/run/file_column.h"
#include "core/kernel/report/run/typed_column.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lockscope::report {

using protocol::FileSection;
using trace::Histogram;
using trace::RunStatistics;

namespace {

constexpr std::int64_t kCountMax = std::int64_t{1} << 53;
constexpr std::int64_t kBarMax = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kContendersMax = 1'000'000;

struct Count {
    std::string_view name;
    std::uint64_t RunStatistics::*value;
};

constexpr Count kCounts[] = {
    {"requests", &RunStatistics::requests},
    {"acquisitions", &RunStatistics::acquisitions},
    {"gaveUp", &RunStatistics::gaveUp},
    {"unavailable", &RunStatistics::unavailable},
    {"uncertain", &RunStatistics::uncertain},
    {"tries", &RunStatistics::tries},
    {"commands", &RunStatistics::commands},
    {"renewals", &RunStatistics::renewals},
    {"losses", &RunStatistics::losses},
    {"crashes", &RunStatistics::crashes},
    {"pauses", &RunStatistics::pauses},
    {"overlaps", &RunStatistics::overlaps},
    {"wrongReleases", &RunStatistics::wrongReleases},
    {"lateReleases", &RunStatistics::lateReleases},
    {"rejectedEffects", &RunStatistics::rejectedEffects},
};

/// Not in files of earlier versions, which did not count them.
constexpr Count kLaterCounts[] = {
    {"errors", &RunStatistics::errors},
    {"withdrew", &RunStatistics::withdrew},
    {"neverGranted", &RunStatistics::neverGranted},
    {"releasesBehindGrants", &RunStatistics::releasesBehindGrants},
};

/// The bars that are not empty, as pairs of index and count.
Json histogramJson(const Histogram& histogram)
{
    std::vector<std::int64_t> bars;
    for (std::size_t i = 0; i < Histogram::kBarCount; ++i) {
        if (const std::uint64_t count = histogram.barAt(i).count; count > 0) {
            bars.push_back(static_cast<std::int64_t>(i));
            bars.push_back(static_cast<std::int64_t>(count));
        }
    }
    return Json{{"bars", typedColumn(bars)}, {"maxUs", histogram.max().count()}};
}

/// Adds up bars in the order of their indices. The longest duration stands in for one of those of
/// its bar, the others for the beginning of theirs: that is all that a histogram remembers.
class HistogramBuilder {
public:
    explicit HistogramBuilder(Duration max) : m_max(max) {}

    /// False: they do not come in their order, or the longest duration is not in the last one.
    bool add(std::int64_t index, std::int64_t count)
    {
        const bool isBar = index > m_index && index < std::int64_t{Histogram::kBarCount};
        if (!isBar || count < 1) {
            return false;
        }
        addLatest(m_count);
        m_index = index;
        m_count = static_cast<std::uint32_t>(count);
        return true;
    }

    std::optional<Histogram> histogram()
    {
        if (m_index < 0) {
            return m_max == Duration(0) ? std::optional(m_histogram) : std::nullopt;
        }
        const auto last = static_cast<std::size_t>(m_index);
        addLatest(m_count - 1);
        m_histogram.add(m_max, 1);
        const bool isMaxInLast = m_histogram.barAt(last).count == m_count
                                 && m_histogram.max() == m_max;
        return isMaxInLast ? std::optional(m_histogram) : std::nullopt;
    }

private:
    void addLatest(std::uint32_t count)
    {
        if (m_index >= 0) {
            m_histogram.add(m_histogram.barAt(static_cast<std::size_t>(m_index)).from, count);
        }
    }

    Duration m_max;
    Histogram m_histogram;
    std::int64_t m_index = -1;
    std::uint32_t m_count = 0;
};

Histogram readHistogram(const FileSection& file, std::string_view name)
{
    const FileSection section(file.at(name), file.pathOf(name), {"bars", "maxUs"});
    HistogramBuilder builder{Duration(readInteger(section, "maxUs", 0, kCountMax))};
    FileColumn bars(section, "bars", 0, kBarMax);
    bool isSound = true;
    while (isSound && !bars.isAtEnd()) {
        const std::int64_t index = bars.next();
        isSound = builder.add(index, bars.next());
    }
    const std::optional<Histogram> histogram = isSound ? builder.histogram() : std::nullopt;
    if (!histogram) {
        bars.fail(KernelText::tr(
            "The bars of a histogram are expected, with its maximum in the last one."));
    }
    return *histogram;
}

} // namespace

Json exactStatisticsJson(const RunStatistics& statistics)
{
    Json json{{"elapsedUs", statistics.elapsed.count()}};
    for (const Count& count : kCounts) {
        json[std::string(count.name)] = statistics.*count.value;
    }
    for (const Count& count : kLaterCounts) {
        json[std::string(count.name)] = statistics.*count.value;
    }
    json["longestBypass"] = statistics.longestBypass;
    json["wait"] = histogramJson(statistics.wait);
    json["hold"] = histogramJson(statistics.hold);
    json["takeover"] = histogramJson(statistics.takeover);
    json["acquisitionsOf"] = typedColumn({statistics.acquisitionsOf.begin(),
                                          statistics.acquisitionsOf.end()});
    return json;
}

RunStatistics readExactStatistics(const FileSection& file, std::string_view name)
{
    const FileSection section(
        file.at(name), file.pathOf(name),
        {"elapsedUs",      "requests",      "acquisitions", "gaveUp",
         "unavailable",    "uncertain",     "tries",        "commands",
         "renewals",       "losses",        "crashes",      "pauses",
         "overlaps",       "wrongReleases", "lateReleases", "rejectedEffects",
         "longestBypass",  "wait",          "hold",         "takeover",
         "acquisitionsOf", "withdrew",      "neverGranted", "releasesBehindGrants",
         "errors"});
    RunStatistics statistics;
    statistics.elapsed = Duration(readInteger(section, "elapsedUs", 0, kCountMax));
    for (const Count& count : kCounts) {
        statistics.*count.value = static_cast<std::uint64_t>(readInteger(section, count.name, 0,
                                                                         kCountMax));
    }
    for (const Count& count : kLaterCounts) {
        if (section.has(count.name)) {
            statistics.*count.value = static_cast<std::uint64_t>(readInteger(section, count.name, 0,
                                                                             kCountMax));
        }
    }
    statistics.longestBypass = static_cast<std::uint32_t>(readInteger(section, "longestBypass", 0,
                                                                      kBarMax));
    statistics.wait = readHistogram(section, "wait");
    statistics.hold = readHistogram(section, "hold");
    statistics.takeover = readHistogram(section, "takeover");
    FileColumn shares(section, "acquisitionsOf", 0, kCountMax);
    while (!shares.isAtEnd()) {
        statistics.acquisitionsOf.push_back(shares.nextAs<std::uint64_t>());
    }
    if (statistics.acquisitionsOf.size() > kContendersMax) {
        shares.fail(KernelText::tr("There are too many contenders."));
    }
    return statistics;
}

} // namespace lockscope::report
