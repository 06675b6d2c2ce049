#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_words.h"
#include "ui/widgets/controls/picture_file.h"
#include "ui/widgets/style/palette_colors.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/timeline/lane_painter.h"
#include "ui/widgets/timeline/timeline_canvas.h"
#include "ui/widgets/timeline/timeline_overview.h"
#include "ui/widgets/timeline/timeline_painter.h"
#include "ui/widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QFile>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

namespace lockscope::tst_timeline_view {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using models::VisibleRange;
using namespace trace;

class TestTimelineView : public QObject {
    Q_OBJECT

private:
    using Story = std::shared_ptr<Chronicle>;

    static models::TimelineNames names()
    {
        return {[](trace::ContenderId id) {
                    return u"Client %1"_s.arg(QChar(u'A' + char16_t(id)));
                },
                [](trace::LockId) { return u"k"_s; }};
    }

    /// A holds for ten seconds and is paused from the fourth to the sixth; B waits.
    static Story story()
    {
        auto chronicle = std::make_shared<Chronicle>();
        using enum Span::Kind;
        chronicle->spans = {{Instant(0s), Instant(10s), 0, 0, Holding, SpanEnd::Released, false},
                            {Instant(2s), Instant(12s), 1, 0, Waiting, SpanEnd::Granted, false},
                            {Instant(4s), Instant(6s), 0, 0, Paused, SpanEnd::Resumed, false},
                            {Instant(12s), Instant(20s), 1, 0, Holding, SpanEnd::Open, false}};
        chronicle->marks = {{Instant(3s), 1, 0, Mark::Kind::Refused}};
        chronicle->serverHolds = {{Instant(0s), Instant(10s), 0, 0, SpanEnd::Released}};
        chronicle->end = Instant(20s);
        return chronicle;
    }

    static Story brokenStory()
    {
        Story chronicle = story();
        chronicle->spans[3].from = Instant(8s);
        chronicle->spans[1].to = Instant(8s);
        chronicle->overlaps = {{Instant(8s), Instant(10s), 0, 0, 1}};
        return chronicle;
    }

    static void open(TimelineView& view, const Story& chronicle)
    {
        view.resize(900, 520);
        view.showChronicle(chronicle, names());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }

