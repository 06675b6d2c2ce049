#include "core/kernel/inspect/force_release.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_force_release {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Outcome;
using store::Problem;
using store::Reply;

namespace {

const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

Reply answer(std::vector<std::int64_t> numbers)
{
    Reply::Array items;
    for (const std::int64_t number : numbers) {
        items.push_back(Reply::ofInteger(number));
    }
    return Reply::ofArray(std::move(items));
}

ReleaseReport reportWith(ReleaseResult result, std::int64_t woken = 0)
{
    ReleaseReport report;
    report.result = result;
    report.woken = woken;
    return report;
}

/// A pretended server whose scripts answer what the test says.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    Outcome scriptOutcome = answer({1, 0});
    ScriptedStore store{[this](const Command& command) {
        return command.words.front() == "EVAL" ? scriptOutcome : keyspace.answer(command);
    }};

    ReleasePlan plan(const Bytes& name = "order:lock")
    {
        const auto inspected = loop.run(inspectLock(store, loop.clock(), 0, name));
        return planFor(std::get<LockInspection>(inspected), ReleaseAction::Release).value();
    }
    ReleaseReport execute(const ReleasePlan& plan)
    {
        return loop.run(inspect::execute(store, loop.clock(), 0, plan));
    }
    StartedTask<NextHold> follow(ReleasePlan released)
    {
        return loop.start(inspect::follow(store, loop.clock(), 0, std::move(released), loop.now(),
                                          4s));
    }
    /// What is said of a lock that is there again as it was.
    NextHold::Kind seenAgain(const Bytes& name = "order:lock")
    {
        const auto following = follow(plan(name));
        return following.result().kind;
    }
};

} // namespace

class TestForceRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theAnswerOfTheScriptIsTheResult_data();
    void theAnswerOfTheScriptIsTheResult();
    void anErrorMeansThatNothingWasDone();
    void notSentMeansThatNothingWasDone();
    void sentAndNotAnsweredIsUnknown();
    void exactlyThePlannedCommandIsSent();
    void whoHasItNowIsToldWhenItChangedHands();
    void severalServersSumUp_data();
    void severalServersSumUp();
    void theNextOwnerIsFound();
    void aTokenOfOneHoldThatIsThereAgainCameBack();
    void anOwnerOfAThreadTookItAgain();
    void anOwnerOfAProcessTookItAgain();
    void whatARenewalCreatesCameBackWhateverItsOwnerIs();
    void aRenewalIsWaitedFor_data();
    void aRenewalIsWaitedFor();
    void anOwnerThatIsNoIdentityTellsNothing_data();
    void anOwnerThatIsNoIdentityTellsNothing();
    void aLockThatNobodyTakesStaysFree();
    void aLostLinkLeavesItNotKnown();
};

void TestForceRelease::theAnswerOfTheScriptIsTheResult_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<QByteArray>("result");
    QTest::newRow("done") << 0 << QByteArray("released");
    QTest::newRow("another owner") << 1 << QByteArray("changed-hands");
    QTest::newRow("no key") << 2 << QByteArray("already-gone");
    QTest::newRow("something else") << 3 << QByteArray("unknown");
    QTest::newRow("no array") << 4 << QByteArray("unknown");
    QTest::newRow("empty") << 5 << QByteArray("unknown");
}

void TestForceRelease::theAnswerOfTheScriptIsTheResult()
{
    QFETCH(const int, index);
    QFETCH(const QByteArray, result);
    const Reply answers[] = {answer({1, 3}), answer({0}), answer({-1}),
                             answer({7}),    Reply(),     answer({})};
    const ReleaseReport report = reportOf(answers[index]);
    QCOMPARE(QByteArray(idOf(report.result).data()), result);
    QCOMPARE(report.woken, std::int64_t(index == 0 ? 3 : 0));
}

void TestForceRelease::anErrorMeansThatNothingWasDone()
{
    const ReleaseReport report =
        reportOf(Reply::ofError("NOPERM User reader has no permissions to run the 'eval' command"));
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY(report.problem.kind == Problem::Kind::NoPermission);
    QCOMPARE(report.problem.rule, std::string("+eval"));
    QVERIFY(reportOf(Reply::ofError("READONLY You can't write against a read only replica."))
                .problem.kind
            == Problem::Kind::ReplicaReadOnly);
}

