// What the simulated server behind a conductor does beside carrying out commands.

#include "core/conduct/server/sim_backend.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <string>

namespace lockscope::tst_sim_backend {

using namespace std::chrono_literals;
using conduct::SimBackend;
using store::Command;
using store::Reply;

namespace {

constexpr sim::ServerTime kNow{1'700'000'000s};

bool hasKey(const SimBackend& server, const std::string& name)
{
    for (const auto& key : server.keys(kNow)) {
        if (key.name == name) {
            return true;
        }
    }
    return false;
}

} // namespace

class TestSimBackend : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFailoverLosesWhatCameSinceReplicationStopped_data();
    void aFailoverLosesWhatCameSinceReplicationStopped();
    void aClientMayAskWhetherReplicasHaveItsWrite();
    void keysAreForgottenByReplicasToo();
    void aRestartForgetsScriptsAndConnections();
};

void TestSimBackend::aFailoverLosesWhatCameSinceReplicationStopped_data()
{
    QTest::addColumn<int>("replicas");
    QTest::newRow("nobody sees the replica") << 0;
    QTest::newRow("a client may ask after it") << 1;
}

void TestSimBackend::aFailoverLosesWhatCameSinceReplicationStopped()
{
    QFETCH(const int, replicas);
    SimBackend server(replicas);
    const auto session = server.connect("127.0.0.1:1", kNow);
    server.run(session, Command("SET", "before", "1"), kNow);
    server.stopReplication(kNow);
    server.run(session, Command("SET", "since", "1"), kNow);
    server.run(session, Command("DEL", "before"), kNow);
    QVERIFY(hasKey(server, "since"));
    server.failOver(kNow);
    QVERIFY(hasKey(server, "before"));
    QVERIFY(!hasKey(server, "since"));
    server.failOver(kNow); // replication goes on: there is nothing that a replica has not got
    QVERIFY(hasKey(server, "before"));
}

void TestSimBackend::aClientMayAskWhetherReplicasHaveItsWrite()
{
    SimBackend server(1);
    const auto session = server.connect("127.0.0.1:1", kNow);
    server.run(session, Command("SET", "k", "1"), kNow);
    const Command wait("WAIT", 1, 100);
    QVERIFY(server.run(session, wait, kNow) == Reply::ofInteger(1));
    server.stopReplication(kNow);
    server.run(session, Command("SET", "k", "2"), kNow);
    server.takeOutput();
    QVERIFY(!server.run(session, wait, kNow));
    QVERIFY(server.isWaiting(session));
    QVERIFY(server.nextTimeout() == kNow + 100ms);
    server.timePassed(kNow + 100ms);
    QCOMPARE(server.takeOutput().front().bytes, std::string(":0\r\n"));
    server.run(session, wait, kNow);
    server.resumeReplication();
    QCOMPARE(server.takeOutput().front().bytes, std::string(":1\r\n"));
}

void TestSimBackend::keysAreForgottenByReplicasToo()
{
    SimBackend server(1);
    const auto session = server.connect("127.0.0.1:1", kNow);
    server.run(session, Command("SET", "k", "1"), kNow);
    server.forgetKeys();
    server.stopReplication(kNow);
    server.failOver(kNow);
    QVERIFY(!hasKey(server, "k"));
}

void TestSimBackend::aRestartForgetsScriptsAndConnections()
{
    SimBackend server;
    const auto session = server.connect("127.0.0.1:1", kNow);
    server.run(session, Command("SET", "k", "1"), kNow);
    const auto digest = server.run(session, Command("SCRIPT", "LOAD", "return 1"), kNow);
    server.restart();
    QVERIFY(hasKey(server, "k"));
    const auto next = server.connect("127.0.0.1:2", kNow);
    const auto answer = server.run(next, Command("EVALSHA", *digest->text(), 0), kNow);
    QVERIFY(answer && answer->isError());
    QCOMPARE(std::string(answer->error()->code()), std::string("NOSCRIPT"));
}

LOCKSCOPE_TEST(TestSimBackend, None)

} // namespace lockscope::tst_sim_backend

#include "tst_sim_backend.moc"
