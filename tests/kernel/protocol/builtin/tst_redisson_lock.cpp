#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/answers_in_order.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redisson_lock {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Notice;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::redissonLock();

const std::string kOwner = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:63";
const Bytes kChannel = "redisson_lock__channel:{k}";
const Outcome kGranted = numbers({1});

const std::string kLock = calling(scripts::kRedissonLock, "1 k " + kOwner + " 10000");
const std::string kRenew = calling(scripts::kRedissonRenew, "1 k " + kOwner + " 10000");
const std::string kUnlock = calling(scripts::kRedissonUnlock, "2 k redisson_unlock_latch:{k}:");

Outcome heldFor(std::int64_t ms)
{
    return numbers({0, ms});
}

Grant someGrant(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = kOwner;
    return grant;
}

LockRequest patientRequest(ContenderBench& bench, Duration waitLimit = 1min)
{
    LockRequest request = bench.request();
    request.waitLimit = waitLimit;
    return request;
}

} // namespace

class TestRedissonLock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOwnerIsTheFieldThatIsTaken();
    void theAnswersOfALock_data();
    void theAnswersOfALock();
    void theServerCountsTheHolds();
    void aRefusalTellsHowLongTheOtherHoldLasts_data();
    void aRefusalTellsHowLongTheOtherHoldLasts();
    void whoIsRefusedTriesOnceMoreAfterSubscribing();
    void theUnlockThatIsPublishedWakes();
    void withoutAMessageTheEndOfTheOtherHoldWakes();
    void aReconnectionWakesBecauseAMessageMayBeLost();
    void theWaitEndsAtItsLimit();
    void anInterruptionEndsTheWaitAndTheSubscription();
    void theAnswersOfARenewal_data();
    void theAnswersOfARenewal();
    void theAnswersOfAnUnlock_data();
    void theAnswersOfAnUnlock();
    void anUnlockNamesTheTaskThatCallsIt();
    void anUnlockWithoutAnswerIsRepeatedUnderTheSameLatch();
    void anUnlockThatIsNeverAnsweredStaysUncertain();
    void everyUnlockHasALatchOfItsOwn();
    void aKeyWithAHashTagKeepsIt();
};

