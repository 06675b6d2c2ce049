#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/answers_in_order.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redisson_fair {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::redissonFair();

const std::string kOwner = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63";
const std::string kQueueKeys = "redisson_lock_queue:{k} redisson_lock_timeout:{k}";
const Bytes kOwnChannel = "redisson_lock__channel:{k}:" + kOwner;
const Outcome kGranted = numbers({1});
const Outcome kHeld = numbers({0, 30'000});

const std::string kLock = calling(scripts::kRedissonFairLock,
                                  "3 k " + kQueueKeys + ' ' + kOwner + " 10000 ");
const std::string kLeave = calling(scripts::kRedissonFairLeave, "2 " + kQueueKeys + ' ' + kOwner);
const std::string kUnlock = calling(scripts::kRedissonFairUnlock, "4 k redisson_unlock_latch:{k}:");

/// What the wall clock says when a bench begins: an hour after the origin of its clock.
const std::string kNowMs = std::to_string(
    toEpochMs(WallTime(std::chrono::sys_days(std::chrono::November / 19 / 2026) + 12h)));

LockRequest patientRequest(ContenderBench& bench, Duration waitLimit = 1min)
{
    LockRequest request = bench.request();
    request.waitLimit = waitLimit;
    return request;
}

Grant someGrant(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = kOwner;
    return grant;
}

} // namespace

class TestRedissonFair : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneTryDoesNotQueueUp();
    void aWaiterSaysHowLongItIsGoingToWait_data();
    void aWaiterSaysHowLongItIsGoingToWait();
    void theAnswersOfALock_data();
    void theAnswersOfALock();
    void aWaiterListensToAChannelOfItsOwn();
    void whenItIsAnothersTurnTheWaiterLooksAgainSoon();
    void whoGivesUpLeavesTheQueue();
    void whoIsInterruptedLeavesTheQueue();
    void whoCannotKnowWhetherItQueuesLeavesAnyway();
    void whoIsGrantedHasNothingToLeave();
    void theUnlockNamesTheQueueAndTheClock();
    void theAnswersOfAnUnlock_data();
    void theAnswersOfAnUnlock();
    void theWatchdogRenewsTheField();
};

void TestRedissonFair::oneTryDoesNotQueueUp()
{
    ContenderBench bench(answering({{"EVALSHA", kHeld}}));
    const auto outcome = bench.loop().run(theProtocol.acquire(bench.contender(), bench.request()));
    QCOMPARE(wordFor(outcome), "refused");
    QCOMPARE(bench.store().asked(), std::vector<std::string>{kLock + "0 " + kNowMs});
}

void TestRedissonFair::aWaiterSaysHowLongItIsGoingToWait_data()
{
    QTest::addColumn<Duration>("waitLimit");
    QTest::addColumn<std::string>("said");
    QTest::newRow("with a limit") << Duration(1min) << std::string("60000 ");
    QTest::newRow("as good as without") << Duration(24h) << std::string("300000 ");
}

void TestRedissonFair::aWaiterSaysHowLongItIsGoingToWait()
{
    QFETCH(const Duration, waitLimit);
    QFETCH(const std::string, said);
    ContenderBench bench(answering({{"EVALSHA", kGranted}}));
    bench.loop().run(theProtocol.acquire(bench.contender(), patientRequest(bench, waitLimit)));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{kLock + said + kNowMs});
}

void TestRedissonFair::theAnswersOfALock_data()
{
    addAnswers({{"taken", kGranted, "granted"},
                {"held", kHeld, "refused"},
                {"another's turn", numbers({0, -2}), "refused"}});
}

void TestRedissonFair::theAnswersOfALock()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(wordFor(outcome), word);
}

