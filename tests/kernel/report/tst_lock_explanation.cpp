#include "core/kernel/inspect/formats/format_table.h"
#include "core/kernel/inspect/lock_inspection.h"
#include "core/kernel/report/by_hand.h"
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

std::vector<std::string> commandsOf(const std::vector<report::ByHand>& steps)
{
    std::vector<std::string> commands;
    for (const report::ByHand& step : steps) {
        commands.push_back(step.command);
    }
    return commands;
}

/// A string without expiry.
LockSnapshot snapshotOf(const Bytes& key, const Bytes& value)
{
    Observation seen;
    seen.key = key;
    seen.type = ValueType::String;
    seen.value = value;
    return {0, key, {seen}};
}

/// What a release removes: a key, or parts of it.
ReleaseRecipe::KeyCheck removed(const Bytes& key)
{
    ReleaseRecipe::KeyCheck check;
    check.key = key;
    return check;
}

ReleaseRecipe::KeyCheck removed(const Bytes& key, ReleaseRecipe::KeyCheck::Kind kind,
                                std::vector<Bytes> parts)
{
    ReleaseRecipe::KeyCheck check = removed(key);
    check.kind = kind;
    check.fields = std::move(parts);
    check.isPart = true;
    return check;
}

/// Those of a release, without the last one, which does all of it.
std::vector<std::string> singleCommandsOf(const ReleasePlan& plan, const LockSnapshot& snapshot)
{
    std::vector<std::string> commands = commandsOf(report::releaseByHand(plan, snapshot));
    commands.pop_back();
    return commands;
}

/// Epoch seconds of a minute ago on the clock of the pretended server.
Bytes secondsAgo(Bench& bench)
{
    return std::to_string(toEpochMs(bench.loop.clock().wallNow()) / 1000 - 60) + ".0";
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
    void waitersThatNoMessageReachesSleep_data();
    void waitersThatNoMessageReachesSleep();
    void aComposedReleasePushesToo();
    void theNewNumberOfFreePermitsIsTold();
    void theWordsOfTheFormatCount();
    void aFormatOfTheUserHasItsWordsToo();
    void whoKeepsItAliveIsTold();
    void otherHoldersRemain();
    void theScriptOfATokenCanBePasted();
    void binaryNamesAreEscapedForRedisCli();
    void whatHasToCompareMoreIsTheWholeScript();
    void everyStepOfAFairLockIsACommand();
    void everyStepOfAReadWriteLockIsACommand();
    void everyStepOfASemaphoreIsACommand();
    void everyStepOfAPushIsACommand();
    void everyStepOfAComposedReleaseIsACommand();
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
    bench.keyspace.setHash("order:lock", {{"worker-7", "2"}}, 28s);
    QVERIFY(has(bench.explain("order:lock").keys.front().meaning,
                "The field \"worker-7\" is a holder, and 2 is how often it holds the lock."));
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
    LockSnapshot snapshot{0, "order", {}};
    Observation queue;
    queue.key = "queue:order";
    queue.type = ValueType::List;
    snapshot.companions = {queue};
    const std::string fair = report::explain(lock, snapshot, &plan, Instant()).wakeUp;
    QVERIFY(has(fair, "queue up in queue:order"));
    QVERIFY(has(fair, "wake:order:WAITER"));
    // Without a queue, nothing says that it is a fair lock.
    snapshot.companions.front().type = ValueType::None;
    const std::string plain = report::explain(lock, snapshot, &plan, Instant()).wakeUp;
    QVERIFY(has(plain, "are subscribed to the channel wake:order; a release publishes \"0\""));
    QVERIFY(has(plain, "Those of a fair lock would queue up in queue:order."));
}

void TestLockExplanation::waitersThatBlockAreWokenByAPush()
{
    Bench bench;
    bench.keyspace.setString("lock:order", "q83vASNFZ4mrze8BI0VniavN", 28s);
    QVERIFY(has(bench.explain("lock:order").wakeUp,
                "block on the list lock-signal:order, as by BLPOP"));
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

void TestLockExplanation::waitersThatNoMessageReachesSleep_data()
{
    using Sleep = ReleaseRecipe::Sleep;
    QTest::addColumn<int>("sleep");
    QTest::addColumn<bool>("expires");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, Sleep sleep, bool expires, const std::string& said) {
        QTest::newRow(name) << static_cast<int>(sleep) << expires << said;
    };
    row("time left", Sleep::TimeLeft, true, "for the time left that it saw last, at most 28.0 s.");
    row("no end", Sleep::TimeLeft, false, "sleeps for ever: it saw a lock without expiry.");
    row("lease", Sleep::Lease, true, "for as long as the lease that it wants for itself");
    row("own wait", Sleep::OwnWait, true, "until its own wait is over, which may be never.");
}

