#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/answers_in_order.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_list_handoff {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Reply;

namespace {

const LockProtocol& theProtocol = builtin::listHandoff();

const Outcome kGranted = numbers({1});
const Outcome kHeld = numbers({0, 30'000});
const Outcome kNothingCame = Reply();
const Outcome kWoken = Reply::ofArray({Reply::ofBulk("{k}:wake:t"), Reply::ofBulk("go")});

/// What a step begins with; the caller's token follows.
std::string calling(const std::string& step)
{
    return testing::calling(scripts::kListHandoff, "3 k {k}:queue {k}:alive " + step + ' ');
}

/// The whole step of a client that counts as a waiter for so long from now on.
std::string calling(const std::string& step, const std::string& token, const std::string& lifeMs)
{
    return calling(step) + token + " 10000 1000 " + lifeMs + " {k}:wake:";
}

std::string tokenIn(const std::string& command)
{
    const std::string begin = command.substr(calling("take").size());
    return begin.substr(0, begin.find(' '));
}

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
    grant.token = "token";
    return grant;
}

} // namespace

class TestListHandoff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneTryNeverQueuesUp();
    void theAnswersOfATry_data();
    void theAnswersOfATry();
    void whoIsRefusedQueuesUpAndBlocksOnAListOfItsOwn();
    void oneTokenKeepsThePlaceInTheQueue();
    void whoIsWokenTakesTheLock();
    void whoIsNotWokenLooksAgain();
    void nobodyBlocksForLonger_data();
    void nobodyBlocksForLonger();
    void aGrantWhoseAnswerWasLostIsRecognised();
    void aLostAnswerOfTheListIsNoReasonToHurry();
    void aServerThatIsAwayIsNotAskedAllTheTime();
    void whoGivesUpLeavesTheQueue();
    void anInterruptionDoesNotWaitForTheList();
    void theAnswersOfARelease_data();
    void theAnswersOfARelease();
    void theRenewalComparesTheToken();
};

void TestListHandoff::oneTryNeverQueuesUp()
{
    ContenderBench bench(answering({{"EVALSHA", kHeld}}));
    const auto outcome = bench.loop().run(theProtocol.acquire(bench.contender(), bench.request()));
    QCOMPARE(wordFor(outcome), "refused");
    QCOMPARE(std::get<Refused>(outcome).remaining, std::optional<Duration>(30s));
    const std::string& asked = bench.store().asked().front();
    QCOMPARE(bench.store().asked(), std::vector<std::string>{calling("take", tokenIn(asked), "0")});
}

void TestListHandoff::theAnswersOfATry_data()
{
    addAnswers({{"taken", kGranted, "granted"},
                {"held", kHeld, "refused"},
                {"another number", numbers({3}), "uncertain"}});
}

void TestListHandoff::theAnswersOfATry()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = attempt(bench, theProtocol);
    QCOMPARE(wordFor(outcome), word);
}

void TestListHandoff::whoIsRefusedQueuesUpAndBlocksOnAListOfItsOwn()
{
    ContenderBench bench(answering({{"EVALSHA", kHeld}, {"BLPOP", kNothingCame}}));
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.store().answerOne();
    bench.loop().settle();
    const std::vector<std::string>& asked = bench.store().asked();
    const std::string token = tokenIn(asked.front());
    QCOMPARE(asked, (std::vector<std::string>{calling("take", token, "6000"),
                                              "BLPOP {k}:wake:" + token + " 2.000"}));
}

void TestListHandoff::oneTokenKeepsThePlaceInTheQueue()
{
    ContenderBench bench(inOrder({{"EVALSHA", kHeld},
                                  {"BLPOP", kNothingCame},
                                  {"EVALSHA", kHeld},
                                  {"BLPOP", kNothingCame},
                                  {"EVALSHA", kGranted}}));
    const auto outcome = bench.loop().run(theProtocol.acquire(bench.contender(),
                                                              patientRequest(bench)));
    const std::vector<std::string>& asked = bench.store().asked();
    QCOMPARE(asked.at(2), asked.at(0));
    QCOMPARE(asked.at(4), asked.at(0));
    QCOMPARE(takeGrant(outcome).token, tokenIn(asked.at(0)));
    QCOMPARE(takeGrant(outcome).tries, 3);
}

void TestListHandoff::whoIsWokenTakesTheLock()
{
    ContenderBench bench(inOrder({{"EVALSHA", kHeld}, {"BLPOP", kWoken}, {"EVALSHA", kGranted}}));
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.store().answerOne();
    bench.loop().advance(1s);
    QCOMPARE(bench.store().asked().size(), std::size_t(2)); // it blocks

    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), "granted");
    QCOMPARE(takeGrant(task.result()).trustedUntil, std::optional(bench.loop().now() + 10s));
}

void TestListHandoff::whoIsNotWokenLooksAgain()
{
    // The answer to the blocking command is on its way for longer than it may be.
    ContenderBench bench(answering({{"EVALSHA", kHeld}, {"BLPOP", kNothingCame}}));
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.store().answerOne();
    bench.loop().advance(2499ms);
    QCOMPARE(bench.store().askedCount("EVALSHA"), std::size_t(1));
    bench.loop().advance(1ms);
    QCOMPARE(bench.store().askedCount("EVALSHA"), std::size_t(2));
}

