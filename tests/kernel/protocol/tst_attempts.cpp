#include "core/kernel/protocol/attempts.h"
#include "tests/kernel/protocol/pretend_protocol.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_attempts {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

/// A bench with a protocol that never talks to a server.
struct Bench : ContenderBench {
    Bench() : ContenderBench(answering({})) {}

    PretendProtocol protocol;

    LockRequest requestFor(Duration waitLimit, Duration interval = 100ms) const
    {
        LockRequest request = ContenderBench::request();
        request.waitLimit = waitLimit;
        request.retry.interval = interval;
        return request;
    }
    StartedTask<AcquireOutcome> start(const LockRequest& request)
    {
        return loop().start(acquire(protocol, contender(), request));
    }
};

AcquireOutcome refusal(std::optional<Duration> remaining = {})
{
    Refused refused;
    refused.remaining = remaining;
    return refused;
}

} // namespace

class TestAttempts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstGrantEndsTheAcquisition();
    void withoutAWaitLimitThereIsOneTry();
    void refusalsAreFollowedByPauses();
    void theLastTryComesAtTheWaitLimit();
    void theTriesMayBeLimited();
    void aWrapperThatCountsFirstTriesOnceLess();
    void aServerThatIsAwayMayComeBack();
    void aServerThatRefusesIsNotAskedAgain();
    void aTryThatMayHaveBeenGrantedIsRememberedToTheEnd();
    void aGrantAfterALostAnswerIsAGrant();
    void aHoldThatIsCountedTwiceIsStillTheOutermost();
    void anInterruptionEndsThePauseAndTheAcquisition();
    void aTryCanBeHandedOver();
    void theStoryOfAnAcquisitionIsRecorded_data();
    void theStoryOfAnAcquisitionIsRecorded();
    void aRefusalRecordsTheTimeThatIsLeft();
};

void TestAttempts::theFirstGrantEndsTheAcquisition()
{
    Bench bench;
    bench.protocol.attempts = {refusal(), refusal(), Grant{}};
    const auto task = bench.start(bench.requestFor(1min));
    bench.loop().advance(200ms);
    QCOMPARE(takeGrant(task.result()).tries, 3);
}

void TestAttempts::withoutAWaitLimitThereIsOneTry()
{
    Bench bench;
    bench.protocol.attempts = {refusal(), Grant{}};
    const auto task = bench.start(bench.requestFor(0ms));
    QCOMPARE(std::get<Refused>(task.result()).tries, 1);
}

void TestAttempts::refusalsAreFollowedByPauses()
{
    Bench bench;
    bench.protocol.attempts = {refusal(), Grant{}};
    const auto task = bench.start(bench.requestFor(1min, 250ms));
    bench.loop().advance(249ms);
    QVERIFY(!task.isFinished());
    bench.loop().advance(1ms);
    QVERIFY(task.isFinished());
}

void TestAttempts::theLastTryComesAtTheWaitLimit()
{
    Bench bench;
    bench.protocol.attempts = {refusal()};
    const auto task = bench.start(bench.requestFor(250ms, 100ms));
    bench.loop().advance(249ms);
    QVERIFY(!task.isFinished());
    bench.loop().advance(1ms);
    QCOMPARE(std::get<Refused>(task.result()).tries, 4); // at 0, 100, 200 and 250 ms
}

void TestAttempts::theTriesMayBeLimited()
{
    Bench bench;
    bench.protocol.attempts = {refusal()};
    LockRequest request = bench.requestFor(1min);
    request.retry.triesMax = 3;
    const auto task = bench.start(request);
    bench.loop().advance(200ms);
    QCOMPARE(std::get<Refused>(task.result()).tries, 3);
}

void TestAttempts::aWrapperThatCountsFirstTriesOnceLess()
{
    Bench bench;
    bench.protocol.attempts = {refusal()};
    LockRequest request = bench.requestFor(1min);
    request.retry.triesMax = 3;
    request.retry.countsBeforeTrying = true;
    const auto task = bench.start(request);
    bench.loop().advance(100ms);
    QCOMPARE(std::get<Refused>(task.result()).tries, 2);
}

void TestAttempts::aServerThatIsAwayMayComeBack()
{
    Bench bench;
    bench.protocol.attempts = {away(), away(), Grant{}};
    const auto task = bench.start(bench.requestFor(1min));
    bench.loop().advance(200ms);
    QVERIFY(isGranted(task.result()));
}

