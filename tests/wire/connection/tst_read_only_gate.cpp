#include "core/wire/connection/read_only_gate.h"
#include "tests/kernel/random_input.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <initializer_list>

namespace lockscope::tst_read_only_gate {

using namespace lockscope::testing;
using store::Command;
using store::Reply;

namespace {

Command commandOf(const QString& text)
{
    Command command;
    for (const QString& word : text.split(u' ')) {
        command.append(word.toStdString());
    }
    return command;
}

/// As COMMAND INFO describes a command; what follows the flags does not matter.
Reply infoOf(const std::string& name, std::initializer_list<const char*> flags)
{
    Reply::Array all;
    for (const char* const flag : flags) {
        all.push_back(Reply::ofStatus(flag));
    }
    return Reply::ofArray({Reply::ofBulk(name), Reply::ofInteger(2), Reply::ofArray(all)});
}

} // namespace

class TestReadOnlyGate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWatchingSendsPasses_data();
    void whatWatchingSendsPasses();
    void whatChangesDataDoesNot_data();
    void whatChangesDataDoesNot();
    void lettersMayBeSmall();
    void nothingIsNoReadCommand();
    void whatNobodyThoughtOfDoesNotPass();
    void theServersFlagsCount();
    void withoutAnAnswerOurListCounts();
    void whatIsAskedIsOnTheList();
};

void TestReadOnlyGate::whatWatchingSendsPasses_data()
{
    QTest::addColumn<QString>("text");
    for (const char* const text : {"AUTH user secret",
                                   "SELECT 3",
                                   "CLIENT SETNAME lockscope",
                                   "CLIENT ID",
                                   "CLIENT LIST TYPE NORMAL",
                                   "CLIENT TRACKING ON REDIRECT 7 BCAST",
                                   "CLIENT TRACKING OFF",
                                   "SUBSCRIBE __redis__:invalidate",
                                   "PSUBSCRIBE __keyspace@0__:*",
                                   "PING",
                                   "INFO",
                                   "MONITOR",
                                   "CONFIG GET notify-keyspace-events",
                                   "TIME",
                                   "DBSIZE",
                                   "SCAN 0 COUNT 500",
                                   "TYPE k",
                                   "PTTL k",
                                   "PEXPIRETIME k",
                                   "GETRANGE k 0 511",
                                   "STRLEN k",
                                   "HLEN k",
                                   "HGETALL k",
                                   "MEMORY USAGE k SAMPLES 64",
                                   "PUBSUB NUMSUB c"}) {
        QTest::newRow(text) << QString::fromLatin1(text);
    }
}

void TestReadOnlyGate::whatWatchingSendsPasses()
{
    QFETCH(const QString, text);
    QVERIFY(wire::isReadCommand(commandOf(text)));
}

void TestReadOnlyGate::whatChangesDataDoesNot_data()
{
    QTest::addColumn<QString>("text");
    for (const char* const text : {"EVAL return 0",
                                   "EVALSHA abc 0",
                                   "FCALL f 0",
                                   "DEL k",
                                   "UNLINK k",
                                   "SET k v",
                                   "SETNX k v",
                                   "GETSET k v",
                                   "GETDEL k",
                                   "GETEX k PERSIST",
                                   "PEXPIRE k 1",
                                   "EXPIRE k 1",
                                   "PERSIST k",
                                   "RENAME a b",
                                   "HSET k f v",
                                   "HDEL k f",
                                   "PUBLISH c m",
                                   "CONFIG SET save x",
                                   "CONFIG RESETSTAT",
                                   "CONFIG",
                                   "FLUSHALL",
                                   "FLUSHDB",
                                   "SCRIPT FLUSH",
                                   "SCRIPT LOAD x",
                                   "CLIENT KILL ID 3",
                                   "CLIENT PAUSE 100",
                                   "CLIENT",
                                   "MEMORY PURGE",
                                   "MEMORY DOCTOR",
                                   "DEBUG SLEEP 1",
                                   "SHUTDOWN",
                                   "MULTI",
                                   "EXEC",
                                   "RESTORE k 0 x",
                                   "MIGRATE a",
                                   "SORT k",
                                   "ACL SETUSER x",
                                   "REPLICAOF NO ONE",
                                   "HELLO 3",
                                   "OBJECT FREEZE k",
                                   "GETX k",
                                   "XREADGROUP a"}) {
        QTest::newRow(text) << QString::fromLatin1(text);
    }
}