void TestRedissonFair::aWaiterListensToAChannelOfItsOwn()
{
    ContenderBench bench(inOrder({{kLock, kHeld}, {kLock, kHeld}, {kLock, kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    QCOMPARE(bench.channels().listened(), std::vector<Bytes>{kOwnChannel});
    bench.channels().publish("redisson_lock__channel:{k}", "0");
    bench.loop().settle();
    QVERIFY(!task.isFinished());
    bench.channels().publish(kOwnChannel, "0");
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), "granted");
}

void TestRedissonFair::whenItIsAnothersTurnTheWaiterLooksAgainSoon()
{
    const Outcome othersTurn = numbers({0, -2});
    ContenderBench bench(inOrder({{kLock, othersTurn}, {kLock, othersTurn}, {kLock, kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    QVERIFY(!task.isFinished());
    bench.loop().advance(bench.request().retry.interval);
    QCOMPARE(wordFor(task.result()), "granted");
}

void TestRedissonFair::whoGivesUpLeavesTheQueue()
{
    ContenderBench bench(answering({{kLeave, number(1)}, {"EVALSHA", kHeld}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench, 5s)));
    QCOMPARE(bench.store().askedCount(kLeave), std::size_t(0));
    bench.loop().advance(5s);
    QCOMPARE(wordFor(task.result()), "refused");
    QCOMPARE(bench.store().asked().back(), kLeave + " 5000");
}

void TestRedissonFair::whoIsInterruptedLeavesTheQueue()
{
    ContenderBench bench(answering({{kLeave, number(1)}, {"EVALSHA", kHeld}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.contender().interrupt();
    bench.loop().settle();
    QVERIFY(std::get<Refused>(task.result()).isInterrupted);
    QCOMPARE(bench.store().asked().back(), kLeave + " 60000");
}

void TestRedissonFair::whoCannotKnowWhetherItQueuesLeavesAnyway()
{
    ContenderBench bench(answering({{kLeave, number(0)}, {"EVALSHA", lostReply()}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench, 5s)));
    bench.loop().advance(5s);
    QCOMPARE(wordFor(task.result()), "uncertain");
    QCOMPARE(bench.store().asked().back(), kLeave + " 5000");
}

void TestRedissonFair::whoIsGrantedHasNothingToLeave()
{
    ContenderBench bench(inOrder({{kLock, kHeld}, {kLock, kGranted}}));
    const auto outcome = bench.loop().run(theProtocol.acquire(bench.contender(),
                                                              patientRequest(bench)));
    QCOMPARE(wordFor(outcome), "granted");
    QCOMPARE(bench.store().asked().size(), std::size_t(2));
}

void TestRedissonFair::theUnlockNamesTheQueueAndTheClock()
{
    ContenderBench bench(inOrder({{kUnlock, number(0)}, {"DEL", number(1)}}));
    release(bench, theProtocol, someGrant(bench));
    QVERIFY(bench.store().asked().front().ends_with(' ' + kQueueKeys + ' ' + kOwner
                                                    + " 10000 redisson_lock__channel:{k} 18000 "
                                                    + kNowMs));
}

void TestRedissonFair::theAnswersOfAnUnlock_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("free") << number(0) << std::string("released");
    QTest::newRow("still held") << number(1) << std::string("released, 1 left");
    QTest::newRow("gone") << number(-1) << std::string("gone");
    QTest::newRow("another's") << number(-2) << std::string("another's");
    QTest::newRow("not sent") << notSent() << std::string("unavailable");
    QTest::newRow("an error") << serverError() << std::string("unavailable");
    QTest::newRow("nonsense") << Outcome(store::Reply::ofStatus("OK")) << std::string("uncertain");
}

void TestRedissonFair::theAnswersOfAnUnlock()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(inOrder({{kUnlock, answer}, {"DEL", number(1)}}));
    const auto outcome = release(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
}

void TestRedissonFair::theWatchdogRenewsTheField()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto outcome = renew(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), "renewed");
    QCOMPARE(bench.store().asked(), std::vector<std::string>{calling(scripts::kRedissonRenew,
                                                                     "1 k " + kOwner + " 10000")});
}

LOCKSCOPE_TEST(TestRedissonFair, Core)

} // namespace lockscope::tst_redisson_fair

#include "tst_redisson_fair.moc"
