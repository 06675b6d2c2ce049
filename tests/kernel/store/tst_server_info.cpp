#include "core/kernel/store/server_info.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <string>
#include <vector>

namespace lockscope::tst_server_info {

using namespace std::chrono_literals;
using store::Reply;
using store::ServerInfo;
using Role = store::ServerInfo::Role;

namespace {

ServerInfo infoIn(const char* text)
{
    return store::serverInfoOf(Reply::ofBulk(text));
}

std::vector<store::Endpoint> socketsNamed(const std::vector<std::string>& names)
{
    std::vector<store::Endpoint> endpoints;
    for (const std::string& name : names) {
        store::Endpoint& endpoint = endpoints.emplace_back();
        endpoint.transport = store::Endpoint::Transport::UnixSocket;
        endpoint.socketPath = name;
    }
    return endpoints;
}

} // namespace

class TestServerInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOrdinaryMasterNeedsNoRemark();
    void dataThatOutlivedARestartIsTold();
    void aNameInsideAnotherIsNotTaken();
    void whatIsNotToldIsUnknown();
    void aReplicaSaysHowFarItCanBeBelieved_data();
    void aReplicaSaysHowFarItCanBeBelieved();
    void aSentinelNamesItsMasters();
    void aPromotedReplicaKeptItsData();
    void aServerThatLoadsHasNothingToShow();
    void aNodeOfAClusterShowsItsOwnSlots();
    void readingIsUseWhereKeysAreThrownAwayByUse_data();
    void readingIsUseWhereKeysAreThrownAwayByUse();
    void callsAreCountedWhereTheServerCountsThem();
    void aServerThatCannotTellIsToldFromOneThatRefuses_data();
    void aServerThatCannotTellIsToldFromOneThatRefuses();
    void aSetOfIndependentMastersIsOne();
    void whatIsMeantToBeApartIsNotCalledNoSet();
    void whatIsNoSetIsSaid_data();
    void whatIsNoSetIsSaid();
};

void TestServerInfo::anOrdinaryMasterNeedsNoRemark()
{
    const ServerInfo info = infoIn("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n"
                                   "run_id:44c4\r\n\r\n# Persistence\r\nloading:0\r\n\r\n"
                                   "# Replication\r\nrole:master\r\n\r\n# Cluster\r\n"
                                   "cluster_enabled:0\r\n");
    QCOMPARE(info.version, std::string("7.0.15"));
    QCOMPARE(info.runId, std::string("44c4"));
    QCOMPARE(info.role, Role::Master);
    QVERIFY(!info.isCluster && !info.isLoading);
    QCOMPARE(store::explain(info, {}), std::string());
    QVERIFY(!store::hasNothingToShow(info));
}

void TestServerInfo::aNameInsideAnotherIsNotTaken()
{
    const ServerInfo info = infoIn("old_redis_version:1\r\nmaster_role:x\r\nredis_version:6.0");
    QCOMPARE(info.version, std::string("6.0"));
    QCOMPARE(info.role, Role::Unknown);
}

void TestServerInfo::whatIsNotToldIsUnknown()
{
    const store::Problem problem{store::Problem::Kind::ConnectionLost, {}, {}, {}};
    for (const store::Outcome& outcome :
         {store::Outcome(Reply()), store::Outcome(Reply::ofError("NOPERM")),
          store::Outcome(Reply::ofBulk("")), store::Outcome(store::Unreachable{problem}),
          store::Outcome(store::Unknown{problem})}) {
        const ServerInfo info = store::serverInfoOf(outcome);
        QVERIFY(info == ServerInfo());
        QCOMPARE(store::explain(info, {}), std::string());
        QVERIFY(!store::callCountOf(outcome, [](std::string_view) { return true; }));
    }
}

void TestServerInfo::aReplicaSaysHowFarItCanBeBelieved_data()
{
    QTest::addColumn<QByteArray>("more");
    QTest::addColumn<QByteArray>("remark");
    QTest::newRow("in touch") << QByteArray("master_link_status:up\r\n")
                              << QByteArray("may be out of date");
    QTest::newRow("cut off") << QByteArray("master_link_status:down\r\n"
                                           "master_link_down_since_seconds:34\r\n")
                             << QByteArray("silent for 34");
    QTest::newRow("copying") << QByteArray("master_link_status:down\r\n"
                                           "master_sync_in_progress:1\r\n")
                             << QByteArray("incomplete");
    QTest::newRow("never") << QByteArray("master_link_status:down\r\n"
                                         "master_link_down_since_seconds:-1\r\n")
                           << QByteArray("never reached");
}

