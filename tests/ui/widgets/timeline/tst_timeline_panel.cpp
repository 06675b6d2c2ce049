#include "tests/support/test_program.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/timeline/timeline_panel.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

namespace lockscope::tst_timeline_panel {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::Grouping;
using trace::Chronicle;
using trace::Span;
using trace::SpanEnd;

class TestTimelinePanel : public QObject {
    Q_OBJECT

private:
    static std::shared_ptr<Chronicle> story(Duration end)
    {
        auto chronicle = std::make_shared<Chronicle>();
        for (unsigned i = 0; i < 3; ++i) {
            chronicle->spans.push_back({Instant(2s * i), Instant(2s * i + 1s), i,
                                        trace::LockId(i % 2), Span::Kind::Holding,
                                        SpanEnd::Released, false});
        }
        chronicle->end = Instant(end);
        return chronicle;
    }

    /// For this setup of its user.
    static models::RunDrawing drawingOf(std::shared_ptr<Chronicle> chronicle,
                                        models::TimelineSetup setup)
    {
        models::RunDrawing drawing;
        drawing.index = std::make_unique<models::TimelineIndex>(chronicle, setup.grouping, names());
        drawing.index->arrange(setup.arrangement);
        drawing.chronicle = std::move(chronicle);
        drawing.setup = std::move(setup);
        return drawing;
    }

    static constexpr unsigned kCrowd = 60;

    /// All wait; the last but one comes in while the last but two is still inside.
    static std::shared_ptr<Chronicle> crowd(bool isOverlapping)
    {
        auto chronicle = std::make_shared<Chronicle>();
        for (unsigned i = 0; i < kCrowd; ++i) {
            chronicle->spans.push_back({Instant(100ms * i), Instant(8s), i, 0, Span::Kind::Waiting,
                                        SpanEnd::GaveUp, false});
        }
        if (isOverlapping) {
            chronicle->overlaps = {{Instant(1s), Instant(2s), 0, kCrowd - 3, kCrowd - 2}};
        }
        chronicle->end = Instant(10s);
        return chronicle;
    }

    static models::TimelineNames names()
    {
        return {[](trace::ContenderId id) { return u"Client %1"_s.arg(id); },
                [](trace::LockId id) { return u"k%1"_s.arg(id); }};
    }

    static void open(TimelinePanel& panel)
    {
        panel.view().showChronicle(story(10s), names());
        panel.resize(900, 520);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
    }

    static QToolButton* button(TimelinePanel& panel, const QString& name)
    {
        return panel.findChild<QToolButton*>(name);
    }

private Q_SLOTS:
    void init() { applyTheme(*qApp, ThemeChoice::Light); }

    void theGroupingIsSwitched()
    {
        TimelinePanel panel;
        open(panel);
        QCOMPARE(panel.view().lanes().size(), std::size_t(3));
        auto* const grouping = panel.findChild<QComboBox*>(u"timelineGrouping"_s);
        QTest::keyClick(grouping, Qt::Key_Down);
        QCOMPARE(panel.view().grouping(), Grouping::ByLock);
        QCOMPARE(panel.view().lanes().size(), std::size_t(2));
    }

    void theFilterHidesLanesAndSaysHowMany()
    {
        TimelinePanel panel;
        open(panel);
        auto* const hidden = panel.findChild<QLabel*>(u"timelineHidden"_s);
        QVERIFY(!hidden->isVisible());
        auto* const filter = panel.findChild<QLineEdit*>(u"timelineFilter"_s);
        QTest::keyClicks(filter, u"t 1"_s);
        QCOMPARE(panel.view().lanes().size(), std::size_t(1));
        QCOMPARE(panel.view().lanes()[0].title, u"Client 1"_s);
        QVERIFY(hidden->isVisible());
        QCOMPARE(hidden->text(), u"2 lanes hidden"_s);
        QVERIFY(hidden->minimumSizeHint().width() < hidden->sizeHint().width()); // it may be cut
        filter->clear();
        QVERIFY(!hidden->isVisible());
    }

