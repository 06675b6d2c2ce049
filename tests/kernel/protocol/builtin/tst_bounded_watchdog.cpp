#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/hold.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_bounded_watchdog {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::boundedWatchdog();
const Renewal theWatchdog = theProtocol.info().defaults.renewal;

std::string evalsha(store::Script script)
{
    return "EVALSHA " + std::string(script.digest);
}

const std::string kRenew = evalsha(scripts::kExpireIfEqual);
const std::string kUnlock = evalsha(scripts::kDeleteIfEqual);

LockRequest theRequest()
{
    return LockRequest::withDefaults(theProtocol.info(), "k");
}

} // namespace

class TestBoundedWatchdog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLockIsATokenWithALease();
    void whatBecomesOfTheSet_data();
    void whatBecomesOfTheSet();
    void theRenewalComparesTheToken_data();
    void theRenewalComparesTheToken();
    void theUnlockComparesTheToken_data();
    void theUnlockComparesTheToken();
    void itIsRenewedEveryThirdOfTheLease();
    void theLastRenewalIsFollowedByOneLeaseAndThenTheWorkerIsTold();
    void aRefusedRenewalIsToldAtOnce();
    void everyHoldHasAWatchdogOfItsOwn();
};

void TestBoundedWatchdog::theLockIsATokenWithALease()
{
    ContenderBench bench(answering({{"SET", ok()}}));
    const auto first = takeGrant(attempt(bench, theProtocol, theRequest()));
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{"SET k " + first.token + " NX PX 30000"});
    QCOMPARE_NE(takeGrant(attempt(bench, theProtocol)).token, first.token);
}

void TestBoundedWatchdog::whatBecomesOfTheSet_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("held") << nil() << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestBoundedWatchdog::whatBecomesOfTheSet()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SET", answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestBoundedWatchdog::theRenewalComparesTheToken_data()
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

void TestBoundedWatchdog::theRenewalComparesTheToken()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SET", ok()}, {kRenew, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QTEST(wordFor(renew(bench, theProtocol, grant)), "word");
    QCOMPARE(bench.store().asked().back(), kRenew + " 1 k " + grant.token + " 10000");
}

void TestBoundedWatchdog::theUnlockComparesTheToken_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("ours") << number(1) << "released"s;
    QTest::newRow("another's") << number(0) << "another's"s;
    QTest::newRow("gone") << number(-1) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestBoundedWatchdog::theUnlockComparesTheToken()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{"SET", ok()}, {kUnlock, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QTEST(wordFor(release(bench, theProtocol, grant)), "word");
    QCOMPARE(bench.store().asked().back(), kUnlock + " 1 k " + grant.token);
}

void TestBoundedWatchdog::itIsRenewedEveryThirdOfTheLease()
{
    QCOMPARE(theWatchdog.period * 3, theProtocol.info().defaults.lease);
    ContenderBench bench(answering({{"SET", ok()}, {kRenew, number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol, theRequest()));
    Hold hold(theProtocol, bench.contender(), grant, theWatchdog);
    bench.loop().advance(60s);
    QCOMPARE(hold.renewalCount(), 6);
    QVERIFY(!hold.loss());
}

void TestBoundedWatchdog::theLastRenewalIsFollowedByOneLeaseAndThenTheWorkerIsTold()
{
    ContenderBench bench(answering({{"SET", ok()}, {kRenew, number(1)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol, theRequest()));
    const Instant start = bench.loop().now();
    Hold hold(theProtocol, bench.contender(), grant, theWatchdog);
    bench.loop().advance(20 * 10s + 30s - 1ms);
    QCOMPARE(hold.renewalCount(), 20);
    QVERIFY(!hold.loss());
    bench.loop().advance(1ms);
    QVERIFY(hold.loss());
    QCOMPARE(hold.loss()->reason, trace::LossReason::RenewalsUsedUp);
    QCOMPARE(hold.loss()->at, start + 230s);
    QVERIFY(bench.story().ends_with(" lost"));
}

void TestBoundedWatchdog::aRefusedRenewalIsToldAtOnce()
{
    ContenderBench bench(answering({{"SET", ok()}, {kRenew, number(0)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol, theRequest()));
    Hold hold(theProtocol, bench.contender(), grant, theWatchdog);
    bench.loop().advance(10s);
    QCOMPARE(bench.story(), "renewal-failed lost"s);
    QCOMPARE(hold.loss()->reason, trace::LossReason::OtherOwner);
}

void TestBoundedWatchdog::everyHoldHasAWatchdogOfItsOwn()
{
    ContenderBench bench(answering({{"SET", ok()}, {kRenew, number(1)}, {kUnlock, number(1)}}));
    LockRequest request = theRequest();
    Hold first(theProtocol, bench.contender(), takeGrant(attempt(bench, theProtocol, request)),
               theWatchdog);
    request.key = "k2";
    Hold second(theProtocol, bench.contender(), takeGrant(attempt(bench, theProtocol, request)),
                theWatchdog);
    QCOMPARE(wordFor(bench.loop().run(first.release())), "released"s);
    bench.loop().advance(60s);
    QCOMPARE(second.renewalCount(), 6);
    QCOMPARE(bench.store().askedCount(kRenew + " 1 k "), std::size_t{0});
}

LOCKSCOPE_TEST(TestBoundedWatchdog, Core)

} // namespace lockscope::tst_bounded_watchdog

#include "tst_bounded_watchdog.moc"
