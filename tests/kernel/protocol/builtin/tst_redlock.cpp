#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/answer_rows.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redlock {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

const LockProtocol& theProtocol = builtin::redlock();

/// What a node says to SET: + yes, - held, ? nothing (the link broke), x not reached, ! an error.
Outcome voteOf(char mark)
{
    switch (mark) {
    case '+': return Reply::ofStatus("OK");
    case '-': return Reply();
    case '?': return lostReply();
    case 'x': return notSent();
    default: return serverError();
    }
}

/// What a node says to a script that compares the token: 1 done, 0 another's, g gone, ? and x as
/// above.
Outcome answerOf(char mark)
{
    switch (mark) {
    case '1': return number(1);
    case '0': return number(0);
    case 'g': return number(-1);
    case '?': return lostReply();
    default: return notSent();
    }
}

/// As many nodes as there are marks.
ContenderBench benchOf(const std::string& votes, const std::string& answers)
{
    std::vector<ScriptedStore::Script> scripts;
    for (std::size_t i = 0; i < votes.size(); ++i) {
        scripts.push_back(answering({{"SET", voteOf(votes[i])},
                                     {"EVALSHA", answerOf(answers[i])}}));
    }
    return ContenderBench(std::move(scripts));
}

AcquireOutcome attempt(ContenderBench& bench)
{
    return bench.loop().run(theProtocol.attempt(bench.contender(), bench.request()));
}

Grant grantOf(ContenderBench& bench)
{
    Grant grant;
    grant.request = bench.request();
    grant.token = "token";
    return grant;
}

/// A mark per node: w if it was asked to give the token back, - if not.
std::string withdrawals(ContenderBench& bench, std::size_t nodeCount)
{
    std::string marks;
    for (std::size_t i = 0; i < nodeCount; ++i) {
        marks += bench.store(i).askedCount("EVALSHA") == 1 ? 'w' : '-';
    }
    return marks;
}

} // namespace

class TestRedlock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNodeIsAskedAtOnceForTheSameToken();
    void everyTryHasATokenOfItsOwn();
    void theMajorityDecides_data();
    void theMajorityDecides();
    void aPossibleHoldIsNamed();
    void theTroubleThatMayPassSpeaksForAll();
    void theLeaseCountsFromTheStartLessTheDrift();
    void aSilentNodeIsPassedOver_data();
    void aSilentNodeIsPassedOver();
    void aSilentNodeIsAskedToGiveBackAsWell();
    void aMajorityThatComesTooLateIsGivenBack();
    void whoeverWasRefusedWaitsForARandomTime();
    void anExtensionNeedsAMajority_data();
    void anExtensionNeedsAMajority();
    void anExtensionAsksEveryNodeToCompare();
    void anExtensionThatComesTooLateDoesNotCount();
    void aReleaseFreesTheMajority_data();
    void aReleaseFreesTheMajority();
    void aReleaseDoesNotWaitForASilentNode();
};

void TestRedlock::everyNodeIsAskedAtOnceForTheSameToken()
{
    ContenderBench bench(answering({{"SET", voteOf('+')}}), 5);
    for (std::size_t i = 0; i < 5; ++i) {
        bench.store(i).hold();
    }
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(bench.store(i).heldCount(), std::size_t{1});
        bench.store(i).answerAll();
    }
    bench.loop().settle();
    const Grant& grant = takeGrant(task.result());
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(bench.store(i).asked(),
                 std::vector<std::string>{"SET k " + grant.token + " NX PX 10000"});
    }
}

void TestRedlock::everyTryHasATokenOfItsOwn()
{
    ContenderBench bench = benchOf("+++", "111");
    const Grant first = takeGrant(attempt(bench));
    QCOMPARE_NE(takeGrant(attempt(bench)).token, first.token);
}

void TestRedlock::theMajorityDecides_data()
{
    QTest::addColumn<std::string>("votes");
    QTest::addColumn<std::string>("withdrawalAnswers");
    QTest::addColumn<std::string>("word");
    QTest::addColumn<std::string>("withdrawn");
    const auto row = [](const char* name, std::string votes, std::string answers, std::string word,
                        std::string withdrawn) {
        QTest::newRow(name) << votes << answers << word << withdrawn;
    };
    row("one node", "+", "1", "granted", "-");
    row("one node, held", "-", "1", "refused", "-");
    row("all", "+++++", "11111", "granted", "-----");
    row("just a majority", "+++--", "11111", "granted", "-----");
    row("a majority, the others down", "+++xx", "11111", "granted", "-----");
    row("a majority, the others unknown", "+++??", "11111", "granted", "-----");
    row("half of four", "++--", "1111", "refused", "ww--");
    row("a minority", "++---", "11111", "refused", "ww---");
    row("others hold a minority of those that answer", "++-xx", "11111", "refused", "ww---");
    row("too few answer", "++xxx", "11111", "unavailable", "ww---");
    row("nobody answers", "xxxxx", "11111", "unavailable", "-----");
    row("nobody is allowed to", "!!!!!", "11111", "unavailable", "-----");
    row("unknown, and given back", "++???", "11111", "unavailable", "wwwww");
    row("unknown, and found free", "?????", "ggggg", "unavailable", "wwwww");
    row("unknown, and it stays unknown", "++???", "11???", "uncertain", "wwwww");
    row("unknown, and out of reach now", "?????", "11xxx", "uncertain", "wwwww");
    row("granted there, and not given back", "++?--", "????1", "uncertain", "www--");
    row("a minority stays behind", "+?---", "??111", "refused", "ww---");
}

