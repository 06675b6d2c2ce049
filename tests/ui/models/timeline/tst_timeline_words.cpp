#include "core/kernel/trace/run_steps.h"
#include "tests/support/test_program.h"
#include "ui/models/timeline/timeline_words.h"

#include <QTest>

namespace lockscope::tst_timeline_words {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using trace::SpanEnd;
using Kind = TimelineHit::Kind;

namespace {

TimelineNames names()
{
    return {[](trace::ContenderId id) { return u"Client %1"_s.arg(QChar(u'A' + char16_t(id))); },
            [](trace::LockId) { return u"k"_s; }};
}

} // namespace

class TestTimelineWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoStandsOnTheServerIsNamed()
    {
        trace::Chronicle chronicle;
        chronicle.serverHolds = {{Instant(0s), Instant(4s), 1, 0, SpanEnd::Released}};
        const TimelineNames called = names();
        QCOMPARE(TimelineWords(chronicle, called).sentence({Kind::ServerHold, 0, 1}),
                 u"Server: Client B holds k · 0.000 s – 4.000 s (4.000 s) · released"_s);
    }

    void whatTheLooksAtAServerSawIsSaid()
    {
        trace::Chronicle chronicle;
        chronicle.serverHolds = {
            {Instant(0s), Instant(4s), std::nullopt, 0, SpanEnd::Uncertain, Instant(7s)}};
        const TimelineNames called = names();
        QCOMPARE(TimelineWords(chronicle, called).sentence({Kind::ServerHold, 0, 1}),
                 u"Server: unknown holds k · 0.000 s – 4.000 s (4.000 s) · last seen then; "
                 "ended by 7.000 s at the latest"_s);
    }

    void oneOfSeveralServersIsNamed()
    {
        trace::Chronicle chronicle;
        chronicle.serverHolds = {{Instant(0s), Instant(4s), 1, 0, SpanEnd::Released}};
        chronicle.serverHolds.front().node = 1;
        const TimelineNames called = names();
        QVERIFY(TimelineWords(chronicle, called)
                    .sentence({Kind::ServerHold, 0, 1})
                    .startsWith(u"Server 2: Client B holds k"_s));
    }

    void whatAProgramWroteIsSaid()
    {
        trace::Chronicle chronicle;
        chronicle.notes = {{Instant(3s), 1, "100%1 sure"}};
        const TimelineNames called = names();
        QCOMPARE(TimelineWords(chronicle, called).sentence({Kind::Note, 0, 1}),
                 u"Client B writes: 100%1 sure · 3.000 s"_s);
    }

    void stepsAreCountedAndNotTimed()
    {
        trace::Chronicle chronicle;
        chronicle.axis = trace::Chronicle::Axis::Steps;
        chronicle.serverHolds = {
            {trace::instantOfStep(2), trace::instantOfStep(5), 1, 0, SpanEnd::Released}};
        chronicle.end = trace::instantOfStep(6);
        const TimelineNames called = names();
        const TimelineWords words(chronicle, called);
        QCOMPARE(words.sentence({Kind::ServerHold, 0, 1}),
                 u"Server: Client B holds k · step 2 – step 5 (3 steps) · released"_s);
        QVERIFY(words.summary(1).startsWith(u"1 lane, 6 steps."_s));
    }

    void everyEndHasWords()
    {
        for (int end = 0; end <= static_cast<int>(SpanEnd::Uncertain); ++end) {
            QVERIFY(!TimelineWords::endText(static_cast<SpanEnd>(end)).isEmpty());
        }
    }
};

LOCKSCOPE_TEST(TestTimelineWords, Core)

} // namespace lockscope::tst_timeline_words

#include "tst_timeline_words.moc"
