// The licence to believe the simulation of replicas: a real master with one real replica says the
// same. Whatever was on its way when a replica is promoted is lost in both worlds.

#include "core/kernel/sim/lua_engine.h"
#include "core/kernel/sim/sim_server.h"
#include "tests/support/live/live_server.h"
#include "tests/support/reply_text.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tst_sim_contract_replicas {

using namespace lockscope::testing;
using store::Command;
using store::Reply;

namespace {

/// A master with one replica, real and simulated, and clients at both masters.
class Fleet {
public:
    Fleet();

    /// One more client of both masters.
    std::size_t connect();
    /// What both say to words between single spaces, or how they differ.
    QByteArray ask(std::size_t client, std::string_view line);
    /// The same for a command with a time-out that is over soon.
    QByteArray askBriefly(std::size_t client, std::string_view line);
    /// The same for a command that waits for the replica: thaw() answers.
    void begin(std::size_t client, std::string_view line);
    QByteArray answer(std::size_t client);

    /// The replica stays connected and hears nothing, or goes on from there.
    void freeze() { m_replica.process().freeze(); }
    void thaw();
    /// The replica hears nothing any more.
    void cutOff();
    /// The replica takes the master's place; the clients go there.
    void failOver();

private:
    struct Client {
        std::unique_ptr<PlainClient> real;
        sim::SessionId session = 0;
        std::optional<Reply> simulated; // of what begin() asked
    };

    static Command commandOf(std::string_view line);
    static QByteArray compared(const Reply& simulated, const Reply& real);
    void waitForLink();
    Reply deliveryFor(sim::SessionId session);

