#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/report/lock_explanation.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_lock_explanation {

using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;
using report::Explanation;

namespace {

const Bytes kUuid = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kOtherUuid = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

/// A pretended server and what is said of its locks.
struct Bench {
    VirtualLoop loop;
    PretendKeyspace keyspace{loop.clock()};
    ScriptedStore store{[this](const store::Command& command) { return keyspace.answer(command); }};

    Explanation explain(const Bytes& name)
    {
        const auto inspected = loop.run(inspectLock(store, loop.clock(), 0, name));
        const auto& inspection = std::get<LockInspection>(inspected);
        const auto plan = planFor(inspection, ReleaseAction::Release);
        return report::explain(*inspection.record(), inspection.snapshot, plan ? &*plan : nullptr,
                               loop.now());
    }
};

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::vector<std::string> commandsOf(const std::vector<Explanation::Step>& steps)
{
    std::vector<std::string> commands;
    for (const Explanation::Step& step : steps) {
        commands.push_back(step.command);
    }
    return commands;
}

} // namespace

class TestLockExplanation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTokenIsExplained();
    void aLockWithoutExpiryStaysForEver();
    void aFlagNamesNoHolder();
    void fieldsOfAHashAreNamed();
    void subscribersAreWokenByAMessage();
    void waitersInAQueueAreTold();
    void waitersThatBlockAreWokenByAPush();
    void waitersThatCannotBeWokenSleepOn();
    void otherHoldersRemain();
    void theScriptOfATokenCanBePasted();
    void binaryNamesAreEscapedForRedisCli();
    void whatHasToCompareMoreIsTheWholeScript();
    void theJsonHasAllOfIt();
};

void TestLockExplanation::aTokenIsExplained()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kUuid, 28s);
    const Explanation explanation = bench.explain("order:lock");
    QCOMPARE(explanation.keys.size(), std::size_t(1));
    QCOMPARE(explanation.keys.front().key, "order:lock"s);
    QCOMPARE(explanation.keys.front().meaning,
             "The lock itself, a string: it is there while the lock is held. Its value \"" + kUuid
                 + "\" is the token of the holder: only the client that knows it may release the "
                   "lock.");
    QCOMPARE(explanation.ifHolderDies,
             "It expires by itself in 28.0 s: nothing renews it any more."s);
    QVERIFY(has(explanation.wakeUp, "ask again and again"));
    QCOMPARE(commandsOf(explanation.inspect),
             (std::vector<std::string>{"GET order:lock", "PTTL order:lock"}));
}

void TestLockExplanation::aLockWithoutExpiryStaysForEver()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kUuid);
    QCOMPARE(bench.explain("order:lock").ifHolderDies,
             "It stays until it is released: nothing expires it."s);
}

void TestLockExplanation::aFlagNamesNoHolder()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1", 28s);
    QVERIFY(has(bench.explain("order:lock").keys.front().meaning,
                "Its value \"1\" names no holder."));
}

void TestLockExplanation::fieldsOfAHashAreNamed()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{kUuid + ":63", "2"}}, 28s);
    QVERIFY(has(bench.explain("order:lock").keys.front().meaning,
                "The field \"" + kUuid
                    + ":63\" is a holder, and 2 is how often it holds the lock."));
}

void TestLockExplanation::subscribersAreWokenByAMessage()
{
    LockRecord lock;
    lock.holders.resize(1);
    lock.waiterSource = WaiterSource::Channel;
    lock.waiters = 3;
    ReleasePlan plan;
    plan.recipe.channel = "wake:order";
    plan.recipe.payload = "0";
    const Explanation explanation = report::explain(lock, {0, "order", {}}, &plan, Instant());
    QCOMPARE(explanation.wakeUp,
             "Its waiters are subscribed to the channel wake:order; a release publishes \"0\" "
             "there, which wakes them. 3 clients are subscribed now."s);
    QCOMPARE(commandsOf(explanation.inspect),
             (std::vector<std::string>{"PUBSUB NUMSUB wake:order"}));
}

