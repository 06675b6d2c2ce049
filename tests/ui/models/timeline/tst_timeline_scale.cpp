#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_scale.h"

#include <QTest>

namespace lockscope::tst_timeline_scale {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestTimelineScale : public QObject {
    Q_OBJECT

    testing::RandomInput m_random;

    static Instant at(Duration time) { return Instant(time); }

private Q_SLOTS:
    void initTestCase() { qInfo("repeat with %s", m_random.recipe().c_str()); }

    void theEndsOfTheRangeAreTheEndsOfTheWidth()
    {
        const VisibleRange range{at(5s), at(15s)};
        QCOMPARE(xOf(at(5s), range, 800), 0.0);
        QCOMPARE(xOf(at(10s), range, 800), 400.0);
        QCOMPARE(xOf(at(15s), range, 800), 800.0);
        QCOMPARE(xOf(at(0s), range, 800), -400.0);
        QCOMPARE(instantAt(0, range, 800), at(5s));
        QCOMPARE(instantAt(800, range, 800), at(15s));
        QCOMPARE(instantAt(1200, range, 800), at(20s));
    }

    /// There and back: not a microsecond lost, and half of one in pixels the other way.
    void nothingIsLostOnTheWayThereAndBack()
    {
        Rng& rng = m_random.rng();
        for (int round = 0; round < 20'000; ++round) {
            const Instant from = at(rng.between(-1h, 100h));
            const VisibleRange range{from, from + rng.between(10us, 100h)};
            const double width = 1 + static_cast<double>(rng.below(4'000));
            const Instant instant = from + rng.between(0us, range.length());
            const Instant back = instantAt(xOf(instant, range, width), range, width);
            QVERIFY2(back == instant, m_random.recipe().c_str());
            const double x = rng.fraction() * width;
            const double errorMax = 0.5 * width / static_cast<double>(range.length().count())
                                    + 1e-6;
            const double error = std::abs(xOf(instantAt(x, range, width), range, width) - x);
            QVERIFY2(error <= errorMax, m_random.recipe().c_str());
        }
    }

    void nothingComesOfNothing()
    {
        const VisibleRange empty{at(3s), at(3s)};
        const VisibleRange reversed{at(9s), at(3s)};
        const VisibleRange whole{at(3s), at(9s)};
        QVERIFY(empty.isEmpty() && reversed.isEmpty() && !whole.isEmpty());
        for (const auto& [range, width] :
             {std::pair(empty, 100.0), std::pair(reversed, 100.0), std::pair(whole, 0.0),
              std::pair(whole, -5.0), std::pair(whole, std::nan(""))}) {
            QCOMPARE(xOf(at(5s), range, width), 0.0);
            QCOMPARE(instantAt(50, range, width), range.from);
            QVERIFY(ticks(range, width, 50).empty());
        }
        QCOMPARE(instantAt(std::nan(""), whole, 100), whole.from);
    }

    void stepsAreRound_data()
    {
        QTest::addColumn<qint64>("leastUs");
        QTest::addColumn<qint64>("stepUs");
        QTest::newRow("none") << qint64(0) << qint64(1);
        QTest::newRow("3 µs") << qint64(3) << qint64(5);
        QTest::newRow("0.2 s") << qint64(200'000) << qint64(200'000);
        QTest::newRow("0.21 s") << qint64(210'000) << qint64(500'000);
        QTest::newRow("6 s") << qint64(6'000'000) << qint64(10'000'000);
        QTest::newRow("11 s") << qint64(11'000'000) << qint64(15'000'000);
        QTest::newRow("16 s") << qint64(16'000'000) << qint64(30'000'000);
        QTest::newRow("31 s") << qint64(31'000'000) << qint64(60'000'000);
        QTest::newRow("61 s") << qint64(61'000'000) << qint64(120'000'000);
        QTest::newRow("40 min") << qint64(2'400'000'000) << qint64(3'600'000'000);
        QTest::newRow("30 days") << qint64(2'592'000'000'000) << qint64(4'320'000'000'000);
    }

    void stepsAreRound()
    {
        QFETCH(const qint64, leastUs);
        QFETCH(const qint64, stepUs);
        QCOMPARE(tickStep(Duration(leastUs)).count(), stepUs);
    }

    void ticksStandAtRoundTimes()
    {
        const auto found = ticks({at(0s), at(20s)}, 800, 150);
        const std::vector<Tick> wanted{
            {at(0s), 0}, {at(5s), 200}, {at(10s), 400}, {at(15s), 600}, {at(20s), 800}};
        QVERIFY(found == wanted);
        const auto early = ticks({at(-1500ms), at(1s)}, 250, 90);
        QCOMPARE(early.size(), std::size_t(3));
        QCOMPARE(early.front().at, at(-1s));
        QCOMPARE(early.back().at, at(1s));
    }

    void ticksNeverStandTooClose()
    {
        Rng& rng = m_random.rng();
        for (int round = 0; round < 2'000; ++round) {
            const Instant from = at(rng.between(-1h, 100h));
            const VisibleRange range{from, from + rng.between(10us, 1000h)};
            const double width = 50 + static_cast<double>(rng.below(3'000));
            const double apart = 1 + static_cast<double>(rng.below(200));
            const std::vector<Tick> found = ticks(range, width, apart);
            QVERIFY2(found.size() <= static_cast<std::size_t>(width / apart) + 2,
                     m_random.recipe().c_str());
            for (std::size_t i = 0; i < found.size(); ++i) {
                QVERIFY2(found[i].at >= range.from && found[i].at <= range.to,
                         m_random.recipe().c_str());
                QVERIFY2(i == 0 || found[i].x - found[i - 1].x >= apart - 1e-6,
                         m_random.recipe().c_str());
            }
        }
    }

    void absurdDistancesDoNoHarm()
    {
        const VisibleRange range{at(0s), at(20s)};
        QVERIFY(ticks(range, 100, 0).size() <= 102);
        QVERIFY(ticks(range, 100, -7).size() <= 102);
        QVERIFY(ticks(range, 100, 1e6).size() <= 1);
        QVERIFY(ticks(range, 100, std::nan("")).size() <= 2);
    }

    void textsAreShortAndExact()
    {
        QCOMPARE(tickText(at(0s)), u"0 s"_s);
        QCOMPARE(tickText(at(5s)), u"5 s"_s);
        QCOMPARE(tickText(at(1250ms)), u"1.25 s"_s);
        QCOMPARE(tickText(at(350ms)), u"350 ms"_s);
        QCOMPARE(tickText(at(1050us)), u"1.05 ms"_s);
        QCOMPARE(tickText(at(40us)), u"40 µs"_s);
        QCOMPARE(tickText(at(2min)), u"2 min"_s);
        QCOMPARE(tickText(at(90s)), u"1 min 30 s"_s);
        QCOMPARE(tickText(at(90min)), u"1 h 30 min"_s);
        QCOMPARE(tickText(at(-2s)), u"-2 s"_s);
        QCOMPARE(exactTimeText(0s), u"0.000 s"_s);
        QCOMPARE(exactTimeText(10s), u"10.000 s"_s);
        QCOMPARE(storyTimeText(Instant(397'825us)), u"0.398 s"_s);
        QCOMPARE(exactTimeText(1050us), u"0.001050 s"_s);
        QCOMPARE(exactTimeText(-1500ms), u"-1.500 s"_s);
    }

    void timesFromAReferenceHaveASign()
    {
        const TimeReference zero = at(10s);
        QCOMPARE(tickText(at(11500ms), zero), u"+1.5 s"_s);
        QCOMPARE(tickText(at(8s), zero), u"-2 s"_s);
        QCOMPARE(tickText(at(10s), zero), u"0 s"_s);
        QCOMPARE(tickText(at(11s), {}), u"11 s"_s);
        QCOMPARE(exactTimeText(at(9750ms), zero), u"-0.250 s"_s);
        QCOMPARE(exactTimeText(at(11s), zero), u"+1.000 s"_s);
        const auto lines = ticks({at(9'700ms), at(11'700ms)}, 100, 40, at(10'100ms));
        QCOMPARE(lines.size(), std::size_t(2)); // round from there, and where they are
        QCOMPARE(lines[0].at, at(10'100ms));
        QCOMPARE(lines[0].x, 20.0);
        QCOMPARE(lines[1].at, at(11'100ms));
    }
};

LOCKSCOPE_TEST(TestTimelineScale, Core)

} // namespace lockscope::tst_timeline_scale

#include "tst_timeline_scale.moc"
