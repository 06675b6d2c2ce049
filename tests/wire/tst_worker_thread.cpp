#include "core/wire/worker_thread.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>

namespace lockscope::tst_worker_thread {

using lockscope::wire::WorkerThread;

namespace {

std::atomic<int> livingCount = 0;

} // namespace

class Counter final : public QObject {
    Q_OBJECT
public:
    explicit Counter(int start) : m_count(start) { ++livingCount; }
    ~Counter() override
    {
        diedOn = QThread::currentThread();
        --livingCount;
    }

    void add(int amount)
    {
        m_count += amount;
        Q_EMIT counted(m_count, QThread::currentThread()->objectName());
    }

    inline static std::atomic<QThread*> diedOn = nullptr;

Q_SIGNALS:
    void counted(int count, const QString& threadName);

private:
    int m_count;
};

class TestWorkerThread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void callsRunOnTheThreadInOrder();
    void theObjectDiesOnItsThread();
    void anObjectThatNobodyCalledDiesToo();
    void callsThatComeTooLateAreDropped();
    void threadsMayComeAndGoQuickly();
};

void TestWorkerThread::callsRunOnTheThreadInOrder()
{
    WorkerThread<Counter> worker(u"counter"_qs, 100);
    QSignalSpy counted(worker.object(), &Counter::counted);
    for (int i = 0; i < 10; ++i) {
        worker.post([](Counter& counter) { counter.add(1); });
    }
    QTRY_COMPARE(counted.size(), 10);
    QCOMPARE(counted.first().at(0).toInt(), 101);
    QCOMPARE(counted.last().at(0).toInt(), 110);
    QCOMPARE(counted.last().at(1).toString(), u"counter"_qs);
}

void TestWorkerThread::theObjectDiesOnItsThread()
{
    {
        WorkerThread<Counter> worker(u"counter"_qs, 0);
        worker.post([](Counter& counter) { counter.add(1); });
        QCOMPARE(livingCount.load(), 1);
    }
    QCOMPARE(livingCount.load(), 0);
    QVERIFY(Counter::diedOn != QThread::currentThread());
}

void TestWorkerThread::anObjectThatNobodyCalledDiesToo()
{
    {
        const WorkerThread<Counter> worker(u"counter"_qs, 0);
        QCOMPARE(livingCount.load(), 1);
    }
    QCOMPARE(livingCount.load(), 0);
}

void TestWorkerThread::callsThatComeTooLateAreDropped()
{
    std::atomic<int> callCount = 0;
    {
        WorkerThread<Counter> worker(u"counter"_qs, 0);
        for (int i = 0; i < 1000; ++i) {
            worker.post([&callCount](Counter&) { ++callCount; });
        }
    }
    QVERIFY(callCount <= 1000);
    QCOMPARE(livingCount.load(), 0);
}

void TestWorkerThread::threadsMayComeAndGoQuickly()
{
    for (int i = 0; i < 100; ++i) {
        WorkerThread<Counter> worker(u"counter"_qs, i);
        worker.post([](Counter& counter) { counter.add(1); });
    }
    QCOMPARE(livingCount.load(), 0);
}

LOCKSCOPE_TEST(TestWorkerThread, Core)

} // namespace lockscope::tst_worker_thread

#include "tst_worker_thread.moc"
