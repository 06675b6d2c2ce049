#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_set_nx_ex {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::setNxEx();

} // namespace

class TestSetNxEx : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLockIsTakenWithOneCommand();
    void theLeaseCountsFromBeforeTheRequest();
    void theExpiryIsAWholeSecond();
    void whatBecomesOfTheSet_data();
    void whatBecomesOfTheSet();
    void theReleaseDeletesWhateverIsThereByThen();
};

void TestSetNxEx::theLockIsTakenWithOneCommand()
{
    ContenderBench bench(answering({{"SET", ok()}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"SET k 1 EX 10 NX"});
}

void TestSetNxEx::theLeaseCountsFromBeforeTheRequest()
{
    ContenderBench bench(answering({{"SET", ok()}}));
    const Instant sentAt = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(3s);
    bench.store().answerAll();
    bench.loop().settle();
    const auto& grant = takeGrant(task.result());
    QCOMPARE(grant.trustedUntil, std::optional(sentAt + 10s));
    QCOMPARE(grant.grantedAt, sentAt + 3s);
}

void TestSetNxEx::theExpiryIsAWholeSecond()
{
    ContenderBench bench(answering({{"SET", ok()}}));
    LockRequest request = bench.request();
    request.lease = 20ms;
    const auto grant = takeGrant(attempt(bench, theProtocol, request));
    QCOMPARE(bench.store().asked().back(), "SET k 1 EX 1 NX"s);
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 1s));
}

void TestSetNxEx::whatBecomesOfTheSet_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("held") << nil() << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestSetNxEx::whatBecomesOfTheSet()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SET", answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestSetNxEx::theReleaseDeletesWhateverIsThereByThen()
{
    ContenderBench bench(answering({{"SET", ok()}, {"DEL", number(1)}}));
    const auto late = takeGrant(attempt(bench, theProtocol));
    bench.loop().advance(11s);
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
    bench.store().forgetAsked();
    QCOMPARE(wordFor(release(bench, theProtocol, late)), "released"s);
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"DEL k"});
}

LOCKSCOPE_TEST(TestSetNxEx, Core)

} // namespace lockscope::tst_set_nx_ex

#include "tst_set_nx_ex.moc"
