#include "core/kernel/protocol/builtin/builtin.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_set_nx_px_token {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Reply;

namespace {

const LockProtocol& theProtocol = builtin::setNxPxToken();

const Outcome kOk = Reply::ofStatus("OK");
const Outcome kNil = Reply();
const Outcome kNoPermission = Reply::ofError("NOPERM this user has no permissions");

Outcome number(std::int64_t n)
{
    return Reply::ofInteger(n);
}

Grant grantFrom(ContenderBench& bench)
{
    return takeGrant(bench.loop().run(theProtocol.attempt(bench.contender(), bench.request())));
}

} // namespace

class TestSetNxPxToken : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFreeLockIsTakenWithOneCommand();
    void theLeaseCountsFromBeforeTheRequest();
    void everyTryHasATokenOfItsOwn();
    void aHeldLockIsRefused();
    void aLostReplyIsNeitherYesNorNo();
    void whatWasNotSentIsUnavailable();
    void anErrorOfTheServerIsUnavailable();
    void theReleaseComparesTheToken_data();
    void theReleaseComparesTheToken();
    void theRenewalComparesTheToken_data();
    void theRenewalComparesTheToken();
};

void TestSetNxPxToken::aFreeLockIsTakenWithOneCommand()
{
    ContenderBench bench(answering({{"SET", kOk}}));
    const Grant grant = grantFrom(bench);
    QCOMPARE(bench.store().asked(),
             std::vector<std::string>{"SET k " + grant.token + " NX PX 10000"});
}

void TestSetNxPxToken::theLeaseCountsFromBeforeTheRequest()
{
    ContenderBench bench(answering({{"SET", kOk}}));
    const Instant sentAt = bench.loop().now();
    bench.store().hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(3s);
    bench.store().answerAll();
    bench.loop().settle();
    const Grant& grant = takeGrant(task.result());
    QCOMPARE(grant.trustedUntil, std::optional(sentAt + 10s));
    QCOMPARE(grant.grantedAt, sentAt + 3s);
}

void TestSetNxPxToken::everyTryHasATokenOfItsOwn()
{
    ContenderBench bench(answering({{"SET", kOk}}));
    const Grant first = grantFrom(bench);
    QCOMPARE_NE(grantFrom(bench).token, first.token);
}

void TestSetNxPxToken::aHeldLockIsRefused()
{
    ContenderBench bench(answering({{"SET", kNil}}));
    const auto outcome = bench.loop().run(theProtocol.attempt(bench.contender(), bench.request()));
    QVERIFY(std::holds_alternative<Refused>(outcome));
}

void TestSetNxPxToken::aLostReplyIsNeitherYesNorNo()
{
    ContenderBench bench(answering({{"SET", lostReply()}}));
    const auto outcome = bench.loop().run(theProtocol.attempt(bench.contender(), bench.request()));
    const auto* const uncertain = std::get_if<Uncertain>(&outcome);
    QVERIFY(uncertain != nullptr && uncertain->possible.has_value());
    QVERIFY(bench.store().asked().front().find(uncertain->possible->token) != std::string::npos);
}

void TestSetNxPxToken::whatWasNotSentIsUnavailable()
{
    ContenderBench bench(answering({{"SET", notSent()}}));
    const auto outcome = bench.loop().run(theProtocol.attempt(bench.contender(), bench.request()));
    QVERIFY(std::holds_alternative<Unavailable>(outcome));
}

void TestSetNxPxToken::anErrorOfTheServerIsUnavailable()
{
    ContenderBench bench(answering({{"SET", kNoPermission}}));
    const auto outcome = bench.loop().run(theProtocol.attempt(bench.contender(), bench.request()));
    QCOMPARE(std::get<Unavailable>(outcome).problem->kind, store::Problem::Kind::NoPermission);
}

void TestSetNxPxToken::theReleaseComparesTheToken_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::size_t>("alternative");
    QTest::addColumn<bool>("isOtherOwner");
    QTest::newRow("ours") << number(1) << std::size_t{0} << false;
    QTest::newRow("another's") << number(0) << std::size_t{1} << true;
    QTest::newRow("gone") << number(-1) << std::size_t{1} << false;
    QTest::newRow("not sent") << notSent() << std::size_t{2} << false;
    QTest::newRow("no answer") << lostReply() << std::size_t{3} << false;
    QTest::newRow("nonsense") << kOk << std::size_t{3} << false;
}

void TestSetNxPxToken::theReleaseComparesTheToken()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::size_t, alternative);
    QFETCH(const bool, isOtherOwner);
    ContenderBench bench(answering({{"SET", kOk}, {"EVALSHA", answer}}));
    const Grant grant = grantFrom(bench);
    const auto outcome = bench.loop().run(theProtocol.release(bench.contender(), grant));
    QCOMPARE(outcome.index(), alternative);
    if (const auto* const notHeld = std::get_if<NotHeld>(&outcome)) {
        QCOMPARE(notHeld->isOtherOwner, isOtherOwner);
    }
    QVERIFY(bench.store().asked().back().ends_with(" 1 k " + grant.token));
}

void TestSetNxPxToken::theRenewalComparesTheToken_data()
{
    theReleaseComparesTheToken_data();
}

void TestSetNxPxToken::theRenewalComparesTheToken()
{
    QFETCH(const Outcome, answer);
    QFETCH(const std::size_t, alternative);
    ContenderBench bench(answering({{"SET", kOk}, {"EVALSHA", answer}}));
    const Grant grant = grantFrom(bench);
    bench.loop().advance(4s);
    const auto outcome = bench.loop().run(theProtocol.renew(bench.contender(), grant));
    QCOMPARE(outcome.index(), alternative);
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s));
    }
    QVERIFY(bench.store().asked().back().ends_with(" 1 k " + grant.token + " 10000"));
}

LOCKSCOPE_TEST(TestSetNxPxToken, Core)

} // namespace lockscope::tst_set_nx_px_token

#include "tst_set_nx_px_token.moc"
