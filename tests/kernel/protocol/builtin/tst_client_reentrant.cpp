#include "core/kernel/protocol/attempts.h"
#include "core/kernel/protocol/builtin/builtin.h"
#include "core/kernel/protocol/hold.h"
#include "protocol_scripts.h"
#include "tests/kernel/protocol/builtin/outcome_words.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_client_reentrant {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using store::Outcome;

namespace {

const LockProtocol& theProtocol = builtin::clientReentrant();
const Renewal theLoop = theProtocol.info().defaults.renewal;

std::string evalsha(store::Script script)
{
    return "EVALSHA " + std::string(script.digest);
}

const std::string kRenew = evalsha(scripts::kExpireIfEqual);
const std::string kUnlock = evalsha(scripts::kDeleteIfEqual);

class ReentrantBench : public ContenderBench {
public:
    explicit ReentrantBench(std::vector<std::pair<std::string, Outcome>> answers)
        : ContenderBench(answering(std::move(answers)))
    {
        useMemoryOf(theProtocol);
    }

    /// Another task of the same program.
    Contender anotherTask()
    {
        ClientEnvironment environment{contender().nodes(), loop().executor(), loop().clock(),
                                      log()};
        const Identity identity{contender().identity().client, contender().identity().task + 1};
        return Contender(std::move(environment), identity, 1, Rng(8), contender().memory());
    }
    Grant enter(LockRequest request)
    {
        return takeGrant(attempt(*this, theProtocol, std::move(request)));
    }
    Grant enter() { return enter(request()); }
    LockRequest requestFor(const char* key) const
    {
        return LockRequest::withDefaults(theProtocol.info(), key);
    }
};

} // namespace

class TestClientReentrant : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void redisSeesTheFirstEntryAndTheLastExit();
    void everyTaskCountsForItself();
    void anotherTaskHasNoTokenToReleaseWith();
    void everyKeyIsCountedForItself();
    void aNestedEntryNeitherChecksNorRenews();
    void aNestedEntryKnowsOfTheRenewals();
    void whatBecomesOfTheFirstEntry_data();
    void whatBecomesOfTheFirstEntry();
    void whatBecomesOfTheLastExit_data();
    void whatBecomesOfTheLastExit();
    void afterAFailedExitTheTaskHasToAskAgain();
    void theLoopExtendsAtOnceAndThenOncePerLease();
    void theRenewalAtTheEndOfTheLeaseComesTooLateAndNobodyIsTold();
    void afterAnErrorTheLoopSleepsAWholeLeaseAllTheSame();
    void releasingOneKeyStopsTheRenewalsOfAll();
    void lockingTurnsTheSharedSwitchOnAgain();
    void anInnerReleaseLeavesTheRenewalsAlone();
    void ofNTriesOneLessIsMade_data();
    void ofNTriesOneLessIsMade();
};

void TestClientReentrant::redisSeesTheFirstEntryAndTheLastExit()
{
    ReentrantBench bench({{"SET", ok()}, {kUnlock, number(1)}});
    const Grant outer = bench.enter();
    const Grant inner = bench.enter();
    QCOMPARE(outer.holds, 1);
    QCOMPARE(inner.holds, 2);
    QCOMPARE(inner.token, outer.token);
    QCOMPARE(wordFor(release(bench, theProtocol, inner)), "released, 1 left"s);
    QCOMPARE(wordFor(release(bench, theProtocol, outer)), "released"s);
    QCOMPARE(bench.store().asked(),
             (std::vector<std::string>{"SET k " + outer.token + " NX PX 10000",
                                       kUnlock + " 1 k " + outer.token}));
}

void TestClientReentrant::everyTaskCountsForItself()
{
    ReentrantBench bench({{"SET", ok()}});
    bench.enter();
    Contender other = bench.anotherTask();
    const auto outcome = bench.loop().run(theProtocol.attempt(other, bench.request()));
    QCOMPARE(wordFor(outcome), "granted"s); // because this server grants everything
    QCOMPARE(bench.store().askedCount("SET k "), std::size_t{2});
}

