#include "core/kernel/world/harm_judge.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <utility>

namespace lockscope::tst_harm_judge {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;
using store::Command;

namespace {

/// One client, a server that answers it at once, and commands of other clients. The client acquires
/// `k` for ten seconds when it runs.
class Scene : private Network, private trace::EventSink {
public:
    explicit Scene(std::string_view protocol)
        : m_plan(planOf({aRound()})),
          m_protocol(*protocol::findProtocol(protocol)),
          m_ledger(m_protocol.info(), m_plan),
          m_servers(m_plan, m_lua, m_now),
          m_probe(m_protocol, m_plan, m_servers, m_now),
          m_session(m_servers[0].connect()),
          m_client({m_protocol, m_plan, m_plan.clients[0], m_ledger, *this, *this, m_now, 0, 0})
    {}

    /// False if the client does not hold the lock afterwards.
    bool acquire()
    {
        m_client.start();
        m_client.run();
        return m_client.grantOf(0) != nullptr;
    }

    /// The value of `k`, which is a string.
    Bytes value() const { return std::get<Bytes>(m_servers[0].database().keys().find("k")->value); }

    /// Sends the command of another client. Returns its harm to the client's hold, or "none".
    QByteArray harmBy(Purpose purpose, const Command& command)
    {
        const sim::Keyspace before = std::as_const(m_servers)[0].database().keys();
        m_servers[0].run(m_session, command, m_servers.timeOf(0));
        const HarmJudge judge(m_probe, m_client, 0);
        const auto harm = judge.harmBy(purpose, {0, before});
        return harm ? QByteArray::fromStdString(std::string(idOf(*harm))) : QByteArray("none");
    }

private:
    void send(Request request) override
    {
        const auto reply = m_servers[0].run(m_session, request.command, m_servers.timeOf(0));
        request.answer->complete(*reply);
    }
    void subscribe(int, int, const Bytes&) override {}
    void append(const trace::Event&) override {}

    sim::LuaEngine m_lua;
    Instant m_now{};
    WorldPlan m_plan;
    const protocol::LockProtocol& m_protocol;
    Ledger m_ledger;
    Servers m_servers;
    Probe m_probe;
    sim::SessionId m_session;
    SimClient m_client;
};

} // namespace

class TestHarmJudge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRenewalThatReplacesTheHoldTakesItOver();
    void aRenewalThatEndsTheHoldReleasesIt();
    void aRenewalThatMovesTheEndIsJudgedElsewhere();
    void aRefusedWriterThatMovesNothingIsHarmless();
    void aRefusedGetsetMovesTheEnd();
    void withoutAHoldThereIsNoHarm();
};

void TestHarmJudge::aRenewalThatReplacesTheHoldTakesItOver()
{
    Scene scene("set-nx-px-token");
    QVERIFY(scene.acquire());
    const Command renewal("SET", "k", "another token", "XX", "PX", 10'000);
    QCOMPARE(scene.harmBy(Purpose::Renew, renewal), "takeover");
}

void TestHarmJudge::aRenewalThatEndsTheHoldReleasesIt()
{
    Scene scene("set-nx-px-token");
    QVERIFY(scene.acquire());
    QCOMPARE(scene.harmBy(Purpose::Renew, Command("PEXPIRE", "k", 0)), "wrong-release");
}

void TestHarmJudge::aRenewalThatMovesTheEndIsJudgedElsewhere()
{
    Scene scene("set-nx-px-token");
    QVERIFY(scene.acquire());
    QCOMPARE(scene.harmBy(Purpose::Renew, Command("PEXPIRE", "k", 60'000)), "none");
    QCOMPARE(scene.harmBy(Purpose::Acquire, Command("PEXPIRE", "k", 30'000)), "wrong-extension");
}

/// The hold ends by the time in its own field, also if the hash around it lives longer.
void TestHarmJudge::aRefusedWriterThatMovesNothingIsHarmless()
{
    Scene scene("rw-hash-owners");
    QVERIFY(scene.acquire());
    const Command mark("HSET", "k", "a waiting writer", "wait 1735689605000");
    QCOMPARE(scene.harmBy(Purpose::Acquire, mark), "none");
    QCOMPARE(scene.harmBy(Purpose::Acquire, Command("PEXPIRE", "k", 60'000)), "none");
}

/// GETSET removes the expiry of the key, which is earlier than the end in its value.
void TestHarmJudge::aRefusedGetsetMovesTheEnd()
{
    Scene scene("setnx-getset");
    QVERIFY(scene.acquire());
    QCOMPARE(scene.harmBy(Purpose::Acquire, Command("GETSET", "k", scene.value())),
             "wrong-extension");
}

void TestHarmJudge::withoutAHoldThereIsNoHarm()
{
    Scene scene("set-nx-px-token");
    QCOMPARE(scene.harmBy(Purpose::Renew, Command("SET", "k", "a token", "PX", 10'000)), "none");
}

LOCKSCOPE_TEST(TestHarmJudge, Core)

} // namespace lockscope::tst_harm_judge

#include "tst_harm_judge.moc"