    LiveServer m_master{LiveServer::Listen::LoopbackPort,
                        {QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0"),
                         QStringLiteral("--repl-ping-replica-period"), QStringLiteral("3600"),
                         QStringLiteral("--repl-timeout"), QStringLiteral("7200")}};
    LiveServer m_replica{LiveServer::Listen::LoopbackPort,
                         {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                          QString::number(m_master.endpoint().port)}};
    LiveServer* m_realServer = &m_master;
    sim::LuaEngine m_lua;
    sim::SimServer m_server{m_lua};
    sim::ServerTime m_now{std::chrono::seconds(1'700'000'000)};
    std::vector<Client> m_clients;
};

Fleet::Fleet()
{
    m_server.addReplica();
    waitForLink();
}

Command Fleet::commandOf(std::string_view line)
{
    Command command;
    std::istringstream words{std::string(line)};
    for (std::string word; words >> word;) {
        command.append(word);
    }
    return command;
}

QByteArray Fleet::compared(const Reply& simulated, const Reply& real)
{
    const QByteArray text = QByteArray::fromStdString(replyText(simulated));
    return simulated == real
               ? text
               : "simulated: " + text + ", real: " + QByteArray::fromStdString(replyText(real));
}

void Fleet::waitForLink()
{
    QTRY_VERIFY_WITH_TIMEOUT(
        m_replica.client()("INFO", "replication").text()->find("master_link_status:up")
            != std::string::npos,
        30'000);
}

std::size_t Fleet::connect()
{
    m_clients.push_back({std::make_unique<PlainClient>(m_realServer->endpoint()),
                         m_server.connect(), std::nullopt});
    return m_clients.size() - 1;
}

Reply Fleet::deliveryFor(sim::SessionId session)
{
    for (sim::Delivery& delivery : m_server.takeDeliveries()) {
        if (delivery.session == session) {
            return std::move(delivery.reply);
        }
    }
    return Reply::ofError("nothing was delivered");
}

QByteArray Fleet::ask(std::size_t client, std::string_view line)
{
    Client& asking = m_clients[client];
    std::optional<Reply> simulated = m_server.run(asking.session, commandOf(line), m_now);
    const Reply real = asking.real->ask(commandOf(line));
    return compared(simulated.value_or(Reply::ofError("it waits")), real);
}

QByteArray Fleet::askBriefly(std::size_t client, std::string_view line)
{
    Client& asking = m_clients[client];
    std::optional<Reply> simulated = m_server.run(asking.session, commandOf(line), m_now);
    if (!simulated) {
        m_now = m_server.nextTimeout().value();
        m_server.endWaits(m_now);
        simulated = deliveryFor(asking.session);
    }
    return compared(*simulated, asking.real->ask(commandOf(line)));
}

void Fleet::begin(std::size_t client, std::string_view line)
{
    Client& asking = m_clients[client];
    asking.simulated = m_server.run(asking.session, commandOf(line), m_now);
    asking.real->send(commandOf(line));
    QTRY_VERIFY(m_master.client()("INFO", "clients").text()->find("blocked_clients:1")
                != std::string::npos);
}

QByteArray Fleet::answer(std::size_t client)
{
    Client& asking = m_clients[client];
    return compared(asking.simulated ? *asking.simulated : deliveryFor(asking.session),
                    asking.real->listen().value_or(Reply::ofError("nothing came")));
}

void Fleet::thaw()
{
    m_replica.process().thaw();
    while (m_server.advanceReplica(0)) {}
}

void Fleet::cutOff()
{
    // No server listens there; the replica keeps what it has.
    m_replica.client()("REPLICAOF", "127.0.0.1", 1);
}

void Fleet::failOver()
{
    m_clients.clear();
    m_master.kill();
    m_replica.client()("REPLICAOF", "NO", "ONE");
    m_realServer = &m_replica;
    m_server.failOver(0);
}

} // namespace

class TestSimContractReplicas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void waitAnswersAlike();
    void anAcknowledgedWriteIsLostAlike();
};

void TestSimContractReplicas::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestSimContractReplicas::waitAnswersAlike()
{
    Fleet fleet;
    const std::size_t alice = fleet.connect();
    const std::size_t bob = fleet.connect();
    QCOMPARE(fleet.ask(alice, "WAIT x 0"), "-ERR value is not an integer or out of range");
    QCOMPARE(fleet.ask(alice, "WAIT 1 0.5"), "-ERR timeout is not an integer or out of range");
    QCOMPARE(fleet.ask(alice, "WAIT 1 -1"), "-ERR timeout is negative");
    QCOMPARE(fleet.ask(alice, "SET a 1"), "+OK");
    fleet.thaw();
    QCOMPARE(fleet.ask(alice, "WAIT 1 0"), "1");
    QCOMPARE(fleet.askBriefly(alice, "WAIT 2 20"), "1");

    fleet.freeze();
    QCOMPARE(fleet.ask(alice, "SET a 2"), "+OK");
    QCOMPARE(fleet.askBriefly(alice, "WAIT 1 20"), "0");
    QCOMPARE(fleet.ask(bob, "WAIT 1 0"), "1"); // it has neither written nor read anything
    QCOMPARE(fleet.ask(bob, "GET a"), "\"2\"");
    QCOMPARE(fleet.askBriefly(bob, "WAIT 1 20"), "0");
    QCOMPARE(fleet.ask(alice, "MULTI"), "+OK");
    QCOMPARE(fleet.ask(alice, "WAIT 1 0"), "+QUEUED");
    QCOMPARE(fleet.ask(alice, "EXEC"), "[0]");
    fleet.begin(alice, "WAIT 1 0");
    fleet.thaw();
    QCOMPARE(fleet.answer(alice), "1");
}

void TestSimContractReplicas::anAcknowledgedWriteIsLostAlike()
{
    Fleet fleet;
    std::size_t alice = fleet.connect();
    QCOMPARE(fleet.ask(alice, "SET kept 1"), "+OK");
    QCOMPARE(fleet.ask(alice, "RPUSH queue a b"), "2");
    QCOMPARE(fleet.ask(alice, "EVAL return(redis.call('incr','fence')) 0"), "1");
    QCOMPARE(fleet.ask(alice, "SET gone 1 PX 600000"), "+OK");
    QCOMPARE(fleet.ask(alice, "PEXPIRE gone 0"), "1");
    fleet.thaw();
    QCOMPARE(fleet.ask(alice, "WAIT 1 0"), "1");
    fleet.cutOff();
    QCOMPARE(fleet.ask(alice, "SET lock alice NX PX 600000"), "+OK");
    QCOMPARE(fleet.ask(alice, "INCR fence"), "2");
    QCOMPARE(fleet.ask(alice, "LPOP queue"), "\"a\"");
    QCOMPARE(fleet.askBriefly(alice, "WAIT 1 20"), "0");

    fleet.failOver();
    alice = fleet.connect();
    QCOMPARE(fleet.ask(alice, "EVALSHA 6aaf3c89e7ed390190da4229052d055b7945fdbb 0"),
             "-NOSCRIPT No matching script. Please use EVAL.");
    QCOMPARE(fleet.ask(alice, "MGET kept gone lock fence"), "[\"1\", nil, nil, \"1\"]");
    QCOMPARE(fleet.ask(alice, "LRANGE queue 0 -1"), "[\"a\", \"b\"]");
    QCOMPARE(fleet.ask(alice, "SET lock bob NX PX 600000"), "+OK");
    QCOMPARE(fleet.ask(alice, "INCR fence"), "2");
}

LOCKSCOPE_TEST(TestSimContractReplicas, Core)

} // namespace lockscope::tst_sim_contract_replicas

#include "tst_sim_contract_replicas.moc"
