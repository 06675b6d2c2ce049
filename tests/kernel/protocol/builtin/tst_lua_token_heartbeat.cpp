#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/hold.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lua_token_heartbeat {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::luaTokenHeartbeat();
const Renewal theHeartbeat = theProtocol.info().defaults.renewal;

std::string evalsha(store::Script script)
{
    return "EVALSHA " + std::string(script.digest);
}

const std::string kLock = evalsha(scripts::kTokenHeartbeatLock);
const std::string kRenew = evalsha(scripts::kTokenHeartbeatRenew);
const std::string kUnlock = evalsha(scripts::kTokenHeartbeatUnlock);

LockRequest theRequest()
{
    return LockRequest::withDefaults(theProtocol.info(), "k");
}

} // namespace

class TestLuaTokenHeartbeat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theScriptSetsTheTokenForWholeSeconds();
    void everyTryHasATokenOfItsOwn();
    void whatBecomesOfTheLock_data();
    void whatBecomesOfTheLock();
    void theRenewalComparesTheToken_data();
    void theRenewalComparesTheToken();
    void theUnlockSaysNothingWhenItHasDeleted_data();
    void theUnlockSaysNothingWhenItHasDeleted();
    void theHeartBeatsEvery3SecondsOfA5SecondLease();
    void theHeartStopsAtTheFirstTroubleAndNobodyHearsIt_data();
    void theHeartStopsAtTheFirstTroubleAndNobodyHearsIt();
    void aServerThatIsAwayIsAskedAgain();
};

void TestLuaTokenHeartbeat::theScriptSetsTheTokenForWholeSeconds()
{
    ContenderBench bench(answering({{kLock, number(1)}}));
    LockRequest request = theRequest();
    request.lease = 4500ms;
    const auto grant = takeGrant(attempt(bench, theProtocol, request));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{kLock + " 1 k " + grant.token + " 5"});
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 5s));
    QCOMPARE(grant.token.size(), std::size_t{36});
}

void TestLuaTokenHeartbeat::everyTryHasATokenOfItsOwn()
{
    ContenderBench bench(answering({{kLock, number(1)}}));
    const auto first = takeGrant(attempt(bench, theProtocol));
    QCOMPARE_NE(takeGrant(attempt(bench, theProtocol)).token, first.token);
}

void TestLuaTokenHeartbeat::whatBecomesOfTheLock_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("there is a value") << number(0) << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestLuaTokenHeartbeat::whatBecomesOfTheLock()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestLuaTokenHeartbeat::theRenewalComparesTheToken_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("ours") << number(1) << "renewed"s;
    QTest::newRow("another's") << number(0) << "another's"s;
    QTest::newRow("gone") << number(-1) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestLuaTokenHeartbeat::theRenewalComparesTheToken()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, number(1)}, {kRenew, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol, theRequest()));
    bench.loop().advance(2s);
    const RenewOutcome outcome = renew(bench, theProtocol, grant);
    QTEST(wordFor(outcome), "word");
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 5s));
    }
    QCOMPARE(bench.store().asked().back(), kRenew + " 1 k " + grant.token + " 5");
}

void TestLuaTokenHeartbeat::theUnlockSaysNothingWhenItHasDeleted_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("nil") << nil() << "released"s;
    QTest::newRow("another's") << number(0) << "another's"s;
    QTest::newRow("gone") << number(-1) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << number(1) << "uncertain"s;
}

void TestLuaTokenHeartbeat::theUnlockSaysNothingWhenItHasDeleted()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, number(1)}, {kUnlock, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QTEST(wordFor(release(bench, theProtocol, grant)), "word");
    QCOMPARE(bench.store().asked().back(), kUnlock + " 1 k " + grant.token);
}

void TestLuaTokenHeartbeat::theHeartBeatsEvery3SecondsOfA5SecondLease()
{
    ContenderBench bench(answering({{kLock, number(1)}, {kRenew, number(1)}, {kUnlock, nil()}}));
    const auto grant = takeGrant(attempt(bench, theProtocol, theRequest()));
    Hold hold(theProtocol, bench.contender(), grant, theHeartbeat);
    bench.loop().advance(2999ms);
    QCOMPARE(bench.store().askedCount(kRenew), std::size_t{0});
    bench.loop().advance(1ms);
    QCOMPARE(bench.store().askedCount(kRenew), std::size_t{1});
    bench.loop().advance(27s);
    QCOMPARE(hold.renewalCount(), 10);
    QVERIFY(!hold.loss());
    QCOMPARE(wordFor(bench.loop().run(hold.release())), "released"s);
    bench.loop().advance(10s);
    QCOMPARE(bench.store().askedCount(kRenew), std::size_t{10});
}

void TestLuaTokenHeartbeat::theHeartStopsAtTheFirstTroubleAndNobodyHearsIt_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::newRow("another's") << number(0);
    QTest::newRow("gone") << number(-1);
    QTest::newRow("no answer") << lostReply();
    QTest::newRow("not sent") << notSent();
}

void TestLuaTokenHeartbeat::theHeartStopsAtTheFirstTroubleAndNobodyHearsIt()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, number(1)}, {kRenew, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol, theRequest()));
    Hold hold(theProtocol, bench.contender(), grant, theHeartbeat);
    const Instant workDone = bench.loop().now() + 60s;
    const async::BackgroundTask worker(bench.loop().executor(), hold.waitUntil(workDone));
    bench.loop().settle();
    bench.loop().advance(59s);
    QCOMPARE(bench.store().askedCount(kRenew), std::size_t{1});
    QCOMPARE(bench.story(), "renewal-failed"s); // and never "lost"
}

void TestLuaTokenHeartbeat::aServerThatIsAwayIsAskedAgain()
{
    ContenderBench bench(answering({{kLock, notSent()}}));
    LockRequest request = theRequest();
    request.waitLimit = 1s;
    const auto task = bench.loop().start(theProtocol.acquire(bench.contender(), request));
    bench.loop().advance(950ms);
    QVERIFY(!task.isFinished());
    QCOMPARE(bench.store().askedCount(kLock), std::size_t{10});
}

LOCKSCOPE_TEST(TestLuaTokenHeartbeat, Core)

} // namespace lockscope::tst_lua_token_heartbeat

#include "tst_lua_token_heartbeat.moc"