void TestRedissonLock::theOwnerIsTheFieldThatIsTaken()
{
    ContenderBench bench(answering({{"EVALSHA", kGranted}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(bench.store().asked(), std::vector<std::string>{kLock});
    QCOMPARE(takeGrant(outcome).token, kOwner);
    QCOMPARE(takeGrant(outcome).trustedUntil, std::optional(bench.loop().now() + 10s));
}

void TestRedissonLock::theAnswersOfALock_data()
{
    addAnswers({{"taken", kGranted, "granted"},
                {"taken again", numbers({2}), "granted 2"},
                {"held", heldFor(5000), "refused"},
                {"held for ever", heldFor(-1), "refused"},
                {"an empty list", numbers({}), "uncertain"}});
}

void TestRedissonLock::theAnswersOfALock()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(wordFor(outcome), word);
}

void TestRedissonLock::theServerCountsTheHolds()
{
    ContenderBench bench(answering({{"EVALSHA", numbers({3})}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(takeGrant(outcome).holds, 3);
}

void TestRedissonLock::aRefusalTellsHowLongTheOtherHoldLasts_data()
{
    QTest::addColumn<std::int64_t>("ms");
    QTest::addColumn<std::optional<Duration>>("remaining");
    QTest::newRow("with a lease") << std::int64_t{2500} << std::optional<Duration>(2500ms);
    QTest::newRow("for ever") << std::int64_t{-1} << std::optional<Duration>();
}

void TestRedissonLock::aRefusalTellsHowLongTheOtherHoldLasts()
{
    QFETCH(const std::int64_t, ms);
    ContenderBench bench(answering({{"EVALSHA", heldFor(ms)}}));
    const auto outcome = attempt(bench, theProtocol);
    QTEST(std::get<Refused>(outcome).remaining, "remaining");
}

void TestRedissonLock::whoIsRefusedTriesOnceMoreAfterSubscribing()
{
    ContenderBench bench(inOrder({{kLock, heldFor(30'000)}, {kLock, kGranted}}));
    bench.channels().keepSilent();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    QCOMPARE(bench.channels().listened(), std::vector<Bytes>{kChannel});
    QCOMPARE(bench.store().asked().size(), std::size_t(1));

    bench.channels().tellAll(Notice::Kind::Listening);
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), "granted");
    QCOMPARE(takeGrant(task.result()).tries, 2);
    QVERIFY(bench.channels().listened().empty());
}

void TestRedissonLock::theUnlockThatIsPublishedWakes()
{
    ContenderBench bench(
        inOrder({{kLock, heldFor(30'000)}, {kLock, heldFor(30'000)}, {kLock, kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.loop().advance(1s);
    QVERIFY(!task.isFinished());
    bench.channels().publish(kChannel, "0");
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), "granted");
}

void TestRedissonLock::withoutAMessageTheEndOfTheOtherHoldWakes()
{
    ContenderBench bench(
        inOrder({{kLock, heldFor(3000)}, {kLock, heldFor(3000)}, {kLock, kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.loop().advance(2999ms);
    QVERIFY(!task.isFinished());
    bench.loop().advance(1ms);
    QCOMPARE(wordFor(task.result()), "granted");
}

void TestRedissonLock::aReconnectionWakesBecauseAMessageMayBeLost()
{
    ContenderBench bench(
        inOrder({{kLock, heldFor(30'000)}, {kLock, heldFor(30'000)}, {kLock, kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.channels().tellAll(Notice::Kind::Deaf);
    bench.loop().settle();
    QVERIFY(!task.isFinished());
    bench.channels().tellAll(Notice::Kind::Listening);
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), "granted");
}

void TestRedissonLock::theWaitEndsAtItsLimit()
{
    ContenderBench bench(answering({{"EVALSHA", heldFor(30'000)}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench, 5s)));
    bench.loop().advance(4999ms);
    QVERIFY(!task.isFinished());
    bench.loop().advance(1ms);
    QCOMPARE(wordFor(task.result()), "refused");
    QCOMPARE(std::get<Refused>(task.result()).tries, 3);
}

void TestRedissonLock::anInterruptionEndsTheWaitAndTheSubscription()
{
    ContenderBench bench(answering({{"EVALSHA", heldFor(30'000)}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.contender().interrupt();
    bench.loop().settle();
    QVERIFY(std::get<Refused>(task.result()).isInterrupted);
    QVERIFY(bench.channels().listened().empty());
}

void TestRedissonLock::theAnswersOfARenewal_data()
{
    addAnswers({{"ours", number(1), "renewed"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"},
                {"another number", number(7), "uncertain"}});
}

void TestRedissonLock::theAnswersOfARenewal()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{kRenew, answer}}));
    bench.loop().advance(4s);
    const auto outcome = renew(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
    }
}

void TestRedissonLock::theAnswersOfAnUnlock_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("free") << number(0) << std::string("released");
    QTest::newRow("still held") << number(2) << std::string("released, 2 left");
    QTest::newRow("gone") << number(-1) << std::string("gone");
    QTest::newRow("another's") << number(-2) << std::string("another's");
    QTest::newRow("another number") << number(-3) << std::string("uncertain");
    QTest::newRow("not sent") << notSent() << std::string("unavailable");
    QTest::newRow("an error") << serverError() << std::string("unavailable");
    QTest::newRow("nonsense") << Outcome(store::Reply::ofStatus("OK")) << std::string("uncertain");
}

void TestRedissonLock::theAnswersOfAnUnlock()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(inOrder({{kUnlock, answer}, {"DEL", number(1)}}));
    const auto outcome = release(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    QVERIFY(bench.store().asked().front().ends_with(' ' + kOwner + " 10000 " + kChannel
                                                    + " 18000"));
}

void TestRedissonLock::anUnlockNamesTheTaskThatCallsIt()
{
    ContenderBench bench(answering({{kUnlock, number(-2)}, {"DEL", number(1)}}));
    Grant grant = someGrant(bench);
    grant.token = "another:1";
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "another's");
    QVERIFY(bench.store().asked().front().find(' ' + kOwner + ' ') != std::string::npos);
}

void TestRedissonLock::anUnlockWithoutAnswerIsRepeatedUnderTheSameLatch()
{
    ContenderBench bench(
        inOrder({{kUnlock, lostReply()}, {kUnlock, number(0)}, {"DEL", number(1)}}));
    const auto task = bench.loop().start(theProtocol.release(bench.contender(), someGrant(bench)));
    QVERIFY(!task.isFinished());
    bench.loop().advance(1500ms);
    QCOMPARE(wordFor(task.result()), "released");
    const std::vector<std::string>& asked = bench.store().asked();
    QCOMPARE(asked.at(1), asked.at(0));
    const std::string latch = asked.at(2).substr(std::string("DEL ").size());
    QVERIFY(asked.at(0).find(' ' + latch + ' ') != std::string::npos);
}

void TestRedissonLock::anUnlockThatIsNeverAnsweredStaysUncertain()
{
    ContenderBench bench(answering({{"EVALSHA", lostReply()}, {"DEL", lostReply()}}));
    const auto task = bench.loop().start(theProtocol.release(bench.contender(), someGrant(bench)));
    bench.loop().advance(4500ms);
    QCOMPARE(wordFor(task.result()), "uncertain");
    QCOMPARE(bench.store().askedCount("EVALSHA"), std::size_t(4));
}

void TestRedissonLock::everyUnlockHasALatchOfItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", number(0)}, {"DEL", number(1)}}));
    for (int i = 0; i < 2; ++i) {
        release(bench, theProtocol, someGrant(bench));
    }
    QCOMPARE_NE(bench.store().asked().at(2), bench.store().asked().at(0));
}

void TestRedissonLock::aKeyWithAHashTagKeepsIt()
{
    ContenderBench bench(answering({{"EVALSHA", number(0)}, {"DEL", number(1)}}));
    Grant grant = someGrant(bench);
    grant.request.key = "{job}:sync";
    release(bench, theProtocol, grant);
    const std::string& asked = bench.store().asked().front();
    QVERIFY(asked.find(" {job}:sync redisson_unlock_latch:{job}:sync:") != std::string::npos);
    QVERIFY(asked.find(" redisson_lock__channel:{job}:sync ") != std::string::npos);
}

LOCKSCOPE_TEST(TestRedissonLock, Core)

} // namespace lockscope::tst_redisson_lock

#include "tst_redisson_lock.moc"
