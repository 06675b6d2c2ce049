#include "core/kernel/base/rng.h"
#include "core/kernel/trace/chronicle.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_chronicle {

using namespace lockscope::trace;
using namespace std::chrono_literals;

namespace {

Event seen(Duration at, ContenderId who, EventKind kind, bool isRead = false, LockId lock = 0)
{
    Event made;
    made.at = Instant(at);
    made.contender = who;
    made.kind = kind;
    made.isRead = isRead;
    made.lock = lock;
    return made;
}

Span span(Duration from, Duration to, ContenderId who, Span::Kind kind, SpanEnd end)
{
    return {Instant(from), Instant(to), who, 0, kind, end, false};
}

/// Some contenders on two locks, often several events in one instant.
std::vector<Event> randomLog(Rng& random)
{
    std::vector<Event> events;
    Duration at{0};
    for (std::uint64_t count = random.below(120); events.size() < count;) {
        at += std::chrono::milliseconds(random.below(3));
        const bool isGrant = random.below(3) == 0; // else few would overlap
        const auto kind = static_cast<EventKind>(
            random.below(static_cast<std::uint64_t>(EventKind::EffectRejected) + 1));
        events.push_back(seen(at, static_cast<ContenderId>(random.below(5)),
                              isGrant ? EventKind::Granted : kind, random.below(4) == 0,
                              static_cast<LockId>(random.below(2))));
    }
    return events;
}

bool isSame(const Chronicle& left, const Chronicle& right)
{
    return left.spans == right.spans && left.marks == right.marks && left.overlaps == right.overlaps
           && left.end == right.end;
}

} // namespace

class TestChronicle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEndHasAName();
    void aHoldIsAWaitAndABelief();
    void whoHoldsTwiceHoldsOnce();
    void theServersAnswerCorrectsTheEnd();
    void aCrashEndsEverything();
    void whoIsStartedAgainIsUp();
    void aPauseLiesOverTheHold();
    void whatIsOpenLastsToTheEnd();
    void twoBelieversOverlap();
    void readersShare();
    void permitsAllowSome();
    void whoCrashedHoldsNothing();
    void whoFollowsInTheSameInstantDoesNotOverlap();
    void theOrderOfTheRecordDecidesWhereItIsKnown();
    void whoOverlapsIsKnownWhileItLasts();
    void whatGrewIsWhatIsMadeAtOnce();
};

void TestChronicle::everyEndHasAName()
{
    for (int i = 0; i <= static_cast<int>(SpanEnd::Uncertain); ++i) {
        QVERIFY(!idOf(static_cast<SpanEnd>(i)).empty());
    }
}

void TestChronicle::aHoldIsAWaitAndABelief()
{
    const std::vector<Event> events{
        seen(0s, 0, EventKind::Requested), seen(1s, 0, EventKind::Refused),
        seen(2s, 0, EventKind::Granted),   seen(3s, 0, EventKind::Renewed),
        seen(4s, 0, EventKind::Releasing), seen(5s, 0, EventKind::Released)};
    const Chronicle chronicle = chronicleOf(events, Instant(6s));
    const std::vector<Span> expected{span(0s, 2s, 0, Span::Kind::Waiting, SpanEnd::Granted),
                                     span(2s, 4s, 0, Span::Kind::Holding, SpanEnd::Released)};
    QVERIFY(chronicle.spans == expected);
    const std::vector<Mark> marks{{Instant(1s), 0, 0, Mark::Kind::Refused},
                                  {Instant(3s), 0, 0, Mark::Kind::Renewed}};
    QVERIFY(chronicle.marks == marks);
    QVERIFY(chronicle.overlaps.empty());
    QVERIFY(chronicle.end == Instant(6s));
}

void TestChronicle::whoHoldsTwiceHoldsOnce()
{
    const std::vector<Event> events{
        seen(0s, 0, EventKind::Requested), seen(0s, 0, EventKind::Granted),
        seen(1s, 0, EventKind::Requested), seen(1s, 0, EventKind::Granted),
        seen(2s, 0, EventKind::Releasing), seen(3s, 0, EventKind::Releasing)};
    const Chronicle chronicle = chronicleOf(events, Instant(4s));
    QCOMPARE(chronicle.spans.size(), 2U);
    QVERIFY(chronicle.spans[1] == span(0s, 3s, 0, Span::Kind::Holding, SpanEnd::Released));
}