void TestRedlock::theMajorityDecides()
{
    QFETCH(const std::string, votes);
    QFETCH(const std::string, withdrawalAnswers);
    QFETCH(const std::string, word);
    QFETCH(const std::string, withdrawn);
    ContenderBench bench = benchOf(votes, withdrawalAnswers);
    QCOMPARE(wordFor(attempt(bench)), word);
    QCOMPARE(withdrawals(bench, votes.size()), withdrawn);
}

void TestRedlock::aPossibleHoldIsNamed()
{
    ContenderBench bench = benchOf("?????", "?????");
    const auto outcome = attempt(bench);
    const Grant& possible = *std::get<Uncertain>(outcome).possible;
    QCOMPARE(bench.store(3).asked(),
             (std::vector<std::string>{"SET k " + possible.token + " NX PX 10000",
                                       calling(scripts::kDeleteIfEqual, "1 k " + possible.token)}));
}

void TestRedlock::theTroubleThatMayPassSpeaksForAll()
{
    ContenderBench bench = benchOf("!!x!-", "11111");
    QCOMPARE(std::get<Unavailable>(attempt(bench)).problem->kind, Problem::Kind::NotConnected);
    ContenderBench refusing = benchOf("!!!--", "11111");
    QCOMPARE(std::get<Unavailable>(attempt(refusing)).problem->kind, Problem::Kind::NoPermission);
}

void TestRedlock::theLeaseCountsFromTheStartLessTheDrift()
{
    ContenderBench bench = benchOf("+++", "111");
    const Instant startedAt = bench.loop().now();
    bench.store(1).hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(30ms);
    bench.store(1).answerAll();
    bench.loop().settle();
    const Grant& grant = takeGrant(task.result());
    QCOMPARE(grant.trustedUntil, std::optional(startedAt + 10s - 100ms - 2ms));
    QCOMPARE(grant.grantedAt, startedAt + 30ms);
}

void TestRedlock::aSilentNodeIsPassedOver_data()
{
    QTest::addColumn<Duration>("lease");
    QTest::addColumn<Duration>("timeOut");
    QTest::newRow("half a second") << Duration(500ms) << Duration(5ms);
    QTest::newRow("five seconds") << Duration(5s) << Duration(25ms);
    QTest::newRow("ten seconds") << Duration(10s) << Duration(50ms);
    QTest::newRow("a minute") << Duration(60s) << Duration(50ms);
}

void TestRedlock::aSilentNodeIsPassedOver()
{
    QFETCH(const Duration, lease);
    QFETCH(const Duration, timeOut);
    ContenderBench bench = benchOf("+++", "111");
    bench.store(0).hold();
    LockRequest request = bench.request();
    request.lease = lease;
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), request));
    bench.loop().advance(timeOut - 1us);
    QVERIFY(!task.isFinished());
    bench.loop().advance(1us);
    QVERIFY(isGranted(task.result()));
}

void TestRedlock::aSilentNodeIsAskedToGiveBackAsWell()
{
    ContenderBench bench = benchOf("--+", "111");
    bench.store(2).hold();
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), bench.request()));
    bench.loop().advance(50ms);
    QVERIFY(!task.isFinished()); // the withdrawal has a time-out as well
    bench.loop().advance(50ms);
    QCOMPARE(wordFor(task.result()), std::string("refused"));
    QCOMPARE(withdrawals(bench, 3), std::string("--w"));
}

void TestRedlock::aMajorityThatComesTooLateIsGivenBack()
{
    ContenderBench bench = benchOf("+++", "111");
    for (std::size_t i = 0; i < 3; ++i) {
        bench.store(i).hold();
    }
    LockRequest request = bench.request();
    request.lease = 6ms; // less drift: 3.94 ms
    const auto task = bench.loop().start(theProtocol.attempt(bench.contender(), request));
    bench.loop().advance(4ms);
    for (std::size_t i = 0; i < 3; ++i) {
        bench.store(i).answerAll();
    }
    bench.loop().settle();
    QCOMPARE(std::get<Unavailable>(task.result()).problem->kind, Problem::Kind::ReplyTimedOut);
    QCOMPARE(withdrawals(bench, 3), std::string("www"));
}

