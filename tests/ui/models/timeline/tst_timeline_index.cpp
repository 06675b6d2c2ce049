#include "core/kernel/trace/run_steps.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_index.h"
#include "ui/models/timeline/timeline_layout.h"

#include <QTest>

namespace lockscope::tst_timeline_index {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Mark;
using trace::Span;
using trace::SpanEnd;
using enum trace::Span::Kind;

namespace {

TimelineNames names()
{
    return {[](trace::ContenderId id) { return u"Client %1"_s.arg(QChar(u'A' + char16_t(id))); },
            [](trace::LockId id) { return u"k%1"_s.arg(id); }};
}

Span span(Duration from, Duration to, trace::ContenderId who, Span::Kind kind,
          trace::LockId lock = 0, SpanEnd end = SpanEnd::Released)
{
    return {Instant(from), Instant(to), who, lock, kind, end, false};
}

TimelineIndex indexOf(Chronicle chronicle, Grouping grouping = Grouping::ByContender)
{
    return TimelineIndex(std::make_shared<const Chronicle>(std::move(chronicle)), grouping,
                         names());
}

/// A holds k0 and then k1 and is paused meanwhile; B holds k0 too soon, C only k1.
Chronicle twoLocks()
{
    Chronicle chronicle;
    chronicle.spans = {span(0s, 5s, 0, Holding, 0), span(3s, 4s, 0, Paused),
                       span(4s, 8s, 1, Holding, 0), span(6s, 9s, 0, Holding, 1),
                       span(9s, 10s, 2, Holding, 1)};
    chronicle.marks = {{Instant(2s), 0, 0, Mark::Kind::Renewed},
                       {Instant(7s), 0, 1, Mark::Kind::Renewed}};
    chronicle.overlaps = {{Instant(4s), Instant(5s), 0, 0, 1}};
    chronicle.serverHolds = {{Instant(0s), Instant(5s), 0, 0, SpanEnd::Released}};
    chronicle.end = Instant(10s);
    return chronicle;
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

QList<std::uint32_t> indexesOf(const TimelineTrack* track)
{
    QList<std::uint32_t> indexes;
    for (const TimelineInterval& item : track != nullptr ? *track : TimelineTrack()) {
        indexes += item.index;
    }
    return indexes;
}

} // namespace

class TestTimelineIndex : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachOfSeveralServersHasALane()
    {
        Chronicle chronicle = twoLocks();
        chronicle.serverHolds.resize(3, chronicle.serverHolds.front());
        chronicle.serverHolds[1].node = 0;
        chronicle.serverHolds[2].node = 2;
        const TimelineIndex index = indexOf(std::move(chronicle));
        QCOMPARE(index.truthRowCount(), 3);
        QCOMPARE(index.truthRowOf(0, 0), 1); // the majority comes first
        QCOMPARE(index.truthRowOf(0, 2), 2);
        QCOMPARE(index.truthRowOf(0, 1), 0); // has no lane: nothing was there
        QCOMPARE(indexesOf(index.trackOf(2, TimelineStyle::Truth)), QList<std::uint32_t>{2});
    }

    void aRunByStepsIsNoLongerThanItsSteps()
    {
        Chronicle chronicle;
        chronicle.axis = Chronicle::Axis::Steps;
        chronicle.end = trace::instantOfStep(4);
        QVERIFY(indexOf(chronicle).full().to == trace::instantOfStep(4));
    }

