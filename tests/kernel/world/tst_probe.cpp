#include "core/kernel/world/probe.h"
#include "tests/kernel/world/stage.h"
#include "tests/support/fenced_hash.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>

namespace lockscope::tst_probe {

using namespace lockscope::testing;
using namespace lockscope::world;
using namespace std::chrono_literals;
using Answer = Probe::Answer;

namespace {

/// One client that acquires for 10 s, as a writer where there are readers.
WorldPlan planFor(const protocol::ProtocolInfo& info)
{
    WorldPlan plan = planOf({aRound()});
    if (info.hasModes) {
        Act& acquire = plan.clients.front().acts.front();
        acquire = acquire.as(protocol::Mode::Write);
    }
    const bool isReplicated = std::ranges::any_of(info.needs, [](const protocol::Need& need) {
        return need.feature == protocol::ServerFeature::SeveralMasters;
    });
    plan.nodeCount = isReplicated ? 3 : 1;
    return plan;
}

/// Goes on until A has its lock.
void grantA(Stage& stage)
{
    while (stage.grants().isEmpty()) {
        QVERIFY(stage.world().takeStep(Step(stage.world().steps().front())));
    }
}

QByteArray textOf(const Probe::FreeFrom& from)
{
    if (!from.isKnown) {
        return "unknown";
    }
    return from.at ? QByteArray::number(toMs(from.at->time_since_epoch())) : QByteArray("never");
}

} // namespace

class TestProbe final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyProtocolAnswers_data();
    void everyProtocolAnswers();
    void nothingInTheWorldChanges();
    void aMajorityKeepsTheRestClosed();
    void aKeyIsNoHold();
    void otherDataMayCount();
    void anErrorIsNoRefusal();
    void noAnswerIsNotNever();
    void anOwnerMayAskForItsHold();
};

void TestProbe::everyProtocolAnswers_data()
{
    QTest::addColumn<QByteArray>("freeFrom");

    // The millisecond of its expiry a key is still there; the times in values end with it.
    const std::map<std::string_view, QByteArray> others{{"exists-then-set", "never"},
                                                        {"setnx-no-expiry", "never"},
                                                        {"rw-hash-stamps", "10000"},
                                                        {"rw-hash-owners", "10000"},
                                                        {"semaphore", "10000"}};
    for (const protocol::LockProtocol* const protocol : protocol::builtinProtocols()) {
        const std::string& id = protocol->info().id;
        const auto other = others.find(id);
        QTest::newRow(id.c_str()) << (other == others.end() ? QByteArray("10001") : other->second);
    }
}

void TestProbe::everyProtocolAnswers()
{
    QFETCH(const QByteArray, freeFrom);
    const protocol::LockProtocol& protocol = *protocol::findProtocol(QTest::currentDataTag());
    Stage stage(protocol, planFor(protocol.info()));
    const Probe& probe = stage.world().probe();
    QCOMPARE(probe.ask(0), Answer::Granted);
    QCOMPARE(textOf(probe.freeFrom(0)), "0");
    grantA(stage);
    QCOMPARE(probe.ask(0), Answer::Refused);
    QCOMPARE(textOf(probe.freeFrom(0)), freeFrom);
    stage.goOn();
    QCOMPARE(probe.ask(0), Answer::Granted); // given back
}

void TestProbe::nothingInTheWorldChanges()
{
    Stage stage("redisson-fair", twoAtOnce());
    QVERIFY(stage.takeSteps({"serve A 0 c", "serve B 0 c"}));
    const auto hash = stage.world().stateHash();
    const auto events = stage.world().events().size();
    QCOMPARE(stage.world().probe().ask(0), Answer::Refused);
    // B does nothing any more; its place in the queue keeps a fresh client away for so long.
    QCOMPARE(textOf(stage.world().probe().freeFrom(0)), "34000");
    QCOMPARE(stage.world().stateHash(), hash);
    QCOMPARE(stage.world().events().size(), events);
}

