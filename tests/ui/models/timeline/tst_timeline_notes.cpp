#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QTest>

namespace lockscope::tst_timeline_notes {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Mark;
using trace::Span;

namespace {

constexpr double kWidth = 1000; // of 20 s
constexpr double kLaneHeight = 50;
constexpr trace::ContenderId kWriter = 1;

/// B waits, is refused, and writes two lines.
TimelineIndex written()
{
    Chronicle chronicle;
    Span& waiting = chronicle.spans.emplace_back();
    waiting.to = Instant(20s);
    waiting.contender = kWriter;
    waiting.kind = Span::Kind::Waiting;
    chronicle.marks = {{Instant(3s), kWriter, 0, Mark::Kind::Refused}};
    chronicle.notes = {{Instant(6s), kWriter, "hello"}, {Instant(12s), kWriter, "bye"}};
    chronicle.end = Instant(20s);
    return TimelineIndex(std::make_shared<const Chronicle>(std::move(chronicle)),
                         Grouping::ByContender,
                         {[](trace::ContenderId) { return u"Client B"_s; },
                          [](trace::LockId) { return u"k"_s; }});
}

TimelineLayout layoutOf(const TimelineIndex& index)
{
    TimelineFrame frame;
    frame.range = {Instant(0s), Instant(20s)};
    frame.width = kWidth;
    frame.laneHeight = kLaneHeight;
    return TimelineLayout(index, frame);
}

} // namespace

/// Where what a contender wrote stands on the timeline.
class TestTimelineNotes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineReachesToTheNextOne()
    {
        const TimelineIndex index = written();
        const TimelineLayout layout = layoutOf(index);
        QVERIFY(index.rows()[1].isOutput);
        const double top = barTop(1, kLaneHeight);
        const double height = barHeight(kLaneHeight);
        QCOMPARE(layout.notes().size(), std::size_t(2));
        QCOMPARE(layout.notes()[0].rect, QRectF(300, top, 300, height));
        QCOMPARE(layout.notes()[1].rect, QRectF(600, top, 400, height));
        QCOMPARE(layout.marks().size(), std::size_t(1)); // of the row above
    }

    void aLineIsHitWhereItIsRead()
    {
        const TimelineIndex index = written();
        const TimelineLayout layout = layoutOf(index);
        const double inside = barTop(1, kLaneHeight) + barHeight(kLaneHeight) / 2;
        QCOMPARE(layout.hitTest({590, inside}), (TimelineHit{TimelineHit::Kind::Note, 0, 1}));
        QCOMPARE(layout.hitTest({610, inside}), (TimelineHit{TimelineHit::Kind::Note, 1, 1}));
        QCOMPARE(layout.hitTest({200, inside}), std::nullopt);
    }

    void inACollapsedLaneItLiesOnTheOtherMarks()
    {
        TimelineIndex index = written();
        index.arrange({{}, {index.lanes().front().key()}});
        const TimelineLayout layout = layoutOf(index);
        QVERIFY(layout.notes().empty());
        QCOMPARE(layout.marks().size(), std::size_t(3));
        QVERIFY(!layout.marks().back().kind);
        const double above = barTop(0, kLaneHeight) - 3;
        QCOMPARE(layout.hitTest({300, above}), (TimelineHit{TimelineHit::Kind::Note, 0, 1}));
        QCOMPARE(layout.hitTest({151, above}), (TimelineHit{TimelineHit::Kind::Mark, 0, 1}));
    }
};

LOCKSCOPE_TEST(TestTimelineNotes, Core)

} // namespace lockscope::tst_timeline_notes

#include "tst_timeline_notes.moc"
