#include "tests/kernel/random_input.h"
#include "tests/kernel/sim/meeting.h"
#include "tests/support/command_grammar.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

namespace lockscope::tst_sim_server_replicas {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestSimServerReplicas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitCountsTheReplicasThatHaveTheWrite();
    void waitIsAnsweredWhenTheReplicasCatchUp();
    void waitGivesUp();
    void waitIsStrictAboutItsWords();
    void waitDoesNotWaitInATransaction();
    void aTransactionTravelsAsOne();
    void anAcknowledgedWriteIsLost();
    void aRestartForgetsConnectionsAndScripts();
    void theHashTellsWhoHasToWait();
    void replicasThatCaughtUpDoNotDiffer();
};

void TestSimServerReplicas::waitCountsTheReplicasThatHaveTheWrite()
{
    Meeting m;
    QCOMPARE(m.say(m.alice, "WAIT 0 0"), "0");
    m.server.addReplica();
    m.server.addReplica();
    QCOMPARE(m.say(m.alice, "WAIT 2 0"), "2"); // it has written nothing
    m.say(m.alice, "SET a 1");
    QCOMPARE(m.say(m.alice, "WAIT 0 0"), "0");
    m.server.advanceReplica(1);
    QCOMPARE(m.say(m.alice, "WAIT 1 0"), "1");
    QCOMPARE(m.say(m.bob, "WAIT 2 0"), "2");
    m.say(m.bob, "GET a"); // Redis waits for all that was there when one looked
    QCOMPARE(m.say(m.bob, "WAIT 1 0"), "1");
}

void TestSimServerReplicas::waitIsAnsweredWhenTheReplicasCatchUp()
{
    Meeting m;
    m.server.addReplica();
    m.server.addReplica();
    m.say(m.alice, "SET a 1");
    QCOMPARE(m.say(m.alice, "WAIT 1 0"), "later");
    m.say(m.bob, "SET a 2");
    QCOMPARE(m.say(m.bob, "WAIT 2 0"), "later");
    QVERIFY(m.server.isWaiting(m.alice));
    QVERIFY(!m.server.nextTimeout());
    QVERIFY(m.server.advanceReplica(0));
    QCOMPARE(m.heard(), "1: 1");
    QVERIFY(m.server.advanceReplica(0));
    QVERIFY(!m.server.advanceReplica(0));
    QVERIFY(m.server.advanceReplica(1));
    QCOMPARE(m.heard(), "");
    QVERIFY(m.server.advanceReplica(1));
    QCOMPARE(m.heard(), "2: 2");
    QVERIFY(!m.server.isWaiting(m.bob));
}

void TestSimServerReplicas::waitGivesUp()
{
    Meeting m;
    m.server.addReplica();
    m.say(m.alice, "SET a 1");
    QCOMPARE(m.say(m.alice, "WAIT 2 20"), "later");
    m.say(m.bob, "GET a");
    QCOMPARE(m.say(m.bob, "WAIT 1 10"), "later");
    QCOMPARE(m.say(m.carol, "BLPOP l 0.015"), "later");
    QCOMPARE(*m.server.nextTimeout(), m.now + 10ms);
    sim::SimServer copy = m.server;
    copy.disconnect(m.bob);
    QCOMPARE(*copy.nextTimeout(), m.now + 15ms);
    m.server.endWaits(m.now + 20ms);
    QCOMPARE(m.heard(), "2: 0; 3: nil; 1: 0");
    m.say(m.alice, "SET a 2");
    m.server.advanceReplica(0);
    QCOMPARE(m.say(m.alice, "WAIT 2 20"), "later");
    m.server.advanceReplica(0);
    m.server.endWaits(m.now + 20ms);
    QCOMPARE(m.heard(), "1: 1");
}

void TestSimServerReplicas::waitIsStrictAboutItsWords()
{
    Meeting m;
    QCOMPARE(m.say(m.alice, "WAIT 1"), "-ERR wrong number of arguments for 'wait' command");
    QCOMPARE(m.say(m.alice, "WAIT x 0"), "-ERR value is not an integer or out of range");
    QCOMPARE(m.say(m.alice, "WAIT 1 0.5"), "-ERR timeout is not an integer or out of range");
    QCOMPARE(m.say(m.alice, "WAIT 1 -1"), "-ERR timeout is negative");
    QCOMPARE(m.say(m.alice, "WAIT -1 0"), "0");
    QCOMPARE(m.say(m.alice, "WAIT 1 9223372036854775807"), "later");
    QVERIFY(!m.server.nextTimeout());
    QCOMPARE(m.say(m.bob, "EVAL return(redis.call('wait',0,0)) 0").left(44),
             "-ERR This Redis command is not allowed from ");
}

void TestSimServerReplicas::waitDoesNotWaitInATransaction()
{
    Meeting m;
    m.server.addReplica();
    m.say(m.alice, "SET a 1");
    m.say(m.alice, "MULTI");
    m.say(m.alice, "SET a 2");
    m.say(m.alice, "WAIT 1 0");
    m.say(m.alice, "WAIT x 0");
    QCOMPARE(m.say(m.alice, "EXEC"), "[+OK, 0, -ERR value is not an integer or out of range]");
}

