#include "core/wire/event_thread.h"
#include "tests/support/test_program.h"

#include <QObject>
#include <QTest>

#include <atomic>

namespace lockscope::tst_event_thread {

using wire::EventThread;

class TestEventThread final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsRunOnIt();
    void theEndRunsLast();
    void withoutAStartNothingRuns();
    void whatIsDeletedLaterIsGone();
};

void TestEventThread::eventsRunOnIt()
{
    std::atomic<QThread*> ranOn = nullptr;
    QObject guest;
    EventThread thread(QStringLiteral("a name of more than fifteen letters"),
                       [&guest] { guest.moveToThread(qApp->thread()); });
    thread.start(guest);
    QVERIFY(thread.isRunning());
    QVERIFY(guest.thread() != QThread::currentThread());
    QMetaObject::invokeMethod(&guest, [&ranOn] { ranOn = QThread::currentThread(); });
    QTRY_COMPARE(ranOn.load(), guest.thread());
}

void TestEventThread::theEndRunsLast()
{
    int endCount = 0;
    std::atomic<int> eventCount = 0;
    {
        auto* const guest = new QObject;
        EventThread thread(QStringLiteral("events"), [&endCount, guest] {
            ++endCount;
            delete guest;
        });
        thread.start(*guest);
        for (int i = 0; i < 100; ++i) {
            QMetaObject::invokeMethod(guest, [&eventCount] { ++eventCount; });
        }
    }
    QCOMPARE(endCount, 1); // read without a lock: the thread is over
    QVERIFY(eventCount <= 100);
}

void TestEventThread::withoutAStartNothingRuns()
{
    int endCount = 0;
    {
        const EventThread thread(QStringLiteral("idle"), [&endCount] { ++endCount; });
        QVERIFY(!thread.isRunning());
    }
    QCOMPARE(endCount, 0);
}

void TestEventThread::whatIsDeletedLaterIsGone()
{
    bool isGone = false;
    {
        auto* const guest = new QObject;
        connect(
            guest, &QObject::destroyed, guest, [&isGone] { isGone = true; }, Qt::DirectConnection);
        EventThread thread(QStringLiteral("events"), [guest] { guest->deleteLater(); });
        thread.start(*guest);
    }
    QVERIFY(isGone);
}

LOCKSCOPE_TEST(TestEventThread, Core)

} // namespace lockscope::tst_event_thread

#include "tst_event_thread.moc"