    void aCollapsedLaneHasAllInOneRow()
    {
        TimelineIndex index = indexOf(twoLocks());
        QCOMPARE(titlesOf(index), (QStringList{u"server k0/"_s, u"Client A/k0"_s, u"Client A/k1"_s,
                                               u"Client B/k0"_s, u"Client C/k1"_s}));
        QVERIFY(index.lanes()[1].canCollapse() && !index.lanes()[2].canCollapse());
        index.arrange({{}, {{false, 0, std::nullopt}, {false, 2, std::nullopt}}});
        QCOMPARE(titlesOf(index), (QStringList{u"server k0/"_s, u"Client A/"_s, u"Client B/k0"_s,
                                               u"Client C/k1"_s}));
        QVERIFY(index.lanes()[1].isCollapsed);
        QVERIFY(!index.lanes()[3].isCollapsed); // there is nothing to be merged
        QCOMPARE(index.rows()[1].contender, std::optional<trace::ContenderId>(0));
        QVERIFY(!index.rows()[1].lock);
        QCOMPARE(indexesOf(index.trackOf(1, TimelineStyle::Holding)), (QList<unsigned>{0, 3}));
        QCOMPARE(indexesOf(index.trackOf(1, TimelineStyle::Paused)), (QList<unsigned>{1}));
        QCOMPARE(indexesOf(index.marksOf(1, Mark::Kind::Renewed)), (QList<unsigned>{0, 1}));
        QCOMPARE(index.rowOf(0, 1), 1);
        QCOMPARE(index.rowOf(2, 1), 3);
        index.arrange({});
        QCOMPARE(index.rowCount(), 5);
        QCOMPARE(indexesOf(index.trackOf(1, TimelineStyle::Holding)), (QList<unsigned>{0}));
    }

    void whatAContenderWroteHasARow()
    {
        Chronicle chronicle = twoLocks();
        chronicle.notes = {{Instant(1s), 0, "one"},
                           {Instant(2s), 3, "two"},
                           {Instant(3s), 0, "three"}};
        TimelineIndex index = indexOf(chronicle);
        QVERIFY(!index.rows()[2].isOutput);
        QVERIFY(index.rows()[3].isOutput); // below those of its two locks
        QCOMPARE(titlesOf(index)[3], u"Client A/output"_s);
        QCOMPARE(indexesOf(index.notesOf(3)), (QList<unsigned>{0, 2}));
        QCOMPARE(indexesOf(index.notesOf(1)), QList<unsigned>());
        QCOMPARE(titlesOf(index).last(), u"Client D/output"_s); // that only wrote
        QCOMPARE(indexesOf(index.notesOf(index.rowCount() - 1)), (QList<unsigned>{1}));
    }

    void withoutARowOfItsOwnItIsAmongTheMarks()
    {
        Chronicle chronicle = twoLocks();
        chronicle.notes = {{Instant(1s), 0, "one"}, {Instant(3s), 0, "three"}};
        TimelineIndex index = indexOf(chronicle);
        index.arrange({{}, {{false, 0, std::nullopt}}});
        QVERIFY(!index.rows()[1].isOutput);
        QCOMPARE(indexesOf(index.notesOf(1)), (QList<unsigned>{0, 1}));
        const TimelineIndex byLock = indexOf(chronicle, Grouping::ByLock);
        QCOMPARE(indexesOf(byLock.notesOf(byLock.rowOf(0, 0))), (QList<unsigned>{0, 1}));
        QCOMPARE(indexesOf(byLock.notesOf(byLock.rowOf(0, 1))), QList<unsigned>());
    }

    void anOverlapWithinACollapsedLaneStaysVisible()
    {
        TimelineIndex index = indexOf(twoLocks(), Grouping::ByLock);
        QCOMPARE(index.overlaps()[0].lowerRow - index.overlaps()[0].upperRow, 1);
        index.arrange({{}, {{false, 0, std::nullopt}}});
        QCOMPARE(index.overlaps().size(), std::size_t(1));
        QCOMPARE(index.overlaps()[0].upperRow, index.overlaps()[0].lowerRow);
        QCOMPARE(index.overlaps()[0].upperRow, index.rowOf(0, 0));
        const TimelineLayout layout(index, {index.full(), 1000, 50});
        QCOMPARE(layout.boxes(TimelineStyle::Overlap).size(), std::size_t(1));
        QCOMPARE(layout.boxes(TimelineStyle::Holding).size(), std::size_t(4)); // of all
    }