    static void turnWheel(TimelineView& view, QPoint position, int angle,
                          Qt::KeyboardModifiers modifiers)
    {
        QWidget* const viewport = view.viewport();
        QWheelEvent event(position, viewport->mapToGlobal(position), {}, {0, angle}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(viewport, &event);
    }

    static void drag(TimelineView& view, QPoint from, QPoint to,
                     Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(view.viewport(), Qt::LeftButton, modifiers, from);
        // Not QTest::mouseMove: it presses no button on all platforms.
        QMouseEvent move(QEvent::MouseMove, to, view.viewport()->mapToGlobal(to), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(view.viewport(), &move);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to);
    }

    static QImage pictureOf(TimelineView& view) { return view.viewport()->grab().toImage(); }

    static int inkOf(const QImage& image, const QRect& area, const QColor& color)
    {
        int count = 0;
        for (int y = area.top(); y <= area.bottom(); ++y) {
            for (int x = area.left(); x <= area.right(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                count += std::abs(pixel.red() - color.red()) < 8
                         && std::abs(pixel.green() - color.green()) < 8
                         && std::abs(pixel.blue() - color.blue()) < 8;
            }
        }
        return count;
    }

    static QPoint onRuler(const TimelineView& view, Duration at)
    {
        return {view.placeOf(Instant(at), 0).x(), view.rulerArea().center().y()};
    }

    static bool isNear(const std::optional<VisibleRange>& one, const VisibleRange& other)
    {
        const auto isClose = [](Instant a, Instant b) { return std::chrono::abs(a - b) < 60ms; };
        return one && isClose(one->from, other.from) && isClose(one->to, other.to);
    }

    static VisibleRange range(Duration from, Duration to) { return {Instant(from), Instant(to)}; }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { applyTheme(*qApp, ThemeChoice::Light); }

    void withoutARunThereIsOnlyTheSurface()
    {
        TimelineView view;
        open(view, nullptr);
        const QColor surface = view.palette().color(QPalette::Base);
        const auto isBare = [&] {
            const QImage image = pictureOf(view);
            return inkOf(image, image.rect(), surface) == image.width() * image.height();
        };
        QVERIFY(isBare());
        view.showChronicle(story(), names());
        QVERIFY(!isBare());
        view.clear();
        QVERIFY(isBare());
        QTest::keyClick(&view, Qt::Key_Period);
        QTest::keyClick(&view, Qt::Key_W);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {300, 100});
        QVERIFY(view.toolTipAt({300, 100}).isEmpty());
        QVERIFY(!view.cursorTime());
    }

    void keysMoveTheRange()
    {
        TimelineView view;
        open(view, story());
        QVERIFY(view.zoom().visible() == range(0s, 20s));
        QTest::keyClick(&view, Qt::Key_W);
        const VisibleRange closer = view.zoom().visible();
        QVERIFY(closer.length() < 20s);
        QVERIFY(closer.from > Instant(0s) && closer.to < Instant(20s));
        QTest::keyClick(&view, Qt::Key_D);
        QVERIFY(view.zoom().visible().from > closer.from);
        QCOMPARE(view.zoom().visible().length(), closer.length());
        QTest::keyClick(&view, Qt::Key_A);
        QVERIFY(view.zoom().visible() == closer);
        QTest::keyClick(&view, Qt::Key_W);
        QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
        QVERIFY(view.zoom().visible() == closer);
        QTest::keyClick(&view, Qt::Key_Right, Qt::AltModifier);
        QVERIFY(view.zoom().visible().length() < closer.length());
        QTest::keyClick(&view, Qt::Key_S);
        QVERIFY(std::chrono::abs(view.zoom().visible().length() - closer.length()) <= 2us);
        QTest::keyClick(&view, Qt::Key_F);
        QVERIFY(view.zoom().visible() == range(0s, 20s));
        QTest::keyClick(&view, Qt::Key_W, Qt::ControlModifier); // closes windows elsewhere
        QVERIFY(view.zoom().visible() == range(0s, 20s));
    }

    void keysGoFromEventToEvent()
    {
        TimelineView view;
        open(view, story());
        QSignalSpy chosen(&view, &TimelineView::timeChosen);
        QList<Duration> times;
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(&view, Qt::Key_Period);
            times += view.cursorTime()->time_since_epoch();
        }
        QCOMPARE(times, (QList<Duration>{0s, 2s, 3s, 4s, 6s}));
        QTest::keyClick(&view, Qt::Key_Comma);
        QCOMPARE(*view.cursorTime(), Instant(4s));
        QCOMPARE(chosen.count(), 6);
        QCOMPARE(chosen.last().at(0).value<Instant>(), Instant(4s));
        view.zoom().show(range(0s, 1s));
        QTest::keyClick(&view, Qt::Key_Period); // brings it into view
        QVERIFY(view.zoom().visible().from <= Instant(6s)
                && view.zoom().visible().to >= Instant(6s));
    }

    void theWheelZoomsAroundThePointer()
    {
        TimelineView view;
        open(view, story());
        const QPoint place = view.placeOf(Instant(5s), 1);
        turnWheel(view, place, 120, Qt::ControlModifier);
        QVERIFY(view.zoom().visible().length() < 20s);
        QVERIFY((view.placeOf(Instant(5s), 1) - place).manhattanLength() <= 2);
        const VisibleRange before = view.zoom().visible();
        turnWheel(view, place, -120, Qt::ShiftModifier);
        QVERIFY(view.zoom().visible().from > before.from);
        QCOMPARE(view.zoom().visible().length(), before.length());
        turnWheel(view, place, -240, Qt::ControlModifier);
        QVERIFY(view.zoom().visible() == range(0s, 20s));
    }

