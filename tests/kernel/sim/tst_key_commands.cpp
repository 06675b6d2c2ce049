#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_key_commands {

using namespace lockscope::testing;
using namespace std::chrono_literals;

class TestKeyCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keysAreCountedOncePerMention();
    void typesHaveNames();
    void patternsChooseKeys();
    void whatHasExpiredIsNotCounted();
    void renamingTakesTheLeaseAlong();
};

void TestKeyCommands::keysAreCountedOncePerMention()
{
    SimTalk say;
    QCOMPARE(say("MSET a 1 b 2"), "+OK");
    QCOMPARE(say("EXISTS a a c"), "2");
    QCOMPARE(say("DEL a a c"), "1");
    QCOMPARE(say("UNLINK b"), "1");
    QCOMPARE(say("TYPE b"), "+none");
}

void TestKeyCommands::typesHaveNames()
{
    SimTalk say;
    QCOMPARE(say("SET s 1"), "+OK");
    QCOMPARE(say("HSET h f 1"), "1");
    QCOMPARE(say("RPUSH l 1"), "1");
    QCOMPARE(say("SADD e 1"), "1");
    QCOMPARE(say("ZADD z 1 m"), "1");
    QCOMPARE(say("TYPE s"), "+string");
    QCOMPARE(say("TYPE h"), "+hash");
    QCOMPARE(say("TYPE l"), "+list");
    QCOMPARE(say("TYPE e"), "+set");
    QCOMPARE(say("TYPE z"), "+zset");
}

void TestKeyCommands::patternsChooseKeys()
{
    SimTalk say;
    QCOMPARE(say("MSET aa 1 ab 2 b 3"), "+OK");
    QCOMPARE(say("KEYS a?"), "[\"aa\", \"ab\"]");
    QCOMPARE(say("KEYS [^a]*"), "[\"b\"]");
    QCOMPARE(say("SCAN 0 MATCH *b COUNT 1"), "[\"0\", [\"ab\", \"b\"]]");
    QCOMPARE(say("SCAN 0 TYPE list"), "[\"0\", []]");
    QCOMPARE(say("SCAN 7"), "[\"0\", []]");
    QCOMPARE(say("SCAN x"), "-ERR invalid cursor");
    QCOMPARE(say("SCAN 0 COUNT 0"), "-ERR syntax error");
}

void TestKeyCommands::whatHasExpiredIsNotCounted()
{
    SimTalk say;
    QCOMPARE(say("SET a 1 PX 1000"), "+OK");
    QCOMPARE(say("SET b 1"), "+OK");
    say.now += 2s;
    QCOMPARE(say("DBSIZE"), "1");
    QCOMPARE(say("KEYS *"), "[\"b\"]");
}

void TestKeyCommands::renamingTakesTheLeaseAlong()
{
    SimTalk say;
    QCOMPARE(say("SET a 1 PX 1000"), "+OK");
    QCOMPARE(say("SET b 2"), "+OK");
    QCOMPARE(say("RENAMENX a b"), "0");
    QCOMPARE(say("RENAME a b"), "+OK");
    QCOMPARE(say("PTTL b"), "1000");
    QCOMPARE(say("RENAME a b"), "-ERR no such key");
    QCOMPARE(say("RENAME b b"), "+OK");
    QCOMPARE(say("FLUSHALL x"), "-ERR syntax error");
    QCOMPARE(say("FLUSHALL ASYNC"), "+OK");
    QCOMPARE(say("DBSIZE"), "0");
}

LOCKSCOPE_TEST(TestKeyCommands, Core)

} // namespace lockscope::tst_key_commands

#include "tst_key_commands.moc"
