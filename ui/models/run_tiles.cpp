#include "run_tiles.h"

#include "formatting.h"
#include "latency_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lockscope::models {

using namespace Qt::StringLiterals;
using trace::Histogram;
using trace::RunStatistics;
using Kind = workload::Scenario::Kind;
using Phase = service::LiveRunProgress::Phase;

namespace {

constexpr double kEvenFrom = 0.9;
constexpr double kUnevenFrom = 0.6;
/// Below so many acquisitions for each contender their shares are luck.
constexpr std::uint64_t kTellingShare = 3;

QString translated(const char* text)
{
    return QCoreApplication::translate("RunTiles", text);
}

QString countOf(std::uint64_t count)
{
    return countText(static_cast<std::int64_t>(count));
}

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
            countOf(count),
            count == 0 ? QString() : offence,
            meaning,
            count == 0 ? TileTone::Plain : TileTone::Bad};
}

/// Collects the tiles of one run.
class Board {
public:
    Board(const service::LiveRunProgress& progress, const workload::Scenario& scenario,
          const protocol::ProtocolInfo& info)
        : m_progress(progress),
          m_statistics(progress.statistics),
          m_scenario(scenario),
          m_info(info)
    {}

    std::vector<RunTile> tiles()
    {
        if (m_scenario.kind == Kind::Draw) {
            addWinners();
        } else {
            addRate();
        }
        if (m_scenario.kind == Kind::HotStandby) {
            addTakeover();
        }
        addTimes();
        addEffort();
        addFairness();
        addSafety();
        addTrouble();
        return std::move(m_tiles);
    }

private:
    void add(RunTile tile) { m_tiles.push_back(std::move(tile)); }

    void addRate()
    {
        const bool isOver = m_progress.phase == Phase::Finished;
        const QString mean = numberText(m_statistics.acquisitionsPerSecond());
        const QString total = countOf(m_statistics.acquisitions);
        add({u"rate"_s, translated("Acquisitions per second"),
             isOver ? mean : numberText(m_progress.recentPerSecond),
             isOver ? translated("%1 in total").arg(total)
                    : translated("mean %1 · %2 in total").arg(mean, total),
             translated("Locks granted per second, over the last second. After the run: over the "
                        "whole run.")});
    }

    void addWinners()
    {
        const std::uint64_t winners = m_statistics.acquisitions;
        const auto allowed = static_cast<std::uint64_t>(m_scenario.keyCount)
                             * static_cast<std::uint64_t>(m_scenario.permits);
        const bool isTooMany = winners > allowed;
        add({u"winners"_s, translated("Winners"),
             translated("%1 of %2").arg(countOf(winners), countText(m_scenario.contenderCount)),
             isTooMany ? translated("only %1 may win").arg(countOf(allowed)) : QString(),
             translated("Number of instances that were granted a lock."),
             isTooMany ? TileTone::Bad : TileTone::Plain});
    }

    void addTakeover()
    {
        const Histogram& takeover = m_statistics.takeover;
        add({u"takeover"_s, translated("Takeover"), quantileText(takeover, 0.5),
             translated("p99 %1 · %2 times")
                 .arg(quantileText(takeover, 0.99), countOf(takeover.count())),
             translated("Median time from the death of the active holder until the next one takes "
                        "over.")});
    }

