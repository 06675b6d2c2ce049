#include "core/kernel/store/master_endpoint.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_master_endpoint {

using namespace lockscope::store;

namespace {

Endpoint at(const std::string& host, std::uint16_t port = 6379)
{
    Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = port;
    return endpoint;
}

Endpoint known(const std::string& environment, bool isReadOnly = false)
{
    Endpoint endpoint;
    endpoint.environment = environment;
    endpoint.isReadOnly = isReadOnly;
    return endpoint;
}

} // namespace

class TestMasterEndpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMasterIsReachedAsTheReplicaIs()
    {
        Endpoint replica = at("10.0.0.6");
        replica.transport = Endpoint::Transport::Tls;
        replica.password = "s3cret";
        replica.sshHost = "bastion";
        replica.database = 2;
        Endpoint expected = replica;
        expected.host = "fd00::5";
        expected.port = 7200;
        QVERIFY(masterEndpoint(replica, "[fd00::5]:7200") == expected);
    }

    void aLoopbackAddressIsOnTheMachineOfTheReplica()
    {
        QCOMPARE(masterEndpoint(at("10.0.0.6"), "127.0.0.1:7200")->host, std::string("10.0.0.6"));
        QCOMPARE(masterEndpoint(at("127.0.0.2"), "127.0.0.1:7200")->host, std::string("127.0.0.1"));
        QCOMPARE(masterEndpoint(at("10.0.0.6"), "10.0.0.5:7200")->host, std::string("10.0.0.5"));
    }

    void noPasswordOfASocketGoesOverTheNetwork()
    {
        Endpoint replica;
        replica.transport = Endpoint::Transport::UnixSocket;
        replica.socketPath = "/run/redis.sock";
        const auto master = masterEndpoint(replica, "10.0.0.5:6379");
        QVERIFY(master && master->transport == Endpoint::Transport::Tcp);
        replica.password = "s3cret";
        QVERIFY(!masterEndpoint(replica, "10.0.0.5:6379"));
    }

    void sentinelsAndClustersNameTheirMastersThemselves()
    {
        Endpoint behind = at("10.0.0.6");
        behind.sentinels = {{{"10.0.0.1", 26379}}, "mymaster", {}};
        QVERIFY(!masterEndpoint(behind, "10.0.0.5:6379"));
        Endpoint cluster;
        cluster.clusterSeeds = {{"10.0.0.1", 6379}};
        QVERIFY(!masterEndpoint(cluster, "10.0.0.5:6379"));
        QVERIFY(!masterEndpoint(at("10.0.0.6"), ":"));
    }

    void anAddressIsTheSameHowEverItIsReached()
    {
        Endpoint encrypted = at("DB.example");
        encrypted.transport = Endpoint::Transport::Tls;
        encrypted.user = "u";
        QVERIFY(isSameAddress(encrypted, at("db.example")));
        QVERIFY(isSameAddress(at("localhost"), at("127.0.0.1")));
        QVERIFY(isSameAddress(at("::1"), at("localhost")));
        QVERIFY(!isSameAddress(at("db.example"), at("db.example", 6380)));
        QVERIFY(!isSameAddress(at("10.0.0.5"), at("127.0.0.1")));
        Endpoint elsewhere = at("127.0.0.1");
        elsewhere.sshHost = "bastion";
        QVERIFY(!isSameAddress(elsewhere, at("127.0.0.1")));
    }

    void theStricterRestrictionsApply_data()
    {
        QTest::addColumn<QString>("ofReplica");
        QTest::addColumn<QString>("ofMaster");
        QTest::addColumn<QString>("both");
        QTest::newRow("nothing known") << ""
                                       << ""
                                       << "";
        QTest::newRow("master") << ""
                                << "production"
                                << "production";
        QTest::newRow("replica") << "production"
                                 << ""
                                 << "production";
        QTest::newRow("production wins") << "staging"
                                         << "prod"
                                         << "prod";
        QTest::newRow("in both orders") << "live"
                                        << "staging"
                                        << "live";
        QTest::newRow("its own word") << "staging"
                                      << "test"
                                      << "staging";
    }

    void theStricterRestrictionsApply()
    {
        QFETCH(const QString, ofReplica);
        QFETCH(const QString, ofMaster);
        QFETCH(const QString, both);
        for (const bool isMasterReadOnly : {false, true}) {
            Endpoint replica = known(ofReplica.toStdString());
            adoptRestrictions(replica, known(ofMaster.toStdString(), isMasterReadOnly));
            QCOMPARE(QString::fromStdString(replica.environment), both);
            QCOMPARE(replica.isReadOnly, isMasterReadOnly);
        }
        Endpoint readOnly = known({}, true);
        adoptRestrictions(readOnly, known({}));
        QVERIFY(readOnly.isReadOnly);
    }
};

LOCKSCOPE_TEST(TestMasterEndpoint, None)

} // namespace lockscope::tst_master_endpoint

#include "tst_master_endpoint.moc"
