#include "core/kernel/store/cluster.h"
#include "core/kernel/store/cluster_route.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_cluster {

using namespace store;
using Kind = ClusterRoute::Kind;

namespace {

const std::string kA(40, 'a');
const std::string kB(40, 'b');
const std::string kC(40, 'c');
const HostPort kAsked{"10.0.0.9", 7000};

std::string line(const std::string& id, const std::string& address, const std::string& flags,
                 const std::string& epoch, const std::string& slots)
{
    return id + ' ' + address + ' ' + flags + " - 0 0 " + epoch + " connected"
           + (slots.empty() ? "" : " " + slots) + '\n';
}

ClusterView viewOf(const std::string& nodes, const std::string& state = "ok")
{
    const Outcome answer = Reply::ofBulk(nodes);
    const Outcome info = Reply::ofBulk("cluster_state:" + state + "\r\n");
    return std::get<ClusterView>(clusterViewOf(answer, info, kAsked));
}

ClusterTopology topologyOf(std::vector<ClusterView> views)
{
    return ClusterTopology(views);
}

std::string masterIdOf(const ClusterTopology& topology, std::uint16_t slot)
{
    const ClusterNode* const master = topology.masterOf(slot);
    return master != nullptr ? master->id : "nobody";
}

} // namespace

/// Slots, topologies and routes, by the specification of Redis Cluster.
class TestCluster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keysHaveTheSlotsThatTheSpecificationGivesThem_data();
    void keysHaveTheSlotsThatTheSpecificationGivesThem();
    void anAnswerOfANodeIsRead();
    void nodesAreKnownByNameAndAddress();
    void theNewestOfTwoMastersHasTheSlot();
    void whatANodeSaysOfItselfCounts();
    void slotsThatNobodyHasAreNamed();
    void slotsThatAreMovedAreKnown();
    void nodesThatCannotServeSaySo();
    void aServerThatIsNoNodeIsToldApart();
    void redirectionsAreRead();
    void commandsFindTheirNodes_data();
    void commandsFindTheirNodes();
    void answersOfSeveralNodesBecomeOne();
    void cursorsOfAWalkAreReadBack();
};

/// CLUSTER KEYSLOT of Redis 7.0 says so; the value of "123456789" is in the specification.
void TestCluster::keysHaveTheSlotsThatTheSpecificationGivesThem_data()
{
    QTest::addColumn<std::string>("key");
    QTest::addColumn<int>("slot");
    const auto row = [](const char* key, int slot) {
        QTest::newRow(key) << std::string(key) << slot;
    };
    row("123456789", 0x31c3);
    row("foo", 12182);
    row("", 0);
    row("{user1000}.following", 3443);
    row("{user1000}.followers", 3443);
    row("user1000", 3443);
    row("foo{}{bar}", 8363);
    row("foo{{bar}}zap", 4015); // the tag is "{bar"
    row("{bar", 4015);
    row("foo{bar}{zap}", 5061);
    row("bar", 5061);
    QTest::newRow("bytes") << std::string("\x00\xff", 2) << 7920;
}

void TestCluster::keysHaveTheSlotsThatTheSpecificationGivesThem()
{
    QFETCH(std::string, key);
    QFETCH(int, slot);
    QCOMPARE(int(slotOf(key)), slot);
}

void TestCluster::anAnswerOfANodeIsRead()
{
    const ClusterView view = viewOf(line(kA, ":7000@17000", "myself,master", "3", "0-5460 9000")
                                    + line(kB, "10.0.0.2:7001@17001,node-b", "master", "4", "")
                                    + line(kC, "::1:7002@17002", "slave,fail", "4", "")
                                    + line("d", "10.0.0.4:7003@17003", "handshake", "0", ""));
    QCOMPARE(view.selfId, kA);
    QCOMPARE(view.lines.size(), std::size_t(3)); // a handshake is no membership
    QCOMPARE(hostPortText(view.lines[0].node.address), std::string("10.0.0.9:7000"));
    QCOMPARE(view.lines[0].node.epoch, std::uint64_t(3));
    QCOMPARE(hostPortText(view.lines[1].node.address), std::string("10.0.0.2:7001"));
    QCOMPARE(hostPortText(view.lines[2].node.address), std::string("[::1]:7002"));
    QVERIFY(view.lines[2].node.isFailed && !view.lines[2].node.isMaster);
    const ClusterTopology topology = topologyOf({view});
    QCOMPARE(topology.slotsOf(*topology.nodeOfId(kA)), std::string("0-5460, 9000"));
}