    void theFilterKeepsWhatMatchesAndTheTruth()
    {
        TimelineIndex index = indexOf(twoLocks());
        index.arrange({u"client b"_s, {}});
        QCOMPARE(titlesOf(index), (QStringList{u"server k0/"_s, u"Client B/k0"_s}));
        QCOMPARE(index.hiddenLaneCount(), 2);
        QCOMPARE(index.overlaps().size(), std::size_t(1)); // at the one that is seen
        QCOMPARE(index.overlaps()[0].upperRow, 1);
        QCOMPARE(index.overlaps()[0].lowerRow, 1);
        index.arrange({u"k1"_s, {}}); // names of rows count as well
        QCOMPARE(titlesOf(index),
                 (QStringList{u"server k0/"_s, u"Client A/k1"_s, u"Client C/k1"_s}));
        QVERIFY(index.overlaps().empty());
        QCOMPARE(index.rowOf(0, 0), -1);
        index.arrange({u"nobody"_s, {}});
        QCOMPARE(titlesOf(index), (QStringList{u"server k0/"_s}));
        QCOMPARE(index.truthRowOf(0), 0);
        QCOMPARE(index.truthRowOf(1), -1);
    }

    void whoNeverOverlappedCanBeHidden()
    {
        TimelineIndex index = indexOf(twoLocks());
        models::TimelineArrangement arrangement;
        arrangement.isOverlapsOnly = true;
        index.arrange(arrangement);
        QCOMPARE(titlesOf(index),
                 (QStringList{u"server k0/"_s, u"Client A/k0"_s, u"Client B/k0"_s}));
        QCOMPARE(index.hiddenLaneCount(), 1);
        QCOMPARE(index.overlaps().size(), std::size_t(1));
        arrangement.filter = u"b"_s; // both
        index.arrange(arrangement);
        QCOMPARE(titlesOf(index), (QStringList{u"server k0/"_s, u"Client B/k0"_s}));
    }

    void whoHoldsTogetherWithOthersHasARowOfItsOwn()
    {
        Chronicle chronicle;
        const auto serverHold = [](Duration from, Duration to,
                                   std::optional<trace::ContenderId> who) {
            return trace::ServerHold{Instant(from), Instant(to), who, 0, SpanEnd::Released};
        };
        chronicle.serverHolds = {serverHold(0s, 5s, 0), serverHold(1s, 3s, 1),
                                 serverHold(2s, 9s, 2), serverHold(3s, 4s, 3),
                                 serverHold(5s, 6s, std::nullopt)};
        chronicle.end = Instant(10s);
        TimelineIndex index = indexOf(chronicle);
        QCOMPARE(index.lanes().size(), std::size_t(1));
        QCOMPARE(index.rowCount(), 3);
        QCOMPARE(index.lanes()[0].endRow(), 3);
        QCOMPARE(indexesOf(index.trackOf(0, TimelineStyle::Truth)), (QList<unsigned>{0, 4}));
        QCOMPARE(indexesOf(index.trackOf(1, TimelineStyle::Truth)), (QList<unsigned>{1, 3}));
        QCOMPARE(indexesOf(index.trackOf(2, TimelineStyle::Truth)), (QList<unsigned>{2}));
        QCOMPARE(index.truthRowOf(0), 0);
        index.arrange({{}, {{true, 0, std::nullopt}}});
        QCOMPARE(index.rowCount(), 1);
        QCOMPARE(index.trackOf(0, TimelineStyle::Truth)->size(), std::size_t(5));
        QCOMPARE(names().holder(std::nullopt), u"unknown"_s);
        QCOMPARE(names().holder(1), u"Client B"_s);
    }

    void aCrowdOfHoldersLeavesRoomForTheirBeliefs()
    {
        Chronicle chronicle;
        for (unsigned i = 0; i < 100; ++i) {
            chronicle.serverHolds.push_back({Instant(i * 1ms), Instant(10s), i, 0,
                                             SpanEnd::Released});
        }
        chronicle.end = Instant(10s);
        const TimelineIndex index = indexOf(chronicle);
        QCOMPARE(index.rowCount(), 8);
        std::size_t shown = 0;
        for (int row = 0; row < index.rowCount(); ++row) {
            shown += index.trackOf(row, TimelineStyle::Truth)->size();
        }
        QCOMPARE(shown, std::size_t(100));
    }

