#include "ui/models/contend/run_tiles.h"

#include "ui/models/contend/latency_text.h"
#include "ui/models/formatting.h"
#include "ui/models/ui_text.h"

#include <QStringList>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using trace::Histogram;
using trace::RunStatistics;
using ScenarioKind = workload::Scenario::Kind;
using RunPhase = workload::LiveRunProgress::Phase;

namespace {

constexpr double kEvenFrom = 0.9;
constexpr double kUnevenFrom = 0.6;
/// Below so many acquisitions for each contender their shares are luck.
constexpr std::uint64_t kTellingShare = 3;

QString quantileText(const Histogram& histogram, double share)
{
    return histogram.count() == 0 ? u"–"_s : latencyText(histogram.quantile(share));
}

/// A count that ought to be zero.
RunTile offenceTile(const QString& id, const QString& title, std::uint64_t count,
                    const QString& offence, const QString& meaning)
{
    return {id,
            title,
            countText(count),
            count == 0 ? QString() : offence,
            meaning,
            count == 0 ? TileTone::Plain : TileTone::Bad};
}

QString percentText(double share)
{
    return UiText::tr("%1 %").arg(numberText(100 * share));
}

/// Collects the tiles of one run.
class Board {
public:
    Board(const workload::LiveRunProgress& progress, const workload::Scenario& scenario,
          const protocol::ProtocolInfo& info)
        : m_progress(progress),
          m_statistics(progress.statistics),
          m_scenario(scenario),
          m_info(info)
    {}

    std::vector<RunTile> tiles()
    {
        addPerformance();
        addSafety();
        addTrouble();
        return std::move(m_tiles);
    }

    /// A prediction puts nothing to the test.
    std::vector<RunTile> predictedTiles(const contention::Prediction& prediction)
    {
        addPerformance();
        add({u"serverLoad"_s, UiText::tr("Server load"), percentText(prediction.serverLoad),
             UiText::tr("of one processor"),
             UiText::tr(
                 "How busy the busiest server would be. Near 100 % the server is the limit.")});
        add({u"clientLoad"_s, UiText::tr("Client load"), percentText(prediction.driverLoad),
             UiText::tr("of one thread"),
             UiText::tr("How busy the busiest thread of the contenders would be. Near 100 % the "
                        "contenders are the limit.")});
        return std::move(m_tiles);
    }

private:
    void addPerformance()
    {
        if (m_scenario.kind == ScenarioKind::Draw) {
            addWinners();
        } else {
            addRate();
        }
        if (m_scenario.kind == ScenarioKind::HotStandby) {
            addTakeover();
        }
        addTimes();
        addEffort();
        addFairness();
    }

    void add(RunTile tile) { m_tiles.push_back(std::move(tile)); }

    void addRate()
    {
        const bool isOver = m_progress.phase == RunPhase::Finished;
        const QString mean = numberText(m_statistics.acquisitionsPerSecond());
        const QString total = countText(m_statistics.acquisitions);
        add({u"rate"_s, UiText::tr("Acquisitions per second"),
             isOver ? mean : numberText(m_progress.recentPerSecond),
             isOver ? UiText::tr("%1 in total").arg(total)
                    : UiText::tr("mean %1 · %2 in total").arg(mean, total),
             UiText::tr("Locks granted per second, over the last second. After the run: over the "
                        "whole run.")});
    }

    void addWinners()
    {
        const std::uint64_t winners = m_statistics.acquisitions;
        const auto allowed = static_cast<std::uint64_t>(m_scenario.keyCount)
                             * static_cast<std::uint64_t>(m_scenario.permits);
        const bool isTooMany = winners > allowed;
        add({u"winners"_s, UiText::tr("Winners"),
             UiText::tr("%1 of %2").arg(countText(winners), countText(m_scenario.contenderCount)),
             isTooMany ? UiText::tr("only %1 may win").arg(countText(allowed)) : QString(),
             UiText::tr("Number of instances that were granted a lock."),
             isTooMany ? TileTone::Bad : TileTone::Plain});
    }

    void addTakeover()
    {
        const Histogram& takeover = m_statistics.takeover;
        add({u"takeover"_s, UiText::tr("Takeover"), quantileText(takeover, 0.5),
             UiText::tr("p99 %1 · %2 times")
                 .arg(quantileText(takeover, 0.99), countText(takeover.count())),
             UiText::tr("Median time from the death of the active holder until the next one takes "
                        "over.")});
    }

