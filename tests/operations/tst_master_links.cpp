// Where the writes for a server go: to itself, or to the master that it names.

#include "core/operations/master_links.h"
#include "tests/support/scripted_servers.h"
#include "tests/support/test_program.h"
#include "tests/support/virtual_loop.h"

#include <QTest>

namespace lockscope::tst_master_links {

using namespace lockscope::testing;
using operations::MasterLinks;
using operations::WritePlace;
using store::Problem;
using store::Reply;

namespace {

ScriptedStore::Script replicaOf(const std::string& host, int port)
{
    return [=](const store::Command&) {
        return Reply::ofBulk("role:slave\r\nmaster_host:" + host
                             + "\r\nmaster_port:" + std::to_string(port) + "\r\n");
    };
}

ScriptedStore::Script master()
{
    return [](const store::Command&) { return Reply::ofBulk("role:master\r\n"); };
}

struct Bench {
    VirtualLoop loop;
    ScriptedServers servers;
    MasterLinks links{servers};

    explicit Bench(ScriptedStore::Script script) : servers({std::move(script)}) {}

    WritePlace place() { return std::get<WritePlace>(loop.run(links.find(0))); }
    Problem problem() { return std::get<Problem>(loop.run(links.find(0))); }
};

} // namespace

class TestMasterLinks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMasterIsWrittenToItself()
    {
        Bench bench(master());
        const WritePlace place = bench.place();
        QCOMPARE(place.master, std::string());
        QVERIFY(place.store.get() == &bench.servers.store(0));
        QVERIFY(bench.servers.connectedTo().empty());
    }

    void aServerThatDoesNotTellItsRoleCountsAsAMaster()
    {
        Bench bench([](const store::Command&) { return Reply::ofError("NOPERM"); });
        QCOMPARE(bench.place().master, std::string());
    }

    void aReplicaIsWrittenToAtItsMaster()
    {
        Bench bench(replicaOf("127.0.0.1", 7200));
        bench.servers.setOther(7200, master());
        const WritePlace place = bench.place();
        QCOMPARE(place.master, std::string("127.0.0.1:7200"));
        QVERIFY(place.store.get() != &bench.servers.store(0));
        QVERIFY(bench.place().store == place.store); // kept
        QCOMPARE(bench.servers.connectedTo().size(), std::size_t(1));
        QVERIFY(bench.links.storeOf(0, place.master) == place.store);
    }

    /// A connection made while writing was allowed is not used once it is not.
    void aReadOnlyServerHasAReadOnlyMaster()
    {
        Bench bench(replicaOf("127.0.0.1", 7200));
        bench.servers.setOther(7200, master());
        const auto writable = bench.place().store;
        bench.servers.setReadOnly(0, true);
        QVERIFY(bench.place().store != writable);
        QVERIFY(bench.servers.connectedTo().back().isReadOnly);
    }

    void theReplicaOfAReplicaIsFollowedToTheMaster()
    {
        Bench bench(replicaOf("127.0.0.1", 7201));
        bench.servers.setOther(7201, replicaOf("127.0.0.1", 7202));
        bench.servers.setOther(7202, master());
        QCOMPARE(bench.place().master, std::string("127.0.0.1:7202"));
    }

    void replicasInACircleAreAProblem()
    {
        Bench bench(replicaOf("127.0.0.1", 7201));
        bench.servers.setOther(7201, replicaOf("127.0.0.1", 7202));
        bench.servers.setOther(7202, replicaOf("127.0.0.1", 7201));
        QVERIFY(bench.problem().kind == Problem::Kind::NotMaster);
    }

    void aMasterThatCannotBeReachedIsNamed()
    {
        Bench bench(replicaOf("127.0.0.1", 7200));
        const Problem problem = bench.problem();
        QVERIFY(problem.kind == Problem::Kind::NotMaster);
        QCOMPARE(problem.detail, std::string("127.0.0.1:7200"));
    }
};

LOCKSCOPE_TEST(TestMasterLinks, None)

} // namespace lockscope::tst_master_links

#include "tst_master_links.moc"