void TestLockExplanation::waitersThatNoMessageReachesSleep()
{
    QFETCH(const int, sleep);
    QFETCH(const bool, expires);
    QFETCH(const std::string, said);
    LockRecord lock;
    lock.holders.resize(1);
    if (expires) {
        lock.expiresAt = Instant(28s);
    }
    ReleasePlan plan;
    plan.recipe.channel = "wake:order";
    plan.recipe.sleep = static_cast<ReleaseRecipe::Sleep>(sleep);
    const std::string wakeUp = report::explain(lock, {0, "order", {}}, &plan, Instant()).wakeUp;
    QVERIFY2(has(wakeUp, said), wakeUp.c_str());
}

void TestLockExplanation::aComposedReleasePushesToo()
{
    Bench bench;
    bench.keyspace.setHash("SEMAPHORE:mail:GRABBED", {{"0", secondsAgo(bench)}});
    QVERIFY(has(bench.explain("SEMAPHORE:mail:GRABBED").wakeUp,
                "block on the list SEMAPHORE:mail:AVAILABLE, as by BLPOP; a release pushes \"0\""));
}

void TestLockExplanation::theNewNumberOfFreePermitsIsTold()
{
    LockRecord lock;
    lock.holders.resize(1);
    ReleasePlan plan;
    plan.recipe.script = ReleaseRecipe::Script::RedissonPermits;
    plan.recipe.checks.resize(1);
    plan.recipe.moreArguments = {"1"};
    plan.recipe.channel = "redisson_sc:{order}";
    QVERIFY(has(report::explain(lock, snapshotOf("order", "3"), &plan, Instant()).wakeUp,
                "publishes the new number of free permits there"));
}

void TestLockExplanation::theWordsOfTheFormatCount()
{
    Bench bench;
    bench.keyspace.setHash("order:lock", {{kUuid + ":63", "2"}}, 28s);
    const Explanation redisson = bench.explain("order:lock");
    QVERIFY(has(redisson.keys.front().meaning, "thread 63 of the Redisson client " + kUuid));
    QVERIFY(has(redisson.whileHeld, "by the watchdog of the holder's client"));
    bench.keyspace.setString("RedisMutex:job", secondsAgo(bench));
    const std::string dies = bench.explain("RedisMutex:job").ifHolderDies;
    QCOMPARE(dies, "After the time in its value, any client takes it over, although the key "
                   "stays."s);
    bench.keyspace.setString("unacked_mutex", "f8a16a0ee4bf11f185fa02fc00000001", 28s);
    QVERIFY(has(bench.explain("unacked_mutex").wakeUp, "No client waits for it"));
}

void TestLockExplanation::aFormatOfTheUserHasItsWordsToo()
{
    const auto read = readFormatFile(R"({"id": "acme", "library": "Acme", "summary": "A job.",
        "keys": ["acme:job:*"], "values": ["{host=text}/{pid=digits}"], "confidence": "high",
        "renewal": "Acme renews it.", "ifHolderDies": "Acme starts another.",
        "waiting": "Acme rings a bell."})");
    const FormatTable table({std::get<FormatFile>(read)}, {}, nullptr);
    LockRecord lock;
    lock.setFormat("acme");
    lock.holders.resize(1);
    lock.expiresAt = Instant(28s);
    const Explanation explanation = report::explain(lock, snapshotOf("acme:job:1", "web-2/4711"),
                                                    nullptr, Instant(), table.recognisers());
    QVERIFY(has(explanation.keys.front().meaning, "It consists of: host: web-2; pid: 4711."));
    QCOMPARE(explanation.whileHeld, "Acme renews it."s);
    QVERIFY(explanation.ifHolderDies.ends_with("Acme starts another."));
    QCOMPARE(explanation.wakeUp, "Acme rings a bell."s);
}