void TestCluster::nodesAreKnownByNameAndAddress()
{
    ClusterView view = viewOf(line(kA, "10.0.0.1:7000@17000", "myself,master", "3", "0-5460")
                              + line(kB, "10.0.0.2:7001@17001,node-b,shard-id=x", "master", "4", "")
                              + line(kC, "10.0.0.3:7002@17002,,shard-id=y", "slave", "4", ""));
    QVERIFY(!otherAddressOf(view.lines[0].node) && !otherAddressOf(view.lines[2].node));
    preferNames(view);
    const ClusterTopology topology = topologyOf({view});
    QCOMPARE(hostPortText(topology.nodeOfId(kA)->address), std::string("10.0.0.1:7000"));
    const ClusterNode& named = *topology.nodeOfId(kB);
    QCOMPARE(hostPortText(named.address), std::string("node-b:7001"));
    QVERIFY(otherAddressOf(named) == (HostPort{"10.0.0.2", 7001}));
    QVERIFY(topology.nodeAt({"10.0.0.2", 7001}) == &named);
    QVERIFY(topology.nodeAt({"node-b", 7001}) == &named);
    QVERIFY(topology.nodeAt({"node-b", 7000}) == nullptr);
}

/// A former master that was cut off still claims what it had.
void TestCluster::theNewestOfTwoMastersHasTheSlot()
{
    const ClusterView former = viewOf(line(kA, "10.0.0.1:7000@1", "myself,master", "1", "0-100")
                                      + line(kB, "10.0.0.2:7000@1", "slave", "1", ""));
    const ClusterView next = viewOf(line(kA, "10.0.0.1:7000@1", "master,fail", "1", "")
                                    + line(kB, "10.0.0.2:7000@1", "myself,master", "7", "0-100"));
    QCOMPARE(masterIdOf(topologyOf({former, next}), 50), kB);
    QCOMPARE(masterIdOf(topologyOf({next, former}), 50), kB);
    QCOMPARE(masterIdOf(topologyOf({former}), 50), kA);
}

void TestCluster::whatANodeSaysOfItselfCounts()
{
    const ClusterView self = viewOf(line(kA, "10.0.0.1:7000@1", "myself,master", "1", "0-50")
                                    + line(kB, "10.0.0.2:7000@1", "master", "2", ""));
    const ClusterView other = viewOf(line(kA, "10.0.0.1:7000@1", "master", "1", "0-100")
                                     + line(kB, "10.0.0.2:7000@1", "myself,master", "2", "200"));
    const ClusterTopology topology = topologyOf({other, self});
    QCOMPARE(masterIdOf(topology, 50), kA);
    QCOMPARE(masterIdOf(topology, 60), std::string("nobody"));
    QCOMPARE(masterIdOf(topology, 200), kB);
}

void TestCluster::slotsThatNobodyHasAreNamed()
{
    const ClusterTopology topology = topologyOf({viewOf(line(kA, "10.0.0.1:7000@1", "myself,master",
                                                             "1", "1-8999 9001-16382"))});
    QCOMPARE(topology.unservedSlots(), std::string("0, 9000, 16383"));
    QVERIFY(topology.masterOf(9000) == nullptr);
}

void TestCluster::slotsThatAreMovedAreKnown()
{
    const std::string others = line(kB, "10.0.0.2:7000@1", "master", "2", "8000-16383");
    const ClusterTopology topology = topologyOf({viewOf(
        others + line(kA, "10.0.0.1:7000@1", "myself,master", "1", "0-7999 [5->-" + kB + "]"))});
    QCOMPARE(topology.openSlots().size(), std::size_t(1));
    const ClusterNode& target = *topology.nodeOfId(kB);
    QVERIFY(topology.mayHave(target, 5) && !topology.mayHave(target, 6));
    QCOMPARE(masterIdOf(topology, 5), kA);
    QCOMPARE(topology.masters().front().id, kA); // the source first
    const ClusterTopology back = topologyOf({viewOf(
        others + line(kA, "10.0.0.1:7000@1", "myself,master", "1", "0-7999 [8000-<-" + kB + "]"))});
    QCOMPARE(back.masters().front().id, kB);
}

void TestCluster::nodesThatCannotServeSaySo()
{
    const ClusterTopology topology =
        topologyOf({viewOf(line(kA, "10.0.0.1:7000@1", "myself,master", "1", "0-7999"), "fail")});
    QVERIFY(topology.isDown(*topology.nodeOfId(kA)));
}

void TestCluster::aServerThatIsNoNodeIsToldApart()
{
    const Outcome refusal = Reply::ofError("ERR This instance has cluster support disabled");
    const auto view = clusterViewOf(refusal, refusal, kAsked);
    QCOMPARE(std::get<Problem>(view).kind, Problem::Kind::NotACluster);
}

