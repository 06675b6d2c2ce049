#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_events.h"

#include <QTest>

namespace lockscope::tst_timeline_events {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Chronicle;
using trace::Span;
using trace::SpanEnd;
using Kind = TimelineArrow::Kind;

namespace {

/// A holds until 5 s; B waits from 2 s, asks again at 5.2 s and holds from 6 s.
Chronicle handOver()
{
    using enum Span::Kind;
    Chronicle chronicle;
    chronicle.spans = {{Instant(0s), Instant(5s), 0, 0, Holding, SpanEnd::Released, false},
                       {Instant(2s), Instant(6s), 1, 0, Waiting, SpanEnd::Granted, false},
                       {Instant(6s), Instant(9s), 1, 0, Holding, SpanEnd::Released, false}};
    chronicle.serverHolds = {{Instant(0s), Instant(5s), 0, 0, SpanEnd::Released}};
    chronicle.messages = {{Instant(2s), Instant(2100ms), Instant(2200ms), 1, 0, "SET k: nil"},
                          {Instant(5200ms), Instant(5500ms), Instant(6s), 1, 0, "SET k: OK"},
                          {Instant(9s), Instant(9100ms), std::nullopt, 1, 0, "DEL k"},
                          {Instant(9500ms), std::nullopt, std::nullopt, 0, 0, "GET k"}};
    chronicle.end = Instant(10s);
    return chronicle;
}

TimelineIndex indexOf(Chronicle chronicle)
{
    const TimelineNames names{[](trace::ContenderId id) { return u"Client %1"_s.arg(id); },
                              [](trace::LockId) { return u"k"_s; }};
    return TimelineIndex(std::make_shared<const Chronicle>(std::move(chronicle)),
                         Grouping::ByContender, names);
}

} // namespace

class TestTimelineEvents : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageGoesToTheServerAndBack()
    {
        const TimelineIndex index = indexOf(handOver());
        const auto arrows = arrowsOf(index, index.chronicle().messages[1]);
        QCOMPARE(arrows.size(), std::size_t(2));
        QVERIFY((arrows[0]
                 == TimelineArrow{Kind::Request, Instant(5200ms), Instant(5500ms), 2, 0,
                                  u"SET k: OK"_s}));
        QVERIFY((arrows[1] == TimelineArrow{Kind::Answer, Instant(5500ms), Instant(6s), 0, 2, {}}));
    }

    void anInstantIsAboutSomebody()
    {
        using Contenders = std::vector<trace::ContenderId>;
        Chronicle chronicle = handOver();
        chronicle.marks = {{Instant(3s), 1, 0, trace::Mark::Kind::Refused}};
        QVERIFY(contendersAt(chronicle, Instant(2s)) == Contenders{1});
        QVERIFY(contendersAt(chronicle, Instant(3s)) == Contenders{1});
        QVERIFY(contendersAt(chronicle, Instant(5s)) == Contenders{0});
        QVERIFY(contendersAt(chronicle, Instant(5500ms)).empty());
        chronicle.notes = {{Instant(5400ms), 2, "hello"}};
        QVERIFY(contendersAt(chronicle, Instant(5400ms)) == Contenders{2});
        QCOMPARE(nextEvent(chronicle, Instant(5s), true), Instant(5400ms));
        chronicle.overlaps = {{Instant(5s), Instant(6s), 0, 3, 2}};
        QVERIFY((contendersAt(chronicle, Instant(5500ms)) == Contenders{2, 3}));
        QVERIFY((contendersAt(chronicle, Instant(5s)) == Contenders{2, 3})); // that matters more
    }

    void whatIsLostSaysSo()
    {
        TimelineIndex index = indexOf(handOver());
        const auto unanswered = arrowsOf(index, index.chronicle().messages[2]);
        QCOMPARE(unanswered.size(), std::size_t(2));
        QCOMPARE(unanswered[1].kind, Kind::LostAnswer);
        const auto lost = arrowsOf(index, index.chronicle().messages[3]);
        QCOMPARE(lost.size(), std::size_t(1));
        QCOMPARE(lost[0].kind, Kind::LostRequest);
        index.arrange({u"nobody"_s, {}}); // its sender is not shown
        QVERIFY(arrowsOf(index, index.chronicle().messages[1]).empty());
    }

