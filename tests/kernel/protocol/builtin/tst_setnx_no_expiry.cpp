#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_setnx_no_expiry {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::setnxNoExpiry();

} // namespace

class TestSetnxNoExpiry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLockIsTakenForEver();
    void whatBecomesOfTheSetnx_data();
    void whatBecomesOfTheSetnx();
    void theReleaseDeletesBlindly();
    void nothingIsRenewed();
};

void TestSetnxNoExpiry::theLockIsTakenForEver()
{
    ContenderBench bench(answering({{"SETNX", number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{"SETNX k 1"});
    QVERIFY(!grant.trustedUntil);
    QVERIFY(!theProtocol.info().hasExpiry);
}

void TestSetnxNoExpiry::whatBecomesOfTheSetnx_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("held") << number(0) << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestSetnxNoExpiry::whatBecomesOfTheSetnx()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SETNX", answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestSetnxNoExpiry::theReleaseDeletesBlindly()
{
    ContenderBench bench(answering({{"SETNX", number(1)}, {"DEL", number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "released"s);
    QCOMPARE(bench.store().asked().back(), "DEL k"s);
}

void TestSetnxNoExpiry::nothingIsRenewed()
{
    ContenderBench bench(answering({{"SETNX", number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(wordFor(renew(bench, theProtocol, grant)), "unavailable"s);
    QCOMPARE(bench.store().asked().size(), std::size_t{1});
}

LOCKSCOPE_TEST(TestSetnxNoExpiry, Core)

} // namespace lockscope::tst_setnx_no_expiry

#include "tst_setnx_no_expiry.moc"
