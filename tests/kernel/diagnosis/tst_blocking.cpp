#include "core/kernel/diagnosis/blocking.h"
#include "tests/kernel/inspect/lock_book_bench.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace lockscope::tst_blocking {

using namespace lockscope::diagnosis;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace std::string_literals;

namespace {

/// Waiters since so many seconds before `kStart + 10s`.
struct Waits {
    Bytes owner;
    Duration span;
};

LockPtr lockOf(Bytes name, Bytes owner, const std::vector<Waits>& waits, std::uint16_t server = 0)
{
    LockRecord record;
    record.id = {server, std::move(name)};
    record.holders.resize(1);
    record.holders.front().owner = std::move(owner);
    record.firstSeen = kStart;
    record.isTakenWhileWatching = true;
    auto queue = std::make_shared<WaitQueue>();
    for (const Waits& wait : waits) {
        queue->push_back({wait.owner, kStart + 10s - wait.span, true});
    }
    record.seldom->queue = std::move(queue);
    return makeShared<const LockRecord>(std::move(record));
}

BlockingForest forestOf(const std::vector<LockPtr>& locks)
{
    return blockingForestOf(locks, kStart + 10s);
}

std::string textOf(const std::vector<LockPtr>& locks)
{
    return forestText(forestOf(locks), kStart + 10s);
}

} // namespace

class TestBlocking : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoWaitsBehindWhom();
    void theLongestWaitComesFirst();
    void ownersOfOtherServersAreOthers();
    void aRingIsADeadlock();
    void waitersWithoutNamesAreCounted();
    void aSumIsAtLeastWhatItsPartsAre();
    void itIsToldInJson();
    void aFairQueueIsReadAndRemembered();
};

void TestBlocking::whoWaitsBehindWhom()
{
    QCOMPARE(textOf({lockOf("a", "A", {{"B", 4s}, {"C", 1s}}), lockOf("b", "B", {{"D", 3s}}),
                     lockOf("c", "E", {})}),
             "a: held by A for 10 s; 3 wait behind it, 8.0 s together\n"
             "  B waits for 4.0 s, and holds\n"
             "    b: held by B for 10 s; 1 wait behind it, 3.0 s together\n"
             "      D waits for 3.0 s\n"
             "  C waits for 1.0 s\n"s);
    QCOMPARE(textOf({lockOf("c", "E", {})}), "Nobody is known by name to wait for a lock.\n"s);
}

void TestBlocking::theLongestWaitComesFirst()
{
    const BlockingForest forest = forestOf({lockOf("a", "A", {{"B", 1s}}),
                                            lockOf("c", "C", {{"D", 2s}, {"E", 2s}})});
    QCOMPARE(forest.roots.size(), std::size_t(2));
    QCOMPARE(forest.roots.front().lock->id.name, "c"s);
    QVERIFY(forest.roots.front().waited == Duration(4s));
}

void TestBlocking::ownersOfOtherServersAreOthers()
{
    const BlockingForest forest = forestOf({lockOf("a", "A", {{"B", 1s}}),
                                            lockOf("b", "B", {{"D", 3s}}, 1)});
    QCOMPARE(forest.roots.size(), std::size_t(2));
}

void TestBlocking::aRingIsADeadlock()
{
    const std::vector<LockPtr> locks = {lockOf("a", "A", {{"B", 1s}}),
                                        lockOf("b", "B", {{"C", 1s}}),
                                        lockOf("c", "C", {{"A", 1s}, {"D", 1s}}),
                                        lockOf("d", "D", {{"E", 1s}})};
    const BlockingForest forest = forestOf(locks);
    QVERIFY(forest.roots.empty());
    QCOMPARE(forest.deadlocks.size(), std::size_t(1));
    QCOMPARE(textOf(locks), "Deadlock: each holder waits for the next lock.\n"
                            "  a: held by A\n  c: held by C\n  b: held by B\n"s);
}

void TestBlocking::waitersWithoutNamesAreCounted()
{
    LockRecord record = *lockOf("a", "A", {});
    record.waiters = 3;
    const BlockingForest forest = forestOf({makeShared<const LockRecord>(record)});
    QVERIFY(forest.isEmpty());
    QCOMPARE(forest.uncountedLocks, std::size_t(1));
}

void TestBlocking::aSumIsAtLeastWhatItsPartsAre()
{
    LockRecord record = *lockOf("b", "B", {{"D", 3s}});
    auto queue = std::make_shared<inspect::WaitQueue>(*record.queue());
    queue->front().isNew = false; // it waited already when it was first seen
    record.seldom->queue = std::move(queue);
    const std::vector<LockPtr> locks = {lockOf("a", "A", {{"B", 4s}}),
                                        makeShared<const LockRecord>(record)};
    QVERIFY(forestOf(locks).roots.front().hasWaitedLonger);
    QVERIFY(textOf(locks).find("2 wait behind it, ≥ 7.0 s together") != std::string::npos);
    QVERIFY(forestJson(forestOf(locks))["roots"][0]["atLeast"].get<bool>());
}

void TestBlocking::itIsToldInJson()
{
    const report::Json json = forestJson(forestOf({lockOf("a", "A", {{"B", 4s}}),
                                                   lockOf("b", "B", {{"D", 3s}})}));
    QCOMPARE(json["roots"][0]["key"].get<std::string>(), "a"s);
    QCOMPARE(json["roots"][0]["waitedMs"].get<int>(), 7000);
    QCOMPARE(json["roots"][0]["waiters"][0]["owner"].get<std::string>(), "B"s);
    QCOMPARE(json["roots"][0]["waiters"][0]["holds"][0]["key"].get<std::string>(), "b"s);
    QVERIFY(json["deadlocks"].empty());
}

void TestBlocking::aFairQueueIsReadAndRemembered()
{
    LockBookBench bench;
    const auto see = [&bench](std::vector<HashField> waiters, Instant at) {
        LockSnapshot snapshot = of(hashKey("order", kAlice + ":7", 1, 600s, at));
        Observation queue = hashKey("redisson_lock_queue:{order}", std::move(waiters), {}, at);
        queue.type = ValueType::List;
        snapshot.companions = {std::move(queue)};
        bench.book.see(snapshot, at);
        return bench.row("order");
    };
    LockPtr row = see({}, kStart);
    QVERIFY(!row->queue());
    row = see({{kBob + ":8", {}}}, kStart + 1s);
    QCOMPARE(row->queue()->size(), std::size_t(1));
    QCOMPARE(row->queue()->front().owner, kBob + ":8");
    QVERIFY(row->queue()->front().isNew);
    row = see({{kBob + ":8", {}}, {kUuid + ":9", {}}}, kStart + 3s);
    QCOMPARE(row->queue()->size(), std::size_t(2));
    QVERIFY(row->queue()->front().since == kStart + 1s); // as it was seen first
    QVERIFY(row->queue()->back().since == kStart + 3s);
    const BlockingForest forest = blockingForestOf(bench.book.rows(), kStart + 4s);
    QVERIFY(forest.roots.at(0).waited == Duration(4s));
}

LOCKSCOPE_TEST(TestBlocking, Core)

} // namespace lockscope::tst_blocking

#include "tst_blocking.moc"
