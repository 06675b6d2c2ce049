#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_setnx_then_expire {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::setnxThenExpire();

} // namespace

class TestSetnxThenExpire : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLockIsTakenWithTwoCommands();
    void theLeaseCountsFromTheExpire();
    void theExpiryIsAWholeSecond();
    void whoIsRefusedLeavesTheExpiryAlone();
    void whatBecomesOfTheSetnx_data();
    void whatBecomesOfTheSetnx();
    void withoutTheExpireTheLockMayStayForEver_data();
    void withoutTheExpireTheLockMayStayForEver();
    void nobodyLooksAtWhatExpireAnswers();
    void theReleaseDeletesBlindly();
};

void TestSetnxThenExpire::theLockIsTakenWithTwoCommands()
{
    ContenderBench bench(answering({{"SETNX", number(1)}, {"EXPIRE", number(1)}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
    QCOMPARE(bench.store().asked(), (std::vector<std::string>{"SETNX k 1", "EXPIRE k 10"}));
}

void TestSetnxThenExpire::theLeaseCountsFromTheExpire()
{
    ContenderBench bench(answering({{"SETNX", number(1)}, {"EXPIRE", number(1)}}));
    const Instant start = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(2s);
    bench.store().answerOne();
    bench.loop().settle();
    bench.loop().advance(1s);
    bench.store().answerOne();
    bench.loop().settle();
    const auto& grant = takeGrant(task.result());
    QCOMPARE(grant.trustedUntil, std::optional(start + 2s + 10s));
    QCOMPARE(grant.grantedAt, start + 3s);
}

void TestSetnxThenExpire::theExpiryIsAWholeSecond()
{
    ContenderBench bench(answering({{"SETNX", number(1)}, {"EXPIRE", number(1)}}));
    LockRequest request = bench.request();
    request.lease = 1500ms;
    const auto grant = takeGrant(attempt(bench, theProtocol, request));
    QCOMPARE(bench.store().asked().back(), "EXPIRE k 2"s);
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 2s));
    QCOMPARE(grant.request.lease, Duration(2s));
}

void TestSetnxThenExpire::whoIsRefusedLeavesTheExpiryAlone()
{
    ContenderBench bench(answering({{"SETNX", number(0)}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "refused"s);
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"SETNX k 1"});
}

void TestSetnxThenExpire::whatBecomesOfTheSetnx_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestSetnxThenExpire::whatBecomesOfTheSetnx()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SETNX", answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestSetnxThenExpire::withoutTheExpireTheLockMayStayForEver_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::newRow("no answer") << lostReply();
    QTest::newRow("not sent") << notSent();
    QTest::newRow("error") << serverError();
    QTest::newRow("nonsense") << nonsense();
}

void TestSetnxThenExpire::withoutTheExpireTheLockMayStayForEver()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SETNX", number(1)}, {"EXPIRE", answer}}));
    const AcquireOutcome outcome = attempt(bench, theProtocol);
    QCOMPARE(wordFor(outcome), "uncertain"s);
    QVERIFY(!std::get<Uncertain>(outcome).possible->trustedUntil);
    QCOMPARE(bench.store().askedCount("DEL"), std::size_t{0}); // as it circulates
}

void TestSetnxThenExpire::nobodyLooksAtWhatExpireAnswers()
{
    ContenderBench bench(answering({{"SETNX", number(1)}, {"EXPIRE", number(0)}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
}

void TestSetnxThenExpire::theReleaseDeletesBlindly()
{
    ContenderBench bench(
        answering({{"SETNX", number(1)}, {"EXPIRE", number(1)}, {"DEL", number(0)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "gone"s);
    QCOMPARE(bench.store().asked().back(), "DEL k"s);
}

LOCKSCOPE_TEST(TestSetnxThenExpire, Core)

} // namespace lockscope::tst_setnx_then_expire

#include "tst_setnx_then_expire.moc"