    void whatOthersWaitForIsContended()
    {
        Chronicle chronicle;
        chronicle.spans = {span(0s, 10s, 0, Holding),     span(2s, 4s, 1, Waiting),
                           span(3s, 5s, 2, Waiting),      span(6s, 7s, 1, Waiting, 1),
                           span(8s, 10s, 1, Waiting),     span(10s, 12s, 1, Holding),
                           span(20s, 30s, 1, Holding, 1), span(29s, 40s, 0, Waiting, 1)};
        chronicle.end = Instant(40s);
        const TimelineIndex index = indexOf(chronicle);
        const auto stretches = [&index](int row) {
            QList<QPair<Duration, Duration>> found;
            const TimelineTrack* const track = index.trackOf(row, TimelineStyle::Contended);
            for (const TimelineInterval& item : track != nullptr ? *track : TimelineTrack()) {
                found += {item.from.time_since_epoch(), item.to.time_since_epoch()};
            }
            return found;
        };
        using Stretches = QList<QPair<Duration, Duration>>;
        QCOMPARE(stretches(index.rowOf(0, 0)), (Stretches{{2s, 5s}, {8s, 10s}}));
        QCOMPARE(stretches(index.rowOf(1, 0)), Stretches());
        QCOMPARE(stretches(index.rowOf(1, 1)), (Stretches{{29s, 30s}}));
    }

    void whatIsNotKnownLastsUntilTheNextThatIs()
    {
        Chronicle chronicle;
        chronicle.spans = {span(0s, 2s, 0, Waiting, 0, SpanEnd::Uncertain),
                           span(5s, 6s, 0, Waiting, 0, SpanEnd::Granted),
                           span(6s, 8s, 0, Holding, 0, SpanEnd::Uncertain),
                           span(7s, 8s, 1, Holding, 0, SpanEnd::Released)};
        chronicle.end = Instant(10s);
        const TimelineIndex index = indexOf(chronicle);
        const TimelineTrack& unknown = *index.trackOf(0, TimelineStyle::Unknown);
        QCOMPARE(unknown.size(), std::size_t(2));
        QCOMPARE(unknown[0].from, Instant(2s));
        QCOMPARE(unknown[0].to, Instant(5s));
        QCOMPARE(unknown[1].from, Instant(8s));
        QCOMPARE(unknown[1].to, Instant(10s));
        QCOMPARE(unknown[1].index, 2U);
        QVERIFY(index.trackOf(1, TimelineStyle::Unknown) == nullptr);
    }

    void rowsLowerThanAPixelAreRepresentedByTheFullest()
    {
        Chronicle chronicle;
        for (unsigned i = 0; i < 1000; ++i) {
            chronicle.spans.push_back(span(1s, 2s, i, Holding));
        }
        chronicle.spans.push_back(span(3s, 4s, 57, Holding));
        chronicle.overlaps = {{Instant(1s), Instant(2s), 0, 998, 999}};
        chronicle.end = Instant(10s);
        const TimelineIndex index = indexOf(chronicle);
        const TimelineLayout layout(index, {index.full(), 1000, 0.04});
        const auto& holds = layout.boxes(TimelineStyle::Holding);
        QCOMPARE(holds.size(), std::size_t(41)); // a line each, and what only the fullest has
        QVERIFY(std::ranges::any_of(holds, [](const TimelineBox& box) { return box.row == 57; }));
        QCOMPARE(layout.boxes(TimelineStyle::Overlap).size(), std::size_t(1));
    }
};

LOCKSCOPE_TEST(TestTimelineIndex, Core)

} // namespace lockscope::tst_timeline_index

#include "tst_timeline_index.moc"