    void addTimes()
    {
        for (RunTile& tile : waitTiles(m_statistics.wait)) {
            add(std::move(tile));
        }
        if (m_scenario.kind != Kind::Draw) {
            const Histogram& hold = m_statistics.hold;
            add({u"hold"_s, translated("Hold, p50"), quantileText(hold, 0.5),
                 translated("p99 %1").arg(quantileText(hold, 0.99)),
                 translated("From the grant until the holder releases the lock or learns that it "
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
        add({u"effort"_s, translated("Attempts, commands"), u"%1 · %2"_s.arg(tries, commands),
             m_statistics.renewals > 0
                 ? translated("per acquisition · %1 renewals").arg(countOf(m_statistics.renewals))
                 : translated("per acquisition"),
             translated("Attempts per acquisition, and commands sent to the server per "
                        "acquisition, including renewals and the release.")});
    }

    void addFairness()
    {
        if (m_scenario.kind != Kind::Contention) {
            return;
        }
        add(fairnessTile(m_statistics, m_scenario.contenderCount));
        add({u"bypass"_s, translated("Longest bypass"), countOf(m_statistics.longestBypass),
             m_statistics.longestBypass > 0 ? translated("later requests were granted first")
                                            : QString(),
             translated("Largest number of later requests that were granted before a request that "
                        "was already waiting.")});
    }

    void addSafety()
    {
        add(overlapTile(m_statistics.overlaps));
        if (m_scenario.kind == Kind::Draw) {
            return;
        }
        add(wrongReleaseTile(m_statistics.wrongReleases));
        if (m_info.hasFence) {
            const std::uint64_t rejected = m_statistics.rejectedEffects;
            add({u"rejected"_s, translated("Rejected effects"), countOf(rejected),
                 rejected > 0 ? translated("rejected by the fence check") : QString(),
                 translated("The resource had seen a newer fencing token and rejected a late "
                            "holder. This is what fencing is for.")});
        }
    }

    void addTrouble()
    {
        const std::uint64_t late = m_statistics.lateReleases;
        const std::uint64_t losses = m_statistics.losses;
        add({u"losses"_s, translated("Lost locks"), countOf(losses),
             translated("late releases: %1").arg(countOf(late)),
             translated(
                 "Holders that learned that their lock was gone, and releases that found no lock."),
             losses > 0 ? TileTone::Warning : TileTone::Plain});
        add({u"faults"_s, translated("Crashes, pauses"),
             u"%1 · %2"_s.arg(countOf(m_statistics.crashes), countOf(m_statistics.pauses)),
             translated("as configured"),
             translated("Holders that crashed without releasing, and holders that paused beyond "
                        "their lease.")});
        const std::uint64_t failures = m_statistics.unavailable + m_statistics.uncertain;
        add({u"gaveUp"_s, translated("Gave up"), countOf(m_statistics.gaveUp),
             failures == 0
                 ? QString()
                 : translated("server failed %1 · unknown %2")
                       .arg(countOf(m_statistics.unavailable), countOf(m_statistics.uncertain)),
             translated("Requests that ran out of time or attempts; requests that did not reach "
                        "the server; requests with an unknown outcome."),
             failures > 0 ? TileTone::Warning : TileTone::Plain});
    }

    const service::LiveRunProgress& m_progress;
    const RunStatistics& m_statistics;
    const workload::Scenario& m_scenario;
    const protocol::ProtocolInfo& m_info;
    std::vector<RunTile> m_tiles;
};

} // namespace

std::vector<RunTile> tilesOf(const service::LiveRunProgress& progress,
                             const workload::Scenario& scenario, const protocol::ProtocolInfo& info)
{
    return Board(progress, scenario, info).tiles();
}

std::vector<RunTile> waitTiles(const Histogram& wait)
{
    return {{u"wait"_s, translated("Wait, p50"), quantileText(wait, 0.5),
             translated("p95 %1").arg(quantileText(wait, 0.95)),
             translated("From the request to the grant. Half of all waits are at most this long.")},
            {u"waitTail"_s, translated("Wait, p99"), quantileText(wait, 0.99),
             translated("max %1").arg(wait.count() == 0 ? u"–"_s : latencyText(wait.max())),
             translated("One wait in a hundred is longer.")}};
}

RunTile fairnessTile(const RunStatistics& statistics, int contenderCount)
{
    const double index = statistics.jainFairness();
    const QString word = fairnessWord(statistics, contenderCount);
    const bool isStarving = word == translated("starving");
    return {u"fairness"_s,
            translated("Fairness"),
            index > 0 ? numberText(index) : u"–"_s,
            word,
            translated("Jain's index over the acquisitions of all contenders: 1 is perfectly even, "
                       "1/n means that one of n contenders gets everything."),
            isStarving ? TileTone::Warning : TileTone::Plain};
}

RunTile overlapTile(std::uint64_t overlaps)
{
    return offenceTile(
        u"overlaps"_s, translated("Overlaps"), overlaps, translated("two holders at the same time"),
        translated("The protected resource saw a holder enter while another holder was inside."));
}

RunTile wrongReleaseTile(std::uint64_t wrongReleases)
{
    return offenceTile(
        u"wrongReleases"_s, translated("Wrong releases"), wrongReleases,
        translated("removed another holder's lock"),
        translated("A release removed a lock that had already been granted to another contender."));
}

QString fairnessWord(const RunStatistics& statistics, int contenderCount)
{
    const auto contenders = static_cast<std::uint64_t>(std::max(contenderCount, 1));
    if (statistics.acquisitions < kTellingShare * contenders) {
        return translated("not enough data");
    }
    const double index = statistics.jainFairness();
    return index >= kEvenFrom     ? translated("even")
           : index >= kUnevenFrom ? translated("uneven")
                                  : translated("starving");
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
