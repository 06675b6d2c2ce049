#include "core/kernel/protocol/wake_up.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

namespace lockscope::tst_wake_up {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Notice;

namespace {

/// A client that listens to "channel", confirmed or not.
struct Bench : ContenderBench {
    explicit Bench(bool isConfirmed) : ContenderBench(answering({}))
    {
        if (!isConfirmed) {
            channels().keepSilent();
        }
        subscription.emplace(contender().node().channels.subscribe("channel", contender().bell()));
    }

    std::optional<store::Subscription> subscription;
    const Instant deadline = loop().now() + 1min;
};

} // namespace

class TestWakeUp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nobodyGoesOnBeforeTheConfirmation();
    void aRefusedSubscriptionIsNotWaitedFor();
    void theConfirmationIsWaitedForUntilTheDeadline();
    void anInterruptionEndsTheWaitForTheConfirmation();
    void aMessageWakes();
    void aMessageThatCameBeforeWakesAtOnce();
    void losingTheConnectionWakesNobody();
    void comingBackWakesBecauseAMessageMayBeMissed();
    void theDeadlineWakes();
    void anInterruptionWakes();
};

void TestWakeUp::nobodyGoesOnBeforeTheConfirmation()
{
    Bench bench(false);
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitUntilListening(bench.contender(), *bench.subscription,
                                                           bench.deadline));
    bench.loop().advance(1s);
    QVERIFY(!waiting.isFinished());
    bench.channels().tellAll(Notice::Kind::Listening);
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::aRefusedSubscriptionIsNotWaitedFor()
{
    Bench bench(false);
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitUntilListening(bench.contender(), *bench.subscription,
                                                           bench.deadline));
    bench.channels().tellAll(Notice::Kind::Deaf);
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::theConfirmationIsWaitedForUntilTheDeadline()
{
    Bench bench(false);
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitUntilListening(bench.contender(), *bench.subscription,
                                                           bench.deadline));
    bench.loop().advance(1min - 1us);
    QVERIFY(!waiting.isFinished());
    bench.loop().advance(1us);
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::anInterruptionEndsTheWaitForTheConfirmation()
{
    Bench bench(false);
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitUntilListening(bench.contender(), *bench.subscription,
                                                           bench.deadline));
    bench.loop().settle();
    bench.contender().interrupt();
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::aMessageWakes()
{
    Bench bench(true);
    bench.subscription->takeNotice();
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitForMessage(bench.contender(), *bench.subscription,
                                                       bench.deadline));
    bench.loop().advance(1s);
    bench.channels().publish("another", "0");
    bench.loop().settle();
    QVERIFY(!waiting.isFinished());
    bench.channels().publish("channel", "0");
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::aMessageThatCameBeforeWakesAtOnce()
{
    Bench bench(true);
    bench.subscription->takeNotice();
    bench.channels().publish("channel", "0");
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitForMessage(bench.contender(), *bench.subscription,
                                                       bench.deadline));
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::losingTheConnectionWakesNobody()
{
    Bench bench(true);
    bench.subscription->takeNotice();
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitForMessage(bench.contender(), *bench.subscription,
                                                       bench.deadline));
    bench.channels().tellAll(Notice::Kind::Deaf);
    bench.loop().settle();
    QVERIFY(!waiting.isFinished());
}

void TestWakeUp::comingBackWakesBecauseAMessageMayBeMissed()
{
    Bench bench(true);
    bench.subscription->takeNotice();
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitForMessage(bench.contender(), *bench.subscription,
                                                       bench.deadline));
    bench.channels().tellAll(Notice::Kind::Deaf);
    bench.channels().tellAll(Notice::Kind::Listening);
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::theDeadlineWakes()
{
    Bench bench(true);
    bench.subscription->takeNotice();
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitForMessage(bench.contender(), *bench.subscription,
                                                       bench.deadline));
    bench.loop().advance(1min - 1us);
    QVERIFY(!waiting.isFinished());
    bench.loop().advance(1us);
    QVERIFY(waiting.isFinished());
}

void TestWakeUp::anInterruptionWakes()
{
    Bench bench(true);
    bench.subscription->takeNotice();
    const async::BackgroundTask waiting(bench.loop().executor(),
                                        waitForMessage(bench.contender(), *bench.subscription,
                                                       bench.deadline));
    bench.loop().settle();
    bench.contender().interrupt();
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

LOCKSCOPE_TEST(TestWakeUp, Core)

} // namespace lockscope::tst_wake_up

#include "tst_wake_up.moc"