    void withoutTheTruthTheServerIsAbove()
    {
        Chronicle chronicle = handOver();
        chronicle.serverHolds.clear();
        const TimelineIndex index = indexOf(std::move(chronicle));
        QCOMPARE(arrowsOf(index, index.chronicle().messages[0])[0].toRow, TimelineArrow::kServer);
    }

    void aHoldThatHadToWaitComesFromTheOneBefore()
    {
        const TimelineIndex index = indexOf(handOver());
        const auto arrows = handOverTo(index, index.chronicle().spans[2]);
        QCOMPARE(arrows.size(), std::size_t(2));
        QVERIFY((arrows[0]
                 == TimelineArrow{Kind::Release, Instant(5s), Instant(5200ms), 1, 2, {}}));
        QVERIFY((arrows[1]
                 == TimelineArrow{Kind::WakeUp, Instant(5200ms), Instant(6s), 2, 2,
                                  u"SET k: OK"_s}));
        QVERIFY(handOverTo(index, index.chronicle().spans[0]).empty()); // no hold was before it
        QVERIFY(handOverTo(index, index.chronicle().spans[1]).empty()); // it is no hold
    }

    void whoIsToldWakesUpByThat()
    {
        Chronicle chronicle = handOver();
        chronicle.messages[1] = {
            Instant(5100ms), Instant(5100ms), Instant(5300ms), 1, 0, "hears released", true};
        const TimelineIndex published = indexOf(chronicle);
        const auto arrows = handOverTo(published, published.chronicle().spans[2]);
        QCOMPARE(arrows.size(), std::size_t(2));
        QCOMPARE(arrows[0].to, Instant(5300ms));
        QVERIFY((arrows[1]
                 == TimelineArrow{Kind::WakeUp, Instant(5300ms), Instant(6s), 2, 2,
                                  u"hears released"_s}));
        // What is heard last has woken it, whenever it was asked for.
        chronicle.messages[0] = {Instant(3s), Instant(3s), Instant(5500ms), 1, 0, "BLPOP q: token"};
        const TimelineIndex both = indexOf(chronicle);
        QCOMPARE(handOverTo(both, both.chronicle().spans[2])[1].text, u"BLPOP q: token"_s);
        chronicle.messages[1] = {Instant(3s), Instant(3s), Instant(6s), 1, 0, "BLPOP q: token"};
        const TimelineIndex popped = indexOf(chronicle);
        const auto direct = handOverTo(popped, popped.chronicle().spans[2]);
        QCOMPARE(direct.size(), std::size_t(1)); // hearing it and having it are one
        QVERIFY((direct[0]
                 == TimelineArrow{Kind::Release, Instant(5s), Instant(6s), 1, 2,
                                  u"BLPOP q: token"_s}));
    }

    void withoutMessagesTheWayIsStraight()
    {
        Chronicle chronicle = handOver();
        chronicle.messages.clear();
        const TimelineIndex index = indexOf(chronicle);
        const auto arrows = handOverTo(index, index.chronicle().spans[2]);
        QCOMPARE(arrows.size(), std::size_t(1));
        QCOMPARE(arrows[0].to, Instant(6s));
        chronicle.spans[1].from = Instant(5500ms); // it came later: nothing was handed over
        const TimelineIndex later = indexOf(chronicle);
        QVERIFY(handOverTo(later, later.chronicle().spans[2]).empty());
    }

    void messagesAndHoldsAreFoundByTheirInstants()
    {
        const Chronicle chronicle = handOver();
        QCOMPARE(messageAt(chronicle, Instant(2s)), std::optional<std::size_t>(0));
        QCOMPARE(messageAt(chronicle, Instant(5500ms)), std::optional<std::size_t>(1));
        QCOMPARE(messageAt(chronicle, Instant(6s)), std::optional<std::size_t>(1));
        QCOMPARE(messageAt(chronicle, Instant(7s)), std::nullopt);
        QCOMPARE(holdFrom(chronicle, Instant(6s)), std::optional<std::uint32_t>(2));
        QCOMPARE(holdFrom(chronicle, Instant(2s)), std::nullopt); // that is a wait
    }
};

LOCKSCOPE_TEST(TestTimelineEvents, Core)

} // namespace lockscope::tst_timeline_events

#include "tst_timeline_events.moc"