void TestCluster::redirectionsAreRead()
{
    const auto moved = redirectionOf(Reply::ofError("MOVED 3999 127.0.0.1:6381"));
    QCOMPARE(moved, (Redirection{true, 3999, {"127.0.0.1", 6381}}));
    const auto ask = redirectionOf(Reply::ofError("ASK 1 ::1:6381"));
    QCOMPARE(ask, (Redirection{false, 1, {"::1", 6381}}));
    QVERIFY(redirectionOf(Reply::ofError("MOVED 3999 :6381"))->address.host.empty());
    QVERIFY(redirectionOf(Reply::ofError("MOVED 3999 ?:6381"))->address.host.empty());
    for (const char* const other : {"MOVED", "MOVED 99999 a:1", "ERR MOVED 1 a:1", "ASK 1 a"}) {
        QVERIFY(!redirectionOf(Reply::ofError(other)));
    }
}

void TestCluster::commandsFindTheirNodes_data()
{
    QTest::addColumn<std::vector<std::string>>("words");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("slot");
    using Words = std::vector<std::string>;
    const auto row = [](const Words& words, Kind kind, int slot = 0) {
        QTest::newRow((words.front() + (words.size() > 1 ? words[1] : "")).c_str())
            << words << int(kind) << slot;
    };
    row({"GET", "foo"}, Kind::Slot, 12182);
    row({"pttl", "bar"}, Kind::Slot, 5061);
    row({"MEMORY", "USAGE", "foo", "SAMPLES", "5"}, Kind::Slot, 12182);
    row({"EVALSHA", "0000", "2", "foo", "{foo}:2", "bar"}, Kind::Slot, 12182);
    row({"EVAL", "return 1", "2", "foo", "bar"}, Kind::SplitSlots, 12182);
    row({"EVAL", "return 1", "0", "foo"}, Kind::AnyMaster);
    row({"WATCH", "foo", "bar"}, Kind::SplitSlots, 12182);
    row({"SCAN", "0", "COUNT", "10"}, Kind::Walk);
    row({"DBSIZE"}, Kind::EveryMaster);
    row({"PUBSUB", "NUMSUB", "foo"}, Kind::EveryNode);
    row({"CLIENT", "LIST", "TYPE", "NORMAL"}, Kind::EveryNode);
    row({"CLIENT", "ID"}, Kind::AnyMaster);
    row({"TIME"}, Kind::AnyMaster);
    row({"INFO"}, Kind::AnyMaster);
    row({"PUBLISH", "foo", "bar"}, Kind::AnyMaster);
    row({"SPUBLISH", "foo", "bar"}, Kind::Slot, 12182);
}

void TestCluster::commandsFindTheirNodes()
{
    QFETCH(std::vector<std::string>, words);
    QFETCH(int, kind);
    QFETCH(int, slot);
    const ClusterRoute route = clusterRouteOf(Command(words));
    QCOMPARE(int(route.kind), kind);
    QCOMPARE(int(route.slot), slot);
}

void TestCluster::answersOfSeveralNodesBecomeOne()
{
    const auto number = &Reply::ofInteger;
    const auto merged = [](const Command& command, std::vector<Reply> replies) {
        return mergedReply(command, replies);
    };
    QCOMPARE(merged(Command("DBSIZE"), {number(3), number(4)}), number(7));
    const Reply oneAndTwo = Reply::ofArray({Reply::ofBulk("c"), number(1), Reply::ofBulk("d"),
                                            number(2)});
    const Reply three = Reply::ofArray({Reply::ofBulk("c"), number(3), Reply::ofBulk("d"),
                                        number(0)});
    QCOMPARE(merged(Command("PUBSUB", "NUMSUB", "c", "d"), {oneAndTwo, three}),
             Reply::ofArray({Reply::ofBulk("c"), number(4), Reply::ofBulk("d"), number(2)}));
    QCOMPARE(merged(Command("PUBSUB", "CHANNELS", "*"),
                    {Reply::ofArray({Reply::ofBulk("a")}),
                     Reply::ofArray({Reply::ofBulk("b"), Reply::ofBulk("a")})}),
             Reply::ofArray({Reply::ofBulk("a"), Reply::ofBulk("b")}));
    QCOMPARE(merged(Command("CLIENT", "LIST"), {Reply::ofBulk("id=1\n"), Reply::ofBulk("id=2\n")}),
             Reply::ofBulk("id=1\nid=2\n"));
    QCOMPARE(merged(Command("DBSIZE"), {number(3), Reply::ofError("NOPERM x")}),
             Reply::ofError("NOPERM x"));
}

void TestCluster::cursorsOfAWalkAreReadBack()
{
    const ClusterCursor cursor{12, 3, "17592186044416"};
    QCOMPARE(clusterCursorOf(toText(cursor)), cursor);
    QVERIFY(!clusterCursorOf("0"));
}

LOCKSCOPE_TEST(TestCluster, Core)

} // namespace lockscope::tst_cluster

#include "tst_cluster.moc"
