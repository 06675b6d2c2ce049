#include "core/kernel/protocol/builtin/our_steps.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_our_steps {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using builtin::companionKey;
using builtin::listedOutcome;

class TestOurSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCompanionKeyLiesOnTheSameNode_data();
    void aCompanionKeyLiesOnTheSameNode();
    void aNumberBehindAGrantIsItsFence();
    void aGrantMayComeWithoutANumber();
    void aNumberBehindARefusalIsTheTimeLeft();
    void noTimeIsLeftOfAHoldThatNeverEnds();
    void whatIsNoListIsNotBelieved();
};

void TestOurSteps::aCompanionKeyLiesOnTheSameNode_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<std::string>("companion");
    QTest::newRow("plain") << std::string("job:sync") << std::string("{job:sync}:fence");
    QTest::newRow("with a hash tag")
        << std::string("{job}:sync") << std::string("{job}:sync:fence");
    QTest::newRow("empty") << std::string() << std::string("{}:fence");
}

void TestOurSteps::aCompanionKeyLiesOnTheSameNode()
{
    QFETCH(const std::string, key);
    QTEST(companionKey(key, "fence"), "companion");
}

void TestOurSteps::aNumberBehindAGrantIsItsFence()
{
    const auto outcome = listedOutcome(numbers({1, 7}), {});
    QCOMPARE(takeGrant(outcome).fence, std::optional(std::int64_t{7}));
}

void TestOurSteps::aGrantMayComeWithoutANumber()
{
    QVERIFY(!takeGrant(listedOutcome(numbers({1}), {})).fence);
}

void TestOurSteps::aNumberBehindARefusalIsTheTimeLeft()
{
    const auto outcome = listedOutcome(numbers({0, 1500}), {});
    QCOMPARE(std::get<Refused>(outcome).remaining, std::optional<Duration>(1500ms));
}

void TestOurSteps::noTimeIsLeftOfAHoldThatNeverEnds()
{
    QVERIFY(!std::get<Refused>(listedOutcome(numbers({0, -1}), {})).remaining);
}

void TestOurSteps::whatIsNoListIsNotBelieved()
{
    Grant hoped;
    hoped.token = "token";
    const auto outcome = listedOutcome(number(1), hoped);
    QCOMPARE(std::get<Uncertain>(outcome).possible->token, Bytes("token"));
}

LOCKSCOPE_TEST(TestOurSteps, Core)

} // namespace lockscope::tst_our_steps

#include "tst_our_steps.moc"