    void ofManyLanesThoseThatOverlapAreShownFirst()
    {
        TimelinePanel panel;
        open(panel);
        QToolButton* const overlaps = button(panel, u"timelineOverlaps"_s);
        QVERIFY(!overlaps->isChecked());
        panel.view().showChronicle(crowd(false), names());
        QVERIFY(!overlaps->isEnabled());
        panel.view().showChronicle(crowd(true), names());
        QVERIFY(overlaps->isEnabled());
        QVERIFY(overlaps->isChecked());
        QCOMPARE(panel.view().lanes().size(), std::size_t(2));
        overlaps->click();
        QCOMPARE(panel.view().lanes().size(), std::size_t(kCrowd));
        panel.view().reveal(Instant(1s)); // what it is about lies far below
        QVERIFY(panel.view().verticalScrollBar()->value() > 0);
        const int row = kCrowd - 2;
        QVERIFY(panel.view().laneArea().contains(panel.view().placeOf(Instant(1s), row)));
        panel.view().reveal(Instant(300ms)); // back to who begins then
        QVERIFY(panel.view().laneArea().contains(panel.view().placeOf(Instant(300ms), 3)));
        QVERIFY(!panel.view().laneArea().contains(panel.view().placeOf(Instant(1s), row)));
    }

    void theButtonsMoveTheRange()
    {
        TimelinePanel panel;
        open(panel);
        models::ZoomState& zoom = panel.view().zoom();
        QToolButton* const back = button(panel, u"timelineBack"_s);
        QToolButton* const fit = button(panel, u"timelineFit"_s);
        QVERIFY(!back->isEnabled() && !fit->isEnabled());
        zoom.show({Instant(2s), Instant(4s)});
        QVERIFY(back->isEnabled() && fit->isEnabled());
        button(panel, u"timelineZoomOut"_s)->click();
        QCOMPARE(zoom.visible().length(), Duration(3s));
        button(panel, u"timelineZoomIn"_s)->click();
        QCOMPARE(zoom.visible().length(), Duration(2s));
        back->click();
        back->click();
        QCOMPARE(zoom.visible().length(), Duration(2s));
        button(panel, u"timelineForward"_s)->click();
        QCOMPARE(zoom.visible().length(), Duration(3s));
        fit->click();
        QVERIFY(zoom.visible() == zoom.full());
        QVERIFY(button(panel, u"timelineFit"_s)->toolTip().contains(u"(F)"));
    }

    void aLiveRunIsFollowedUntilSomebodyPans()
    {
        TimelinePanel panel;
        open(panel);
        QToolButton* const follow = button(panel, u"timelineFollow"_s);
        QVERIFY(!follow->isVisible());
        panel.setLive(true);
        QVERIFY(follow->isVisible() && follow->isChecked());
        panel.view().zoom().show({Instant(8s), Instant(10s)});
        panel.view().updateDrawing(drawingOf(story(20s), panel.view().setup()));
        QCOMPARE(panel.view().zoom().visible().to, Instant(20s));
        QTest::keyClick(&panel.view(), Qt::Key_A);
        QVERIFY(!follow->isChecked());
        const models::VisibleRange left = panel.view().zoom().visible();
        panel.view().updateDrawing(drawingOf(story(30s), panel.view().setup()));
        QVERIFY(panel.view().zoom().visible() == left);
        follow->click();
        QCOMPARE(panel.view().zoom().visible().to, Instant(30s));
        panel.setLive(false);
        QVERIFY(!panel.view().isFollowing());
    }

    void aDrawingForAnotherSetupIsMadeAnew()
    {
        TimelinePanel panel;
        open(panel);
        const models::TimelineSetup byContender = panel.view().setup();
        panel.view().setGrouping(Grouping::ByLock);
        panel.view().updateDrawing(drawingOf(story(20s), byContender));
        QCOMPARE(panel.view().lanes().front().title, u"k0"_s);
        const models::TimelineSetup unfiltered = panel.view().setup();
        panel.view().setFilter(u"k1"_s);
        panel.view().updateDrawing(drawingOf(story(30s), unfiltered));
        QCOMPARE(panel.view().lanes().size(), std::size_t(1));
        QCOMPARE(panel.view().zoom().full().to, Instant(30s));
    }
};

LOCKSCOPE_TEST(TestTimelinePanel, Widgets)

} // namespace lockscope::tst_timeline_panel

#include "tst_timeline_panel.moc"
