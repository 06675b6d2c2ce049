#include "server_info.h"

#include <QTest>

using namespace lockscope;
using store::Reply;
using wire::ServerInfo;

class TestServerInfo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void versionAndRoleAreFound();
    void theOldWordForReplicaIsTranslated();
    void aNameInsideAnotherIsNotTaken();
    void whatIsNotToldIsEmpty();
};

void TestServerInfo::versionAndRoleAreFound()
{
    const ServerInfo info = wire::serverInfoOf(
        Reply::ofBulk("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n\r\n# "
                      "Replication\r\nrole:master\r\n"));
    QCOMPARE(info.version, std::string("7.0.15"));
    QCOMPARE(info.role, std::string("master"));
}

void TestServerInfo::theOldWordForReplicaIsTranslated()
{
    QCOMPARE(wire::serverInfoOf(Reply::ofBulk("role:slave\r\n")).role, std::string("replica"));
}

void TestServerInfo::aNameInsideAnotherIsNotTaken()
{
    const ServerInfo info = wire::serverInfoOf(
        Reply::ofBulk("old_redis_version:1\r\nmaster_role:x\r\nredis_version:6.0"));
    QCOMPARE(info.version, std::string("6.0"));
    QCOMPARE(info.role, std::string());
}

void TestServerInfo::whatIsNotToldIsEmpty()
{
    const store::Problem problem{store::Problem::Kind::ConnectionLost, {}, {}, {}};
    for (const store::Outcome& outcome :
         {store::Outcome(Reply()), store::Outcome(Reply::ofError("NOPERM")),
          store::Outcome(Reply::ofBulk("")), store::Outcome(store::Unreachable{problem}),
          store::Outcome(store::Unknown{problem})}) {
        const ServerInfo info = wire::serverInfoOf(outcome);
        QVERIFY(info.version.empty());
        QVERIFY(info.role.empty());
    }
}

QTEST_GUILESS_MAIN(TestServerInfo)
#include "tst_server_info.moc"
