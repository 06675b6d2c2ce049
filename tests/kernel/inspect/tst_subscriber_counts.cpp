#include "core/kernel/inspect/subscriber_counts.h"
#include "tests/support/pretend_keyspace.h"
#include "tests/support/scripted_store.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_subscriber_counts {

using inspect::subscriberCountsOf;
using store::Reply;

namespace {

using Counts = std::vector<std::optional<int>>;

Reply pairsOf(std::vector<Reply> counts)
{
    Reply::Array pairs;
    for (Reply& count : counts) {
        pairs.push_back(Reply::ofBulk("channel"));
        pairs.push_back(std::move(count));
    }
    return Reply::ofArray(std::move(pairs));
}

struct Bench {
    testing::VirtualLoop loop;
    testing::PretendKeyspace keyspace{loop.clock()};
    testing::ScriptedStore store{
        [this](const store::Command& command) { return keyspace.answer(command); }};

    inspect::SubscriberCounts count(std::vector<Bytes> channels)
    {
        return loop.run(inspect::countSubscribers(store, std::move(channels)));
    }
};

} // namespace

class TestSubscriberCounts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsComeInOrder();
    void aWrongNumberOfCountsTellsNothing();
    void whatIsNoCountIsUnknown();
    void thoseOfASlotCountAsWell();
    void manyChannelsAreAskedInParts();
    void aRefusalLeavesEverythingUnknown();
    void onlyWhatADecoderAsksIsCounted();
    void channelsAndPatternsAreAskedAboutInOnePiece();
    void namesAreFoundByTheirChannels();
    void aRefusalToNameChannelsIsTold();
};

void TestSubscriberCounts::countsComeInOrder()
{
    const Reply reply = pairsOf({Reply::ofInteger(3), Reply::ofInteger(0)});
    QVERIFY(subscriberCountsOf(reply, 2) == (Counts{3, 0}));
}

void TestSubscriberCounts::aWrongNumberOfCountsTellsNothing()
{
    const Counts unknown{std::nullopt, std::nullopt};
    QVERIFY(subscriberCountsOf(pairsOf({Reply::ofInteger(3)}), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofArray(Reply::Array(5)), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofArray({}), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofStatus("OK"), 2) == unknown);
    QVERIFY(subscriberCountsOf(Reply::ofError("ERR no"), 2) == unknown);
}

void TestSubscriberCounts::whatIsNoCountIsUnknown()
{
    const Reply reply = pairsOf({Reply::ofInteger(-1), Reply(), Reply::ofBulk("7"),
                                 Reply::ofInteger(1)});
    QVERIFY(subscriberCountsOf(reply, 4) == (Counts{std::nullopt, std::nullopt, std::nullopt, 1}));
}

void TestSubscriberCounts::thoseOfASlotCountAsWell()
{
    Bench bench;
    bench.keyspace.setSubscribers("a", 2);
    QVERIFY(bench.count({"a", "b"}).counts == (Counts{2, 0})); // a server without such channels
    bench.keyspace.setSlotSubscribers("a", 1);
    bench.keyspace.setSlotSubscribers("b", 4);
    QVERIFY(bench.count({"a", "b"}).counts == (Counts{3, 4}));
}

void TestSubscriberCounts::manyChannelsAreAskedInParts()
{
    Bench bench;
    std::vector<Bytes> channels(2 * inspect::kChannelsPerCommand + 1, "x");
    channels.back() = "a";
    bench.keyspace.setSubscribers("a", 2);
    const inspect::SubscriberCounts answer = bench.count(channels);
    QCOMPARE(answer.counts.size(), channels.size());
    QVERIFY(answer.counts.back() == 2);
    QCOMPARE(bench.store.askedCount("PUBSUB"), std::size_t(6));
}

void TestSubscriberCounts::aRefusalLeavesEverythingUnknown()
{
    Bench bench;
    bench.keyspace.refuse("PUBSUB", "NOPERM no");
    const inspect::SubscriberCounts answer = bench.count({"a"});
    QVERIFY(answer.failure.has_value());
    QVERIFY(answer.counts == Counts{std::nullopt});
}

void TestSubscriberCounts::onlyWhatADecoderAsksIsCounted()
{
    Bench bench;
    bench.keyspace.setSubscribers("redisson_sc:{order}", 2);
    bench.keyspace.setPatternCount(5);
    std::vector<inspect::LockSnapshot> snapshots = {
        testing::of(testing::stringKey("order", "0")),
        testing::of(testing::stringKey("name", "alice")),
        testing::of(testing::stringKey("locks:a", testing::kUuid))};
    QVERIFY(!bench.loop.run(inspect::countListeners(bench.store, snapshots)));
    QVERIFY(snapshots[0].listenersOf("redisson_sc:{order}") == 2);
    QVERIFY(!snapshots[0].patternCount);
    QVERIFY(snapshots[1].channels.empty());
    QVERIFY(snapshots[2].listenersOf("locks-channel") == 0);
    QVERIFY(snapshots[2].patternCount == 5);
    bench.store.breakLink();
    QVERIFY(bench.loop.run(inspect::countListeners(bench.store, snapshots)).has_value());
}

void TestSubscriberCounts::channelsAndPatternsAreAskedAboutInOnePiece()
{
    Bench bench;
    bench.keyspace.setPatternCount(5);
    std::vector<inspect::LockSnapshot> snapshots = {
        testing::of(testing::stringKey("locks:a", testing::kUuid))};
    bench.store.hold();
    const auto task = bench.loop.start(inspect::countListeners(bench.store, snapshots));
    QCOMPARE(bench.store.heldCount(), std::size_t(1));
    QCOMPARE(bench.store.asked().size(), std::size_t(3));
    bench.store.answerOne();
    bench.loop.settle();
    QVERIFY(task.isFinished());
    QVERIFY(snapshots.front().patternCount == 5);
}

void TestSubscriberCounts::namesAreFoundByTheirChannels()
{
    Bench bench;
    bench.keyspace.setSubscribers("redisson_sc:{order}", 2);
    bench.keyspace.setSubscribers("news", 2);
    bench.keyspace.setSlotSubscribers("redisson_rwlock:{a}:b", 1);
    const auto names = bench.loop.run(inspect::namesWaitedFor(bench.store));
    QVERIFY(names == (std::vector<Bytes>{"order", "{a}:b", "{order}"}));
}

void TestSubscriberCounts::aRefusalToNameChannelsIsTold()
{
    Bench bench;
    bench.keyspace.refuse("PUBSUB", "NOPERM no");
    QVERIFY(!bench.loop.run(inspect::namesWaitedFor(bench.store)));
    bench.store.breakLink();
    QVERIFY(bench.loop.run(inspect::namesWaitedFor(bench.store)) == std::vector<Bytes>());
}

LOCKSCOPE_TEST(TestSubscriberCounts, Core)

} // namespace lockscope::tst_subscriber_counts

#include "tst_subscriber_counts.moc"