void TestClientReentrant::anotherTaskHasNoTokenToReleaseWith()
{
    ReentrantBench bench({{"SET", ok()}});
    const Grant grant = bench.enter();
    Contender other = bench.anotherTask();
    const auto outcome = bench.loop().run(theProtocol.release(other, grant));
    QCOMPARE(wordFor(outcome), "another's"s);
    QCOMPARE(bench.store().askedCount("EVALSHA"), std::size_t{0});
    QCOMPARE(bench.enter().holds, 2); // the first task has it as before
}

void TestClientReentrant::everyKeyIsCountedForItself()
{
    ReentrantBench bench({{"SET", ok()}});
    bench.enter();
    QCOMPARE(bench.enter(bench.requestFor("k2")).holds, 1);
    QCOMPARE(bench.store().askedCount("SET k2 "), std::size_t{1});
}

void TestClientReentrant::aNestedEntryNeitherChecksNorRenews()
{
    ReentrantBench bench({{"SET", ok()}});
    const Grant outer = bench.enter();
    bench.loop().advance(60s); // the lease is long over
    const Grant inner = bench.enter();
    QCOMPARE(inner.holds, 2);
    QCOMPARE(inner.trustedUntil, outer.trustedUntil);
    QCOMPARE(inner.grantedAt, bench.loop().now());
    QCOMPARE(bench.store().asked().size(), std::size_t{1});
}

void TestClientReentrant::aNestedEntryKnowsOfTheRenewals()
{
    ReentrantBench bench({{"SET", ok()}, {kRenew, number(1)}});
    const Grant outer = bench.enter();
    bench.loop().advance(4s);
    QCOMPARE(wordFor(renew(bench, theProtocol, outer)), "renewed"s);
    QCOMPARE(bench.enter().trustedUntil, std::optional(bench.loop().now() + 10s));
}

void TestClientReentrant::whatBecomesOfTheFirstEntry_data()
{
    QTest::addColumn<Outcome>("answer");
    QTest::addColumn<std::string>("word");
    QTest::newRow("held") << nil() << "refused"s;
    QTest::newRow("no answer") << lostReply() << "uncertain"s;
    QTest::newRow("not sent") << notSent() << "unavailable"s;
    QTest::newRow("error") << serverError() << "unavailable"s;
    QTest::newRow("nonsense") << nonsense() << "uncertain"s;
}

void TestClientReentrant::whatBecomesOfTheFirstEntry()
{
    QFETCH(const Outcome, answer);
    ReentrantBench bench({{"SET", answer}});
    QTEST(wordFor(attempt(bench, theProtocol)), "word");
    QTEST(wordFor(attempt(bench, theProtocol)), "word"); // nothing was counted
}

void TestClientReentrant::whatBecomesOfTheLastExit_data()
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

void TestClientReentrant::whatBecomesOfTheLastExit()
{
    QFETCH(const Outcome, answer);
    ReentrantBench bench({{"SET", ok()}, {kUnlock, answer}});
    const Grant grant = bench.enter();
    QTEST(wordFor(release(bench, theProtocol, grant)), "word");
}

void TestClientReentrant::afterAFailedExitTheTaskHasToAskAgain()
{
    ReentrantBench bench({{"SET", ok()}, {kUnlock, lostReply()}});
    release(bench, theProtocol, bench.enter());
    QCOMPARE(bench.enter().holds, 1);
    QCOMPARE(bench.store().askedCount("SET k "), std::size_t{2});
}

void TestClientReentrant::theLoopExtendsAtOnceAndThenOncePerLease()
{
    ReentrantBench bench({{"SET", ok()}, {kRenew, number(1)}});
    Hold hold(theProtocol, bench.contender(), bench.enter(bench.requestFor("k")), theLoop);
    bench.loop().settle();
    QCOMPARE(hold.renewalCount(), 1);
    bench.loop().advance(30s - 1ms);
    QCOMPARE(hold.renewalCount(), 1);
    bench.loop().advance(1ms);
    QCOMPARE(hold.renewalCount(), 2);
    bench.loop().advance(300s);
    QCOMPARE(hold.renewalCount(), 4);
}