void TestForceRelease::notSentMeansThatNothingWasDone()
{
    const Problem problem{Problem::Kind::ReadOnlyMode, "EVAL", {}, {}};
    const ReleaseReport report = reportOf(store::Unreachable{problem});
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY(report.problem == problem);
}

void TestForceRelease::sentAndNotAnsweredIsUnknown()
{
    const Problem problem{Problem::Kind::ReplyTimedOut, "no answer in time", {}, {}};
    const ReleaseReport report = reportOf(store::Unknown{problem});
    QVERIFY(report.result == ReleaseResult::Unknown);
    QVERIFY(report.problem == problem);
}

void TestForceRelease::exactlyThePlannedCommandIsSent()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const ReleasePlan plan = bench.plan();
    bench.store.forgetAsked();
    QVERIFY(bench.execute(plan).result == ReleaseResult::Released);
    QCOMPARE(bench.store.asked(), (std::vector<std::string>{toText(plan.command)}));
}

void TestForceRelease::whoHasItNowIsToldWhenItChangedHands()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const ReleasePlan plan = bench.plan();
    bench.keyspace.setString("order:lock", kBob, 30s);
    bench.scriptOutcome = answer({0});
    const ReleaseReport report = bench.execute(plan);
    QVERIFY(report.result == ReleaseResult::ChangedHands);
    QVERIFY(report.nowThere != nullptr);
    QCOMPARE(report.nowThere->holders.front().owner, kBob);
}

void TestForceRelease::severalServersSumUp_data()
{
    QTest::addColumn<QList<int>>("results");
    QTest::addColumn<int>("summary");
    const auto id = [](ReleaseResult result) { return static_cast<int>(result); };
    const int released = id(ReleaseResult::Released);
    const int changed = id(ReleaseResult::ChangedHands);
    const int gone = id(ReleaseResult::AlreadyGone);
    const int refused = id(ReleaseResult::Refused);
    const int unknown = id(ReleaseResult::Unknown);
    QTest::newRow("all released") << QList<int>{released, released, released} << released;
    QTest::newRow("one released") << QList<int>{gone, released, changed} << released;
    QTest::newRow("one unknown") << QList<int>{released, released, unknown} << unknown;
    QTest::newRow("one refused, none released") << QList<int>{gone, refused, changed} << refused;
    QTest::newRow("one changed hands") << QList<int>{gone, changed, gone} << changed;
    QTest::newRow("all gone") << QList<int>{gone, gone} << gone;
}

void TestForceRelease::severalServersSumUp()
{
    QFETCH(const QList<int>, results);
    QFETCH(const int, summary);
    std::vector<std::pair<std::uint16_t, ReleaseReport>> reports;
    for (const int result : results) {
        reports.emplace_back(reports.size(), reportWith(static_cast<ReleaseResult>(result), 2));
    }
    const ReleaseReport report = summaryOf(reports);
    QCOMPARE(static_cast<int>(report.result), summary);
    QCOMPARE(report.woken, std::int64_t(2 * results.size()));
    QCOMPARE(report.perServer.size(), std::size_t(results.size()));
    QCOMPARE(int(report.perServer.back().first), int(results.size()) - 1);
    QCOMPARE(static_cast<int>(report.perServer.back().second), results.back());
}

void TestForceRelease::theNextOwnerIsFound()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const ReleasePlan released = bench.plan();
    bench.keyspace.remove("order:lock");
    const auto following = bench.follow(released);
    bench.loop.advance(40ms);
    QVERIFY(!following.isFinished());
    bench.keyspace.setString("order:lock", kBob, 30s);
    bench.loop.advance(100ms);
    QVERIFY(following.isFinished());
    const NextHold& nextHold = following.result();
    QVERIFY(nextHold.kind == NextHold::Kind::TakenByOther);
    QCOMPARE(nextHold.next->holders.front().owner, kBob);
    QVERIFY(nextHold.after >= 40ms && nextHold.after <= 140ms);
}

void TestForceRelease::aTokenOfOneHoldThatIsThereAgainCameBack()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    QVERIFY(bench.seenAgain() == NextHold::Kind::CameBack);
}

void TestForceRelease::anOwnerOfAThreadTookItAgain()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{kAlice + ":63", "1"}}, 30s);
    QVERIFY(bench.seenAgain() == NextHold::Kind::TakenBySameOwner);
}

