#include "core/kernel/sim/sim_replication.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_sim_replication {

using namespace lockscope::sim;

namespace {

/// A master with two replicas.
struct Fleet {
    SimDatabase master;
    SimReplication replication;

    Fleet()
    {
        replication.addReplica(master);
        replication.addReplica(master);
    }

    void set(const Bytes& key, const Bytes& value, std::int64_t expiresAtMs = Entry::kNever)
    {
        Entry* const present = master.keys().find(key);
        Entry& entry = present != nullptr ? *present : master.keys().insert(key, Value());
        entry.value = value;
        entry.expiresAtMs = expiresAtMs;
        replication.keyChanged(key);
    }
    void erase(const Bytes& key)
    {
        master.keys().erase(*master.keys().find(key));
        replication.keyChanged(key);
    }
    void commit() { replication.commit(master.keys()); }
};

} // namespace

class TestSimReplication : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutReplicasNothingIsKept();
    void whatIsCommittedTogetherArrivesTogether();
    void replicasComeAlongEachAtItsOwnPace();
    void aFlushTravelsToo();
    void scriptsDoNotTravel();
    void theHashKnowsWhatEachReplicaHas();
};

void TestSimReplication::withoutReplicasNothingIsKept()
{
    SimDatabase master;
    SimReplication replication;
    master.keys().insert("a", Bytes("1"));
    replication.keyChanged("a");
    replication.everythingFlushed();
    replication.commit(master.keys());
    QCOMPARE(replication.offset(), ReplicationOffset{0});
    QCOMPARE(replication.replicaCountAt(0), std::size_t{0});
}

void TestSimReplication::whatIsCommittedTogetherArrivesTogether()
{
    Fleet fleet;
    fleet.set("a", "1", 5);
    fleet.set("b", "1");
    fleet.set("a", "2", 7);
    fleet.commit();
    fleet.erase("b");
    fleet.commit();
    fleet.commit(); // nothing has happened
    QCOMPARE(fleet.replication.offset(), ReplicationOffset{2});
    QVERIFY(fleet.replication.advance(0));
    SimDatabase replica = fleet.replication.replica(0);
    QCOMPARE(replica.keys().entries().size(), std::size_t{2});
    QCOMPARE(replica.keys().find("a")->expiresAtMs, std::int64_t{7});
    QVERIFY(fleet.replication.advance(0));
    QVERIFY(fleet.replication.replica(0) == fleet.master);
    QVERIFY(!fleet.replication.advance(0));
}

void TestSimReplication::replicasComeAlongEachAtItsOwnPace()
{
    Fleet fleet;
    for (int i = 1; i <= 3; ++i) {
        fleet.set("a", std::to_string(i));
        fleet.commit();
    }
    fleet.replication.advance(1);
    fleet.replication.advance(1);
    QCOMPARE(fleet.replication.lagOf(0), std::size_t{3});
    QCOMPARE(fleet.replication.lagOf(1), std::size_t{1});
    QCOMPARE(fleet.replication.replicaCountAt(0), std::size_t{2});
    QCOMPARE(fleet.replication.replicaCountAt(2), std::size_t{1});
    QCOMPARE(fleet.replication.replicaCountAt(3), std::size_t{0});
    QCOMPARE(fleet.replication.pendingCountAt(2), std::size_t{2});
    fleet.replication.advance(0);
    fleet.replication.advance(0);
    QCOMPARE(fleet.replication.pendingCountAt(2), std::size_t{0});
    QVERIFY(fleet.replication.replica(0) == fleet.replication.replica(1));

    SimReplication later = fleet.replication;
    later.startAgain(fleet.master);
    QVERIFY(later.replica(0) == fleet.master);
    QCOMPARE(later.lagOf(1), std::size_t{0});
    QCOMPARE(later.offset(), ReplicationOffset{3});
    QCOMPARE(fleet.replication.lagOf(1), std::size_t{1});
}

void TestSimReplication::aFlushTravelsToo()
{
    Fleet fleet;
    fleet.set("a", "1");
    fleet.commit();
    fleet.replication.advance(0);
    fleet.set("a", "2");
    fleet.master.keys().clear();
    fleet.replication.everythingFlushed();
    fleet.set("b", "1");
    fleet.commit();
    QCOMPARE(fleet.replication.replica(0).keys().entries().size(), std::size_t{1});
    fleet.replication.advance(0);
    QVERIFY(fleet.replication.replica(0) == fleet.master);
}

void TestSimReplication::scriptsDoNotTravel()
{
    SimDatabase master;
    master.remember("0123", "return 1");
    SimReplication replication;
    replication.addReplica(master);
    QVERIFY(replication.replica(0).findScript("0123") == nullptr);
}

void TestSimReplication::theHashKnowsWhatEachReplicaHas()
{
    Fleet fleet;
    std::set<std::uint64_t> hashes{fleet.replication.contentHash()};
    const std::uint64_t atRest = fleet.replication.contentHash();
    fleet.set("a", "1");
    fleet.commit();
    QVERIFY(hashes.insert(fleet.replication.contentHash()).second);
    fleet.replication.advance(0);
    QVERIFY(hashes.insert(fleet.replication.contentHash()).second);
    Fleet other;
    other.set("a", "1");
    other.commit();
    other.replication.advance(1);
    QVERIFY(hashes.insert(other.replication.contentHash()).second);
    fleet.replication.advance(1);
    other.replication.advance(0);
    QCOMPARE(fleet.replication.contentHash(), other.replication.contentHash());
    fleet.erase("a");
    fleet.commit();
    fleet.replication.advance(0);
    fleet.replication.advance(1);
    QCOMPARE(fleet.replication.contentHash(), atRest);
}

LOCKSCOPE_TEST(TestSimReplication, Core)

} // namespace lockscope::tst_sim_replication

#include "tst_sim_replication.moc"
