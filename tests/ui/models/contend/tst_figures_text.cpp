#include "tests/support/test_program.h"
#include "ui/models/contend/figures_text.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_figures_text {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestFiguresText : public QObject {
    Q_OBJECT

    static RunFigures run(std::uint64_t acquisitions = 1000)
    {
        trace::RunStatistics statistics;
        statistics.elapsed = 10s;
        statistics.requests = acquisitions;
        statistics.acquisitions = acquisitions;
        statistics.tries = 2 * acquisitions;
        statistics.commands = 3 * acquisitions;
        statistics.acquisitionsOf = {acquisitions / 2, acquisitions / 2};
        statistics.wait.add(2ms);
        statistics.wait.add(4ms);
        RunFigures figures = figuresOf(statistics, {u"a"_s, u"b"_s});
        figures.title = u"Run 1"_s;
        return figures;
    }

    static ComparisonRow rowOf(const std::vector<ComparisonRow>& rows, const QString& metric)
    {
        const auto found = std::ranges::find(rows, metric, &ComparisonRow::metric);
        return found == rows.end() ? ComparisonRow() : *found;
    }

    static RunTile tileOf(const RunFigures& figures, const QString& id)
    {
        const auto tiles = figureTiles(figures);
        const auto found = std::ranges::find(tiles, id, &RunTile::id);
        return found == tiles.end() ? RunTile() : *found;
    }

    static QStringList linesOf(const QString& csv, const QString& start)
    {
        return csv.split(u'\n').filter(QRegularExpression(u'^' + start));
    }

