#include "core/kernel/sim/call.h"
#include "core/kernel/sim/expiry_option.h"
#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_sim_database {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestSimDatabase : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesGoTheirOwnWay();
    void equalHistoriesGiveEqualServers();
    void whateverCountsIsInTheHash();
    void anExpiredKeyIsInvisibleToScriptsToo();
    void commandsOfConnectionsAreRefused();
    void spansAreCutToWhatIsThere();
};

void TestSimDatabase::copiesGoTheirOwnWay()
{
    SimTalk say;
    say("SET a 1 PX 1000");
    sim::SimDatabase copy = say.database;
    QVERIFY(copy == say.database);
    say("SET a 2");
    QVERIFY(!(copy == say.database));
    QCOMPARE(replyText(copy.run(store::Command("GET", "a"), {say.lua, say.now})), "\"1\"");
}

void TestSimDatabase::equalHistoriesGiveEqualServers()
{
    SimTalk one;
    SimTalk two;
    one("MSET a 1 b 2");
    two("SET b 2");
    two("SET a 1");
    QVERIFY(one.database == two.database);
    two("PEXPIRE a 5");
    QVERIFY(!(one.database == two.database));
}

void TestSimDatabase::whateverCountsIsInTheHash()
{
    SimTalk say;
    for (const char* const step :
         {"SET a 1",     "GET a",     "SET b 1",         "SET b 2",         "PEXPIRE b 9",
          "PERSIST b",   "PERSIST b", "HSET h x 1 y 2",  "HSET h x 2",      "HSET h x 2",
          "RPUSH l 1 2", "LPOP l",    "SADD s 1",        "SADD s 1",        "ZADD z 1 a",
          "ZADD z 2 a",  "DEL a b",   "SCRIPT LOAD x=1", "SCRIPT LOAD x=1", "EVAL return(1) 0"}) {
        const sim::SimDatabase before = say.database;
        say(step);
        QCOMPARE(before.contentHash() == say.database.contentHash(), before == say.database);
    }
    SimTalk other;
    for (const char* const step : {"EVAL return(1) 0", "ZADD z 2 a", "SADD s 1", "RPUSH l 2",
                                   "HSET h x 2 y 2", "SCRIPT LOAD x=1"}) {
        other(step);
    }
    QVERIFY(other.database == say.database);
    QCOMPARE(other.database.contentHash(), say.database.contentHash());
    other("SCRIPT FLUSH");
    other("FLUSHALL");
    QCOMPARE(other.database.contentHash(), sim::SimDatabase().contentHash());
}

void TestSimDatabase::anExpiredKeyIsInvisibleToScriptsToo()
{
    SimTalk say;
    say("SET a 1 PX 10");
    say.now += 11ms;
    QCOMPARE(say.eval("return {redis.call('exists', 'a'), redis.call('set', 'a', 2, 'nx').ok}"),
             "[0, \"OK\"]");
}

void TestSimDatabase::commandsOfConnectionsAreRefused()
{
    SimTalk say;
    QCOMPARE(say("MULTI"), "-ERR 'multi' needs a connection");
    QCOMPARE(replyText(say.ask({})), "-ERR an empty command");
}

void TestSimDatabase::spansAreCutToWhatIsThere()
{
    QCOMPARE(sim::spanOf(0, -1, 3)->end, std::size_t{3});
    QCOMPARE(sim::spanOf(-100, 100, 3)->begin, std::size_t{0});
    QVERIFY(!sim::spanOf(3, 5, 3));
    QVERIFY(!sim::spanOf(0, -4, 3));
    QVERIFY(!sim::spanOf(0, -1, 0));
    QVERIFY(sim::expiryUnitOf("PxAt")->isAbsolute);
}

LOCKSCOPE_TEST(TestSimDatabase, Core)

} // namespace lockscope::tst_sim_database

#include "tst_sim_database.moc"