void TestReadOnlyGate::whatChangesDataDoesNot()
{
    QFETCH(const QString, text);
    QVERIFY(!wire::isReadCommand(commandOf(text)));
    QVERIFY(!wire::isReadCommand(commandOf(text.toLower())));
}

void TestReadOnlyGate::lettersMayBeSmall()
{
    QVERIFY(wire::isReadCommand(Command("gEtRange", "k", "0", "1")));
    QVERIFY(wire::isReadCommand(Command("client", "list")));
}

void TestReadOnlyGate::nothingIsNoReadCommand()
{
    QVERIFY(!wire::isReadCommand(Command()));
    QVERIFY(!wire::isReadCommand(Command("")));
    QVERIFY(!wire::isReadCommand(Command(" GET", "k")));
    QVERIFY(!wire::isReadCommand(Command("GET k")));
    QVERIFY(!wire::isReadCommand(Command(Bytes("GET\0", 4), "k")));
    QVERIFY(!wire::isReadCommand(Command("CLIENT LIST")));
}

void TestReadOnlyGate::whatNobodyThoughtOfDoesNotPass()
{
    RandomInput input;
    for (int i = 0; i < 5000; ++i) {
        const Bytes name = input.bytes(2) + "X" + input.bytes(9);
        QVERIFY2(!wire::isReadCommand(Command(name, "k")), input.recipe(name).c_str());
    }
}

void TestReadOnlyGate::theServersFlagsCount()
{
    wire::ReadOnlyGate gate;
    QVERIFY(!gate.knowsFlags() && gate.passes(Command("GET", "k")));
    const Reply answer = Reply::ofArray({
        infoOf("get", {"write", "denyoom"}), // whatever that is: not the GET of Redis
        infoOf("exists", {"readonly", "fast"}),
        Reply(), // unknown there
        infoOf("scard", {"readonly", "may_replicate"}),
        infoOf("memory|usage", {}),
    });
    QVERIFY(gate.takeFlags(answer));
    QVERIFY(gate.knowsFlags());
    QVERIFY(!gate.passes(Command("GET", "k")));
    QVERIFY(!gate.passes(Command("get", "k")));
    QVERIFY(!gate.passes(Command("SCARD", "k")));
    QVERIFY(!gate.passes(Command("MEMORY", "usage", "k")));
    QVERIFY(gate.passes(Command("EXISTS", "k")));
    QVERIFY(gate.passes(Command("PEXPIRETIME", "k"))); // the server refuses it itself
    QVERIFY(gate.passes(Command("PING")));
    QVERIFY(!gate.passes(Command("DEL", "k")));
    gate.forgetFlags();
    QVERIFY(gate.passes(Command("GET", "k")));
}

void TestReadOnlyGate::withoutAnAnswerOurListCounts()
{
    wire::ReadOnlyGate gate;
    QVERIFY(!gate.takeFlags(Reply::ofError("NOPERM this user has no permissions")));
    QVERIFY(!gate.takeFlags(store::Unknown{}));
    QVERIFY(!gate.knowsFlags());
    QVERIFY(gate.passes(Command("GET", "k")) && !gate.passes(Command("DEL", "k")));
}

void TestReadOnlyGate::whatIsAskedIsOnTheList()
{
    const Command question = wire::ReadOnlyGate::question();
    QVERIFY(wire::isReadCommand(question));
    QVERIFY(question.words.size() > 40);
    for (std::size_t i = 2; i < question.words.size(); ++i) {
        const std::size_t bar = question.words[i].find('|');
        Command asked(question.words[i].substr(0, bar));
        if (bar != Bytes::npos) {
            asked.append(question.words[i].substr(bar + 1));
        }
        QVERIFY2(wire::isReadCommand(asked), question.words[i].c_str());
    }
}

LOCKSCOPE_TEST(TestReadOnlyGate, Core)

} // namespace lockscope::tst_read_only_gate

#include "tst_read_only_gate.moc"