void TestChronicle::theServersAnswerCorrectsTheEnd()
{
    const std::vector<Event> events{
        seen(0s, 0, EventKind::Granted),        seen(1s, 0, EventKind::Releasing),
        seen(1s, 0, EventKind::ReleaseRefused), seen(2s, 0, EventKind::Granted),
        seen(3s, 0, EventKind::Releasing),      seen(4s, 0, EventKind::ReleaseUncertain)};
    const Chronicle chronicle = chronicleOf(events, Instant(5s));
    QCOMPARE(chronicle.spans.size(), 2U);
    QVERIFY(chronicle.spans[0].end == SpanEnd::Lost);
    QVERIFY(chronicle.spans[1].end == SpanEnd::Uncertain);
    QCOMPARE(chronicle.marks.size(), 1U);
    QVERIFY(chronicle.marks[0].kind == Mark::Kind::ReleaseRefused);
}

void TestChronicle::aCrashEndsEverything()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted),
                                    seen(0s, 1, EventKind::Requested),
                                    seen(2s, 0, EventKind::Crashed)};
    const Chronicle chronicle = chronicleOf(events, Instant(5s));
    QCOMPARE(chronicle.spans.size(), 3U);
    QVERIFY(chronicle.spans[0] == span(0s, 2s, 0, Span::Kind::Holding, SpanEnd::Crashed));
    QVERIFY(chronicle.spans[1] == span(0s, 5s, 1, Span::Kind::Waiting, SpanEnd::Open));
    QVERIFY(chronicle.spans[2] == span(2s, 5s, 0, Span::Kind::Down, SpanEnd::Open));
}

void TestChronicle::whoIsStartedAgainIsUp()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted),
                                    seen(2s, 0, EventKind::Crashed),
                                    seen(3s, 0, EventKind::Requested)};
    const Chronicle chronicle = chronicleOf(events, Instant(5s));
    QCOMPARE(chronicle.spans.size(), 3U);
    QVERIFY(chronicle.spans[1] == span(2s, 3s, 0, Span::Kind::Down, SpanEnd::Resumed));
    QVERIFY(chronicle.spans[2] == span(3s, 5s, 0, Span::Kind::Waiting, SpanEnd::Open));
}

void TestChronicle::aPauseLiesOverTheHold()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted), seen(1s, 0, EventKind::Paused),
                                    seen(3s, 0, EventKind::Resumed),
                                    seen(4s, 0, EventKind::Releasing)};
    const Chronicle chronicle = chronicleOf(events, Instant(4s));
    QCOMPARE(chronicle.spans.size(), 2U);
    QVERIFY(chronicle.spans[0] == span(0s, 4s, 0, Span::Kind::Holding, SpanEnd::Released));
    QVERIFY(chronicle.spans[1] == span(1s, 3s, 0, Span::Kind::Paused, SpanEnd::Resumed));
}

void TestChronicle::whatIsOpenLastsToTheEnd()
{
    const std::vector<Event> events{seen(1s, 0, EventKind::Granted)};
    const Chronicle chronicle = chronicleOf(events, Instant(9s));
    QVERIFY(chronicle.spans.front() == span(1s, 9s, 0, Span::Kind::Holding, SpanEnd::Open));
    QVERIFY(chronicleOf({}, Instant(9s)).spans.empty());
}

void TestChronicle::twoBelieversOverlap()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted),
                                    seen(2s, 1, EventKind::Granted),
                                    seen(3s, 0, EventKind::Releasing),
                                    seen(3s, 2, EventKind::Granted, false, 1),
                                    seen(4s, 1, EventKind::Releasing)};
    const Chronicle chronicle = chronicleOf(events, Instant(9s));
    const std::vector<Overlap> expected{{Instant(2s), Instant(3s), 0, 0, 1}};
    QVERIFY(chronicle.overlaps == expected);
}

void TestChronicle::readersShare()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted, true),
                                    seen(1s, 1, EventKind::Granted, true),
                                    seen(2s, 2, EventKind::Granted, false)};
    const Chronicle chronicle = chronicleOf(events, Instant(3s));
    const std::vector<Overlap> expected{{Instant(2s), Instant(3s), 0, 0, 2},
                                        {Instant(2s), Instant(3s), 0, 1, 2}};
    QVERIFY(chronicle.overlaps == expected);
}