void TestServerInfo::aReplicaSaysHowFarItCanBeBelieved()
{
    QFETCH(const QByteArray, more);
    QFETCH(const QByteArray, remark);
    const QByteArray text = "role:slave\r\nmaster_host:10.0.0.5\r\nmaster_port:6379\r\n" + more;
    const ServerInfo info = infoIn(text.constData());
    QCOMPARE(info.role, Role::Replica);
    QCOMPARE(info.master, std::string("10.0.0.5:6379"));
    const std::string said = store::explain(info, {});
    QVERIFY2(said.find(remark.toStdString()) != std::string::npos, said.c_str());
    QVERIFY2(said.find("10.0.0.5:6379") != std::string::npos, said.c_str());
    QVERIFY(!store::hasNothingToShow(info));
}

void TestServerInfo::aSentinelNamesItsMasters()
{
    const ServerInfo info = infoIn("redis_mode:sentinel\r\nrole:master\r\n# Sentinel\r\n"
                                   "sentinel_masters:2\r\n"
                                   "master0:name=a,status=ok,address=10.0.0.5:6379,slaves=0\r\n"
                                   "master1:name=b,status=ok,address=10.0.0.6:6380,slaves=0\r\n");
    QCOMPARE(info.role, Role::Sentinel);
    const std::vector<ServerInfo::WatchedMaster> masters{{"a", "10.0.0.5:6379"},
                                                         {"b", "10.0.0.6:6380"}};
    QVERIFY(info.watchedMasters == masters);
    QVERIFY(store::hasNothingToShow(info));
    store::Endpoint sentinel;
    sentinel.host = "10.0.0.1";
    sentinel.port = 26379;
    sentinel.user = "watcher";
    sentinel.password = "secret";
    sentinel.database = 3;
    QCOMPARE(store::explain(info, sentinel),
             std::string("This is a Sentinel, which stores no keys and therefore no locks. Connect "
                         "to a master that it watches: a (now 10.0.0.5:6379): "
                         "redis+sentinel://10.0.0.1:26379/a?sentinel-user=watcher, "
                         "b (now 10.0.0.6:6380): "
                         "redis+sentinel://10.0.0.1:26379/b?sentinel-user=watcher"));
    sentinel.transport = store::Endpoint::Transport::Tls;
    QVERIFY(store::explain(info, sentinel).find("rediss+sentinel://10.0.0.1:26379/a")
            != std::string::npos);
}

void TestServerInfo::aPromotedReplicaKeptItsData()
{
    QVERIFY(!infoIn("role:master\r\nsecond_repl_offset:-1\r\n").mayHaveKeptData);
    QVERIFY(infoIn("role:master\r\nsecond_repl_offset:1201\r\n").mayHaveKeptData);
}

void TestServerInfo::aServerThatLoadsHasNothingToShow()
{
    const ServerInfo info = infoIn("loading:1\r\nrole:master\r\n");
    QVERIFY(store::hasNothingToShow(info));
    QVERIFY(store::explain(info, {}).find("loading") != std::string::npos);
}

void TestServerInfo::aNodeOfAClusterShowsItsOwnSlots()
{
    const ServerInfo info = infoIn("redis_mode:cluster\r\nrole:master\r\ncluster_enabled:1\r\n");
    QVERIFY(info.isCluster);
    QVERIFY(store::explain(info, {}).find("other nodes") != std::string::npos);
}

void TestServerInfo::readingIsUseWhereKeysAreThrownAwayByUse_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isSaid");
    const QByteArray lru = "maxmemory:1000000\r\nmaxmemory_policy:allkeys-lru\r\n";
    QTest::newRow("7.0") << "redis_version:7.0.15\r\n" + lru << true;
    QTest::newRow("6.2") << "redis_version:6.2.14\r\n" + lru << true;
    QTest::newRow("7.2") << "redis_version:7.2.4\r\n" + lru << false;
    QTest::newRow("8.0") << "redis_version:8.0.1\r\n" + lru << false;
    QTest::newRow("LFU") << QByteArray("redis_version:7.0.15\r\nmaxmemory:1\r\n"
                                       "maxmemory_policy:volatile-lfu\r\n")
                         << true;
    QTest::newRow("no limit") << QByteArray("redis_version:7.0.15\r\nmaxmemory:0\r\n"
                                            "maxmemory_policy:allkeys-lru\r\n")
                              << false;
    QTest::newRow("by chance") << QByteArray("redis_version:7.0.15\r\nmaxmemory:1\r\n"
                                             "maxmemory_policy:allkeys-random\r\n")
                               << false;
    QTest::newRow("silent") << QByteArray("role:master\r\n") << false;
}

void TestServerInfo::readingIsUseWhereKeysAreThrownAwayByUse()
{
    QFETCH(const QByteArray, text);
    QFETCH(const bool, isSaid);
    QCOMPARE(!store::explainDeepLook(infoIn(text.constData())).empty(), isSaid);
}

