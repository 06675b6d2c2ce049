#include "core/kernel/inspect/watch/watch_cost.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_watch_cost {

using namespace lockscope::inspect;

class TestWatchCost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBusierTheServerTheFewerPrefixesAreWorthIt()
    {
        QCOMPARE(prefixesWorthTheirCost(0), std::size_t(64));
        QCOMPARE(prefixesWorthTheirCost(1'000), std::size_t(64));
        const std::size_t some = prefixesWorthTheirCost(10'000);
        QVERIFY(some > 4 && some < 12);
        QCOMPARE(prefixesWorthTheirCost(1'000'000), std::size_t(4));
    }

    void whatTrackingAddsToTheWritesOfOthersCounts()
    {
        WatchWork work;
        QCOMPARE(coreShareOf(work), 0.0);
        work.writesPerSecond = 10'000;
        QCOMPARE(coreShareOf(work), 0.0);
        work.isTracking = true;
        work.prefixCount = 8;
        const double narrow = coreShareOf(work);
        QVERIFY(narrow > 0.002 && narrow < 0.01);
        work.prefixCount = 0;
        work.messagesPerSecond = 10'000;
        QVERIFY(coreShareOf(work) > 2 * narrow);
    }

    void keyspaceEventsCostByThePattern()
    {
        WatchWork work;
        work.writesPerSecond = 10'000;
        work.patternCount = 1;
        const double one = coreShareOf(work);
        QVERIFY(one > 0);
        work.patternCount = 3;
        QCOMPARE(coreShareOf(work), 3 * one);
    }
};

LOCKSCOPE_TEST(TestWatchCost, None)

} // namespace lockscope::tst_watch_cost

#include "tst_watch_cost.moc"
