#include "contention/agenda.h"

#include <QTest>

#include <string>

using namespace lockscope;
using namespace lockscope::contention;
using namespace std::chrono_literals;

class TestAgenda : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thingsHappenInTheOrderOfTheirTimes();
    void atTheSameTimeTheEarlierEntryIsFirst();
    void whatHappensMayAddMore();
    void nothingHappensAfterTheEnd();
};

void TestAgenda::thingsHappenInTheOrderOfTheirTimes()
{
    Agenda agenda;
    std::string story;
    agenda.add(Moment(30us), [&story] { story += "c"; });
    agenda.add(Moment(10us), [&story] { story += "a"; });
    agenda.add(Moment(20us), [&story] { story += "b"; });
    agenda.runUntil(Moment(1ms));
    QCOMPARE(story, std::string("abc"));
    QCOMPARE(agenda.now(), Moment(1ms));
}

void TestAgenda::atTheSameTimeTheEarlierEntryIsFirst()
{
    Agenda agenda;
    std::string story;
    for (const char letter : {'a', 'b', 'c', 'd', 'e'}) {
        agenda.add(Moment(7ns), [&story, letter] { story += letter; });
    }
    agenda.runUntil(Moment(7ns));
    QCOMPARE(story, std::string("abcde"));
}

void TestAgenda::whatHappensMayAddMore()
{
    Agenda agenda;
    Moment seenAt;
    agenda.add(Moment(5us),
               [&] { agenda.add(agenda.now() + 3us, [&] { seenAt = agenda.now(); }); });
    QVERIFY(agenda.runNext(Moment(1ms)));
    QCOMPARE(agenda.now(), Moment(5us));
    QVERIFY(agenda.runNext(Moment(1ms)));
    QCOMPARE(seenAt, Moment(8us));
    QVERIFY(!agenda.runNext(Moment(1ms)));
}

void TestAgenda::nothingHappensAfterTheEnd()
{
    Agenda agenda;
    int count = 0;
    agenda.add(Moment(10us), [&count] { ++count; });
    agenda.add(Moment(11us), [&count] { ++count; });
    QVERIFY(agenda.runNext(Moment(10us)));
    QVERIFY(!agenda.runNext(Moment(10us)));
    QCOMPARE(count, 1);
    QCOMPARE(agenda.now(), Moment(10us)); // not moved on by the question
}

QTEST_GUILESS_MAIN(TestAgenda)
#include "tst_agenda.moc"