void TestRedlock::whoeverWasRefusedWaitsForARandomTime()
{
    ContenderBench bench = benchOf("+--", "111");
    LockRequest request = LockRequest::withDefaults(theProtocol.info(), "k");
    request.waitLimit = 10s;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    std::vector<Instant> tries;
    for (const Instant end = bench.loop().now() + 5s; bench.loop().now() < end;) {
        bench.loop().advance(1ms);
        if (bench.store().askedCount("SET") > tries.size()) {
            tries.push_back(bench.loop().now());
        }
    }
    QCOMPARE_GE(tries.size(), std::size_t{5});
    bool isAlwaysTheSame = true;
    for (std::size_t i = 2; i < tries.size(); ++i) {
        isAlwaysTheSame = isAlwaysTheSame && tries[i] - tries[i - 1] == tries[1] - tries[0];
    }
    QVERIFY(!isAlwaysTheSame);
}

void TestRedlock::anExtensionNeedsAMajority_data()
{
    QTest::addColumn<std::string>("answers");
    QTest::addColumn<std::string>("word");
    QTest::newRow("all") << std::string("11111") << std::string("renewed");
    QTest::newRow("a majority") << std::string("111x0") << std::string("renewed");
    QTest::newRow("others have it") << std::string("11000") << std::string("another's");
    QTest::newRow("gone") << std::string("1ggg1") << std::string("gone");
    QTest::newRow("perhaps a majority") << std::string("11?gx") << std::string("uncertain");
    QTest::newRow("certainly none") << std::string("1?xxx") << std::string("unavailable");
    QTest::newRow("out of reach") << std::string("xxxxx") << std::string("unavailable");
    QTest::newRow("no answer") << std::string("?????") << std::string("uncertain");
}

void TestRedlock::anExtensionNeedsAMajority()
{
    QFETCH(const std::string, answers);
    QFETCH(const std::string, word);
    ContenderBench bench = benchOf("+++++", answers);
    const auto outcome = bench.loop().run(theProtocol.renew(bench.contender(), grantOf(bench)));
    QCOMPARE(wordFor(outcome), word);
    if (const auto* const renewed = std::get_if<Renewed>(&outcome)) {
        QCOMPARE(renewed->trustedUntil, std::optional(bench.loop().now() + 10s - 102ms));
    }
}

void TestRedlock::anExtensionAsksEveryNodeToCompare()
{
    ContenderBench bench = benchOf("+++", "111");
    bench.loop().run(theProtocol.renew(bench.contender(), grantOf(bench)));
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(bench.store(i).asked(),
                 std::vector<std::string>{calling(scripts::kExpireIfEqual, "1 k token 10000")});
    }
}

void TestRedlock::anExtensionThatComesTooLateDoesNotCount()
{
    ContenderBench bench = benchOf("+", "1");
    bench.store().hold();
    Grant grant = grantOf(bench);
    grant.request.lease = 6ms;
    const auto task = bench.loop().start(theProtocol.renew(bench.contender(), grant));
    bench.loop().advance(4ms);
    bench.store().answerAll();
    bench.loop().settle();
    QCOMPARE(wordFor(task.result()), std::string("unavailable"));
}

void TestRedlock::aReleaseFreesTheMajority_data()
{
    QTest::addColumn<std::string>("answers");
    QTest::addColumn<std::string>("word");
    QTest::newRow("all") << std::string("11111") << std::string("released");
    QTest::newRow("a majority") << std::string("111xx") << std::string("released");
    QTest::newRow("no majority is left standing")
        << std::string("11ggx") << std::string("released");
    QTest::newRow("unknown on a majority") << std::string("11???") << std::string("uncertain");
    QTest::newRow("unknown or unreached") << std::string("11?xx") << std::string("uncertain");
    QTest::newRow("a majority unreached") << std::string("11xxx") << std::string("unavailable");
    QTest::newRow("run out before") << std::string("ggg11") << std::string("gone");
    QTest::newRow("others have it") << std::string("0000g") << std::string("another's");
}

void TestRedlock::aReleaseFreesTheMajority()
{
    QFETCH(const std::string, answers);
    QFETCH(const std::string, word);
    ContenderBench bench = benchOf("+++++", answers);
    const auto outcome = bench.loop().run(theProtocol.release(bench.contender(), grantOf(bench)));
    QCOMPARE(wordFor(outcome), word);
    for (std::size_t i = 0; i < 5; ++i) {
        QCOMPARE(bench.store(i).asked(),
                 std::vector<std::string>{calling(scripts::kDeleteIfEqual, "1 k token")});
    }
}

void TestRedlock::aReleaseDoesNotWaitForASilentNode()
{
    ContenderBench bench = benchOf("+++", "111");
    bench.store(2).hold();
    const auto task = bench.loop().start(theProtocol.release(bench.contender(), grantOf(bench)));
    QVERIFY(!task.isFinished());
    bench.loop().advance(50ms);
    QCOMPARE(wordFor(task.result()), std::string("released"));
}

LOCKSCOPE_TEST(TestRedlock, Core)

} // namespace lockscope::tst_redlock

#include "tst_redlock.moc"
