#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/zoom_state.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_zoom_state {

using namespace lockscope::models;
using namespace std::chrono_literals;

class TestZoomState : public QObject {
    Q_OBJECT

    static VisibleRange range(Duration from, Duration to) { return {Instant(from), Instant(to)}; }

private Q_SLOTS:
    void aRunIsShownAsAWholeAtFirst()
    {
        ZoomState zoom;
        QSignalSpy changes(&zoom, &ZoomState::rangeChanged);
        zoom.setFull(range(0s, 20s));
        QCOMPARE(changes.count(), 1);
        QVERIFY(zoom.visible() == range(0s, 20s));
        QVERIFY(!zoom.canGoBack() && !zoom.canGoForward());
        zoom.setFull(range(0s, 20s));
        QCOMPARE(changes.count(), 1);
    }

    void zoomingKeepsThePlaceUnderThePointer()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 20s));
        const double before = xOf(Instant(5s), zoom.visible(), 1000);
        zoom.zoomAround(Instant(5s), 4);
        QVERIFY(zoom.visible() == range(3750ms, 8750ms));
        QCOMPARE(xOf(Instant(5s), zoom.visible(), 1000), before);
        zoom.zoomAround(Instant(5s), 0.25);
        QVERIFY(zoom.visible() == range(0s, 20s));
    }

    void atAnEndTheLengthCounts()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 20s));
        zoom.show(range(0s, 4s));
        zoom.zoomAround(Instant(3s), 0.5);
        QVERIFY(zoom.visible() == range(0s, 8s));
    }

    void nothingIsShorterThanTheShortest()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 20s));
        zoom.zoomAround(Instant(7s), 1e12);
        QCOMPARE(zoom.visible().length(), ZoomState::kShortestSpan);
        QVERIFY(zoom.visible().from <= Instant(7s) && zoom.visible().to >= Instant(7s));
        zoom.show(range(20s, 20s));
        QVERIFY(zoom.visible() == range(20s - 10us, 20s));
        zoom.setFull(range(0us, 4us));
        zoom.zoomAround(Instant(2us), 8);
        QVERIFY(zoom.visible() == range(0us, 4us));
    }

    void absurdRequestsDoNoHarm()
    {
        ZoomState zoom;
        zoom.zoomAround(Instant(1s), 2); // there is no run yet
        zoom.panBy(1s);
        zoom.fit();
        QVERIFY(zoom.visible() == VisibleRange());
        zoom.setFull(range(0s, 20s));
        QSignalSpy changes(&zoom, &ZoomState::rangeChanged);
        for (const double factor : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
            zoom.zoomAround(Instant(1s), factor);
        }
        QCOMPARE(changes.count(), 0);
        zoom.show({Instant::min(), Instant::max()});
        QVERIFY(zoom.visible() == range(0s, 20s));
        zoom.show(range(8s, 4s));
        QVERIFY(zoom.visible() == range(4s, 8s));
        zoom.panBy(Duration::max());
        QVERIFY(zoom.visible() == range(16s, 20s));
        zoom.panBy(Duration::min());
        QVERIFY(zoom.visible() == range(0s, 4s));
        zoom.setFull(range(9s, 3s));
        QVERIFY(zoom.visible() == range(9s, 9s));
    }

    void historyGoesBackAndForward()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 20s));
        zoom.show(range(2s, 6s));
        zoom.panBy(1s); // no step of its own
        zoom.show(range(4s, 5s));
        zoom.back();
        QVERIFY(zoom.visible() == range(3s, 7s));
        zoom.back();
        QVERIFY(zoom.visible() == range(0s, 20s));
        QVERIFY(!zoom.canGoBack());
        zoom.back();
        QVERIFY(zoom.visible() == range(0s, 20s));
        zoom.forward();
        zoom.forward();
        QVERIFY(zoom.visible() == range(4s, 5s));
        QVERIFY(!zoom.canGoForward());
        zoom.back();
        zoom.fit(); // another way from here: there is no forward any more
        QVERIFY(!zoom.canGoForward());
        zoom.back();
        QVERIFY(zoom.visible() == range(3s, 7s));
    }

    void historyHasAnEnd()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 1000s));
        for (int i = 0; i < 300; ++i) {
            zoom.show(range(1s * i, 1s * (i + 2)));
        }
        std::size_t count = 0;
        for (; zoom.canGoBack(); ++count) {
            zoom.back();
        }
        QCOMPARE(count, ZoomState::kStepsAtMost);
        QVERIFY(zoom.visible() == range(199s, 201s));
    }

    void aSelectionIsCutToTheRun()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 20s));
        QSignalSpy changes(&zoom, &ZoomState::selectionChanged);
        zoom.select(range(25s, 15s));
        QVERIFY(zoom.selection() == range(15s, 20s));
        zoom.select(range(15s, 20s));
        QCOMPARE(changes.count(), 1);
        zoom.setFull(range(0s, 5s));
        QVERIFY(!zoom.selection());
        QCOMPARE(changes.count(), 2);
    }

    void whoFollowsStaysAtTheEndUntilSomebodyPans()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 10s));
        QSignalSpy following(&zoom, &ZoomState::followingChanged);
        zoom.setFollowing(true);
        zoom.extendFull(range(0s, 20s)); // all of it was seen, and is
        QVERIFY(zoom.visible() == range(0s, 20s));
        zoom.zoomAround(Instant(3s), 4); // the end stays, wherever the pointer is
        QVERIFY(zoom.visible() == range(15s, 20s));
        zoom.extendFull(range(0s, 30s));
        QVERIFY(zoom.visible() == range(25s, 30s));
        QVERIFY(zoom.canGoBack());
        zoom.panBy(0s);
        QVERIFY(zoom.isFollowing());
        zoom.panBy(-1s);
        QVERIFY(!zoom.isFollowing());
        zoom.extendFull(range(0s, 40s));
        QVERIFY(zoom.visible() == range(24s, 29s));
        zoom.setFollowing(true);
        QVERIFY(zoom.visible() == range(35s, 40s));
        QCOMPARE(following.count(), 3);
    }

    void whoDoesNotFollowIsNotMovedByARunThatGoesOn()
    {
        ZoomState zoom;
        zoom.setFull(range(0s, 10s));
        zoom.select(range(2s, 3s));
        zoom.extendFull(range(0s, 20s));
        QVERIFY(zoom.visible() == range(0s, 10s));
        QVERIFY(zoom.full() == range(0s, 20s));
        QVERIFY(zoom.selection() == range(2s, 3s));
    }

    void whateverIsAskedForTheRangeStaysWithinTheRun()
    {
        testing::RandomInput random;
        qInfo("repeat with %s", random.recipe().c_str());
        Rng& rng = random.rng();
        ZoomState zoom;
        const VisibleRange full = range(-3s, 20s);
        zoom.setFull(full);
        for (int step = 0; step < 20'000; ++step) {
            const Instant one(rng.between(-60s, 60s));
            const Instant other(rng.between(-60s, 60s));
            switch (rng.below(6)) {
            case 0: zoom.zoomAround(one, 4 * rng.fraction()); break;
            case 1: zoom.panBy(one - other); break;
            case 2: zoom.show({one, other}); break;
            case 3: zoom.back(); break;
            case 4: zoom.forward(); break;
            default: zoom.zoomAround(one, 1.5); break;
            }
            const VisibleRange shown = zoom.visible();
            QVERIFY2(shown.from >= full.from && shown.to <= full.to
                         && shown.length() >= ZoomState::kShortestSpan,
                     random.recipe().c_str());
        }
    }
};

LOCKSCOPE_TEST(TestZoomState, Core)

} // namespace lockscope::tst_zoom_state

#include "tst_zoom_state.moc"