    void aClickChoosesATime()
    {
        TimelineView view;
        open(view, story());
        QSignalSpy chosen(&view, &TimelineView::timeChosen);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.placeOf(Instant(7s), 1));
        QCOMPARE(chosen.count(), 1);
        const auto time = chosen.first().at(0).value<Instant>();
        const Duration pixel = 20'000'000us / view.laneArea().width();
        QVERIFY(time <= Instant(7s) + pixel && time >= Instant(7s) - pixel);
        QCOMPARE(view.cursorTime(), std::optional(time));
        QTest::mouseClick(view.viewport(), Qt::RightButton, {}, view.placeOf(Instant(9s), 1));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {2, 100}); // a title
        QCOMPARE(chosen.count(), 1);
    }

    void draggingMovesTheRangeAndChoosesNothing()
    {
        TimelineView view;
        open(view, story());
        view.zoom().show(range(5s, 10s));
        QSignalSpy chosen(&view, &TimelineView::timeChosen);
        const QPoint from = view.placeOf(Instant(8s), 1);
        drag(view, from, from - QPoint(view.laneArea().width() / 5, 0));
        const VisibleRange after = view.zoom().visible();
        QCOMPARE(after.length(), Duration(5s));
        QVERIFY(after.from > Instant(5900ms) && after.from < Instant(6100ms));
        QCOMPARE(chosen.count(), 0);
    }

    void theOverviewMovesTheRange()
    {
        TimelineView view;
        open(view, story());
        view.zoom().show(range(0s, 4s));
        const QRect strip = view.overviewArea();
        QVERIFY(view.viewport()->rect().contains(strip));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, strip.center());
        const Instant middle = view.zoom().visible().from + 2s;
        QVERIFY(middle > Instant(9800ms) && middle < Instant(10'200ms));
        drag(view, strip.center(), QPoint(strip.right(), strip.center().y()));
        QVERIFY(view.zoom().visible() == range(16s, 20s));
    }

    void theToolTipHasTheExactTimes()
    {
        TimelineView view;
        open(view, brokenStory());
        QCOMPARE(view.toolTipAt(view.placeOf(Instant(1s), 1)),
                 u"Client A holds k · 0.000 s – 10.000 s (10.000 s) · released"_s);
        QCOMPARE(view.toolTipAt(view.placeOf(Instant(5s), 1)),
                 u"Client A is paused · 4.000 s – 6.000 s (2.000 s) · resumes"_s);
        QCOMPARE(view.toolTipAt(view.placeOf(Instant(5s), 2)),
                 u"Client B waits for k · 2.000 s – 8.000 s (6.000 s) · granted"_s);
        QCOMPARE(view.toolTipAt(view.placeOf(Instant(1s), 0)),
                 u"Server: Client A holds k · 0.000 s – 10.000 s (10.000 s) · released"_s);
        const QPoint between = (view.placeOf(Instant(9s), 1) + view.placeOf(Instant(9s), 2)) / 2;
        QCOMPARE(
            view.toolTipAt(between),
            u"Client A and Client B both believe they hold k · 8.000 s – 10.000 s (2.000 s)"_s);
        QVERIFY(view.toolTipAt(view.placeOf(Instant(15s), 1)).isEmpty());
        QVERIFY(view.toolTipAt({2, 2}).isEmpty());
    }

    void anOverlapIsOutlinedInRed_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("light") << ThemeChoice::Light;
        QTest::newRow("dark") << ThemeChoice::Dark;
    }

    void anOverlapIsOutlinedInRed()
    {
        QFETCH(const ThemeChoice, theme);
        applyTheme(*qApp, theme);
        TimelineView view;
        open(view, story());
        const QColor red = stateColorsOf(view.palette()).red;
        QCOMPARE(inkOf(pictureOf(view), view.laneArea(), red), 0);
        view.showChronicle(brokenStory(), names());
        const QPoint upper = view.placeOf(Instant(8s), 1);
        const QPoint lower = view.placeOf(Instant(8s), 2);
        const QRect edge(upper.x() - 3, upper.y(), 6, lower.y() - upper.y());
        const QImage image = pictureOf(view);
        // Two pixels wide, and more than a third of the dashes' length is line.
        QVERIFY(inkOf(image, edge, red) > edge.height() * 2 / 3);
        QVERIFY(inkOf(image, view.overviewArea(), red) > 0);
    }

    void aNarrowOverlapLeavesTheLanesBetweenAlone()
    {
        auto chronicle = std::make_shared<Chronicle>();
        using enum Span::Kind;
        chronicle->spans = {{Instant(0s), Instant(10s), 0, 0, Holding, SpanEnd::Released, false},
                            {Instant(0s), Instant(20s), 1, 0, Waiting, SpanEnd::Open, false},
                            {Instant(9'900ms), Instant(20s), 2, 0, Holding, SpanEnd::Open, false}};
        chronicle->overlaps = {{Instant(9'900ms), Instant(10s), 0, 0, 2}};
        chronicle->end = Instant(20s);
        TimelineView view;
        open(view, chronicle);
        const QColor red = stateColorsOf(view.palette()).red;
        const QImage image = pictureOf(view);
        const auto inkAt = [&](int row) {
            constexpr int kHalf = 5; // well within a bar
            const QPoint place = view.placeOf(Instant(9'950ms), row);
            return inkOf(image, QRect(place.x() - 20, place.y() - kHalf, 40, 2 * kHalf), red);
        };
        QVERIFY(inkAt(0) >= 10 * 3);
        QCOMPARE(inkAt(1), 10); // a line
        QVERIFY(inkAt(2) >= 10 * 3);
    }

    void theLineStandsAtTheSelectedStep()
    {
        TimelineView view;
        open(view, story());
        const QColor accent = view.palette().color(QPalette::Link);
        const QPoint place = view.placeOf(Instant(15s), 1);
        const QRect around(place.x() - 3, view.laneArea().top(), 6, view.laneArea().height());
        QCOMPARE(inkOf(pictureOf(view), around, accent), 0);
        view.setCursorTime(Instant(15s));
        QVERIFY(inkOf(pictureOf(view), around, accent) >= 2 * around.height() - 2);
        QVERIFY(view.zoom().visible() == range(0s, 20s));
        view.setCursorTime(std::nullopt);
        QCOMPARE(inkOf(pictureOf(view), around, accent), 0);
    }

    void manyContendersScroll()
    {
        TimelineView view;
        auto chronicle = std::make_shared<Chronicle>();
        for (unsigned i = 0; i < 200; ++i) {
            chronicle->spans.push_back({Instant(100ms * i), Instant(100ms * (i + 1)), i, 0,
                                        Span::Kind::Holding, SpanEnd::Released, false});
        }
        chronicle->end = Instant(20s);
        open(view, chronicle);
        QScrollBar* const bar = view.verticalScrollBar();
        QVERIFY(bar->maximum() > 10 * view.laneArea().height());
        const QImage top = pictureOf(view);
        turnWheel(view, view.laneArea().center(), -120, {});
        QVERIFY(bar->value() > 0);
        QVERIFY(view.zoom().visible() == range(0s, 20s));
        bar->setValue(bar->maximum());
        QVERIFY(pictureOf(view) != top);
        const QPoint last = view.placeOf(Instant(19'950ms), 199);
        QVERIFY(view.laneArea().contains(last));
        QVERIFY(view.toolTipAt(last).contains(u"19.900 s – 20.000 s"));
        view.showChronicle(story(), names());
        QCOMPARE(bar->maximum(), 0);
    }

    void aRangeIsMarkedOnTheRuler()
    {
        TimelineView view;
        open(view, story());
        QSignalSpy changed(&view, &TimelineView::selectionChanged);
        QSignalSpy chosen(&view, &TimelineView::timeChosen);
        const QImage before = pictureOf(view);
        drag(view, onRuler(view, 12s), onRuler(view, 5s));
        QVERIFY(isNear(view.selection(), range(5s, 12s)));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(chosen.count(), 0);
        QVERIFY(view.zoom().visible() == range(0s, 20s));
        QVERIFY(pictureOf(view) != before);
        drag(view, onRuler(view, 5s), onRuler(view, 8s)); // by its handle
        QVERIFY(isNear(view.selection(), range(8s, 12s)));
        QTest::keyClick(&view, Qt::Key_R);
        QVERIFY(isNear(view.zoom().visible(), range(8s, 12s)));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.selection());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, onRuler(view, 9s));
        QCOMPARE(chosen.count(), 1);
    }

    void aRangeIsMarkedWithShiftAndByKeys()
    {
        TimelineView view;
        open(view, story());
        drag(view, view.placeOf(Instant(3s), 1), view.placeOf(Instant(6s), 1), Qt::ShiftModifier);
        QVERIFY(isNear(view.selection(), range(3s, 6s)));
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(isNear(view.selection(), range(3s, 6400ms)));
        QTest::keyClick(&view, Qt::Key_Escape);
        view.setCursorTime(Instant(10s));
        QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(isNear(view.selection(), range(9200ms, 10s)));
        QTest::keyClick(&view, Qt::Key_Escape);
        QTest::keyClick(&view, Qt::Key_BracketLeft);
        view.setCursorTime(Instant(14s));
        QTest::keyClick(&view, Qt::Key_BracketRight);
        QVERIFY(view.selection() == range(10s, 14s));
        QVERIFY(view.accessibleDescription().contains(u"Selected: 10.000 s – 14.000 s."));
    }

    void lanesAreFoldedByMouseAndKeys()
    {
        TimelineView view;
        const Story chronicle = brokenStory();
        open(view, chronicle);
        view.setGrouping(models::Grouping::ByLock);
        QCOMPARE(view.lanes()[1].rowCount, 2);
        const QPoint title(20, view.placeOf(Instant(0s), 1).y());
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, title);
        QVERIFY(view.lanes()[1].isCollapsed);
        QCOMPARE(view.lanes()[1].rowCount, 1);
        const QColor red = stateColorsOf(view.palette()).red;
        QVERIFY(inkOf(pictureOf(view), view.laneArea(), red) > 0); // never merged away
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(!view.lanes()[1].isCollapsed);
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(view.lanes()[1].isCollapsed);
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(!view.lanes()[1].isCollapsed);
        QTest::keyClick(&view, Qt::Key_Up); // the server has nothing to fold
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(!view.lanes()[0].isCollapsed);
        QVERIFY(view.accessibleDescription().contains(u"Lane k."));
    }

    void timesAreCountedFromTheReference()
    {
        TimelineView view;
        open(view, story());
        QSignalSpy changed(&view, &TimelineView::timeReferenceChanged);
        view.setCursorTime(Instant(4s));
        QTest::keyClick(&view, Qt::Key_T);
        QCOMPARE(view.timeReference(), models::TimeReference(Instant(4s)));
        QCOMPARE(view.toolTipAt(view.placeOf(Instant(5s), 1)),
                 u"Client A is paused · 0.000 s – +2.000 s (2.000 s) · resumes"_s);
        QTest::keyClick(&view, Qt::Key_T);
        QVERIFY(!view.timeReference());
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, onRuler(view, 7s));
        QVERIFY(std::chrono::abs(*view.timeReference() - Instant(7s)) < 60ms);
        QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, onRuler(view, 7s));
        QVERIFY(!view.timeReference());
        QCOMPARE(changed.count(), 4);
    }

    void aMessageAtTheCursorHasItsArrows()
    {
        TimelineView view;
        const Story chronicle = story();
        chronicle->messages = {{Instant(2s), Instant(3s), Instant(5s), 1, 0, "SET k 1 NX: nil"},
                               {Instant(14s), std::nullopt, std::nullopt, 1, 0, "PEXPIRE k"}};
        open(view, chronicle);
        const QImage without = pictureOf(view);
        view.setCursorTime(Instant(3s));
        QCOMPARE(view.arrows().size(), std::size_t(2));
        QVERIFY(pictureOf(view) != without);
        view.setCursorTime(Instant(7s));
        QVERIFY(view.arrows().empty());
        view.selectMessage(1);
        QCOMPARE(view.arrows().size(), std::size_t(1));
        view.selectMessage(99);
        QVERIFY(view.arrows().empty());
        const QPoint hold = view.placeOf(Instant(16s), 2); // waited since before A let go
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, hold);
        QCOMPARE(view.arrows().size(), std::size_t(1));
        QCOMPARE(view.arrows()[0].kind, models::TimelineArrow::Kind::Release);
    }

    void contentionRunsAlongTheBar()
    {
        TimelineView view;
        open(view, story());
        const QColor amber = stateColorsOf(view.palette()).amber;
        const auto amberAt = [&](Duration at) {
            const QPoint place = view.placeOf(Instant(at), 1);
            return inkOf(pictureOf(view), QRect(place.x() - 2, place.y(), 4, 40), amber);
        };
        QCOMPARE(amberAt(1s), 0); // no contender waits yet
        QVERIFY(amberAt(3s) > 0);
        QVERIFY(amberAt(5s) > 0); // A stands still: all the more
    }

    void anEndThatIsNotKnownFades()
    {
        TimelineView view;
        const Story chronicle = story();
        chronicle->marks.clear();
        open(view, chronicle);
        const auto lastColor = [&view] {
            const QPoint place = view.placeOf(Instant(10s), 1) - QPoint(5, 8);
            return pictureOf(view).pixelColor(place);
        };
        const QColor sharp = lastColor();
        auto unsure = std::make_shared<Chronicle>(*chronicle);
        unsure->spans[0].end = SpanEnd::Uncertain;
        view.showChronicle(unsure, names());
        QVERIFY(lastColor().lightness() > sharp.lightness() + 20);
    }

    void aShortPauseIsSeenInTheHold()
    {
        TimelineView view;
        const Story chronicle = story();
        chronicle->spans[2].to = Instant(4s + 10ms); // less than a pixel
        open(view, chronicle);
        const QImage picture = pictureOf(view);
        const auto colorAt = [&](Duration at) {
            return picture.pixelColor(view.placeOf(Instant(at), 1) - QPoint(0, 6));
        };
        QCOMPARE(colorAt(3s), colorAt(5s));
        QVERIFY(colorAt(4s) != colorAt(5s));
    }

    /// Bars that lie on top are not hatched because a server below them is down.
    void aHoldOverADownTimeIsPlain()
    {
        TimelineView view;
        const Story chronicle = story();
        chronicle->spans[2] = {Instant(4s),      Instant(20s),  0,    0,
                               Span::Kind::Down, SpanEnd::Open, false};
        chronicle->serverHolds.clear();
        open(view, chronicle);
        view.setGrouping(models::Grouping::ByLock);
        view.setLaneCollapsed(0, true);
        const QImage picture = pictureOf(view);
        const auto colorsFrom = [&](Duration from) {
            QSet<QRgb> colors;
            const QPoint place = view.placeOf(Instant(from), 0) + QPoint(0, 6);
            for (int x = 0; x < 12; ++x) {
                colors.insert(picture.pixel(place + QPoint(x, 0)));
            }
            return colors.size();
        };
        QVERIFY(colorsFrom(11s) > 1); // A is down, B waits
        QCOMPARE(colorsFrom(18s), 1); // B holds
    }

    void aPictureIsBoundedHoweverLongTheRun()
    {
        TimelineView view;
        auto chronicle = std::make_shared<Chronicle>();
        constexpr int kSpans = 200'000;
        for (int i = 0; i < kSpans; ++i) {
            chronicle->spans.push_back({Instant(1ms * i), Instant(1ms * i + 900us),
                                        static_cast<unsigned>(i) % 4, 0, Span::Kind::Holding,
                                        SpanEnd::Released, false});
        }
        chronicle->end = Instant(1ms * kSpans);
        open(view, chronicle);
        const QTemporaryDir folder;
        const QString svg = folder.filePath(u"run.svg"_s);
        const QString png = folder.filePath(u"run.PNG"_s);
        QVERIFY(view.savePicture(svg));
        QVERIFY(view.savePicture(png));
        QFile file(svg);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.size() < 2'000'000);
        QCOMPARE(text.count("<image"), 1); // the overview; the rows are lines and areas
        QCOMPARE(QImage(png).size(), 2 * view.viewport()->size());
        QCOMPARE(QSvgRenderer(svg).viewBox().size(), view.viewport()->size());
        QVERIFY(!view.savePicture(folder.filePath(u"run.txt"_s)));
        QVERIFY(!view.savePicture(folder.filePath(u"nowhere/run.png"_s)));
        view.clear();
        QVERIFY(!view.savePicture(png));
    }

    void itCanBeReachedAndHeard()
    {
        TimelineView view;
        open(view, brokenStory());
        QVERIFY(view.focusPolicy() & Qt::TabFocus);
        QCOMPARE(view.accessibleName(), u"Timeline"_s);
        QVERIFY(view.accessibleDescription().contains(u"Client A and Client B both"));
        view.setCursorTime(Instant(9s));
        QVERIFY(view.accessibleDescription().contains(u"At 9.000 s"));
        view.clear();
        QVERIFY(!view.accessibleDescription().contains(u"Client"));
    }
};

LOCKSCOPE_TEST(TestTimelineView, Widgets)

} // namespace lockscope::tst_timeline_view

#include "tst_timeline_view.moc"
