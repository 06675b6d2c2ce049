#include "core/kernel/base/rng.h"
#include "tests/support/model_probe.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/growing_drawing.h"

#include <QTest>

namespace lockscope::tst_growing_drawing {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::Event;
using trace::EventKind;

namespace {

const Instant kBegin(2h); // on the clock of the runner

TimelineNames names()
{
    return {[](trace::ContenderId id) { return u"Client %1"_s.arg(id); },
            [](trace::LockId id) { return u"k%1"_s.arg(id); }};
}

/// Four contenders that take and release two locks, and sometimes crash.
std::vector<Event> randomLog(Rng& random, std::size_t count)
{
    constexpr std::array kKinds{EventKind::Requested, EventKind::Granted,   EventKind::Granted,
                                EventKind::Releasing, EventKind::Releasing, EventKind::Refused,
                                EventKind::Lost,      EventKind::Crashed};
    std::vector<Event> events;
    Instant at = kBegin;
    while (events.size() < count) {
        at += std::chrono::milliseconds(random.below(3));
        events.push_back({at, 0, static_cast<trace::ContenderId>(random.below(4)),
                          static_cast<trace::LockId>(random.below(2)),
                          kKinds[random.below(kKinds.size())]});
    }
    return events;
}

std::vector<Event> countedFromBegin(std::vector<Event> events)
{
    const Duration first = events.front().at.time_since_epoch();
    for (Event& event : events) {
        event.at -= first;
    }
    return events;
}

/// As many of each style in each row.
bool isSame(const TimelineIndex& left, const TimelineIndex& right)
{
    if (left.rowCount() != right.rowCount() || left.full() != right.full()
        || left.overlaps().size() != right.overlaps().size()) {
        return false;
    }
    for (int row = 0; row < left.rowCount(); ++row) {
        if (left.itemCount(row) != right.itemCount(row)) {
            return false;
        }
    }
    return true;
}

} // namespace

class TestGrowingDrawing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatGrewIsWhatIsDrawnAtOnce();
    void whatIsLookedAtDoesNotChange();
    void beforeTheFirstEventThereIsNothingToDraw();
    void serverHoldsAreDrawnToo();
};

void TestGrowingDrawing::whatGrewIsWhatIsDrawnAtOnce()
{
    Rng random(test::announcedSeed(15));
    for (int round = 0; round < 20; ++round) {
        const std::vector<Event> log = randomLog(random, 400);
        GrowingDrawing growing(names(), 1);
        RunDrawing looked; // at, while the next one is made
        for (std::size_t size = 0; size < log.size();) {
            size = std::min<std::size_t>(size + 1 + random.below(60), log.size());
            const std::span<const Event> sofar(log.data(), size);
            RunDrawing drawing = growing.next(sofar, {}, {})();
            const std::vector<Event> events = countedFromBegin({sofar.begin(), sofar.end()});
            const auto whole = std::make_shared<const trace::Chronicle>(
                trace::chronicleOf(events, events.back().at));
            QCOMPARE(drawing.chronicle->spans.size(), whole->spans.size());
            QVERIFY(drawing.chronicle->spans == whole->spans);
            QVERIFY(drawing.chronicle->overlaps == whole->overlaps);
            QVERIFY(isSame(*drawing.index, TimelineIndex(whole, Grouping::ByContender, names())));
            QCOMPARE(drawing.rows.size(), eventRowsOf(*whole).size());
            looked = std::move(drawing);
        }
    }
}

void TestGrowingDrawing::whatIsLookedAtDoesNotChange()
{
    const std::vector<Event> log{{kBegin, 0, 0, 0, EventKind::Granted},
                                 {kBegin + 5s, 0, 0, 0, EventKind::Releasing}};
    GrowingDrawing growing(names(), 1);
    const GrowingDrawing::Work work = growing.next({log.data(), 1}, {}, {});
    const RunDrawing first = work();
    const RunDrawing second = growing.next(log, {}, {})();
    QCOMPARE(first.chronicle->spans.front().end, trace::SpanEnd::Open);
    QCOMPARE(second.chronicle->spans.front().end, trace::SpanEnd::Released);
    QVERIFY2(!growing.next(log, {}, {}), "both are being looked at");
}

void TestGrowingDrawing::beforeTheFirstEventThereIsNothingToDraw()
{
    GrowingDrawing growing(names(), 1);
    QVERIFY(!growing.next({}, {}, {}));
}

void TestGrowingDrawing::serverHoldsAreDrawnToo()
{
    const std::vector<Event> log{{kBegin, 0, 0, 0, EventKind::Granted}};
    trace::ServerHold hold{kBegin + 1s, kBegin + 2s, 0, 0, trace::SpanEnd::Open};
    GrowingDrawing growing(names(), 1);
    {
        const RunDrawing drawing = growing.next(log, {hold}, {})();
        QCOMPARE(drawing.chronicle->serverHolds.front().from, Instant(1s));
        QCOMPARE(drawing.chronicle->end, Instant(2s));
        QCOMPARE(drawing.index->truthRowCount(), 1);
    }
    hold.to = kBegin + 3s;
    const RunDrawing drawing = growing.next(log, {hold}, {})();
    QCOMPARE(drawing.chronicle->serverHolds.size(), std::size_t(1));
    QCOMPARE(drawing.chronicle->spans.front().to, Instant(3s));
}

LOCKSCOPE_TEST(TestGrowingDrawing, Core)

} // namespace lockscope::tst_growing_drawing

#include "tst_growing_drawing.moc"