    void addTimes()
    {
        for (RunTile& tile : waitTiles(m_statistics.wait)) {
            add(std::move(tile));
        }
        if (m_scenario.kind != ScenarioKind::Draw) {
            const Histogram& hold = m_statistics.hold;
            add({u"hold"_s, UiText::tr("Hold, p50"), quantileText(hold, 0.5),
                 UiText::tr("p99 %1").arg(quantileText(hold, 0.99)),
                 UiText::tr("From the grant until the holder releases the lock or learns that it "
                            "is lost.")});
        }
    }

    void addEffort()
    {
        const bool isKnown = m_statistics.acquisitions > 0;
        const bool isCounted = isKnown && m_statistics.commands > 0;
        const QString tries = isKnown ? numberText(m_statistics.triesPerAcquisition()) : u"–"_s;
        const QString commands = isCounted ? numberText(m_statistics.commandsPerAcquisition())
                                           : u"–"_s;
        add({u"effort"_s, UiText::tr("Attempts, commands"), u"%1 · %2"_s.arg(tries, commands),
             m_statistics.renewals > 0
                 ? UiText::tr("per acquisition · %1 renewals").arg(countText(m_statistics.renewals))
                 : UiText::tr("per acquisition"),
             UiText::tr("Attempts per acquisition, and commands sent to the server per "
                        "acquisition, including renewals and the release.")});
    }

    void addFairness()
    {
        if (m_scenario.kind != ScenarioKind::Contention) {
            return;
        }
        add(fairnessTile(m_statistics, m_scenario.contenderCount));
        add({u"bypass"_s, UiText::tr("Longest bypass"), countText(m_statistics.longestBypass),
             m_statistics.longestBypass > 0 ? UiText::tr("later requests were granted first")
                                            : QString(),
             UiText::tr("Largest number of later requests that were granted before a request that "
                        "was already waiting.")});
    }

    void addSafety()
    {
        add(overlapTile(m_statistics.overlaps));
        if (m_scenario.kind == ScenarioKind::Draw) {
            return;
        }
        add(wrongReleaseTile(m_statistics.wrongReleases));
        if (m_info.hasFence) {
            const std::uint64_t rejected = m_statistics.rejectedEffects;
            add({u"rejected"_s, UiText::tr("Rejected effects"), countText(rejected),
                 rejected > 0 ? UiText::tr("rejected by the fence check") : QString(),
                 UiText::tr("The resource had seen a newer fencing token and rejected a late "
                            "holder. This is what fencing is for.")});
        }
    }

    void addTrouble()
    {
        const std::uint64_t late = m_statistics.lateReleases;
        const std::uint64_t losses = m_statistics.losses;
        add({u"losses"_s, UiText::tr("Lost locks"), countText(losses),
             UiText::tr("late releases: %1").arg(countText(late)),
             UiText::tr(
                 "Holders that learned that their lock was gone, and releases that found no lock."),
             losses > 0 ? TileTone::Warning : TileTone::Plain});
        add({u"faults"_s, UiText::tr("Crashes, pauses"),
             u"%1 · %2"_s.arg(countText(m_statistics.crashes), countText(m_statistics.pauses)),
             UiText::tr("as configured"),
             UiText::tr("Holders that crashed without releasing, and holders that paused beyond "
                        "their lease.")});
        const std::uint64_t failures = m_statistics.errors + m_statistics.unavailable
                                       + m_statistics.uncertain;
        add({u"gaveUp"_s, UiText::tr("Gave up"), countText(m_statistics.gaveUp), unservedText(),
             UiText::tr("Requests that ran out of time or attempts; requests that the server "
                        "answered with an error; requests that did not reach the server; requests "
                        "with an unknown outcome. Requests that still waited at the end did not "
                        "give up."),
             failures > 0 ? TileTone::Warning : TileTone::Plain});
    }

    /// What became of other requests that were not granted. Waits at the end are known at the end.
    QString unservedText() const
    {
        if (m_statistics.errors > 0) {
            return UiText::tr("errors %1 · server failed %2 · unknown %3")
                .arg(countText(m_statistics.errors), countText(m_statistics.unavailable),
                     countText(m_statistics.uncertain));
        }
        if (m_statistics.unavailable + m_statistics.uncertain > 0) {
            return UiText::tr("server failed %1 · unknown %2")
                .arg(countText(m_statistics.unavailable), countText(m_statistics.uncertain));
        }
        return m_statistics.withdrew == 0
                   ? QString()
                   : UiText::tr("%1 still waited at the end").arg(countText(m_statistics.withdrew));
    }

    const workload::LiveRunProgress& m_progress;
    const RunStatistics& m_statistics;
    const workload::Scenario& m_scenario;
    const protocol::ProtocolInfo& m_info;
    std::vector<RunTile> m_tiles;
};

} // namespace

