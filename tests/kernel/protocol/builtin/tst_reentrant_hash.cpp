#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_reentrant_hash {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;
using store::Reply;

namespace {

const LockProtocol& theProtocol = builtin::reentrantHash();

std::string evalsha(store::Script script)
{
    return "EVALSHA " + std::string(script.digest);
}

const std::string kLock = evalsha(scripts::kReentrantHashLock);
const std::string kRenew = evalsha(scripts::kReentrantHashRenew);
const std::string kUnlock = evalsha(scripts::kReentrantHashUnlock);
const std::string kOwner = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60-63";

Outcome numbers(std::vector<std::int64_t> all)
{
    Reply::Array items;
    for (const std::int64_t n : all) {
        items.push_back(Reply::ofInteger(n));
    }
    return Reply::ofArray(std::move(items));
}

} // namespace

class TestReentrantHash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFieldIsTheTaskAndItsClient();
    void theExpiryIsAWholeSecond();
    void whatBecomesOfTheLock_data();
    void whatBecomesOfTheLock();
    void aRefusalTellsForHowLong_data();
    void aRefusalTellsForHowLong();
    void theRenewalLooksForTheField_data();
    void theRenewalLooksForTheField();
    void theUnlockCountsDown_data();
    void theUnlockCountsDown();
    void anInnerUnlockTellsHowManyAreLeft();
    void anUnlockWithoutAnswerIsNotRepeated();
};

void TestReentrantHash::theFieldIsTheTaskAndItsClient()
{
    ContenderBench bench(answering({{kLock, numbers({1})}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(bench.store().asked(), std::vector<std::string>{kLock + " 1 k " + kOwner + " 10"});
    QCOMPARE(grant.token, kOwner);
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 10s));
}

void TestReentrantHash::theExpiryIsAWholeSecond()
{
    ContenderBench bench(answering({{kLock, numbers({1})}}));
    LockRequest request = bench.request();
    request.lease = 10ms;
    const auto grant = takeGrant(attempt(bench, theProtocol, request));
    QVERIFY(bench.store().asked().back().ends_with(" 1"));
    QCOMPARE(grant.trustedUntil, std::optional(bench.loop().now() + 1s));
}

void TestReentrantHash::whatBecomesOfTheLock_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("first") << numbers({1}) << "granted"s;
    QTest::newRow("third") << numbers({3}) << "granted 3"s;
    QTest::newRow("held") << numbers({0, 4200}) << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestReentrantHash::whatBecomesOfTheLock()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, answer}}));
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
}

void TestReentrantHash::aRefusalTellsForHowLong_data()
{
    QTest::addColumn<int>("remainingMs");
    QTest::addColumn<bool>("isKnown");
    QTest::newRow("for a while") << 4200 << true;
    QTest::newRow("for ever") << -1 << false;
}

void TestReentrantHash::aRefusalTellsForHowLong()
{
    QFETCH(const int, remainingMs);
    QFETCH(const bool, isKnown);
    ContenderBench bench(answering({{kLock, numbers({0, remainingMs})}}));
    const auto refused = std::get<Refused>(attempt(bench, theProtocol));
    QCOMPARE(refused.remaining.has_value(), isKnown);
    QCOMPARE(refused.remaining.value_or(-1ms), Duration(std::chrono::milliseconds(remainingMs)));
}

void TestReentrantHash::theRenewalLooksForTheField_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("there") << number(1) << "renewed"s;
    QTest::newRow("not there") << number(0) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestReentrantHash::theRenewalLooksForTheField()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, numbers({1})}, {kRenew, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    bench.loop().advance(4s);
    const RenewOutcome outcome = renew(bench, theProtocol, grant);
    QTEST(wordFor(outcome), "word");
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
    }
    QCOMPARE(bench.store().asked().back(), kRenew + " 1 k " + kOwner + " 10");
}

void TestReentrantHash::theUnlockCountsDown_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("released") << number(1) << "released"s;
    QTest::newRow("still held") << number(0) << "released, 1 left"s;
    QTest::newRow("not ours") << nil() << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestReentrantHash::theUnlockCountsDown()
{
    QFETCH(const Outcome, answer);
    ContenderBench bench(answering({{kLock, numbers({2})}, {kUnlock, answer}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QTEST(wordFor(release(bench, theProtocol, grant)), "word");
    QCOMPARE(bench.store().asked().back(), kUnlock + " 1 k " + kOwner); // no lease: it stays
}

void TestReentrantHash::anInnerUnlockTellsHowManyAreLeft()
{
    ContenderBench bench(answering({{kLock, numbers({5})}, {kUnlock, number(0)}}));
    const auto grant = takeGrant(attempt(bench, theProtocol));
    QCOMPARE(wordFor(release(bench, theProtocol, grant)), "released, 4 left"s);
}

void TestReentrantHash::anUnlockWithoutAnswerIsNotRepeated()
{
    ContenderBench bench(answering({{kLock, numbers({2})}, {kUnlock, lostReply()}}));
    release(bench, theProtocol, takeGrant(attempt(bench, theProtocol)));
    QCOMPARE(bench.store().askedCount(kUnlock), std::size_t{1});
}

LOCKSCOPE_TEST(TestReentrantHash, Core)

} // namespace lockscope::tst_reentrant_hash

#include "tst_reentrant_hash.moc"
