#include "core/kernel/contention/event_queue.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>

namespace lockscope::tst_event_queue {

using namespace lockscope::contention;
using namespace std::chrono_literals;

class TestEventQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thingsHappenInTheOrderOfTheirTimes();
    void atTheSameTimeTheEarlierEntryIsFirst();
    void whatHappensMayAddMore();
    void nothingHappensAfterTheEnd();
};

void TestEventQueue::thingsHappenInTheOrderOfTheirTimes()
{
    EventQueue eventQueue;
    std::string story;
    eventQueue.add(Moment(30us), [&story] { story += "c"; });
    eventQueue.add(Moment(10us), [&story] { story += "a"; });
    eventQueue.add(Moment(20us), [&story] { story += "b"; });
    eventQueue.runUntil(Moment(1ms));
    QCOMPARE(story, std::string("abc"));
    QCOMPARE(eventQueue.now(), Moment(1ms));
}

void TestEventQueue::atTheSameTimeTheEarlierEntryIsFirst()
{
    EventQueue eventQueue;
    std::string story;
    for (const char letter : {'a', 'b', 'c', 'd', 'e'}) {
        eventQueue.add(Moment(7ns), [&story, letter] { story += letter; });
    }
    eventQueue.runUntil(Moment(7ns));
    QCOMPARE(story, std::string("abcde"));
}

void TestEventQueue::whatHappensMayAddMore()
{
    EventQueue eventQueue;
    Moment seenAt;
    eventQueue.add(Moment(5us), [&] {
        eventQueue.add(eventQueue.now() + 3us, [&] { seenAt = eventQueue.now(); });
    });
    QVERIFY(eventQueue.runNext(Moment(1ms)));
    QCOMPARE(eventQueue.now(), Moment(5us));
    QVERIFY(eventQueue.runNext(Moment(1ms)));
    QCOMPARE(seenAt, Moment(8us));
    QVERIFY(!eventQueue.runNext(Moment(1ms)));
}

void TestEventQueue::nothingHappensAfterTheEnd()
{
    EventQueue eventQueue;
    int count = 0;
    eventQueue.add(Moment(10us), [&count] { ++count; });
    eventQueue.add(Moment(11us), [&count] { ++count; });
    QVERIFY(eventQueue.runNext(Moment(10us)));
    QVERIFY(!eventQueue.runNext(Moment(10us)));
    QCOMPARE(count, 1);
    QCOMPARE(eventQueue.now(), Moment(10us)); // not moved on by the question
}

LOCKSCOPE_TEST(TestEventQueue, Core)

} // namespace lockscope::tst_event_queue

#include "tst_event_queue.moc"
