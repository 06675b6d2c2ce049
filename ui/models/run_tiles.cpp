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
             isOver ? translated("%1 in all").arg(total)
                    : translated("mean %1 · %2 in all").arg(mean, total),
             translated("How often a lock was granted, over the last second; after the run, over "
                        "all of it.")});
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
             translated("How many instances of the draw were granted a lock."),
             isTooMany ? TileTone::Bad : TileTone::Plain});
    }

    void addTakeover()
    {
        const Histogram& takeover = m_statistics.takeover;
        add({u"takeover"_s, translated("Takeover"), quantileText(takeover, 0.5),
             translated("p99 %1 · %2 times")
                 .arg(quantileText(takeover, 0.99), countOf(takeover.count())),
             translated("From the death of the one that worked to the next one that may: the "
                        "middle one of all.")});
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
                 translated("From the grant to the moment the holder lets go, or stops believing "
                            "in its lock.")});
        }
    }

    void addEffort()
    {
        const bool isKnown = m_statistics.acquisitions > 0;
        const bool isCounted = isKnown && m_statistics.commands > 0;
        const QString tries = isKnown ? numberText(m_statistics.triesPerAcquisition()) : u"–"_s;
        const QString commands = isCounted ? numberText(m_statistics.commandsPerAcquisition())
                                           : u"–"_s;
        add({u"effort"_s, translated("Tries, commands"), u"%1 · %2"_s.arg(tries, commands),
             m_statistics.renewals > 0
                 ? translated("per acquisition · %1 renewals").arg(countOf(m_statistics.renewals))
                 : translated("per acquisition"),
             translated("How often somebody asked for one acquisition, and how many commands that "
                        "cost the server, renewals and release included.")});
    }

    void addFairness()
    {
        if (m_scenario.kind != Kind::Contention) {
            return;
        }
        add(fairnessTile(m_statistics, m_scenario.contenderCount));
        add({u"bypass"_s, translated("Longest bypass"), countOf(m_statistics.longestBypass),
             m_statistics.longestBypass > 0 ? translated("later requests went first") : QString(),
             translated("How many requests that came later were granted before one that was still "
                        "waiting, at worst.")});
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
                 rejected > 0 ? translated("the fence kept them out") : QString(),
                 translated("The resource had seen a newer fence and refused a holder that was "
                            "too late: the fence at work.")});
        }
    }

    void addTrouble()
    {
        const std::uint64_t late = m_statistics.lateReleases;
        const std::uint64_t losses = m_statistics.losses;
        add({u"losses"_s, translated("Lost locks"), countOf(losses),
             translated("late releases: %1").arg(countOf(late)),
             translated("Holders that were told, or found out, that their lock is gone; and "
                        "releases that found nothing to release."),
             losses > 0 ? TileTone::Warning : TileTone::Plain});
        add({u"faults"_s, translated("Crashes, pauses"),
             u"%1 · %2"_s.arg(countOf(m_statistics.crashes), countOf(m_statistics.pauses)),
             translated("as asked for"),
             translated("Holders that vanished without releasing, and holders that stood still "
                        "beyond their lease.")});
        const std::uint64_t failures = m_statistics.unavailable + m_statistics.uncertain;
        add({u"gaveUp"_s, translated("Gave up"), countOf(m_statistics.gaveUp),
             failures == 0
                 ? QString()
                 : translated("server failed %1 · unknown %2")
                       .arg(countOf(m_statistics.unavailable), countOf(m_statistics.uncertain)),
             translated("Requests whose wait limit or number of tries was used up; requests the "
                        "server could not be asked; and those of which nobody knows the outcome."),
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
             translated("From the request to the grant. Half of all waits are not longer than "
                        "this.")},
            {u"waitTail"_s, translated("Wait, p99"), quantileText(wait, 0.99),
             translated("max %1").arg(wait.count() == 0 ? u"–"_s : latencyText(wait.max())),
             translated("One wait in a hundred is longer than this.")}};
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
            translated("Jain's index over the acquisitions of all contenders: 1 is even, 1/n "
                       "means that one of n gets everything."),
            isStarving ? TileTone::Warning : TileTone::Plain};
}

RunTile overlapTile(std::uint64_t overlaps)
{
    return offenceTile(u"overlaps"_s, translated("Overlaps"), overlaps,
                       translated("holders were inside together"),
                       translated("The protected resource saw somebody come in while somebody "
                                  "else, who must not be, was inside."));
}

RunTile wrongReleaseTile(std::uint64_t wrongReleases)
{
    return offenceTile(u"wrongReleases"_s, translated("Wrong releases"), wrongReleases,
                       translated("removed the lock of another holder"),
                       translated("A release ended the hold of somebody who had been granted the "
                                  "lock before it was sent."));
}

QString fairnessWord(const RunStatistics& statistics, int contenderCount)
{
    const auto contenders = static_cast<std::uint64_t>(std::max(contenderCount, 1));
    if (statistics.acquisitions < kTellingShare * contenders) {
        return translated("too few to tell");
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
