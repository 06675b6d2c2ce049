#include "core/kernel/protocol/catalogue.h"
#include "tests/support/test_program.h"
#include "ui/models/contend/run_tiles.h"
#include "ui/models/contend/run_verdict.h"

#include <QTest>

namespace lockscope::tst_run_tiles {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using Kind = workload::Scenario::Kind;
using Phase = workload::LiveRunProgress::Phase;

class TestRunTiles : public QObject {
    Q_OBJECT

    workload::LiveRunProgress m_progress;
    workload::Scenario m_scenario;
    const protocol::ProtocolInfo* m_info = nullptr;

    RunTile tile(const QString& id) const
    {
        for (const RunTile& tile : tilesOf(m_progress, m_scenario, *m_info)) {
            if (tile.id == id) {
                return tile;
            }
        }
        return {};
    }
    report::Verdict verdict() const { return runVerdict(m_progress, m_scenario, *m_info); }

private Q_SLOTS:
    void init()
    {
        m_info = &protocol::findProtocol("set-nx-px-token")->info();
        m_scenario = workload::Scenario::withDefaults(*m_info);
        m_progress = {};
        m_progress.phase = Phase::Finished;
        m_progress.elapsed = m_progress.duration = 10s;
        trace::RunStatistics& statistics = m_progress.statistics;
        statistics.elapsed = 10s;
        statistics.requests = 420'000;
        statistics.acquisitions = 412'310;
        statistics.tries = 824'620;
        statistics.commands = 1'236'930;
        statistics.acquisitionsOf = std::vector<std::uint64_t>(10, 41'231);
        statistics.wait.add(2ms);
        statistics.hold.add(5ms);
    }

    void aGoodRunIsToldQuietly()
    {
        QCOMPARE(tile(u"rate"_s).value, u"41,231"_s);
        QCOMPARE(tile(u"wait"_s).value, u"2.00 ms"_s);
        QCOMPARE(tile(u"effort"_s).value, u"2.00 · 3.00"_s);
        QCOMPARE(tile(u"fairness"_s).detail, u"even"_s);
        for (const RunTile& each : tilesOf(m_progress, m_scenario, *m_info)) {
            QCOMPARE(each.tone, TileTone::Plain);
            QVERIFY2(!each.meaning.isEmpty(), qPrintable(each.id));
        }
        QCOMPARE(verdict().severity, 0);
        QCOMPARE(verdict().headline, std::string("412,310 acquisitions in 10.0 s, no overlap"));
    }

    void aRunThatGoesOnShowsTheRateOfNow()
    {
        m_progress.phase = Phase::Running;
        m_progress.recentPerSecond = 1234;
        QCOMPARE(tile(u"rate"_s).value, u"1,234"_s);
        QVERIFY(tile(u"rate"_s).detail.contains(u"41,231"_s));
        QVERIFY(verdict().headline.empty());
    }

    void anOverlapIsLoudWhileTheRunGoesOn()
    {
        m_progress.phase = Phase::Running;
        m_progress.statistics.overlaps = 3;
        m_progress.statistics.wrongReleases = 1;
        QCOMPARE(tile(u"overlaps"_s).tone, TileTone::Bad);
        QVERIFY(!tile(u"overlaps"_s).detail.isEmpty());
        QCOMPARE(tile(u"wrongReleases"_s).tone, TileTone::Bad);
        QCOMPARE(verdict().severity, 2);
        QCOMPARE(verdict().headline, std::string("3 overlaps, 1 wrong release"));
        QVERIFY(verdict().reason.find("inside at the same time") != std::string::npos);
    }

    void whatBrokeIsNamedAsASearchNamesIt()
    {
        using search::Harm;
        const auto harms = [this] { return harmsIn(m_progress, m_scenario, *m_info); };
        QVERIFY(harms().empty());
        m_progress.statistics.overlaps = 3;
        m_progress.statistics.wrongReleases = 1;
        QCOMPARE(harms(), (std::vector{Harm::TwoHolders, Harm::WrongRelease}));
        m_progress.statistics.neverGranted = 2;
        QCOMPARE(harms().back(), Harm::Unfair);
        m_progress.phase = Phase::Running; // they may still get it
        QCOMPARE(harms().back(), Harm::WrongRelease);
    }

    void aVerdictInAFewWordsNamesWhatBroke()
    {
        const auto words = [this] { return verdictWords(m_progress, m_scenario, *m_info); };
        QCOMPARE(words(), u"nothing broke"_s);
        m_progress.statistics.overlaps = 3;
        QCOMPARE(words(), QString::fromStdString(search::nameOf(search::Harm::TwoHolders)));
        m_progress.statistics.wrongReleases = 1;
        QCOMPARE(words().count(u','), 1);
        m_progress.statistics = {};
        QCOMPARE(words(), u"no acquisition"_s);
    }

    void aPauseIsNamedAsTheReason()
    {
        m_progress.statistics.overlaps = 1;
        QVERIFY(verdict().doubt.empty());
        m_scenario.pauseProbability = 0.1;
        QVERIFY(verdict().doubt.find("paused beyond") != std::string::npos);
    }

    void aKnownFlawIsQuoted()
    {
        m_info = &protocol::findProtocol("set-nx-ex")->info();
        m_progress.statistics.wrongReleases = 2;
        QVERIFY(verdict().reason.find(m_info->flaw) != std::string::npos);
    }

    void fairnessHasAWord()
    {
        trace::RunStatistics statistics;
        statistics.acquisitions = 5;
        statistics.acquisitionsOf = {5, 0};
        QCOMPARE(fairnessWord(statistics, 2), u"not enough data"_s);
        statistics.acquisitions = 1000;
        statistics.acquisitionsOf = {500, 500};
        QCOMPARE(fairnessWord(statistics, 2), u"even"_s);
        statistics.acquisitionsOf = {800, 200};
        QCOMPARE(fairnessWord(statistics, 2), u"uneven"_s);
        statistics.acquisitionsOf = {1000, 0};
        QCOMPARE(fairnessWord(statistics, 2), u"starving"_s);
    }

    /// Of 32 contenders 18 get nothing: nobody gives up, and it is no good run all the same.
    void whoNeverGetsTheLockIsSaid()
    {
        m_scenario.contenderCount = 32;
        m_progress.statistics.neverGranted = 18;
        m_progress.statistics.withdrew = 31;
        QCOMPARE(verdict().severity, 1);
        QVERIFY(verdict().headline.find("18 of 32 contenders never acquired the lock")
                != std::string::npos);
        QCOMPARE(tile(u"fairness"_s).detail, u"starving · 18 never granted"_s);
        QCOMPARE(tile(u"fairness"_s).tone, TileTone::Warning);
        QCOMPARE(tile(u"gaveUp"_s).detail, u"31 still waited at the end"_s);
        m_progress.statistics.withdrew = 0; // as long as the run goes on
        QCOMPARE(tile(u"gaveUp"_s).detail, QString());
    }

    /// They are no lost answers.
    void errorsOfTheServerAreSaid()
    {
        m_progress.statistics.errors = 3;
        m_progress.statistics.uncertain = 1;
        m_progress.refusal = store::problemOfServerError("ERR unknown command", "EVAL");
        QCOMPARE(tile(u"gaveUp"_s).detail, u"errors 3 · server failed 0 · unknown 1"_s);
        QCOMPARE(tile(u"gaveUp"_s).tone, TileTone::Warning);
        QVERIFY2(verdict().reason.find("3 requests with an error. The first: ERR unknown command")
                     != std::string::npos,
                 verdict().reason.c_str());
    }

    void leftoversAreNamed()
    {
        m_info = &protocol::findProtocol("setnx-no-expiry")->info();
        m_progress.statistics.crashes = 1;
        m_progress.leftBehind = {{"lock:contend:0", false}};
        QCOMPARE(verdict().severity, 1);
        QVERIFY(verdict().reason.find("lock:contend:0") != std::string::npos);
        QVERIFY(verdict().reason.find("block forever") != std::string::npos);
    }

    void aDrawHasOneWinner()
    {
        m_scenario.kind = Kind::Draw;
        m_scenario.contenderCount = 50;
        m_progress.statistics.acquisitions = 1;
        m_progress.leftBehind = {{"lock:contend:0", false}}; // what was won is kept
        QCOMPARE(tile(u"winners"_s).value, u"1 of 50"_s);
        QCOMPARE(verdict().severity, 0);
        m_progress.statistics.acquisitions = 2;
        QCOMPARE(tile(u"winners"_s).tone, TileTone::Bad);
        QCOMPARE(verdict().headline, std::string("2 winners instead of 1"));
    }

    void aHotStandbyIsAboutTakeovers()
    {
        m_scenario.kind = Kind::HotStandby;
        QCOMPARE(verdict().headline, std::string("No takeover occurred"));
        m_progress.statistics.takeover.add(2s);
        QCOMPARE(tile(u"takeover"_s).value, u"2.00 s"_s);
        QVERIFY(verdict().headline.find("at most 2.00 s") != std::string::npos);
        QVERIFY(tile(u"fairness"_s).id.isEmpty());
    }

    void nobodyAndNothingAreSaid()
    {
        m_progress.statistics = {};
        QCOMPARE(verdict().headline,
                 std::string("No acquisition was ever granted: nothing was tested"));
        m_progress.phase = Phase::Failed;
        m_progress.problem.kind = store::Problem::Kind::ConnectionRefused;
        QCOMPARE(verdict().severity, 2);
        QCOMPARE(verdict().reason, store::explain(m_progress.problem));
    }

    void numbersCanBePasted()
    {
        const QString text = tilesAsText(tilesOf(m_progress, m_scenario, *m_info));
        QVERIFY(text.contains(u"Overlaps                 0"_s));
        QVERIFY(text.contains(u"412,310 in total"_s));
    }
};

LOCKSCOPE_TEST(TestRunTiles, Core)

} // namespace lockscope::tst_run_tiles

#include "tst_run_tiles.moc"