void TestChronicle::permitsAllowSome()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted),
                                    seen(1s, 1, EventKind::Granted),
                                    seen(2s, 2, EventKind::Granted)};
    const Chronicle chronicle = chronicleOf(events, Instant(3s), 2);
    QCOMPARE(chronicle.overlaps.size(), 1U);
    QVERIFY(chronicle.overlaps[0].from == Instant(2s));
    QCOMPARE(chronicle.overlaps[0].second, 2U);
}

void TestChronicle::whoCrashedHoldsNothing()
{
    const std::vector<Event> events{seen(0s, 0, EventKind::Granted),
                                    seen(1s, 0, EventKind::Crashed),
                                    seen(2s, 1, EventKind::Granted)};
    QVERIFY(chronicleOf(events, Instant(3s)).overlaps.empty());
}

void TestChronicle::whoFollowsInTheSameInstantDoesNotOverlap()
{
    GrowingChronicle chronicle;
    const std::vector<Event> grants{seen(0s, 0, EventKind::Granted),
                                    seen(1s, 1, EventKind::Granted)};
    chronicle.append(grants);
    QVERIFY(chronicle.extendTo(Instant(5s)).overlaps.empty());
    const std::vector<Event> release{seen(1s, 0, EventKind::Releasing)};
    chronicle.append(release);
    QVERIFY(chronicle.extendTo(Instant(2s)).overlaps.empty());
}

/// The clock stands still while real clients are conducted.
void TestChronicle::theOrderOfTheRecordDecidesWhereItIsKnown()
{
    const std::vector<Event> beside{seen(1s, 0, EventKind::Granted),
                                    seen(1s, 1, EventKind::Granted),
                                    seen(1s, 0, EventKind::Releasing),
                                    seen(1s, 1, EventKind::Releasing)};
    const std::vector<Event> inTurn{seen(1s, 0, EventKind::Granted),
                                    seen(1s, 0, EventKind::Releasing),
                                    seen(1s, 1, EventKind::Granted)};
    const auto overlapsOf = [](const std::vector<Event>& events, Instant end) {
        return chronicleOf(events, end, 1, InstantOrder::AsRecorded).overlaps;
    };
    const std::vector<Overlap> expected{{Instant(1s), Instant(1s), 0, 0, 1}};
    QVERIFY(overlapsOf(beside, Instant(1s)) == expected); // also in the last instant of a record
    QVERIFY(overlapsOf(beside, Instant(5s)) == expected);
    QVERIFY(overlapsOf(inTurn, Instant(5s)).empty());
    QVERIFY(chronicleOf(beside, Instant(5s)).overlaps.empty());
}

void TestChronicle::whoOverlapsIsKnownWhileItLasts()
{
    using Contenders = std::vector<ContenderId>;
    GrowingChronicle chronicle(1, InstantOrder::AsRecorded);
    const std::vector<Event> grants{seen(1s, 2, EventKind::Granted),
                                    seen(1s, 1, EventKind::Granted),
                                    seen(1s, 0, EventKind::Granted)};
    chronicle.append(grants);
    QVERIFY(chronicle.overlappingWith(0, 0) == Contenders({1, 2}));
    QVERIFY(chronicle.overlappingWith(2, 0) == Contenders({0, 1}));
    QVERIFY(chronicle.overlappingWith(0, 1).empty()); // another lock
    const std::vector<Event> release{seen(1s, 1, EventKind::Releasing)};
    chronicle.append(release);
    QVERIFY(chronicle.overlappingWith(0, 0) == Contenders({2}));
    QVERIFY(chronicle.overlappingWith(1, 0).empty());
}

void TestChronicle::whatGrewIsWhatIsMadeAtOnce()
{
    Rng random(test::announcedSeed(14));
    for (int round = 0; round < 300; ++round) {
        const std::vector<Event> events = randomLog(random);
        const std::span<const Event> log(events);
        const int permits = 1 + static_cast<int>(random.below(3));
        const auto order = static_cast<InstantOrder>(random.below(2));
        GrowingChronicle grown(permits, order);
        for (std::size_t size = 0; size < log.size();) {
            const std::size_t more = std::min<std::size_t>(1 + random.below(9), log.size() - size);
            grown.append(log.subspan(size, more));
            size += more;
            const Instant now = log[size - 1].at;
            QVERIFY(isSame(grown.extendTo(now), chronicleOf(log.first(size), now, permits, order)));
        }
    }
}

LOCKSCOPE_TEST(TestChronicle, None)

} // namespace lockscope::tst_chronicle

#include "tst_chronicle.moc"