private Q_SLOTS:
    void theTilesTellTheWholeRun()
    {
        const RunFigures figures = run();
        QCOMPARE(tileOf(figures, u"acquisitions"_s).value, u"1,000"_s);
        QCOMPARE(tileOf(figures, u"acquisitions"_s).detail, u"of 1,000 requests"_s);
        QCOMPARE(tileOf(figures, u"rate"_s).value, u"100"_s);
        QCOMPARE(tileOf(figures, u"wait"_s).detail, u"p95 4.00 ms"_s);
        QCOMPARE(tileOf(figures, u"waitTail"_s).detail, u"max 4.00 ms"_s);
        QCOMPARE(tileOf(figures, u"commands"_s).value, u"3.00"_s);
        QCOMPARE(tileOf(figures, u"fairness"_s).value, u"1.00"_s);
        QCOMPARE(tileOf(figures, u"overlaps"_s).value, u"0"_s);
        QCOMPARE(tileOf(figures, u"wrongReleases"_s).value, u"0"_s);
        for (const RunTile& tile : figureTiles(figures)) {
            QVERIFY2(!tile.meaning.isEmpty(), qPrintable(tile.id));
        }
    }

    void whatWasNotCountedIsNotShownAsZero()
    {
        RunFigures figures = run();
        figures.isOfSpans = true;
        figures.statistics.commands = 0;
        figures.statistics.overlaps = 2;
        QCOMPARE(tileOf(figures, u"commands"_s).value, u"not recorded"_s);
        QCOMPARE(tileOf(figures, u"wrongReleases"_s).value, u"not recorded"_s);
        QCOMPARE(tileOf(figures, u"overlaps"_s).tone, TileTone::Bad);
        QVERIFY(tileOf(figures, u"overlaps"_s).meaning.contains(u"believed"_s));
        const auto rows = comparisonRows(run(), figures);
        QCOMPARE(rowOf(rows, u"Wrong releases"_s),
                 (ComparisonRow{u"Wrong releases"_s, u"0"_s, u"not recorded"_s, u"–"_s}));
        QCOMPARE(rowOf(rows, u"Commands per acquisition"_s).theirs, u"not recorded"_s);
        QVERIFY(figuresCsv(figures).contains(u"Run 1,wrong-releases,,,,,not recorded\n"_s));
    }

    void differencesAreMeasuredByTheOtherRun()
    {
        const auto rows = comparisonRows(run(1200), run(1000));
        QCOMPARE(rowOf(rows, u"Acquisitions"_s),
                 (ComparisonRow{u"Acquisitions"_s, u"1,200"_s, u"1,000"_s, u"+20 %"_s}));
        QCOMPARE(rowOf(rows, u"Wait, p50"_s).difference, u"same"_s);
        QCOMPARE(rowOf(rows, u"Hold, p50"_s),
                 (ComparisonRow{u"Hold, p50"_s, u"none"_s, u"none"_s, u"–"_s}));
        QCOMPARE(rowOf(comparisonRows(run(950), run(1000)), u"Acquisitions"_s).difference,
                 u"−5.0 %"_s);
        RunFigures broken = run();
        broken.statistics.overlaps = 3;
        QCOMPARE(rowOf(comparisonRows(broken, run()), u"Overlaps"_s).difference, u"from 0"_s);
        QCOMPARE(rowOf(comparisonRows(run(), broken), u"Overlaps"_s).difference, u"−100 %"_s);
    }

    void verdictsStandSideBySide()
    {
        RunFigures ours = run();
        RunFigures theirs = run();
        QCOMPARE(rowOf(comparisonRows(ours, theirs), u"Verdict"_s), ComparisonRow());
        ours.verdict = u"two holders at once"_s;
        theirs.verdict = u"nothing broke"_s;
        const auto rows = comparisonRows(ours, theirs);
        QCOMPARE(rows.front(), (ComparisonRow{u"Verdict"_s, u"two holders at once"_s,
                                              u"nothing broke"_s, u"–"_s}));
        QCOMPARE(comparisonRows(ours, ours).front().difference, u"same"_s);
        QVERIFY(figuresCsv(ours).contains(u"Run 1,verdict,two holders at once,,,,\n"_s));
    }

    void anEmptyRunHasNoRatios()
    {
        const RunFigures empty = figuresOf(trace::RunStatistics(), {});
        const auto rows = comparisonRows(empty, empty);
        QCOMPARE(rowOf(rows, u"Jain's index"_s).ours, u"no acquisition"_s);
        QCOMPARE(rowOf(rows, u"Attempts per acquisition"_s).ours, u"no acquisition"_s);
        QCOMPARE(rowOf(rows, u"Wait, max"_s).ours, u"none"_s);
        QVERIFY(!figureTiles(empty).empty());
    }

    void everyFigureIsALineOfTheFile()
    {
        RunFigures figures = run();
        figures.commandLine = u"lockscope-cli simulate \"x\", y"_s;
        figures.rates = {{Instant(0s), Instant(5s), 100, std::uint64_t(500)}};
        const QString csv = figuresCsv(figures);
        QVERIFY(csv.startsWith(u"run,figure,of,from_us,to_us,value,unit\n"_s));
        QVERIFY(csv.contains(u"Run 1,command,\"lockscope-cli simulate \"\"x\"\", y\",,,,\n"_s));
        QVERIFY(csv.contains(u"Run 1,acquisitions,,,,1000,count\n"_s));
        QVERIFY(csv.contains(u"Run 1,wait-max,,,,4000,us\n"_s));
        QVERIFY(csv.contains(u"Run 1,acquisitions-of,a,,,500,count\n"_s));
        QVERIFY(csv.contains(u"Run 1,acquisitions-per-second,,0,5000000,100,rate\n"_s));
        QCOMPARE(linesOf(csv, u"Run 1,waits-not-longer,"_s).back().section(u',', 5), u"1,share"_s);
        for (const QString& line : csv.split(u'\n', Qt::SkipEmptyParts)) {
            QString bare = line;
            bare.remove(QRegularExpression(u"\"([^\"]|\"\")*\""_s));
            QCOMPARE(bare.count(u','), 6);
        }
    }

    void bothRunsAreInOneFile()
    {
        RunFigures other = run(10);
        other.title = u"Run 2"_s;
        const QString csv = figuresCsv(run(), &other);
        QCOMPARE(csv.count(u"run,figure"_s), 1);
        QCOMPARE(linesOf(csv, u"Run 1,acquisitions,"_s).size(), 1);
        QCOMPARE(linesOf(csv, u"Run 2,acquisitions,"_s),
                 QStringList(u"Run 2,acquisitions,,,,10,count"_s));
    }
};

LOCKSCOPE_TEST(TestFiguresText, Core)

} // namespace lockscope::tst_figures_text

#include "tst_figures_text.moc"
