#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_index.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QTest>

#include <cmath>

namespace lockscope::tst_timeline_layout {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Mark;
using trace::Span;
using trace::SpanEnd;

namespace {

/// All in their order, so that a number tells what lies above what.
constexpr std::array kStyles{TimelineStyle::Truth,   TimelineStyle::Unknown,
                             TimelineStyle::Waiting, TimelineStyle::Down,
                             TimelineStyle::Holding, TimelineStyle::Contended,
                             TimelineStyle::Paused,  TimelineStyle::Overlap};

TimelineNames names()
{
    return {[](trace::ContenderId id) { return u"Client %1"_s.arg(QChar(u'A' + char16_t(id))); },
            [](trace::LockId id) { return id == 0 ? u"k"_s : u"k%1"_s.arg(id); }};
}

Span span(Duration from, Duration to, trace::ContenderId who, Span::Kind kind,
          trace::LockId lock = 0)
{
    return {Instant(from), Instant(to), who, lock, kind, SpanEnd::Released, false};
}

/// Server  AAAAAAAAAA  BBB  CCC
/// A       HHHHHHHHHHHHHHH          (paused from 1.2 s)
/// B         wwwwwwwwwwHHHHHx       x: with C
/// C                   wwwwxHHH
Chronicle story()
{
    using enum Span::Kind;
    Chronicle chronicle;
    chronicle.spans = {span(0s, 15s, 0, Holding),  span(1200ms, 15s, 0, Paused),
                       span(2s, 12s, 1, Waiting),  span(12s, 17'600ms, 1, Holding),
                       span(13s, 17s, 2, Waiting), span(17s, 20s, 2, Holding)};
    chronicle.marks = {{Instant(3s), 1, 0, Mark::Kind::Refused},
                       {Instant(6s), 1, 0, Mark::Kind::Refused},
                       {Instant(9s), 1, 0, Mark::Kind::Refused}};
    chronicle.overlaps = {{Instant(12s), Instant(15s), 0, 0, 1},
                          {Instant(17s), Instant(17'600ms), 0, 1, 2}};
    chronicle.serverHolds = {{Instant(0s), Instant(10s), 0, 0, SpanEnd::Expired},
                             {Instant(12s), Instant(15s), 1, 0, SpanEnd::Forced},
                             {Instant(17s), Instant(20s), 2, 0, SpanEnd::Open}};
    chronicle.end = Instant(20s);
    return chronicle;
}

TimelineIndex indexOf(Chronicle chronicle, Grouping grouping = Grouping::ByContender)
{
    return TimelineIndex(std::make_shared<const Chronicle>(std::move(chronicle)), grouping,
                         names());
}

TimelineFrame frameOf(Duration from, Duration to, double width)
{
    TimelineFrame frame;
    frame.range = {Instant(from), Instant(to)};
    frame.width = width;
    frame.laneHeight = 50;
    return frame;
}

QStringList titlesOf(const TimelineIndex& index)
{
    QStringList titles;
    for (const TimelineRow& row : index.rows()) {
        const TimelineLane& lane = index.lanes()[std::size_t(row.lane)];
        titles += (lane.isTruth ? u"server "_s : QString()) + lane.title + u'/' + row.title;
    }
    return titles;
}

TimelineHit::Kind kindOf(TimelineStyle style)
{
    switch (style) {
    case TimelineStyle::Truth: return TimelineHit::Kind::ServerHold;
    case TimelineStyle::Overlap: return TimelineHit::Kind::Overlap;
    default: return TimelineHit::Kind::Span;
    }
}

std::size_t boxCount(const TimelineLayout& layout)
{
    std::size_t count = 0;
    for (const TimelineStyle style : kStyles) {
        count += layout.boxes(style).size();
    }
    return count;
}

/// A point that belongs to the rectangle and, for what has an inside, to its outline.
QPointF handleOf(TimelineStyle style, const QRectF& rect)
{
    return style == TimelineStyle::Overlap ? QPointF(rect.left(), rect.center().y())
                                           : rect.center();
}

/// A hit may be another one than asked for only where that lies above it at this very point.
bool isHit(const TimelineLayout& layout, TimelineStyle style, const TimelineBox& box)
{
    const QPointF point = handleOf(style, box.rect);
    const auto hit = layout.hitTest(point);
    if (!hit) {
        return false;
    }
    if (hit->kind == kindOf(style) && hit->index == box.index) {
        return true;
    }
    constexpr double kReach = TimelineLayout::kReach;
    for (std::size_t i = static_cast<std::size_t>(style); i < kTimelineStyleCount; ++i) {
        for (const TimelineBox& other : layout.boxes(kStyles[i])) {
            const QRectF area = other.rect.adjusted(-kReach, -kReach, kReach, kReach);
            if (kindOf(kStyles[i]) == hit->kind && other.index == hit->index
                && area.contains(point)) {
                return true;
            }
        }
    }
    return false;
}

int importanceOf(TimelineStyle style)
{
    constexpr std::array kAscending{TimelineStyle::Waiting, TimelineStyle::Down,
                                    TimelineStyle::Paused, TimelineStyle::Holding};
    return int(std::find(kAscending.begin(), kAscending.end(), style) - kAscending.begin());
}

TimelineStyle styleOf(Span::Kind kind)
{
    switch (kind) {
    case Span::Kind::Waiting: return TimelineStyle::Waiting;
    case Span::Kind::Holding: return TimelineStyle::Holding;
    case Span::Kind::Paused: return TimelineStyle::Paused;
    case Span::Kind::Down: break;
    }
    return TimelineStyle::Down;
}

bool isVisible(Instant from, Instant to, VisibleRange range)
{
    return to >= range.from && from <= range.to;
}

/// Wide spans keep their place to the pixel; narrow ones are in their column, or what beats them.
bool isDrawn(const Span& item, int row, const TimelineLayout& layout)
{
    const TimelineFrame& frame = layout.frame();
    const double left = std::max(xOf(item.from, frame.range, frame.width), 0.0);
    const double right = std::min(xOf(item.to, frame.range, frame.width), frame.width);
    const bool isNarrow = right - left < 1;
    const TimelineStyle own = styleOf(item.kind);
    for (const TimelineStyle style : kStyles) {
        if (style == TimelineStyle::Truth || style == TimelineStyle::Overlap
            || importanceOf(style) < importanceOf(own) || (style != own && !isNarrow)) {
            continue;
        }
        for (const TimelineBox& box : layout.boxes(style)) {
            const bool isThere = isNarrow
                                     ? box.rect.left() <= left + 1 && box.rect.right() >= left - 1
                                     : box.rect.left() <= left + 1
                                           && box.rect.right() >= right - 1e-6;
            if (box.row == row && isThere) {
                return true;
            }
        }
    }
    return false;
}

Chronicle randomChronicle(Rng& rng, std::size_t count)
{
    Chronicle chronicle;
    for (std::size_t i = 0; i < count; ++i) {
        const Duration from = rng.between(0s, 100s);
        const Duration length = rng.below(2) == 0 ? rng.between(0us, 20ms) : rng.between(0s, 5s);
        const auto who = static_cast<trace::ContenderId>(rng.below(6));
        const auto lock = static_cast<trace::LockId>(rng.below(2));
        chronicle.spans.push_back(span(from, from + length, who,
                                       static_cast<Span::Kind>(rng.below(4)), lock));
        chronicle.overlaps.push_back({Instant(from), Instant(from + length / 2), lock, who,
                                      (who + 1) % 6});
    }
    std::ranges::sort(chronicle.spans, {}, &Span::from);
    std::ranges::sort(chronicle.overlaps, {}, &trace::Overlap::from);
    chronicle.end = Instant(110s);
    return chronicle;
}

} // namespace

class TestTimelineLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theServersTruthStandsAboveWhatIsBelieved()
    {
        const TimelineIndex index = indexOf(story());
        QCOMPARE(titlesOf(index),
                 QStringList({u"server k/"_s, u"Client A/"_s, u"Client B/"_s, u"Client C/"_s}));
        QVERIFY((index.full() == VisibleRange{Instant(0s), Instant(20s)}));
        Chronicle unseen = story();
        unseen.serverHolds.clear();
        QCOMPARE(indexOf(unseen).lanes().size(), std::size_t(3));
    }

    void severalLocksMakeRows()
    {
        Chronicle chronicle = story();
        chronicle.spans.push_back(span(18s, 19s, 0, Span::Kind::Holding, 1));
        chronicle.serverHolds.push_back({Instant(18s), Instant(19s), 0, 1, SpanEnd::Released});
        chronicle.spans.push_back(span(19s, 20s, 3, Span::Kind::Down));
        QCOMPARE(titlesOf(indexOf(chronicle)),
                 QStringList({u"server k/"_s, u"server k1/"_s, u"Client A/k"_s, u"Client A/k1"_s,
                              u"Client B/k"_s, u"Client C/k"_s, u"Client D/"_s}));
        QCOMPARE(titlesOf(indexOf(chronicle, Grouping::ByLock)),
                 QStringList({u"server k/"_s, u"server k1/"_s, u"k/Client A"_s, u"k/Client B"_s,
                              u"k/Client C"_s, u"k1/Client A"_s}));
    }

    /// A pause is one of the contender, so it stands in each of its rows.
    void pausesAreInAllRowsOfAContender()
    {
        Chronicle chronicle = story();
        chronicle.spans.push_back(span(18s, 19s, 0, Span::Kind::Holding, 1));
        const TimelineIndex index = indexOf(chronicle);
        const TimelineLayout layout(index, frameOf(0s, 20s, 1000));
        QCOMPARE(layout.boxes(TimelineStyle::Paused).size(), std::size_t(2));
        QCOMPARE(layout.boxes(TimelineStyle::Paused)[0].row, 1);
        QCOMPARE(layout.boxes(TimelineStyle::Paused)[1].row, 2);
    }

    void barsStandAtTheirTimes()
    {
        const TimelineIndex index = indexOf(story());
        const TimelineLayout layout(index, frameOf(0s, 20s, 1000));
        const auto& holds = layout.boxes(TimelineStyle::Holding);
        QCOMPARE(holds.size(), std::size_t(3));
        QCOMPARE(holds[0].rect, QRectF(0, barTop(1, 50), 750, barHeight(50)));
        QCOMPARE(holds[1].rect, QRectF(600, barTop(2, 50), 280, barHeight(50)));
        QCOMPARE(layout.boxes(TimelineStyle::Truth).size(), std::size_t(3));
        QCOMPARE(layout.boxes(TimelineStyle::Waiting).size(), std::size_t(2));
        QCOMPARE(layout.marks().size(), std::size_t(3));
        QCOMPARE(layout.marks()[1].x, 300.0);
        QCOMPARE(layout.marks()[1].row, 2);
    }

    void anOverlapReachesFromTheOneToTheOther()
    {
        const TimelineIndex index = indexOf(story());
        const TimelineLayout layout(index, frameOf(0s, 20s, 1000));
        const auto& overlaps = layout.boxes(TimelineStyle::Overlap);
        QCOMPARE(overlaps.size(), std::size_t(2));
        QCOMPARE(overlaps[0].rect.left(), 600.0);
        QCOMPARE(overlaps[0].rect.right(), 750.0);
        QVERIFY(overlaps[0].rect.top() < barTop(1, 50) && overlaps[0].rect.top() > 50);
        QVERIFY(overlaps[0].rect.bottom() > barTop(2, 50) + barHeight(50));
        QVERIFY(overlaps[0].rect.bottom() < 150);
    }

    void everyRectangleIsHit_data()
    {
        QTest::addColumn<Grouping>("grouping");
        QTest::addColumn<double>("width");
        QTest::newRow("by contender") << Grouping::ByContender << 1000.0;
        QTest::newRow("by lock") << Grouping::ByLock << 1000.0;
        QTest::newRow("narrow") << Grouping::ByContender << 9.0;
    }

    void everyRectangleIsHit()
    {
        QFETCH(const Grouping, grouping);
        QFETCH(const double, width);
        const TimelineIndex index = indexOf(story(), grouping);
        const TimelineLayout layout(index, frameOf(0s, 20s, width));
        QVERIFY(boxCount(layout) >= 8);
        for (const TimelineStyle style : kStyles) {
            for (const TimelineBox& box : layout.boxes(style)) {
                QVERIFY2(isHit(layout, style, box), qPrintable(u"%1"_s.arg(box.index)));
            }
        }
    }

    void whatIsOnTopIsHitFirst()
    {
        const TimelineIndex index = indexOf(story());
        const TimelineLayout layout(index, frameOf(0s, 20s, 1000));
        const auto hitAt = [&layout](double x, double y) { return layout.hitTest({x, y}); };
        const auto barOf = [](int row) { return barTop(row, 50) + barHeight(50) / 2; };
        using Kind = TimelineHit::Kind;
        QCOMPARE(hitAt(30, barOf(1)), (TimelineHit{Kind::Span, 0, 1}));
        QCOMPARE(hitAt(300, barOf(1)), (TimelineHit{Kind::Span, 1, 1}));    // paused
        QCOMPARE(hitAt(700, barOf(2)), (TimelineHit{Kind::Span, 3, 1}));    // within the overlap
        QCOMPARE(hitAt(601, barOf(2)), (TimelineHit{Kind::Overlap, 0, 1})); // on its outline
        QCOMPARE(hitAt(700, 100), (TimelineHit{Kind::Overlap, 0, 1}));      // between the bars
        QCOMPARE(hitAt(151, barTop(2, 50) - 3), (TimelineHit{Kind::Mark, 0, 1}));
        QCOMPARE(hitAt(550, barOf(0)), std::nullopt);
        QCOMPARE(hitAt(100, barOf(0)), (TimelineHit{Kind::ServerHold, 0, 1}));
    }

    void whatNobodySawOfAServerHoldBelongsToItStill()
    {
        Chronicle chronicle = story();
        chronicle.serverHolds = {{Instant(0s), Instant(4s), 0, 0, SpanEnd::Expired},
                                 {Instant(5s), Instant(8s), 1, 0, SpanEnd::Uncertain,
                                  Instant(12s)}};
        const TimelineIndex index = indexOf(chronicle);
        const TimelineLayout layout(index, frameOf(0s, 20s, 1000));
        const double middle = barTop(0, 50) + barHeight(50) / 2;
        const auto& unknown = layout.boxes(TimelineStyle::Unknown);
        QCOMPARE(unknown.size(), std::size_t(1));
        QCOMPARE(unknown[0].rect.left(), 400.0);
        QCOMPARE(unknown[0].rect.right(), 600.0);
        const TimelineHit expected{TimelineHit::Kind::ServerHold, 1, 1};
        QCOMPARE(layout.hitTest({300, middle}), expected);
        QCOMPARE(layout.hitTest({500, middle}), expected);
        QCOMPARE(layout.hitTest({700, middle}), std::nullopt);
    }

    void whatIsNarrowerThanAPixelSharesItWithTheMoreImportant()
    {
        using enum Span::Kind;
        Chronicle chronicle;
        chronicle.spans = {span(1000ms, 1001ms, 0, Waiting), span(1001ms, 1002ms, 0, Holding),
                           span(1003ms, 1004ms, 0, Waiting), span(1004ms, 1005ms, 0, Paused),
                           span(5s, 5001ms, 0, Waiting),     span(5001ms, 5002ms, 0, Down)};
        chronicle.end = Instant(10s);
        const TimelineIndex index = indexOf(chronicle);
        const TimelineLayout layout(index, frameOf(0s, 10s, 100));
        QCOMPARE(boxCount(layout), std::size_t(2));
        QCOMPARE(layout.boxes(TimelineStyle::Holding).size(), std::size_t(1));
        QCOMPARE(layout.boxes(TimelineStyle::Holding)[0].index, std::uint32_t(1));
        QCOMPARE(layout.boxes(TimelineStyle::Holding)[0].rect.left(), 10.0);
        QCOMPARE(layout.boxes(TimelineStyle::Holding)[0].rect.width(), 1.0);
        QCOMPARE(layout.boxes(TimelineStyle::Down)[0].rect.left(), 50.0);
    }

    void anOverlapOfAMicrosecondIsSeenFromAfar()
    {
        Chronicle chronicle = story();
        chronicle.overlaps = {{Instant(12s), Instant(12s + 1us), 0, 0, 1}};
        chronicle.end = Instant(24h);
        const TimelineIndex index = indexOf(chronicle);
        const TimelineLayout layout(index, frameOf(0s, 24h, 800));
        QCOMPARE(layout.boxes(TimelineStyle::Overlap).size(), std::size_t(1));
        QVERIFY(layout.boxes(TimelineStyle::Overlap)[0].rect.width()
                >= TimelineLayout::kOverlapWidthMin - 1e-9);
    }

    void overlapsThatCrowdAPixelShareARectangleAroundThemAll()
    {
        Chronicle chronicle = story();
        chronicle.overlaps.clear();
        for (int i = 0; i < 1000; ++i) {
            const Duration from = 5s + i * 1us;
            chronicle.overlaps.push_back({Instant(from), Instant(from + 1us), 0, 0, 1});
        }
        chronicle.overlaps.push_back({Instant(5s + 1000us), Instant(19s), 0, 1, 2});
        const TimelineIndex index = indexOf(chronicle);
        const TimelineLayout layout(index, frameOf(0s, 20s, 1000));
        const auto& boxes = layout.boxes(TimelineStyle::Overlap);
        QCOMPARE(boxes.size(), TimelineLayout::kOverlapsPerColumn + 1);
        QCOMPARE(std::size_t(boxes.back().count), 1001 - TimelineLayout::kOverlapsPerColumn);
        QCOMPARE(boxes.back().rect.right(), 950.0);
        QVERIFY(boxes.back().rect.bottom() > barTop(3, 50) + barHeight(50));
    }

    void rowsOutOfSightAreLeftOut()
    {
        const TimelineIndex index = indexOf(story());
        TimelineFrame frame = frameOf(0s, 20s, 1000);
        frame.top = 160; // the last row only
        frame.bottom = 190;
        const TimelineLayout layout(index, frame);
        QVERIFY(layout.boxes(TimelineStyle::Truth).empty());
        QCOMPARE(layout.boxes(TimelineStyle::Holding).size(), std::size_t(1));
        QCOMPARE(layout.boxes(TimelineStyle::Holding)[0].row, 3);
        QCOMPARE(layout.boxes(TimelineStyle::Overlap).size(), std::size_t(1));
        QCOMPARE(layout.boxes(TimelineStyle::Overlap)[0].index, std::uint32_t(1));
    }

    void nothingIsLaidOutWhereThereIsNoRoom()
    {
        const TimelineIndex index = indexOf(story());
        TimelineFrame flat = frameOf(0s, 20s, 1000);
        flat.laneHeight = 0;
        for (const TimelineFrame& frame :
             {frameOf(5s, 5s, 1000), frameOf(9s, 3s, 1000), frameOf(0s, 20s, 0),
              frameOf(0s, 20s, -3), frameOf(0s, 20s, std::nan("")), flat}) {
            const TimelineLayout layout(index, frame);
            QCOMPARE(boxCount(layout), std::size_t(0));
            QVERIFY(!layout.hitTest({10, 75}));
        }
        const TimelineIndex nothing = indexOf({});
        QCOMPARE(nothing.rowCount(), 0);
        QVERIFY(!nothing.full().isEmpty());
        QCOMPARE(boxCount(TimelineLayout(nothing, frameOf(0s, 20s, 1000))), std::size_t(0));
    }

    /// Against a look at each span: nothing visible is missing, however it is zoomed.
    void nothingThatIsVisibleIsMissing()
    {
        testing::RandomInput random;
        qInfo("repeat with %s", random.recipe().c_str());
        Rng& rng = random.rng();
        const Chronicle chronicle = randomChronicle(rng, 400);
        const TimelineIndex index = indexOf(chronicle);
        for (int round = 0; round < 20; ++round) {
            const Duration from = rng.between(0s, 90s);
            const Duration length = rng.between(10us,
                                                1us * (std::int64_t(1) << rng.below(27)) + 10us);
            const TimelineFrame frame = frameOf(from, from + length,
                                                100 + static_cast<double>(rng.below(900)));
            const TimelineLayout layout(index, frame);
            for (int row = 0; row < index.rowCount(); ++row) {
                const TimelineRow& place = index.rows()[std::size_t(row)];
                for (const Span& item : chronicle.spans) {
                    const bool isOfLock = item.kind == Span::Kind::Waiting
                                          || item.kind == Span::Kind::Holding;
                    if (item.contender == place.contender && (!isOfLock || item.lock == place.lock)
                        && isVisible(item.from, item.to, frame.range)) {
                        QVERIFY2(isDrawn(item, row, layout), random.recipe().c_str());
                    }
                }
            }
            checkOverlaps(index, layout, random.recipe());
        }
    }

    /// Where many share a pixel they are not read one by one, but none is lost: what begins within
    /// a column has a rectangle there, and what lasts longer than a pixel has it to its end.
    void nothingIsMissingInACrowd()
    {
        testing::RandomInput random;
        qInfo("repeat with %s", random.recipe().c_str());
        Rng& rng = random.rng();
        Chronicle chronicle;
        Duration at = 0us;
        for (int i = 0; i < 60'000; ++i) {
            const Duration length = rng.between(1us, 1us * (std::int64_t(1) << rng.below(16)));
            chronicle.spans.push_back(span(at, at + length, 0, Span::Kind::Holding));
            at += length + rng.between(0us, rng.below(500) == 0 ? 500ms : 1ms);
        }
        chronicle.end = Instant(at);
        const TimelineIndex index = indexOf(chronicle);
        for (int round = 0; round < 20; ++round) {
            const Duration from = rng.between(0us, at / 2);
            const TimelineFrame frame = frameOf(from, from + rng.between(at / 50, at), 1000);
            checkCrowd(chronicle, TimelineLayout(index, frame), random.recipe());
        }
    }

    /// The work is bounded by pixels: what is laid out of a million is as much as fits.
    void aMillionSpansMakeNoMoreRectanglesThanPixels()
    {
        Chronicle chronicle;
        constexpr int kCount = 1'000'000;
        chronicle.spans.reserve(kCount);
        for (int i = 0; i < kCount; ++i) {
            const Duration from = 100us * i;
            chronicle.spans.push_back(span(from, from + 90us, static_cast<unsigned>(i) % 4,
                                           i % 8 < 4 ? Span::Kind::Waiting : Span::Kind::Holding));
        }
        for (int i = 0; i < 100'000; ++i) {
            const Instant from(1ms * i);
            chronicle.overlaps.push_back({from, from + 50us, 0, 0, 1});
        }
        chronicle.end = Instant(100s);
        const TimelineIndex index = indexOf(std::move(chronicle));
        const TimelineLayout far(index, frameOf(0s, 100s, 1000));
        // A column is two pixels, as there is far more in each than can be told apart.
        QVERIFY(far.boxes(TimelineStyle::Waiting).size() <= 4 * 500);
        QVERIFY(far.boxes(TimelineStyle::Holding).size() <= 4 * 500);
        QVERIFY(far.boxes(TimelineStyle::Holding).size() >= 4 * 495);
        QVERIFY(far.boxes(TimelineStyle::Overlap).size()
                <= 1001 * (TimelineLayout::kOverlapsPerColumn + 1));
        const TimelineLayout near(index, frameOf(50s, 50s + 800us, 1000));
        QVERIFY(boxCount(near) >= 8 && boxCount(near) <= 12);
    }

    /// As the spans grow more, they come to stand closer, and from kCrowd on in pairs of pixels.
    void columnsAreOfAPixelUntilItIsCrowded()
    {
        constexpr int kWidth = 500;
        const auto boxesOf = [](double spansPerPixel) {
            const int count = static_cast<int>(spansPerPixel * kWidth);
            Chronicle chronicle;
            const Duration apart = Duration(100s) / count;
            for (int i = 0; i < count; ++i) {
                chronicle.spans.push_back(span(apart * i, apart * i + 1us, 0, Span::Kind::Holding));
            }
            chronicle.end = Instant(100s);
            const TimelineIndex index = indexOf(std::move(chronicle));
            const TimelineLayout layout(index, frameOf(0s, 100s, kWidth));
            return static_cast<int>(layout.boxes(TimelineStyle::Holding).size());
        };
        const auto isAbout = [](int actual, int wanted) { return std::abs(actual - wanted) <= 2; };
        QVERIFY(isAbout(boxesOf(1), kWidth));
        QVERIFY(isAbout(boxesOf(TimelineLayout::kCrowd - 0.1), kWidth));
        QVERIFY(isAbout(boxesOf(TimelineLayout::kCrowd + 0.1), kWidth / 2));
        QVERIFY(isAbout(boxesOf(50), kWidth / 2));
    }

    void aLayoutCanBeUsedAgain()
    {
        const TimelineIndex index = indexOf(story());
        const TimelineFrame wide = frameOf(0s, 20s, 1000);
        const TimelineFrame narrow = frameOf(5s, 9s, 300);
        TimelineLayout layout(index, wide);
        layout.layOut(index, narrow);
        const TimelineLayout fresh(index, narrow);
        QVERIFY(layout.frame() == narrow);
        QCOMPARE(boxCount(layout), boxCount(fresh));
        QCOMPARE(layout.marks().size(), fresh.marks().size());
        layout.layOut(index, {});
        QCOMPARE(boxCount(layout), 0U);
        QVERIFY(layout.marks().empty());
    }

private:
    static void checkCrowd(const Chronicle& chronicle, const TimelineLayout& layout,
                           const std::string& recipe)
    {
        constexpr double kColumn = 3; // two pixels and what may be rounded to either side
        const TimelineFrame& frame = layout.frame();
        std::vector<TimelineBox> boxes = layout.boxes(TimelineStyle::Holding);
        std::ranges::sort(boxes, {}, [](const TimelineBox& box) { return box.rect.left(); });
        QVERIFY2(boxes.size() <= 2 * std::size_t(frame.width), recipe.c_str());
        for (const Span& item : chronicle.spans) {
            if (!isVisible(item.from, item.to, frame.range)) {
                continue;
            }
            const double left = std::max(xOf(item.from, frame.range, frame.width), 0.0);
            const double right = std::min(xOf(item.to, frame.range, frame.width), frame.width);
            const auto box = std::ranges::lower_bound(boxes, left - kColumn, {},
                                                      [](const auto& b) { return b.rect.right(); });
            const bool isDrawn = std::any_of(box, boxes.end(), [&](const TimelineBox& other) {
                return other.rect.left() <= left + kColumn && other.rect.right() >= right - 1;
            });
            QVERIFY2(isDrawn, recipe.c_str());
        }
    }

    static void checkOverlaps(const TimelineIndex& index, const TimelineLayout& layout,
                              const std::string& recipe)
    {
        const TimelineFrame& frame = layout.frame();
        for (const TimelineOverlap& item : index.overlaps()) {
            if (!isVisible(item.from, item.to, frame.range)) {
                continue;
            }
            const double left = std::max(xOf(item.from, frame.range, frame.width), 0.0);
            const double right = std::min(xOf(item.to, frame.range, frame.width), frame.width);
            const auto& boxes = layout.boxes(TimelineStyle::Overlap);
            const bool isDrawn = std::ranges::any_of(boxes, [&](const TimelineBox& box) {
                return box.rect.left() <= left + 1e-6 && box.rect.right() >= right - 1e-6
                       && box.rect.top() <= barTop(item.upperRow, frame.laneHeight)
                       && box.rect.bottom() >= barTop(item.lowerRow, frame.laneHeight);
            });
            QVERIFY2(isDrawn, recipe.c_str());
        }
    }
};

LOCKSCOPE_TEST(TestTimelineLayout, Core)

} // namespace lockscope::tst_timeline_layout

#include "tst_timeline_layout.moc"
