#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_exists_then_set {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::existsThenSet();

} // namespace

class TestExistsThenSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFreeLockIsLookedAtAndThenTaken();
    void aHeldLockIsNotWritten();
    void twoWhoLookAtTheSameTimeBothGoIn();
    void aLookThatFailsTakesNothing_data();
    void aLookThatFailsTakesNothing();
    void whatBecomesOfTheSet_data();
    void whatBecomesOfTheSet();
    void theReleaseDeletesBlindly();
};

void TestExistsThenSet::aFreeLockIsLookedAtAndThenTaken()
{
    ContenderBench bench(answering({{"EXISTS", number(0)}, {"SET", ok()}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(bench.store().asked(), (std::vector<std::string>{"EXISTS k", "SET k 1"}));
    QVERIFY(!grant.trustedUntil);
}

void TestExistsThenSet::aHeldLockIsNotWritten()
{
    ContenderBench bench(answering({{"EXISTS", number(1)}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "refused"s);
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"EXISTS k"});
}

void TestExistsThenSet::twoWhoLookAtTheSameTimeBothGoIn()
{
    ContenderBench bench(answering({{"EXISTS", number(0)}, {"SET", ok()}}));
    bench.store().hold();
    const auto first = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    const auto second = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(bench.store().asked(),
             (std::vector<std::string>{"EXISTS k", "EXISTS k", "SET k 1", "SET k 1"}));
    QCOMPARE(wordFor(first.result()), "granted"s);
    QCOMPARE(wordFor(second.result()), "granted"s);
}

void TestExistsThenSet::aLookThatFailsTakesNothing_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::newRow("no answer") << lostReply();
    QTest::newRow("not sent") << notSent();
    QTest::newRow("error") << serverError();
    QTest::newRow("nonsense") << nonsense();
}

void TestExistsThenSet::aLookThatFailsTakesNothing()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"EXISTS", answer}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "unavailable"s);
}

void TestExistsThenSet::whatBecomesOfTheSet_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestExistsThenSet::whatBecomesOfTheSet()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"EXISTS", number(0)}, {"SET", answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestExistsThenSet::theReleaseDeletesBlindly()
{
    ContenderBench bench(answering({{"EXISTS", number(0)}, {"SET", ok()}, {"DEL", number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "released"s);
    QCOMPARE(bench.store().asked().back(), "DEL k"s);
}

LOCKSCOPE_TEST(TestExistsThenSet, Core)

} // namespace lockscope::tst_exists_then_set

#include "tst_exists_then_set.moc"
