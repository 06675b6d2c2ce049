#include "inspect/key_reader.h"

#include <QTest>

using namespace lockscope;
using namespace lockscope::inspect;
using namespace std::chrono_literals;
using store::Reply;

class TestServerCalendar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theServersClockIsKnownToHalfARoundTrip();
    void nonsenseDoesNotMoveTheCalendar();
};

void TestServerCalendar::theServersClockIsKnownToHalfARoundTrip()
{
    ServerCalendar calendar;
    QVERIFY(!calendar.isKnown());
    const Instant sentAt(10s);
    const Instant arrivedAt = sentAt + 40ms;
    calendar.adjust(Reply::ofArray({Reply::ofBulk("1760000000"), Reply::ofBulk("250000")}), sentAt,
                    arrivedAt);
    QVERIFY(calendar.isKnown());
    QCOMPARE(toEpochMs(calendar.at(sentAt + 20ms)), std::int64_t(1'760'000'000'250));
    QCOMPARE(toEpochMs(calendar.at(arrivedAt + 1s)), std::int64_t(1'760'000'001'270));
    calendar.assume(wallTimeOfMs(5), arrivedAt);
    QCOMPARE(toEpochMs(calendar.at(sentAt + 20ms)), std::int64_t(1'760'000'000'250));
}

void TestServerCalendar::nonsenseDoesNotMoveTheCalendar()
{
    ServerCalendar calendar;
    calendar.assume(wallTimeOfMs(1000), Instant(0s));
    const Reply nonsense[] = {Reply(),
                              Reply::ofError("NOPERM"),
                              Reply::ofArray({}),
                              Reply::ofArray({Reply::ofBulk("1")}),
                              Reply::ofArray({Reply::ofBulk("12x"), Reply::ofBulk("0")}),
                              Reply::ofArray({Reply::ofBulk("99999999999999999999"),
                                              Reply::ofBulk("0")}),
                              Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(2)})};
    for (const Reply& reply : nonsense) {
        calendar.adjust(reply, Instant(0s), Instant(0s));
    }
    QVERIFY(!calendar.isKnown());
    QCOMPARE(toEpochMs(calendar.at(Instant(2s))), std::int64_t(3000));
}

QTEST_APPLESS_MAIN(TestServerCalendar)
#include "tst_server_calendar.moc"