void TestForceRelease::anOwnerOfAProcessTookItAgain()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "worker-7:4711", 30s);
    QVERIFY(bench.seenAgain() == NextHold::Kind::TakenBySameOwner);
}

void TestForceRelease::whatARenewalCreatesCameBackWhateverItsOwnerIs()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{kAlice + ":63", "1"}}, 30s);
    ReleasePlan plan = bench.plan();
    plan.recipe.recreation = ReleaseRecipe::Recreation::Certain;
    QVERIFY(bench.follow(plan).result().kind == NextHold::Kind::CameBack);
}

void TestForceRelease::aRenewalIsWaitedFor_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("ttlSeconds");
    QTest::addColumn<int>("patienceSeconds");
    const QByteArray uuid = QByteArray::fromStdString(kAlice);
    QTest::newRow("the library does it") << QByteArray("redlock:order") << uuid << 20 << 21;
    QTest::newRow("but not for hours") << QByteArray("redlock:order") << uuid << 7200 << 60;
    QTest::newRow("some libraries do it") << QByteArray("order:lock") << uuid << 8 << 9;
    QTest::newRow("not of a long lease") << QByteArray("order:lock") << uuid << 30 << 4;
    QTest::newRow("no library does it")
        << QByteArray("lock:order") << QByteArray("f8a16a0ee4bf41f185fa02fc00000001") << 8 << 4;
}

void TestForceRelease::aRenewalIsWaitedFor()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, value);
    QFETCH(const int, ttlSeconds);
    QFETCH(const int, patienceSeconds);
    Bench bench;
    bench.keyspace.setString(key.toStdString(), value.toStdString(),
                             std::chrono::seconds(ttlSeconds));
    const ReleasePlan plan = bench.plan(key.toStdString());
    QCOMPARE(followPatience(plan, 4s), Duration(std::chrono::seconds(patienceSeconds)));
}

void TestForceRelease::anOwnerThatIsNoIdentityTellsNothing_data()
{
    QTest::addColumn<int>("format");
    QTest::newRow("a flag") << 0;
    QTest::newRow("a pair of flags") << 1;
    QTest::newRow("the name of the lock") << 2;
    QTest::newRow("a token that is handed on") << 3;
    QTest::newRow("the name of the key") << 4;
}

void TestForceRelease::anOwnerThatIsNoIdentityTellsNothing()
{
    QFETCH(const int, format);
    Bench bench;
    Bytes name = "order:lock";
    switch (format) {
    case 0: bench.keyspace.setString(name, "1", 30s); break;
    case 1: bench.keyspace.setString(name + ":read", "1", 30s); break;
    case 2:
        name = "huey.results.shop";
        bench.keyspace.setHash(name, {{"shop.lock.nightly", "1"}});
        break;
    case 3: {
        name = "SEMAPHORE:reports:GRABBED";
        const std::int64_t seconds = toEpochMs(bench.loop.clock().wallNow()) / 1000;
        bench.keyspace.setHash(name, {{"0", std::to_string(seconds) + ".5"}});
        break;
    }
    default:
        name = "7d0f2f1b-7d0f-4f1b-8d0f-2f1b7d0f2f1c:lock";
        bench.keyspace.setString(name, name, 30s);
    }
    QCOMPARE(idOf(bench.seenAgain(name)), std::string_view("taken"));
}

void TestForceRelease::aLockThatNobodyTakesStaysFree()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const ReleasePlan released = bench.plan();
    bench.keyspace.remove("order:lock");
    bench.store.forgetAsked();
    const auto following = bench.follow(released);
    bench.loop.advance(3900ms);
    QVERIFY(!following.isFinished());
    bench.loop.advance(1s);
    QVERIFY(following.isFinished());
    QVERIFY(following.result().kind == NextHold::Kind::StillFree);
    QVERIFY(bench.store.askedCount("TIME") < 40); // it looks less and less often
}

void TestForceRelease::aLostLinkLeavesItNotKnown()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kAlice, 30s);
    const ReleasePlan released = bench.plan();
    bench.keyspace.remove("order:lock");
    const auto following = bench.follow(released);
    bench.store.breakLink();
    bench.loop.advance(1s);
    QVERIFY(following.isFinished());
    QVERIFY(following.result().kind == NextHold::Kind::NotKnown);
}

LOCKSCOPE_TEST(TestForceRelease, Core)

} // namespace lockscope::tst_force_release

#include "tst_force_release.moc"
