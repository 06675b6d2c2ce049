#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lua_setnx_expire {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::luaSetnxExpire();
const std::string kEvalsha = "EVALSHA " + std::string(scripts::kLuaSetnxExpire.digest);

} // namespace

class TestLuaSetnxExpire : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLockIsTakenInOneStep();
    void theExpiryIsAWholeSecond();
    void aServerThatForgotTheScriptIsTaughtIt();
    void whatBecomesOfTheScript_data();
    void whatBecomesOfTheScript();
    void theReleaseDeletesBlindly();
};

void TestLuaSetnxExpire::theLockIsTakenInOneStep()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{kEvalsha + " 1 k 10"});
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 10s));
}

void TestLuaSetnxExpire::theExpiryIsAWholeSecond()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}}));
    LockRequest request = bench.request();
    request.lease = 2100ms;
    const auto grant = takeGrant(attempt(bench, theProtocol, request));
    QCOMPARE(bench.store().asked().back(), kEvalsha + " 1 k 3");
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 3s));
}

void TestLuaSetnxExpire::aServerThatForgotTheScriptIsTaughtIt()
{
    const Outcome forgotten = store::Reply::ofError("NOSCRIPT No matching script.");
    ContenderBench bench(answering({{"EVALSHA", forgotten}, {"EVAL ", number(1)}}));
    QCOMPARE(wordFor(attempt(bench, theProtocol)), "granted"s);
    QCOMPARE(bench.store().asked().size(), std::size_t{2});
    QVERIFY(bench.store().asked().back().ends_with(" 1 k 10"));
}

void TestLuaSetnxExpire::whatBecomesOfTheScript_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("held") << number(0) << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestLuaSetnxExpire::whatBecomesOfTheScript()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"EVALSHA", answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestLuaSetnxExpire::theReleaseDeletesBlindly()
{
    ContenderBench bench(answering({{"EVALSHA", number(1)}, {"DEL", number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "released"s);
    QCOMPARE(bench.store().asked().back(), "DEL k"s);
}

LOCKSCOPE_TEST(TestLuaSetnxExpire, Core)

} // namespace lockscope::tst_lua_setnx_expire

#include "tst_lua_setnx_expire.moc"