std::vector<RunTile> tilesOf(const workload::LiveRunProgress& progress,
                             const workload::Scenario& scenario, const protocol::ProtocolInfo& info)
{
    return Board(progress, scenario, info).tiles();
}

std::vector<RunTile> tilesOf(const contention::Prediction& prediction,
                             const workload::Scenario& scenario, const protocol::ProtocolInfo& info)
{
    workload::LiveRunProgress run; // as if it were over
    run.phase = RunPhase::Finished;
    run.statistics = prediction.statistics;
    return Board(run, scenario, info).predictedTiles(prediction);
}

void addPredicted(std::vector<RunTile>& measured, const std::vector<RunTile>& predicted)
{
    for (RunTile& tile : measured) {
        const auto found = std::ranges::find(predicted, tile.id, &RunTile::id);
        if (found == predicted.end()) {
            continue;
        }
        const QString words = UiText::tr("predicted %1").arg(found->value);
        tile.detail = tile.detail.isEmpty() ? words : words + u" · "_s + tile.detail;
    }
}

std::vector<RunTile> waitTiles(const Histogram& wait)
{
    return {{u"wait"_s, UiText::tr("Wait, p50"), quantileText(wait, 0.5),
             UiText::tr("p95 %1").arg(quantileText(wait, 0.95)),
             UiText::tr("From the request to the grant, or until the contender stopped waiting. "
                        "Half of all waits are at most this long.")},
            {u"waitTail"_s, UiText::tr("Wait, p99"), quantileText(wait, 0.99),
             UiText::tr("max %1").arg(wait.count() == 0 ? u"–"_s : latencyText(wait.max())),
             UiText::tr("One wait in a hundred is longer.")}};
}

RunTile fairnessTile(const RunStatistics& statistics, int contenderCount)
{
    const double index = statistics.jainFairness();
    QString word = fairnessWord(statistics, contenderCount);
    const bool isStarving = word == UiText::tr("starving");
    if (isAnyStarved(statistics, contenderCount)) {
        word += u" · "_s + UiText::tr("%1 never granted").arg(countText(statistics.neverGranted));
    }
    return {u"fairness"_s,
            UiText::tr("Fairness"),
            index > 0 ? numberText(index) : u"–"_s,
            word,
            UiText::tr("Jain's index over the acquisitions of all contenders: 1 is perfectly even, "
                       "1/n means that one of n contenders gets everything."),
            isStarving ? TileTone::Warning : TileTone::Plain};
}

RunTile overlapTile(std::uint64_t overlaps)
{
    return offenceTile(
        u"overlaps"_s, UiText::tr("Overlaps"), overlaps, UiText::tr("two holders at the same time"),
        UiText::tr("The protected resource saw a holder enter while another holder was inside."));
}

RunTile wrongReleaseTile(std::uint64_t wrongReleases)
{
    return offenceTile(
        u"wrongReleases"_s, UiText::tr("Wrong releases"), wrongReleases,
        UiText::tr("removed another holder's lock"),
        UiText::tr("A release removed a lock that had already been granted to another contender."));
}

bool isAnyStarved(const RunStatistics& statistics, int contenderCount)
{
    const auto contenders = static_cast<std::uint64_t>(std::max(contenderCount, 1));
    return statistics.neverGranted > 0 && statistics.acquisitions >= kTellingShare * contenders;
}

QString fairnessWord(const RunStatistics& statistics, int contenderCount)
{
    const auto contenders = static_cast<std::uint64_t>(std::max(contenderCount, 1));
    if (statistics.acquisitions < kTellingShare * contenders) {
        return UiText::tr("not enough data");
    }
    const double index = statistics.jainFairness();
    if (isAnyStarved(statistics, contenderCount)) {
        return UiText::tr("starving");
    }
    return index >= kEvenFrom     ? UiText::tr("even")
           : index >= kUnevenFrom ? UiText::tr("uneven")
                                  : UiText::tr("starving");
}

QString tilesAsText(const std::vector<RunTile>& tiles)
{
    qsizetype widest = 0;
    for (const RunTile& tile : tiles) {
        widest = std::max(widest, tile.title.size());
    }
    QStringList lines;
    for (const RunTile& tile : tiles) {
        QString line = tile.title.leftJustified(widest + 2) + tile.value;
        if (!tile.detail.isEmpty()) {
            line += u"  ("_s + tile.detail + u')';
        }
        lines += line;
    }
    return lines.join(u'\n');
}

} // namespace lockscope::models
