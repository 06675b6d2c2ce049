#include "core/kernel/protocol/builtin/redisson_steps.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redisson_steps {

using namespace lockscope::protocol;
using namespace lockscope::protocol::builtin;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Reply;

namespace {

/// A script for RedissonUnlock; its text does not matter where servers are scripted.
constexpr store::Script kUnlock{"unlock", "return 0", "5ca1ab1e"};

} // namespace

class TestRedissonSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesShareTheSlotOfTheKey_data();
    void namesShareTheSlotOfTheKey();
    void anAnswerTellsTheCountOrTheTimeLeft();
    void whatIsNoAnswerOfRedissonIsNone_data();
    void whatIsNoAnswerOfRedissonIsNone();
    void aRefusalWithoutExpiryTellsNoTime();
    void anUnlockPutsItsOwnKeysAndArgumentsLast();
};

void TestRedissonSteps::namesShareTheSlotOfTheKey_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("name");
    QTest::newRow("plain") << std::string("order") << std::string("prefix:{order}");
    QTest::newRow("with a tag") << std::string("order:{42}") << std::string("prefix:order:{42}");
    QTest::newRow("empty") << std::string() << std::string("prefix:{}");
}

void TestRedissonSteps::namesShareTheSlotOfTheKey()
{
    QFETCH(const std::string, key);
    QFETCH(const std::string, name);
    QCOMPARE(redissonName("prefix", key), name);
    QCOMPARE("prefix:" + redissonTag(key), name);
}

void TestRedissonSteps::anAnswerTellsTheCountOrTheTimeLeft()
{
    const auto granted = redissonAnswer(numbers({2}));
    QCOMPARE(granted.value().count, 2);
    QVERIFY(!granted->remaining);
    const auto refused = redissonAnswer(numbers({0, 4200}));
    QCOMPARE(refused.value().count, 0);
    QCOMPARE(refused->remaining, std::optional(Duration(4200ms)));
}

void TestRedissonSteps::whatIsNoAnswerOfRedissonIsNone_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::newRow("a number") << number(1);
    QTest::newRow("an empty array") << numbers({});
    QTest::newRow("an array of text") << Outcome(Reply::ofArray({Reply::ofBulk("1")}));
    QTest::newRow("nil") << nil();
    QTest::newRow("no answer") << lostReply();
}

void TestRedissonSteps::whatIsNoAnswerOfRedissonIsNone()
{
    QFETCH(const Outcome, answer);
    QVERIFY(!redissonAnswer(answer));
    QVERIFY(!isGranted(redissonOutcome(answer, Grant())));
}

void TestRedissonSteps::aRefusalWithoutExpiryTellsNoTime()
{
    const auto outcome = redissonOutcome(numbers({0, -1}), Grant());
    QVERIFY(!std::get<Refused>(outcome).remaining);
}

void TestRedissonSteps::anUnlockPutsItsOwnKeysAndArgumentsLast()
{
    ContenderBench bench(answering({{"EVALSHA", number(0)}, {"DEL", number(1)}}));
    Grant grant;
    grant.request = bench.request();
    grant.token = "owner";
    RedissonUnlock unlock{kUnlock, "channel", {"more-key"}, {"more-argument"}};
    bench.loop().run(unlockRedisson(bench.contender(), grant, std::move(unlock)));
    const std::string latch = bench.store().asked().back().substr(4);
    QCOMPARE(bench.store().asked().front(),
             calling(kUnlock,
                     "3 k " + latch + " more-key owner 10000 channel 18000 more-argument"));
}

LOCKSCOPE_TEST(TestRedissonSteps, Core)

} // namespace lockscope::tst_redisson_steps

#include "tst_redisson_steps.moc"
