#include "core/kernel/protocol/builtin/steps.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_steps {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const Instant kSent{2h};
const Instant kAnswered{2h + 3s};

LockRequest theRequest()
{
    LockRequest request;
    request.key = "k";
    request.lease = 10s;
    return request;
}

Grant theGrant()
{
    return builtin::grantFor(theRequest(), "token", kSent, kAnswered);
}

} // namespace

class TestSteps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGrantIsTrustedForTheLeaseFromTheSending();
    void anEndlessGrantIsTrustedForEver();
    void wholeSecondsNeverShortenALease_data();
    void wholeSecondsNeverShortenALease();
    void aProperReplyIsNoFailure();
    void failuresKeepCertainAndUncertainApart();
    void onlyOkGrants_data();
    void onlyOkGrants();
    void onlyOneGrants_data();
    void onlyOneGrants();
    void theHoldThatMayExistIsHandedOver();
    void aCommandThatCountsHasToAnswerWithANumber();
    void whatWasNotUnderstoodIsNotTriedAgain();
    void theAnswerOfDelTellsWhetherTheKeyWasThere_data();
    void theAnswerOfDelTellsWhetherTheKeyWasThere();
};

void TestSteps::aGrantIsTrustedForTheLeaseFromTheSending()
{
    const Grant grant = theGrant();
    QCOMPARE(grant.request.key, "k"s);
    QCOMPARE(grant.token, "token"s);
    QCOMPARE(grant.grantedAt, kAnswered);
    QCOMPARE(grant.trustedUntil, std::optional(kSent + 10s));
}

void TestSteps::anEndlessGrantIsTrustedForEver()
{
    const Grant grant = builtin::endlessGrantFor(theRequest(), "token", kAnswered);
    QCOMPARE(grant.grantedAt, kAnswered);
    QVERIFY(!grant.trustedUntil);
}

void TestSteps::wholeSecondsNeverShortenALease_data()
{
    QTest::addColumn<int>("leaseMs");
    QTest::addColumn<int>("seconds");
    QTest::newRow("as it is") << 10'000 << 10;
    QTest::newRow("up") << 10'001 << 11;
    QTest::newRow("at least one") << 1 << 1;
    QTest::newRow("0 would delete the key") << 0 << 1;
}

void TestSteps::wholeSecondsNeverShortenALease()
{
    QFETCH(const int, leaseMs);
    QFETCH(const int, seconds);
    QCOMPARE(builtin::inWholeSeconds(std::chrono::milliseconds(leaseMs)).count(), seconds);
}

void TestSteps::aProperReplyIsNoFailure()
{
    for (const Outcome& reply : {ok(), nil(), number(0), nonsense()}) {
        QVERIFY(!builtin::acquireFailure(reply, theGrant()));
        QVERIFY(!builtin::renewFailure(reply));
        QVERIFY(!builtin::releaseFailure(reply));
    }
}

void TestSteps::failuresKeepCertainAndUncertainApart()
{
    const std::vector<std::pair<Outcome, std::string>> cases{{lostReply(), "uncertain"},
                                                             {notSent(), "unavailable"},
                                                             {serverError(), "unavailable"}};
    for (const auto& [outcome, word] : cases) {
        QCOMPARE(wordFor(builtin::acquireFailure(outcome, theGrant()).value()), word);
        QCOMPARE(wordFor(builtin::renewFailure(outcome).value()), word);
        QCOMPARE(wordFor(builtin::releaseFailure(outcome).value()), word);
    }
}

void TestSteps::onlyOkGrants_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("OK") << ok() << "granted"s;
    QTest::newRow("nil") << nil() << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
    QTest::newRow("a number") << number(1) << "uncertain"s;
}

void TestSteps::onlyOkGrants()
{
    QFETCH(const Outcome, answer);
    QTEST(wordFor(builtin::grantedIfOk(answer, theGrant())), "word");
}

void TestSteps::onlyOneGrants_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("1") << number(1) << "granted"s;
    QTest::newRow("0") << number(0) << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
    QTest::newRow("another number") << number(2) << "uncertain"s;
}

void TestSteps::onlyOneGrants()
{
    QFETCH(const Outcome, answer);
    QTEST(wordFor(builtin::grantedIfOne(answer, theGrant())), "word");
}

void TestSteps::theHoldThatMayExistIsHandedOver()
{
    for (const Outcome& answer : {lostReply(), nonsense()}) {
        for (const AcquireOutcome& outcome : {builtin::grantedIfOk(answer, theGrant()),
                                              builtin::grantedIfOne(answer, theGrant())}) {
            QCOMPARE(std::get<Uncertain>(outcome).possible->token, "token"s);
        }
    }
}

void TestSteps::aCommandThatCountsHasToAnswerWithANumber()
{
    using Kind = store::Problem::Kind;
    QVERIFY(!builtin::problemUnlessInteger(number(-7)));
    QCOMPARE(builtin::problemUnlessInteger(nonsense()).value().kind, Kind::ProtocolBroken);
    QCOMPARE(builtin::problemUnlessInteger(lostReply()).value().kind, Kind::ConnectionLost);
    QCOMPARE(builtin::problemUnlessInteger(notSent()).value().kind, Kind::NotConnected);
    QCOMPARE(builtin::problemUnlessInteger(serverError()).value().kind, Kind::NoPermission);
}

void TestSteps::whatWasNotUnderstoodIsNotTriedAgain()
{
    QVERIFY(!store::isPassing(builtin::unexpectedReply()));
    QVERIFY(!builtin::unexpectedReply().detail.empty());
}

void TestSteps::theAnswerOfDelTellsWhetherTheKeyWasThere_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("1") << number(1) << "released"s;
    QTest::newRow("0") << number(0) << "gone"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestSteps::theAnswerOfDelTellsWhetherTheKeyWasThere()
{
    QFETCH(const Outcome, answer);
    QTEST(wordFor(builtin::releaseByDel(answer)), "word");
}

LOCKSCOPE_TEST(TestSteps, Core)

} // namespace lockscope::tst_steps

#include "tst_steps.moc"
