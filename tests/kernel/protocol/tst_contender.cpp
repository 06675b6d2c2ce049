#include "core/kernel/protocol/contender.h"
#include "core/kernel/protocol/identity.h"
#include "core/kernel/protocol/lock_protocol.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <set>

namespace lockscope::tst_contender {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

async::Task<void> waitForBell(Contender& self, Duration atMost)
{
    co_await self.waitForBell(self.now() + atMost);
}

} // namespace

class TestContender : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOwnerIsTheClientAndTheTask();
    void twoTasksOfAClientAreTwoOwners();
    void aUuidLooksLikeOne();
    void noTokenComesTwice();
    void theSameSeedGivesTheSameTokens();
    void anEventTellsWhoWhenAndWhich();
    void theBellEndsAWait();
    void theDeadlineEndsAWait();
    void aSleeperIsNotWokenByTheBell();
    void anInterruptionWakesASleeperAndLaterOnes();
    void afterAnInterruptionIsClearedSleepersSleepAgain();
};

void TestContender::anOwnerIsTheClientAndTheTask()
{
    QCOMPARE((Identity{"client", 63}.owner()), Bytes("client:63"));
}

void TestContender::twoTasksOfAClientAreTwoOwners()
{
    QCOMPARE_NE((Identity{"client", 1}.owner()), (Identity{"client", 2}.owner()));
    QVERIFY(!(Identity{"client", 1} == Identity{"client", 2}));
}

void TestContender::aUuidLooksLikeOne()
{
    static const QRegularExpression pattern(
        QStringLiteral("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"));
    Rng rng(1);
    for (int i = 0; i < 1000; ++i) {
        const Bytes uuid = randomUuid(rng);
        QVERIFY2(pattern.match(QString::fromStdString(uuid)).hasMatch(), uuid.c_str());
    }
}

void TestContender::noTokenComesTwice()
{
    ContenderBench bench(answering({}));
    std::set<Bytes> tokens;
    for (int i = 0; i < 10'000; ++i) {
        const Bytes token = bench.contender().freshToken();
        QVERIFY(token.ends_with(bench.contender().identity().mark()));
        QVERIFY(tokens.insert(token).second);
    }
}

void TestContender::theSameSeedGivesTheSameTokens()
{
    Rng one(42);
    Rng other(42);
    QCOMPARE(randomUuid(one), randomUuid(other));
}

void TestContender::anEventTellsWhoWhenAndWhich()
{
    ContenderBench bench(answering({}));
    bench.loop().advance(5s);
    LockRequest request = bench.request();
    request.lock = 3;
    request.mode = Mode::Read;
    bench.contender().record(trace::EventKind::Granted, request, 7);
    const trace::Event expected{bench.loop().now(), 7, 0, 3, trace::EventKind::Granted, true};
    QCOMPARE(bench.log().events().size(), std::size_t(1));
    QVERIFY(bench.log().events().front() == expected);
}

void TestContender::theBellEndsAWait()
{
    ContenderBench bench(answering({}));
    Contender& self = bench.contender();
    const async::BackgroundTask waiting(self.executor(), waitForBell(self, 1min));
    bench.loop().advance(1s);
    QVERIFY(!waiting.isFinished());
    self.bell().open();
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
}

void TestContender::theDeadlineEndsAWait()
{
    ContenderBench bench(answering({}));
    Contender& self = bench.contender();
    const async::BackgroundTask waiting(self.executor(), waitForBell(self, 1min));
    bench.loop().advance(1min - 1us);
    QVERIFY(!waiting.isFinished());
    bench.loop().advance(1us);
    QVERIFY(waiting.isFinished());
}

void TestContender::aSleeperIsNotWokenByTheBell()
{
    ContenderBench bench(answering({}));
    Contender& self = bench.contender();
    const async::BackgroundTask sleeping(self.executor(), self.sleepUntil(self.now() + 1min));
    bench.loop().advance(1s);
    self.bell().open();
    bench.loop().settle();
    QVERIFY(!sleeping.isFinished());
    bench.loop().advance(59s);
    QVERIFY(sleeping.isFinished());
}

void TestContender::anInterruptionWakesASleeperAndLaterOnes()
{
    ContenderBench bench(answering({}));
    Contender& self = bench.contender();
    const async::BackgroundTask first(self.executor(), self.sleepUntil(self.now() + 1min));
    bench.loop().settle();
    self.interrupt();
    bench.loop().settle();
    QVERIFY(first.isFinished());
    const async::BackgroundTask second(self.executor(), self.sleepUntil(self.now() + 1min));
    bench.loop().settle();
    QVERIFY(second.isFinished());
}

void TestContender::afterAnInterruptionIsClearedSleepersSleepAgain()
{
    ContenderBench bench(answering({}));
    Contender& self = bench.contender();
    self.interrupt();
    self.clearInterruption();
    const async::BackgroundTask sleeping(self.executor(), self.sleepUntil(self.now() + 1min));
    bench.loop().settle();
    QVERIFY(!sleeping.isFinished());
}

LOCKSCOPE_TEST(TestContender, Core)

} // namespace lockscope::tst_contender

#include "tst_contender.moc"