void TestProbe::aMajorityKeepsTheRestClosed()
{
    const sim::Keyspace nothing;
    WorldPlan plan = planOf({aRound()});
    plan.nodeCount = 3;
    Stage everywhere("redlock", plan);
    grantA(everywhere);
    const Probe& all = everywhere.world().probe();
    QCOMPARE(textOf(all.freeFrom(0)), "10001");
    QCOMPARE(textOf(all.freeFrom(0, {0, nothing})), "10001"); // one of three has forgotten it

    plan.unreachable = {{0, 2}};
    Stage justEnough("redlock", plan);
    grantA(justEnough);
    const Probe& two = justEnough.world().probe();
    QCOMPARE(two.ask(0), Answer::Refused);
    const Instant now = justEnough.world().now();
    QCOMPARE(two.freeFrom(0, {0, nothing}).at, std::optional(now));
}

void TestProbe::aKeyIsNoHold()
{
    const auto protocol = fencedHash();
    Stage stage(*protocol, planOf({aRound()}));
    grantA(stage);
    QCOMPARE(stage.world().probe().ask(0), Answer::Refused);
    QCOMPARE(textOf(stage.world().probe().freeFrom(0)), "10001"); // the time is in a field
    stage.goOn();
    QVERIFY(stage.entry("k") != nullptr);
    QCOMPARE(stage.world().probe().ask(0), Answer::Granted);
}

void TestProbe::otherDataMayCount()
{
    Stage stage("set-nx-px-token", planOf({aRound()}));
    grantA(stage);
    const sim::Keyspace nothing;
    QCOMPARE(textOf(stage.world().probe().freeFrom(0, {0, nothing})), "0");
    QCOMPARE(textOf(stage.world().probe().freeFrom(0)), "10001");
}

void TestProbe::anErrorIsNoRefusal()
{
    const auto protocol = fencedHash();
    Stage stage(*protocol, planOf({aRound()}));
    sim::Keyspace strange;
    strange.insert("k", Bytes("a text where a hash should be"));
    QCOMPARE(textOf(stage.world().probe().freeFrom(0, {0, strange})), "never");
}

/// A request without an answer says nothing about the lock: not even that it is never open.
void TestProbe::noAnswerIsNotNever()
{
    WorldPlan plan = planOf({aRound()});
    plan.plantedChange = [](store::Command command) {
        return command.words.front() == "SET" ? store::Command("BLPOP", "nothing", "0") : command;
    };
    Stage stage("set-nx-px-token", plan);
    const Probe& probe = stage.world().probe();
    QCOMPARE(probe.ask(0), Answer::Unknown);
    QCOMPARE(textOf(probe.freeFrom(0)), "unknown");
    Probe::Asker asker{{"a waiter", 1}, Rng(1), {}};
    asker.request.key = "k";
    asker.request.lease = 10s;
    QCOMPARE(textOf(probe.freeFrom(asker, Instant(20s))), "unknown");
}

void TestProbe::anOwnerMayAskForItsHold()
{
    Stage stage("redisson-lock", planOf({aRound()}));
    grantA(stage);
    const Probe& probe = stage.world().probe();
    protocol::Identity owner;
    const auto entries = stage.world().server(0).database().keys().entries();
    const Bytes field = std::get<sim::HashValue>(entries.front().value).fields.front().first;
    owner.client = field.substr(0, field.find(':'));
    owner.task = 1;
    protocol::Grant grant;
    grant.request.key = "k";
    QCOMPARE(probe.isHeld(owner, grant), std::optional(true));
    QCOMPARE(probe.isHeld({"somebody else", 1}, grant), std::optional(false));
    const sim::Keyspace nothing;
    QCOMPARE(probe.isHeld(owner, grant, {0, nothing}), std::optional(false));
    QCOMPARE(probe.ask(0), Answer::Refused); // nothing was released
}

LOCKSCOPE_TEST(TestProbe, Core)

} // namespace lockscope::tst_probe

#include "tst_probe.moc"