void TestServerInfo::callsAreCountedWhereTheServerCountsThem()
{
    const store::Outcome outcome = Reply::ofBulk("# Commandstats\r\n"
                                                 "cmdstat_info:calls=4,usec=66\r\n"
                                                 "cmdstat_client|list:calls=5,usec=80\r\n"
                                                 "cmdstat_swapdb:calls=17,usec=9\r\n");
    const auto is = [](std::string_view wanted) {
        return [wanted](std::string_view command) { return command == wanted; };
    };
    const auto isAny = [](std::string_view) { return true; };
    QVERIFY(store::callCountOf(outcome, is("swapdb")) == std::uint64_t(17));
    QVERIFY(store::callCountOf(outcome, is("client|list")) == std::uint64_t(5));
    QVERIFY(store::callCountOf(outcome, is("swap")) == std::uint64_t(0));
    QVERIFY(store::callCountOf(outcome, isAny) == std::uint64_t(26));
    QVERIFY(!store::callCountOf(Reply::ofBulk("# Server\r\n"), isAny));
}

void TestServerInfo::aServerThatCannotTellIsToldFromOneThatRefuses_data()
{
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<bool>("isState");
    QTest::newRow("busy") << QByteArray("BUSY Redis is busy running a script.") << true;
    QTest::newRow("loading") << QByteArray("LOADING Redis is loading the dataset") << true;
    QTest::newRow("no master") << QByteArray("MASTERDOWN Link with MASTER is down") << true;
    QTest::newRow("a name in use")
        << QByteArray("BUSYKEY Target key name already exists.") << false;
    QTest::newRow("unknown") << QByteArray("ERR unknown command 'PING'") << false;
    QTest::newRow("forbidden") << QByteArray("NOPERM this user has no permissions") << false;
}

void TestServerInfo::aServerThatCannotTellIsToldFromOneThatRefuses()
{
    QFETCH(const QByteArray, error);
    QFETCH(const bool, isState);
    const store::Problem problem = store::problemOfServerError(error.toStdString(), {});
    QCOMPARE(store::isStateOfServer(problem), isState);
}

void TestServerInfo::aSetOfIndependentMastersIsOne()
{
    ServerInfo a;
    a.role = Role::Master;
    a.runId = "1";
    ServerInfo b = a;
    b.runId = "2";
    const std::vector<ServerInfo> servers{a, b, ServerInfo()};
    QCOMPARE(store::explainSet(servers, socketsNamed({"a", "b", "c"})), std::string());
    QVERIFY(store::mayVoteTogether(servers));
}

void TestServerInfo::whatIsMeantToBeApartIsNotCalledNoSet()
{
    const ServerInfo twin = infoIn("run_id:1\r\n");
    const std::vector<ServerInfo> twins{twin, twin};
    std::vector<store::Endpoint> databases = socketsNamed({"a", "a"});
    databases.back().database = 1;
    QCOMPARE(store::explainSet(twins, databases), std::string());
    store::setGrouping(databases, store::Grouping::RedlockSet);
    QVERIFY(store::explainSet(twins, databases).starts_with("a/0 and a/1 are the same server"));
    std::vector<store::Endpoint> separate = socketsNamed({"a", "b"});
    store::setGrouping(separate, store::Grouping::Separate);
    QCOMPARE(store::explainSet(twins, separate), std::string());
}

void TestServerInfo::whatIsNoSetIsSaid_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    QTest::addColumn<QByteArray>("said");
    const QByteArray node = "role:master\r\ncluster_enabled:1\r\n";
    QTest::newRow("cluster") << node << node << QByteArray("a and b are nodes of a cluster");
    QTest::newRow("one node") << node << QByteArray("role:master\r\n")
                              << QByteArray("a is a node of a cluster");
    QTest::newRow("replica") << QByteArray("role:master\r\n") << QByteArray("role:slave\r\n")
                             << QByteArray("b is a replica");
    QTest::newRow("twice") << QByteArray("run_id:1\r\n") << QByteArray("run_id:1\r\n")
                           << QByteArray("a and b are the same server");
}

void TestServerInfo::whatIsNoSetIsSaid()
{
    QFETCH(const QByteArray, first);
    QFETCH(const QByteArray, second);
    QFETCH(const QByteArray, said);
    const std::vector<ServerInfo> servers{infoIn(first.constData()), infoIn(second.constData())};
    const std::string sentence = store::explainSet(servers, socketsNamed({"a", "b"}));
    QVERIFY2(sentence.starts_with(said.toStdString()), sentence.c_str());
    QCOMPARE(store::mayVoteTogether(servers), said.endsWith("is a replica"));
}

void TestServerInfo::dataThatOutlivedARestartIsTold()
{
    QVERIFY(
        !infoIn("role:master\r\naof_enabled:0\r\nrdb_last_load_keys_loaded:0\r\n").mayHaveKeptData);
    QVERIFY(infoIn("role:master\r\nrdb_last_load_keys_loaded:7\r\n").mayHaveKeptData);
    QVERIFY(infoIn("role:master\r\naof_enabled:1\r\n").mayHaveKeptData);
    QVERIFY(infoIn("role:slave\r\n").mayHaveKeptData);
}

LOCKSCOPE_TEST(TestServerInfo, Core)

} // namespace lockscope::tst_server_info

#include "tst_server_info.moc"