void TestLockExplanation::whoKeepsItAliveIsTold()
{
    LockRecord lock;
    lock.holders.resize(1);
    QCOMPARE(report::explain(lock, {0, "order", {}}, nullptr, Instant()).whileHeld, ""s);
    lock.renewals = 3;
    lock.lastRenewal = Instant(8s);
    QCOMPARE(report::explain(lock, {0, "order", {}}, nullptr, Instant(10s)).whileHeld,
             "It was seen to be renewed 3 times, the last time 2.0 s ago."s);
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

void TestLockExplanation::everyStepOfAFairLockIsACommand()
{
    const WallTime now = wallTimeOfMs(1'795'000'000'000);
    LockSnapshot snapshot = snapshotOf("order", {});
    Observation queue;
    queue.key = "queue:order";
    queue.type = ValueType::List;
    queue.fields = {{"gone", {}}, {"next", {}}};
    Observation times = queue;
    times.key = "timeouts:order";
    times.type = ValueType::SortedSet;
    times.serverTime = now;
    times.fields = {{"gone", std::to_string(toEpochMs(now) - 1)},
                    {"next", std::to_string(toEpochMs(now) + 1)}};
    snapshot.companions = {queue, times};
    ReleasePlan plan;
    plan.recipe.script = ReleaseRecipe::Script::RedissonFair;
    plan.recipe.checks = {removed("order")};
    plan.recipe.channel = "wake:order";
    plan.recipe.payload = "0";
    plan.recipe.companions = {"queue:order", "timeouts:order"};
    QCOMPARE(singleCommandsOf(plan, snapshot),
             (std::vector<std::string>{"PUBLISH wake:order:next 0", "LREM queue:order 1 gone",
                                       "ZREM timeouts:order gone", "DEL order"}));
}

void TestLockExplanation::everyStepOfAReadWriteLockIsACommand()
{
    ReleasePlan plan;
    plan.recipe.script = ReleaseRecipe::Script::RedissonReadWrite;
    plan.recipe.checks = {removed("order")};
    plan.recipe.channel = "redisson_rwlock:{order}";
    plan.recipe.payload = "1";
    plan.recipe.companions = {"{order}:a:rwlock_timeout:1"};
    QCOMPARE(singleCommandsOf(plan, snapshotOf("order", {})),
             (std::vector<std::string>{"PUBLISH redisson_rwlock:{order} 1", "DEL order",
                                       "DEL {order}:a:rwlock_timeout:1"}));
}

void TestLockExplanation::everyStepOfASemaphoreIsACommand()
{
    ReleasePlan plan;
    plan.recipe.script = ReleaseRecipe::Script::RedissonPermits;
    plan.recipe.checks = {
        removed("{order}:timeout", ReleaseRecipe::KeyCheck::Kind::Members, {"p1", "p2"})};
    plan.recipe.companions = {"order"};
    plan.recipe.channel = "redisson_sc:{order}";
    plan.recipe.moreArguments = {"2"};
    QCOMPARE(singleCommandsOf(plan, snapshotOf("order", "3")),
             (std::vector<std::string>{"ZREM {order}:timeout p1 p2", "INCRBY order 2",
                                       "PUBLISH redisson_sc:{order} 5"}));
}

void TestLockExplanation::everyStepOfAPushIsACommand()
{
    Bench bench;
    bench.keyspace.setString("lock:order", "q83vASNFZ4mrze8BI0VniavN", 28s);
    std::vector<std::string> commands = commandsOf(bench.explain("lock:order").release);
    commands.pop_back();
    QCOMPARE(commands,
             (std::vector<std::string>{"DEL lock-signal:order", "LPUSH lock-signal:order 1",
                                       "PEXPIRE lock-signal:order 1000", "DEL lock:order"}));
}

void TestLockExplanation::everyStepOfAComposedReleaseIsACommand()
{
    using Step = ReleaseRecipe::Step;
    ReleasePlan plan;
    plan.recipe.script = ReleaseRecipe::Script::Composed;
    plan.recipe.checks = {removed("d:LOCKED", ReleaseRecipe::KeyCheck::Kind::Fields, {"jid"})};
    plan.recipe.companions = {"digests", "d", "d:QUEUED", "count"};
    plan.recipe.steps = {{.kind = Step::Kind::Remove},
                         {.kind = Step::Kind::DropMemberIfGone, .key = 1, .value = "d"},
                         {.kind = Step::Kind::DropIfGone, .key = 2},
                         {.kind = Step::Kind::Push, .key = 3, .value = "1", .number = 5000},
                         {.kind = Step::Kind::Subtract, .key = 4, .number = 2},
                         {.kind = Step::Kind::SetField, .key = 0, .name = "lock", .value = "0"}};
    QCOMPARE(singleCommandsOf(plan, snapshotOf("d:LOCKED", {})),
             (std::vector<std::string>{"HDEL d:LOCKED jid", "ZREM digests d", "DEL d",
                                       "LPUSH d:QUEUED 1", "PEXPIRE d:QUEUED 5000",
                                       "DECRBY count 2", "HSET d:LOCKED lock 0"}));
}

void TestLockExplanation::theJsonHasAllOfIt()
{
    Bench bench;
    bench.keyspace.setString("order:lock", kUuid, 28s);
    const Explanation explanation = bench.explain("order:lock");
    const report::Json json = report::explanationJson(explanation);
    QCOMPARE(json["keys"][0]["meaning"].get<std::string>(), explanation.keys.front().meaning);
    QCOMPARE(json["ifHolderDies"].get<std::string>(), explanation.ifHolderDies);
    QVERIFY(json["whileHeld"].is_null());
    QCOMPARE(json["wakeUp"].get<std::string>(), explanation.wakeUp);
    QCOMPARE(json["inspect"][1]["command"].get<std::string>(), "PTTL order:lock"s);
    QCOMPARE(json["release"].size(), std::size_t(2));
}

LOCKSCOPE_TEST(TestLockExplanation, Core)

} // namespace lockscope::tst_lock_explanation

#include "tst_lock_explanation.moc"