void TestAttempts::aServerThatRefusesIsNotAskedAgain()
{
    Bench bench;
    bench.protocol.attempts = {refusedByServer(), Grant{}};
    const auto task = bench.start(bench.requestFor(1min));
    QCOMPARE(std::get<Unavailable>(task.result()).problem->kind,
             store::Problem::Kind::NoPermission);
}

void TestAttempts::aTryThatMayHaveBeenGrantedIsRememberedToTheEnd()
{
    Bench bench;
    Uncertain first = unanswered();
    first.possible = Grant{};
    first.possible->token = "first";
    bench.protocol.attempts = {first, refusal(), away()};
    const auto task = bench.start(bench.requestFor(300ms));
    bench.loop().advance(300ms);
    QCOMPARE(std::get<Uncertain>(task.result()).possible->token, Bytes("first"));
}

void TestAttempts::aGrantAfterALostAnswerIsAGrant()
{
    Bench bench;
    bench.protocol.attempts = {unanswered(), Grant{}};
    const auto task = bench.start(bench.requestFor(1min));
    bench.loop().advance(100ms);
    QCOMPARE(takeGrant(task.result()).tries, 2);
}

void TestAttempts::aHoldThatIsCountedTwiceIsStillTheOutermost()
{
    Bench bench;
    Grant second;
    second.holds = 2;
    bench.protocol.attempts = {refusal(), unanswered(), second};
    const auto task = bench.start(bench.requestFor(1min));
    bench.loop().advance(200ms);
    QCOMPARE(takeGrant(task.result()).holds, 1);

    Bench nested;
    nested.protocol.attempts = {refusal(), second};
    const auto other = nested.start(nested.requestFor(1min));
    nested.loop().advance(100ms);
    QCOMPARE(takeGrant(other.result()).holds, 2);
}

void TestAttempts::anInterruptionEndsThePauseAndTheAcquisition()
{
    Bench bench;
    bench.protocol.attempts = {refusal()};
    const auto task = bench.start(bench.requestFor(1min, 10s));
    bench.contender().interrupt();
    bench.loop().settle();
    QVERIFY(std::get<Refused>(task.result()).isInterrupted);
}

void TestAttempts::aTryCanBeHandedOver()
{
    Bench bench;
    bench.protocol.attempts = {refusal(), Grant{}};
    Attempts attempts(bench.protocol, bench.contender(), bench.requestFor(1min));
    for (int i = 0; i < 2; ++i) {
        auto attempt = bench.protocol.attempt(bench.contender(), bench.request());
        auto outcome = bench.loop().run(attempts.next(std::move(attempt)));
        QCOMPARE(attempts.isOver(outcome), i == 1);
    }
    QCOMPARE(attempts.count(), 2);
    QCOMPARE(bench.story(), std::string("refused"));
}

void TestAttempts::theStoryOfAnAcquisitionIsRecorded_data()
{
    QTest::addColumn<AcquireOutcome>("last");
    QTest::addColumn<std::string>("story");
    const auto add = [](const char* name, const AcquireOutcome& last, const std::string& end) {
        QTest::newRow(name) << last << "requested refused " + end;
    };
    add("granted", Grant{}, "granted");
    add("refused", refusal(), "refused gave-up");
    add("unavailable", refusedByServer(), "unavailable");
    add("uncertain", unanswered(), "uncertain");
}

void TestAttempts::theStoryOfAnAcquisitionIsRecorded()
{
    QFETCH(const AcquireOutcome, last);
    Bench bench;
    bench.protocol.attempts = {refusal(), last};
    const auto task = bench.start(bench.requestFor(100ms));
    bench.loop().advance(100ms);
    QVERIFY(task.isFinished());
    QTEST(bench.story(), "story");
    const trace::Event& end = bench.log().events().back();
    QVERIFY(end.kind != trace::EventKind::Unavailable || end.value == 1); // an error reply
}

void TestAttempts::aRefusalRecordsTheTimeThatIsLeft()
{
    Bench bench;
    bench.protocol.attempts = {refusal(2ms), refusal()};
    const auto task = bench.start(bench.requestFor(100ms));
    bench.loop().advance(100ms);
    QCOMPARE(bench.log().events()[1].value, std::int64_t{2000});
    QCOMPARE(bench.log().events()[2].value, std::int64_t{-1});
}

LOCKSCOPE_TEST(TestAttempts, Core)

} // namespace lockscope::tst_attempts

#include "tst_attempts.moc"
