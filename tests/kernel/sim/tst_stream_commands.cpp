#include "tests/kernel/sim/sim_talk.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_stream_commands {

using namespace lockscope::testing;

class TestStreamCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theServerNumbersEntriesByItsClock();
    void idsOnlyGrow();
    void aStreamIsKeptShort();
    void anEmptyStreamStaysAKey();
    void wordsThatDoNotFitAreRefused();
};

void TestStreamCommands::theServerNumbersEntriesByItsClock()
{
    SimTalk say;
    QCOMPARE(say("XADD s * event added"), "\"1000000000-0\"");
    QCOMPARE(say("XADD s * event active"), "\"1000000000-1\"");
    say.now -= std::chrono::seconds(5);
    QCOMPARE(say("XADD s * event done"), "\"1000000000-2\"");
    say.now += std::chrono::seconds(6);
    QCOMPARE(say("XADD s * event drained"), "\"1000001000-0\"");
    QCOMPARE(say("TYPE s"), "+stream");
    QCOMPARE(say("XLEN s"), "4");
    QCOMPARE(say("XRANGE s 1000000000-2 +"), "[[\"1000000000-2\", [\"event\", \"done\"]], "
                                             "[\"1000001000-0\", [\"event\", \"drained\"]]]");
}

void TestStreamCommands::idsOnlyGrow()
{
    const QByteArray notAbove = "-ERR The ID specified in XADD is equal or smaller than the target "
                                "stream top item";
    SimTalk say;
    QCOMPARE(say("XADD s 5-1 f v"), "\"5-1\"");
    QCOMPARE(say("XADD s 5-1 f v"), notAbove);
    QCOMPARE(say("XADD s 4-* f v"), notAbove);
    QCOMPARE(say("XADD s 5-* f v"), "\"5-2\"");
    QCOMPARE(say("XADD s 7 f v"), "\"7-0\"");
    QCOMPARE(say("XADD s 7-18446744073709551615 f v"), "\"7-18446744073709551615\"");
}

void TestStreamCommands::aStreamIsKeptShort()
{
    SimTalk say;
    for (int i = 1; i <= 5; ++i) {
        say("XADD s " + std::to_string(i) + " f v");
    }
    QCOMPARE(say("XTRIM s MAXLEN ~ 1"), "0"); // less than a node
    QCOMPARE(say("XTRIM s MAXLEN 3"), "2");
    QCOMPARE(say("XTRIM s MINID = 4"), "1");
    QCOMPARE(say("XADD s MAXLEN 1 6 f v"), "\"6-0\"");
    QCOMPARE(say("XLEN s"), "1");
    QCOMPARE(say("XADD missing NOMKSTREAM 6 f v"), "nil");
    QCOMPARE(say("EXISTS missing"), "0");
}

void TestStreamCommands::anEmptyStreamStaysAKey()
{
    SimTalk say;
    QCOMPARE(say("XADD s MAXLEN 0 5-3 f v"), "\"5-3\"");
    QCOMPARE(say("XLEN s"), "0");
    QCOMPARE(say("XRANGE s - +"), "[]");
    QCOMPARE(say("EXISTS s"), "1");
    QCOMPARE(say("XADD s 5-* f v"), "\"5-4\"");
}

void TestStreamCommands::wordsThatDoNotFitAreRefused()
{
    SimTalk say;
    QCOMPARE(say("XADD s 0-0 f v"), "-ERR The ID specified in XADD must be greater than 0-0");
    QCOMPARE(say("XADD s 1 f v f"), "-ERR wrong number of arguments for 'xadd' command");
    QCOMPARE(say("XADD s x f v"), "-ERR Invalid stream ID specified as stream command argument");
    QCOMPARE(say("XADD s MAXLEN -1 1 f v"), "-ERR The MAXLEN argument must be >= 0.");
    QCOMPARE(say("XADD s MAXLEN 1 LIMIT 1 1 f v"),
             "-ERR syntax error, LIMIT cannot be used without the special ~ option");
    QCOMPARE(say("XTRIM s LIMIT 5"),
             "-ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
    QCOMPARE(say("XTRIM s MAXLEN 1 MINID 1"), "-ERR syntax error, MAXLEN and MINID options at the "
                                              "same time are not compatible");
    QCOMPARE(say("SET s x"), "+OK");
    QCOMPARE(say("XLEN s"), "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

LOCKSCOPE_TEST(TestStreamCommands, Core)

} // namespace lockscope::tst_stream_commands

#include "tst_stream_commands.moc"