void TestSimServerReplicas::aTransactionTravelsAsOne()
{
    Meeting m;
    m.server.addReplica();
    m.say(m.bob, "BLPOP l 0");
    m.say(m.alice, "MULTI");
    m.say(m.alice, "INCR a");
    m.say(m.alice, "RPUSH l x");
    m.say(m.alice, "EXEC");
    QCOMPARE(m.heard(), "2: [\"l\", \"x\"]");
    // The transaction, and then what was popped because of it.
    QCOMPARE(m.server.replication().lagOf(0), std::size_t{2});
    m.server.advanceReplica(0);
    QCOMPARE(m.server.replication().replica(0).keys().entries().size(), std::size_t{2});
    m.server.advanceReplica(0);
    QVERIFY(m.server.replication().replica(0) == m.server.database());
}

void TestSimServerReplicas::anAcknowledgedWriteIsLost()
{
    Meeting m;
    m.server.addReplica();
    m.server.addReplica();
    QCOMPARE(m.say(m.alice, "SET old 1 NX"), "+OK");
    m.server.advanceReplica(1);
    QCOMPARE(m.say(m.alice, "SET lock 1 NX PX 30000"), "+OK");
    m.say(m.bob, "BLPOP l 0");
    m.server.failOver(1);
    QVERIFY(!m.server.nextTimeout());
    const sim::SessionId dora = m.server.connect();
    QVERIFY(dora > m.carol);
    QCOMPARE(m.say(dora, "MGET old lock"), "[\"1\", nil]");
    QCOMPARE(m.say(dora, "SET lock 2 NX PX 30000"), "+OK");
    QCOMPARE(m.say(dora, "WAIT 3 1"), "later");
    m.server.endWaits(m.now + 1ms);
    QCOMPARE(m.heard(), QByteArray::number(dora) + ": 0");
    m.server.advanceReplica(0);
    m.server.advanceReplica(1);
    QCOMPARE(m.say(dora, "WAIT 2 0"), "2");
    QVERIFY(m.server.replication().replica(0) == m.server.database());
}

void TestSimServerReplicas::aRestartForgetsConnectionsAndScripts()
{
    Meeting m;
    m.server.addReplica();
    m.say(m.alice, "SET a 1");
    m.say(m.alice, "EVAL return(1) 0");
    m.say(m.bob, "SUBSCRIBE c");
    m.say(m.carol, "WAIT 5 0");
    m.server.restart(true);
    QCOMPARE(m.heard(), "");
    QVERIFY(!m.server.isWaiting(m.carol));
    const sim::SessionId dora = m.server.connect();
    QCOMPARE(m.say(dora, "GET a"), "\"1\"");
    QCOMPARE(m.say(dora, "PUBLISH c x"), "0");
    QCOMPARE(m.say(dora, "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"),
             "-NOSCRIPT No matching script. Please use EVAL.");

    sim::SimServer withoutData = m.server;
    withoutData.restart(false);
    QCOMPARE(withoutData.database().keys().entries().size(), std::size_t{0});
    QCOMPARE(withoutData.replication().lagOf(0), std::size_t{2});
    sim::SimServer promoted = withoutData;
    withoutData.advanceReplica(0);
    withoutData.advanceReplica(0);
    QCOMPARE(withoutData.replication().replica(0).keys().entries().size(), std::size_t{0});
    promoted.advanceReplica(0);
    promoted.failOver(0);
    QCOMPARE(promoted.database().keys().entries().size(), std::size_t{1});
}

void TestSimServerReplicas::theHashTellsWhoHasToWait()
{
    Meeting m;
    m.server.addReplica();
    std::set<std::uint64_t> hashes{m.server.contentHash()};
    const auto isNew = [&] { return hashes.insert(m.server.contentHash()).second; };
    m.say(m.alice, "SET a 1");
    QVERIFY(isNew());
    m.say(m.bob, "GET a");
    QVERIFY(isNew());
    m.say(m.bob, "WAIT 1 0");
    QVERIFY(isNew());
    m.server.disconnect(m.bob);
    m.server.advanceReplica(0);
    QVERIFY(isNew());
    // Once the replica has everything, it does not matter any more who wrote what.
    m.say(m.alice, "SET a 2");
    m.say(m.carol, "SET a 1");
    m.server.advanceReplica(0);
    m.server.advanceReplica(0);
    QVERIFY(!isNew());
}

/// Whatever is written: a replica gets all of it, whether by a command, a script, a transaction, an
/// expiry or a pop that had waited.
void TestSimServerReplicas::replicasThatCaughtUpDoNotDiffer()
{
    RandomInput input;
    Rng& rng = input.rng();
    for (int run = 0; run < 100; ++run) {
        Meeting m;
        m.server.addReplica();
        m.server.addReplica();
        CommandGrammar grammar(rng.split(), sim::toEpochMs(m.now));
        for (int step = 0; step < 100; ++step) {
            const auto who = static_cast<sim::SessionId>(1 + rng.below(3));
            if (!m.server.isWaiting(who)) {
                m.server.run(who,
                             rng.below(30) == 0 ? store::Command("BLPOP", "k1", "k2", 0)
                                                : grammar.next(),
                             m.now);
            }
            m.server.advanceReplica(rng.below(2));
            if (rng.below(20) == 0) {
                m.now += 1min;
                m.server.removeExpired(m.now);
            }
        }
        while (m.server.advanceReplica(0) || m.server.advanceReplica(1)) {}
        sim::SimDatabase master = m.server.database();
        master.forgetScripts();
        QVERIFY2(m.server.replication().replica(0) == master, input.recipe().c_str());
        QVERIFY2(m.server.replication().replica(1) == master, input.recipe().c_str());
        m.server.failOver(0);
        QVERIFY(m.server.database() == master);
    }
}

LOCKSCOPE_TEST(TestSimServerReplicas, Core)

} // namespace lockscope::tst_sim_server_replicas

#include "tst_sim_server_replicas.moc"