void TestClientReentrant::theRenewalAtTheEndOfTheLeaseComesTooLateAndNobodyIsTold()
{
    std::vector<Outcome> answers{number(-1), number(1)}; // the last one first
    ContenderBench bench([&answers](const store::Command& command) {
        if (command.words.front() == "SET") {
            return ok();
        }
        const Outcome answer = answers.back();
        answers.pop_back();
        return answer;
    });
    bench.useMemoryOf(theProtocol);
    const LockRequest request = LockRequest::withDefaults(theProtocol.info(), "k");
    Hold hold(theProtocol, bench.contender(), takeGrant(attempt(bench, theProtocol, request)),
              theLoop);
    const async::BackgroundTask worker(bench.loop().executor(),
                                       hold.waitUntil(bench.loop().now() + 90s));
    bench.loop().settle();
    bench.loop().advance(80s);
    QCOMPARE(bench.story(), "renewed renewal-failed"s);
    QVERIFY(answers.empty());
}

void TestClientReentrant::afterAnErrorTheLoopSleepsAWholeLeaseAllTheSame()
{
    ReentrantBench bench({{"SET", ok()}, {kRenew, notSent()}});
    const Hold hold(theProtocol, bench.contender(), bench.enter(bench.requestFor("k")), theLoop);
    bench.loop().settle();
    bench.loop().advance(30s - 1ms);
    QCOMPARE(bench.store().askedCount(kRenew), std::size_t{1});
    bench.loop().advance(300s);
    QCOMPARE(bench.store().askedCount(kRenew), std::size_t{4}); // an error is a turn of the loop
}

void TestClientReentrant::releasingOneKeyStopsTheRenewalsOfAll()
{
    ReentrantBench bench({{"SET", ok()}, {kRenew, number(1)}, {kUnlock, number(1)}});
    Hold first(theProtocol, bench.contender(), bench.enter(bench.requestFor("k1")), theLoop);
    const Hold second(theProtocol, bench.contender(), bench.enter(bench.requestFor("k2")), theLoop);
    bench.loop().advance(10s);
    QCOMPARE(second.renewalCount(), 1);
    bench.loop().run(first.release());
    bench.loop().advance(100s);
    QCOMPARE(second.renewalCount(), 1);
    QVERIFY(bench.story().ends_with("releasing released")); // not a word about k2
}

void TestClientReentrant::lockingTurnsTheSharedSwitchOnAgain()
{
    ReentrantBench bench({{"SET", ok()}, {kRenew, number(1)}, {kUnlock, number(1)}});
    Hold first(theProtocol, bench.contender(), bench.enter(bench.requestFor("k1")), theLoop);
    const Hold second(theProtocol, bench.contender(), bench.enter(bench.requestFor("k2")), theLoop);
    bench.loop().advance(10s);
    bench.loop().run(first.release());
    const Hold third(theProtocol, bench.contender(), bench.enter(bench.requestFor("k3")), theLoop);
    bench.loop().advance(20s);
    QCOMPARE(second.renewalCount(), 2);
}

void TestClientReentrant::anInnerReleaseLeavesTheRenewalsAlone()
{
    ReentrantBench bench({{"SET", ok()}, {kRenew, number(1)}});
    const Hold outer(theProtocol, bench.contender(), bench.enter(bench.requestFor("k")), theLoop);
    Hold inner(theProtocol, bench.contender(), bench.enter(bench.requestFor("k")), theLoop);
    QCOMPARE(wordFor(bench.loop().run(inner.release())), "released, 1 left"s);
    bench.loop().advance(60s);
    QCOMPARE(outer.renewalCount(), 3);
}

void TestClientReentrant::ofNTriesOneLessIsMade_data()
{
    QTest::addColumn<int>("triesMax");
    QTest::addColumn<std::size_t>("made");
    QTest::newRow("1") << 1 << std::size_t{0};
    QTest::newRow("2") << 2 << std::size_t{1};
    QTest::newRow("5") << 5 << std::size_t{4};
}

void TestClientReentrant::ofNTriesOneLessIsMade()
{
    QFETCH(const int, triesMax);
    ReentrantBench bench({{"SET", nil()}});
    LockRequest request = bench.requestFor("k");
    request.waitLimit = 60s;
    request.retry.triesMax = triesMax;
    const auto task = bench.loop().start(acquire(theProtocol, bench.contender(), request));
    bench.loop().advance(59s);
    QVERIFY(task.isFinished());
    QCOMPARE(wordFor(task.result()), "refused"s);
    QTEST(bench.store().askedCount("SET"), "made");
}

LOCKSCOPE_TEST(TestClientReentrant, Core)

} // namespace lockscope::tst_client_reentrant

#include "tst_client_reentrant.moc"
