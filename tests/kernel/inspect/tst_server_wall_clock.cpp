#include "core/kernel/inspect/key_reader.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_server_wall_clock {

using namespace lockscope::inspect;
using namespace std::chrono_literals;
using store::Reply;

class TestServerWallClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theServersClockIsKnownToHalfARoundTrip();
    void nonsenseDoesNotMoveTheClock();
};

void TestServerWallClock::theServersClockIsKnownToHalfARoundTrip()
{
    ServerWallClock wallClock;
    QVERIFY(!wallClock.isKnown());
    const Instant sentAt(10s);
    const Instant arrivedAt = sentAt + 40ms;
    wallClock.adjust(Reply::ofArray({Reply::ofBulk("1760000000"), Reply::ofBulk("250000")}), sentAt,
                     arrivedAt);
    QVERIFY(wallClock.isKnown());
    QCOMPARE(toEpochMs(wallClock.at(sentAt + 20ms)), std::int64_t(1'760'000'000'250));
    QCOMPARE(toEpochMs(wallClock.at(arrivedAt + 1s)), std::int64_t(1'760'000'001'270));
    wallClock.assume(wallTimeOfMs(5), arrivedAt);
    QCOMPARE(toEpochMs(wallClock.at(sentAt + 20ms)), std::int64_t(1'760'000'000'250));
}

void TestServerWallClock::nonsenseDoesNotMoveTheClock()
{
    ServerWallClock wallClock;
    wallClock.assume(wallTimeOfMs(1000), Instant(0s));
    const Reply nonsense[] = {Reply(),
                              Reply::ofError("NOPERM"),
                              Reply::ofArray({}),
                              Reply::ofArray({Reply::ofBulk("1")}),
                              Reply::ofArray({Reply::ofBulk("12x"), Reply::ofBulk("0")}),
                              Reply::ofArray({Reply::ofBulk("99999999999999999999"),
                                              Reply::ofBulk("0")}),
                              Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(2)})};
    for (const Reply& reply : nonsense) {
        wallClock.adjust(reply, Instant(0s), Instant(0s));
    }
    QVERIFY(!wallClock.isKnown());
    QCOMPARE(toEpochMs(wallClock.at(Instant(2s))), std::int64_t(3000));
}

LOCKSCOPE_TEST(TestServerWallClock, None)

} // namespace lockscope::tst_server_wall_clock

#include "tst_server_wall_clock.moc"