void TestLockExplanation::waitersInAQueueAreTold()
{
    LockRecord lock;
    lock.holders.resize(1);
    ReleasePlan plan;
    plan.recipe.script = ReleaseRecipe::Script::RedissonFair;
    plan.recipe.channel = "wake:order";
    plan.recipe.payload = "0";
    plan.recipe.companions = {"queue:order", "timeouts:order"};
    const Explanation explanation = report::explain(lock, {0, "order", {}}, &plan, Instant());
    QVERIFY(has(explanation.wakeUp, "queue up in queue:order"));
    QVERIFY(has(explanation.wakeUp, "wake:order:WAITER"));
}

void TestLockExplanation::waitersThatBlockAreWokenByAPush()
{
    Bench bench;
    bench.keyspace.setString("lock:order", "q83vASNFZ4mrze8BI0VniavN", 28s);
    QVERIFY(has(bench.explain("lock:order").wakeUp,
                "block in BLPOP on the list lock-signal:order"));
}

void TestLockExplanation::waitersThatCannotBeWokenSleepOn()
{
    LockRecord lock;
    lock.holders.resize(1);
    lock.expiresAt = Instant(28s);
    ReleasePlan plan;
    plan.recipe.leavesWaitersAsleep = true;
    const Explanation explanation = report::explain(lock, {0, "order", {}}, &plan, Instant());
    QVERIFY(has(explanation.wakeUp, "for at most 28.0 s"));
}

void TestLockExplanation::otherHoldersRemain()
{
    LockRecord lock;
    lock.holders.resize(3);
    lock.expiresAt = Instant(28s);
    QCOMPARE(report::explain(lock, {0, "order", {}}, nullptr, Instant()).ifHolderDies,
             "2 other holders remain. What it held stays until all holds expire together, in 28.0 "
             "s unless another holder renews them."s);
    for (Holder& holder : lock.holders) {
        holder.expiresAt = Instant(10s);
    }
    QVERIFY(has(report::explain(lock, {0, "order", {}}, nullptr, Instant()).ifHolderDies,
                "Each hold expires by itself"));
}

void TestLockExplanation::theScriptOfATokenCanBePasted()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kUuid, 28s);
    const std::vector<std::string> commands = commandsOf(bench.explain("order:lock").release);
    QCOMPARE(commands.size(), std::size_t(2));
    QCOMPARE(commands.front(), "DEL order:lock"s);
    QVERIFY(
        commands.back().starts_with("EVAL \"if redis.call('GET', KEYS[1]) == ARGV[1] then if "));
    QVERIFY(commands.back().ends_with(" end return 0\" 1 order:lock " + kUuid));
}

void TestLockExplanation::binaryNamesAreEscapedForRedisCli()
{
    Bench bench;
    const Bytes name = "order\x01 \":lock";
    bench.keyspace.setString(name, kUuid, 28s);
    const Explanation explanation = bench.explain(name);
    QCOMPARE(explanation.inspect.front().command, std::string("GET \"order\\x01 \\\":lock\""));
    QVERIFY(has(explanation.release.back().command, " 1 \"order\\x01 \\\":lock\" "));
}

void TestLockExplanation::whatHasToCompareMoreIsTheWholeScript()
{
    Bench bench;
    bench.keyspace.setString("order:lock", "1", 28s);
    const Explanation explanation = bench.explain("order:lock");
    QVERIFY(has(explanation.release.back().command, "PEXPIRETIME"));
    QVERIFY(!has(explanation.release.back().command, "\n"));
}

void TestLockExplanation::theJsonHasAllOfIt()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kUuid, 28s);
    const Explanation explanation = bench.explain("order:lock");
    const report::Json json = report::explanationJson(explanation);
    QCOMPARE(json["keys"][0]["meaning"].get<std::string>(), explanation.keys.front().meaning);
    QCOMPARE(json["ifHolderDies"].get<std::string>(), explanation.ifHolderDies);
    QCOMPARE(json["wakeUp"].get<std::string>(), explanation.wakeUp);
    QCOMPARE(json["inspect"][1]["command"].get<std::string>(), "PTTL order:lock"s);
    QCOMPARE(json["release"].size(), std::size_t(2));
    const std::string text = report::explanationText(explanation);
    for (const std::string& part :
         {explanation.ifHolderDies, explanation.wakeUp, explanation.release.back().command}) {
        QVERIFY(has(text, part));
    }
}

LOCKSCOPE_TEST(TestLockExplanation, Core)

} // namespace lockscope::tst_lock_explanation

#include "tst_lock_explanation.moc"