void TestListHandoff::nobodyBlocksForLonger_data()
{
    QTest::addColumn<std::int64_t>("remainingMs");
    QTest::addColumn<Duration>("waitLimit");
    QTest::addColumn<std::string>("seconds");
    QTest::newRow("than the hold lasts")
        << std::int64_t{450} << Duration(1min) << std::string("0.450");
    QTest::newRow("than it wants to wait")
        << std::int64_t{30'000} << Duration(1250ms) << std::string("1.250");
    QTest::newRow("than it counts as alive")
        << std::int64_t{30'000} << Duration(1min) << std::string("2.000");
    QTest::newRow("a lock without expiry")
        << std::int64_t{-1} << Duration(1min) << std::string("2.000");
    QTest::newRow("never for ever") << std::int64_t{0} << Duration(1min) << std::string("0.001");
}

void TestListHandoff::nobodyBlocksForLonger()
{
    QFETCH(const std::int64_t, remainingMs);
    QFETCH(const Duration, waitLimit);
    QFETCH(const std::string, seconds);
    ContenderBench bench(answering({{"EVALSHA", numbers({0, remainingMs})}}));
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench, waitLimit)));
    bench.store().answerOne();
    bench.loop().settle();
    QVERIFY2(bench.store().asked().back().ends_with(' ' + seconds),
             bench.store().asked().back().c_str());
}

void TestListHandoff::aGrantWhoseAnswerWasLostIsRecognised()
{
    ContenderBench bench(inOrder({{"EVALSHA", lostReply()}, {"EVALSHA", kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.loop().advance(bench.request().retry.interval);
    QCOMPARE(wordFor(task.result()), "granted");
    QCOMPARE(bench.store().asked().at(1), bench.store().asked().at(0));
}

void TestListHandoff::aLostAnswerOfTheListIsNoReasonToHurry()
{
    ContenderBench bench(
        inOrder({{"EVALSHA", kHeld}, {"BLPOP", lostReply()}, {"EVALSHA", kGranted}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    QVERIFY(!task.isFinished());
    bench.loop().advance(bench.request().retry.interval);
    QCOMPARE(wordFor(task.result()), "granted");
}

void TestListHandoff::aServerThatIsAwayIsNotAskedAllTheTime()
{
    ContenderBench bench(answering({{"EVALSHA", notSent()}}));
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench, 1s)));
    bench.loop().advance(1s);
    QCOMPARE(wordFor(task.result()), "unavailable");
    // At 0, 100, …, 1000 ms; and the queue is left, even if no client hears it.
    QCOMPARE(bench.store().askedCount(calling("take")), std::size_t(11));
    QCOMPARE(bench.store().askedCount(calling("leave")), std::size_t(1));
}

void TestListHandoff::whoGivesUpLeavesTheQueue()
{
    ContenderBench bench(
        answering({{calling("leave"), number(1)}, {"EVALSHA", kHeld}, {"BLPOP", kNothingCame}}));
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench, 1s)));
    bench.store().answerOne();
    bench.loop().advance(1s);
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), "refused");
    const std::vector<std::string>& asked = bench.store().asked();
    QCOMPARE(asked.back(), calling("leave", tokenIn(asked.front()), "0"));
}

void TestListHandoff::anInterruptionDoesNotWaitForTheList()
{
    ContenderBench bench(inOrder({{"EVALSHA", kHeld},
                                  {"BLPOP", kNothingCame},
                                  {"EVALSHA", kHeld},
                                  {calling("leave"), number(1)}}));
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(),
                                                             patientRequest(bench)));
    bench.store().answerOne();
    bench.loop().settle();
    bench.contender().interrupt();
    bench.loop().settle();
    QCOMPARE(bench.store().asked().size(), std::size_t(3)); // BLPOP is not answered yet
    bench.store().answerAll();
    bench.loop().settle();
    QVERIFY(std::get<Refused>(task.result()).isInterrupted);
    QCOMPARE(bench.store().askedCount(calling("leave")), std::size_t(1));
}

void TestListHandoff::theAnswersOfARelease_data()
{
    addAnswers({{"ours", number(1), "released"},
                {"another's", number(0), "another's"},
                {"gone", number(-1), "gone"},
                {"another number", number(2), "uncertain"}});
}

void TestListHandoff::theAnswersOfARelease()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::string, word);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    const auto outcome = release(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), word);
    QCOMPARE(bench.store().asked(), std::vector<std::string>{calling("give", "token", "0")});
}

void TestListHandoff::theRenewalComparesTheToken()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto outcome = renew(bench, theProtocol, someGrant(bench));
    QCOMPARE(wordFor(outcome), "renewed");
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{
                 testing::calling(scripts::kExpireIfEqual, "1 k token 10000")});
}

LOCKSCOPE_TEST(TestListHandoff, Core)

} // namespace lockscope::tst_list_handoff

#include "tst_list_handoff.moc"
