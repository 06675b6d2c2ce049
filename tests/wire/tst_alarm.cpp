#include "core/wire/alarm.h"
#include "core/wire/loop_clock.h"
#include "core/wire/worker_thread.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>
#include <QTestEventLoop>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

namespace lockscope::tst_alarm {

using namespace std::chrono_literals;
using wire::Alarm;
using wire::LoopClock;

class TestAlarm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ringsOnceAndNotEarly();
    void ringsBetweenWholeMilliseconds();
    void whatIsPastRingsSoon();
    void canBeSetAnew();
    void keepsStillOnceItIsCancelled();
    void ringsWhileTheLoopIsNeverIdle();
    void ringsOnTheThreadItWasMovedTo();
    void listensOnlyOnceItIsSet();
};

void TestAlarm::ringsOnceAndNotEarly()
{
    Alarm alarm;
    const QSignalSpy rings(&alarm, &Alarm::rang);
    const Instant wanted = LoopClock::present() + 20ms;
    alarm.setFor(wanted);
    QTRY_COMPARE(rings.count(), 1);
    QVERIFY(LoopClock::present() >= wanted);
    Alarm later;
    const QSignalSpy laterRings(&later, &Alarm::rang);
    later.setFor(LoopClock::present() + 20ms);
    QTRY_COMPARE(laterRings.count(), 1);
    QCOMPARE(rings.count(), 1);
}

/// Of many, as the machine may be busy with something else at any one time.
void TestAlarm::ringsBetweenWholeMilliseconds()
{
    constexpr int kTimes = 50;
    Alarm alarm;
    Instant wanted = LoopClock::present() + 300us;
    std::vector<Duration> lateness;
    QTestEventLoop loop; // QTRY looks only now and then
    connect(&alarm, &Alarm::rang, &loop, [&alarm, &wanted, &lateness, &loop] {
        lateness.push_back(LoopClock::present() - wanted);
        wanted = LoopClock::present() + 300us;
        if (lateness.size() < kTimes) {
            alarm.setFor(wanted);
        } else {
            loop.exitLoop();
        }
    });
    alarm.setFor(wanted);
    loop.enterLoop(10);
    QCOMPARE(lateness.size(), std::size_t(kTimes));
    const Duration least = std::ranges::min(lateness);
    QVERIFY2(least < 600us, qPrintable(QString::number(least.count())));
}

void TestAlarm::whatIsPastRingsSoon()
{
    Alarm alarm;
    const QSignalSpy rings(&alarm, &Alarm::rang);
    alarm.setFor(Instant::min());
    QTRY_COMPARE(rings.count(), 1);
}

void TestAlarm::canBeSetAnew()
{
    Alarm alarm;
    const QSignalSpy rings(&alarm, &Alarm::rang);
    alarm.setFor(Instant::max());
    alarm.setFor(LoopClock::present() + 1ms);
    QTRY_COMPARE(rings.count(), 1);
    alarm.setFor(LoopClock::present() + 1ms);
    QTRY_COMPARE(rings.count(), 2);
}

void TestAlarm::keepsStillOnceItIsCancelled()
{
    Alarm alarm;
    const QSignalSpy rings(&alarm, &Alarm::rang);
    const Instant wanted = LoopClock::present() + 1ms;
    alarm.setFor(wanted);
    while (LoopClock::present() <= wanted) {} // it would ring with the next look at the loop
    alarm.cancel();
    Alarm later;
    const QSignalSpy laterRings(&later, &Alarm::rang);
    later.setFor(LoopClock::present() + 10ms);
    QTRY_COMPARE(laterRings.count(), 1);
    QCOMPARE(rings.count(), 0);
    alarm.setFor(wanted); // the same as before is not the same any more
    QTRY_COMPARE(rings.count(), 1);
}

void TestAlarm::ringsWhileTheLoopIsNeverIdle()
{
    Alarm alarm;
    const QSignalSpy rings(&alarm, &Alarm::rang);
    int rounds = 0;
    std::function<void()> keepBusy = [this, &rings, &rounds, &keepBusy] {
        if (rings.isEmpty() && ++rounds < 1'000'000) {
            QMetaObject::invokeMethod(
                this, [&keepBusy] { keepBusy(); }, Qt::QueuedConnection);
        }
    };
    keepBusy();
    alarm.setFor(LoopClock::present() + 2ms);
    QTRY_COMPARE(rings.count(), 1);
    QVERIFY(rounds < 1'000'000);
}

void TestAlarm::ringsOnTheThreadItWasMovedTo()
{
    wire::WorkerThread<Alarm> worker(u"alarm"_qs);
    std::atomic<bool> hasRungThere = false;
    connect(worker.object(), &Alarm::rang, worker.object(),
            [&hasRungThere] { hasRungThere = QThread::currentThread()->objectName() == u"alarm"; });
    worker.post([](Alarm& alarm) { alarm.setFor(LoopClock::present() + 1ms); });
    QTRY_VERIFY(hasRungThere);
}

/// Qt would post an event to the thread that a listening notifier moves to.
void TestAlarm::listensOnlyOnceItIsSet()
{
    Alarm alarm;
    const auto* const notifier = alarm.findChild<QSocketNotifier*>();
    QVERIFY(!notifier->isEnabled());
    alarm.setFor(LoopClock::present());
    QVERIFY(notifier->isEnabled());
}

LOCKSCOPE_TEST(TestAlarm, Core)

} // namespace lockscope::tst_alarm

#include "tst_alarm.moc"
