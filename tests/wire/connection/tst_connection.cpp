#include "tests/support/test_program.h"
#include "tests/wire/connection_bench.h"

namespace lockscope::tst_connection {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Endpoint;
using store::Outcome;
using store::Problem;
using store::Reply;
using wire::Connection;

class TestConnection : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIntroducesItself();
    void whoOnlyLooksLeavesNoTraceWhereThatCanBeHad();
    void theIntroductionIsRefused_data();
    void theIntroductionIsRefused();
    void aNameIsNotWorthTheConnection();
    void aServerWithoutRoomSaysSoUnasked();
    void somethingElseThanRedisAnswers_data();
    void somethingElseThanRedisAnswers();
    void aSilentServerTimesOut();
    void withoutConnectionNothingIsSent();
    void repliesAnswerTheirRequests();
    void aBatchIsSentInOnePiece();
    void anEmptyBatchIsAnsweredAtOnce();
    void theReplyToADroppedRequestAnswersNobodyElse();
    void theLateReplyToATimedOutRequestAnswersNobodyElse();
    void aServerThatStaysSilentLosesTheConnection();
    void aSlowServerKeepsTheConnection();
    void aLostConnectionLeavesRequestsUnknown();
    void garbageInTheMiddleLeavesRequestsUnknown();
    void aLineWithoutEndIsGivenUp();
    void repliesToABatchHaveALimitTogether();
    void aPeerThatNeverStopsIsLeft();
    void anAnswerThatNobodyAskedForBreaksTheProtocol();
    void readOnlyRefusesWritesBeforeTheyAreSent();
    void readOnlyRefusesABatchWithOneWrite();
    void messagesAreToldFromAnswers();
    void trafficIsCounted();
    void itMayDieAtAnyMoment();
};

void TestConnection::itIntroducesItself()
{
    Bench bench;
    bench.peer.answerWith([](const QByteArray& heard) {
        return QByteArray("+OK\r\n").repeated(static_cast<int>(heard.count("*")));
    });
    Endpoint endpoint;
    endpoint.user = "watcher";
    endpoint.password = "secret";
    endpoint.database = 3;
    bench.open(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    QCOMPARE(bench.peer.heard(), encoded(Command("AUTH", "watcher", "secret"))
                                     + encoded(Command("SELECT", 3))
                                     + encoded(Command("CLIENT", "SETNAME", "lockscope")));
}

/// Servers before Redis 7.2 do not know the command.
void TestConnection::whoOnlyLooksLeavesNoTraceWhereThatCanBeHad()
{
    Bench bench;
    bench.peer.answerWith([](const QByteArray& heard) {
        const QByteArray named = heard.contains("SETNAME") ? "+OK\r\n" : "";
        const QByteArray unknown = "-ERR Unknown subcommand or wrong number of arguments for "
                                   "'NO-TOUCH'. Try CLIENT HELP.\r\n";
        return heard.contains("NO-TOUCH") ? named + unknown : named;
    });
    bench.open();
    bench.connection->leaveNoTrace();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    QCOMPARE(bench.peer.heard(), encoded(Command("CLIENT", "SETNAME", "lockscope"))
                                     + encoded(Command("CLIENT", "NO-TOUCH", "ON")));
}

void TestConnection::theIntroductionIsRefused_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::addColumn<Problem::Kind>("kind");
    QTest::newRow("wrong password")
        << QByteArray("-WRONGPASS invalid username-password pair or user is disabled.\r\n")
        << Problem::Kind::PasswordWrong;
    QTest::newRow("password needed")
        << QByteArray("-NOAUTH Authentication required.\r\n") << Problem::Kind::PasswordNeeded;
    QTest::newRow("no such database")
        << QByteArray("-ERR DB index is out of range\r\n") << Problem::Kind::NoSuchDatabase;
    QTest::newRow("no permission")
        << QByteArray("-NOPERM this user has no permissions to run the 'auth' command\r\n")
        << Problem::Kind::NoPermission;
    QTest::newRow("loading") << QByteArray("-LOADING Redis is loading the dataset in memory\r\n")
                             << Problem::Kind::Loading;
}

void TestConnection::theIntroductionIsRefused()
{
    QFETCH(const QByteArray, answer);
    QFETCH(const Problem::Kind, kind);
    Bench bench;
    bench.peer.answerWith([answer](const QByteArray&) { return answer; });
    Endpoint endpoint;
    endpoint.password = "secret";
    bench.open(endpoint);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWaiting(), kPatienceMs);
    QCOMPARE(bench.problemKind(), kind);
    if (kind != Problem::Kind::PasswordWrong) {
        QTRY_VERIFY_WITH_TIMEOUT(bench.peer.clientCount() > 1, kPatienceMs);
    }
}

void TestConnection::aNameIsNotWorthTheConnection()
{
    Bench bench;
    bench.peer.answerWith([](const QByteArray&) {
        return QByteArray(
            "-NOPERM this user has no permissions to run the 'client|setname' command\r\n");
    });
    bench.open();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
}

void TestConnection::aServerWithoutRoomSaysSoUnasked()
{
    Bench bench;
    bench.peer.greetWith("-ERR max number of clients reached\r\n");
    bench.open();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWaiting(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::ServerRefused);
    QVERIFY(bench.connection->problem().detail.find("max number of clients") != std::string::npos);
}

void TestConnection::somethingElseThanRedisAnswers_data()
{
    QTest::addColumn<bool>("greetsFirst");
    QTest::addColumn<bool>("hangsUp");
    QTest::newRow("an HTTP server") << false << false;
    QTest::newRow("an HTTP server that hangs up") << false << true;
    QTest::newRow("somebody who speaks first") << true << false;
}

void TestConnection::somethingElseThanRedisAnswers()
{
    QFETCH(const bool, greetsFirst);
    QFETCH(const bool, hangsUp);
    Bench bench;
    if (greetsFirst) {
        bench.peer.greetWith("SSH-2.0-OpenSSH_9.2\r\n");
    } else {
        bench.peer.answerWith([&](const QByteArray&) {
            if (hangsUp) {
                QMetaObject::invokeMethod(&bench.peer, &ScriptedPeer::hangUp, Qt::QueuedConnection);
            }
            return QByteArray("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n");
        });
    }
    bench.open();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWaiting(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::NotRedis);
    QVERIFY(bench.connection->problem().detail.starts_with(greetsFirst ? "SSH-2.0"
                                                                       : "HTTP/1.1 400"));
}

void TestConnection::aSilentServerTimesOut()
{
    Bench bench;
    bench.open(impatient(100ms));
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWaiting(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::ReplyTimedOut);
}

void TestConnection::withoutConnectionNothingIsSent()
{
    Bench bench;
    bench.open(); // the introduction was not answered
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.hasClient(), kPatienceMs);
    const auto single = bench.submit(Command("GET", "k"));
    std::vector<Command> commands(2, Command("GET", "k"));
    const auto batch = bench.submitAll(std::move(commands));
    QTRY_VERIFY(single.isFinished() && batch.isFinished());
    QVERIFY(isUnreachable(single));
    QCOMPARE(kindOf(single), Problem::Kind::NotConnected);
    QCOMPARE(batch.result().size(), std::size_t(2));
    QVERIFY(std::holds_alternative<store::Unreachable>(batch.result().front()));
    QVERIFY(!bench.peer.heard().contains("GET"));
}

void TestConnection::repliesAnswerTheirRequests()
{
    Bench bench;
    bench.openOnline();
    const auto first = bench.submit(Command("GET", "a"));
    const auto second = bench.submit(Command("GET", "b"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.peer.heard(),
                              encoded(Command("GET", "a")) + encoded(Command("GET", "b")),
                              kPatienceMs);
    bench.peer.say("$1\r\n1\r\n$1");
    QTRY_VERIFY_WITH_TIMEOUT(first.isFinished(), kPatienceMs);
    QVERIFY(!second.isFinished());
    bench.peer.say("\r\n2\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(second.isFinished(), kPatienceMs);
    QVERIFY(first.result() == Outcome(Reply::ofBulk("1")));
    QVERIFY(second.result() == Outcome(Reply::ofBulk("2")));
}

void TestConnection::aBatchIsSentInOnePiece()
{
    Bench bench;
    bench.openOnline();
    std::vector<Command> commands = {Command("GET", "a"), Command("PTTL", "a")};
    const auto batch = bench.submitAll(commands);
    QTRY_COMPARE_WITH_TIMEOUT(bench.peer.heard(), encoded(commands[0]) + encoded(commands[1]),
                              kPatienceMs);
    bench.peer.say("$-1\r\n:-2\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(batch.isFinished(), kPatienceMs);
    QVERIFY(batch.result() == (std::vector<Outcome>{Reply(), Reply::ofInteger(-2)}));
}

void TestConnection::anEmptyBatchIsAnsweredAtOnce()
{
    Bench bench;
    bench.openOnline();
    const auto batch = bench.submitAll({});
    QTRY_VERIFY(batch.isFinished());
    QVERIFY(batch.result().empty());
}

void TestConnection::theReplyToADroppedRequestAnswersNobodyElse()
{
    Bench bench;
    bench.openOnline();
    {
        const auto dropped = bench.submit(Command("GET", "a"));
        QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("GET"), kPatienceMs);
    }
    const auto next = bench.submit(Command("GET", "b"));
    bench.peer.say("$1\r\n1\r\n");
    bench.peer.say("$1\r\n2\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(next.isFinished(), kPatienceMs);
    QVERIFY(next.result() == Outcome(Reply::ofBulk("2")));
}

void TestConnection::theLateReplyToATimedOutRequestAnswersNobodyElse()
{
    Bench bench;
    bench.openOnline(impatient(300ms));
    const auto slow = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(slow.isFinished(), kPatienceMs);
    QVERIFY(isUnknown(slow));
    QCOMPARE(kindOf(slow), Problem::Kind::ReplyTimedOut);
    QVERIFY(bench.isOnline());
    const auto next = bench.submit(Command("GET", "b"));
    bench.peer.say("$4\r\nlate\r\n$4\r\nnext\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(next.isFinished(), kPatienceMs);
    QVERIFY(next.result() == Outcome(Reply::ofBulk("next")));
}

void TestConnection::aServerThatStaysSilentLosesTheConnection()
{
    Bench bench;
    bench.openOnline(impatient(100ms));
    const auto request = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWaiting(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::ReplyTimedOut);
    QVERIFY(isUnknown(request));
}

void TestConnection::aSlowServerKeepsTheConnection()
{
    Bench bench;
    bench.openOnline(impatient(400ms));
    QSignalSpy changes(bench.connection.get(), &Connection::stateChanged);
    std::deque<StartedTask<Outcome>> requests;
    for (int i = 0; i < 5; ++i) {
        requests.push_back(bench.submit(Command("GET", "a")));
        QTRY_VERIFY_WITH_TIMEOUT(requests.back().isFinished(), kPatienceMs); // by its deadline
        bench.peer.say("$4\r\nlate\r\n");
    }
    QVERIFY(bench.isOnline());
    QCOMPARE(changes.size(), 0);
}

void TestConnection::aLostConnectionLeavesRequestsUnknown()
{
    Bench bench;
    bench.openOnline();
    const auto request = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("GET"), kPatienceMs);
    bench.peer.hangUp();
    QTRY_VERIFY_WITH_TIMEOUT(request.isFinished(), kPatienceMs);
    QVERIFY(isUnknown(request));
    QCOMPARE(kindOf(request), Problem::Kind::ConnectionLost);
}

void TestConnection::garbageInTheMiddleLeavesRequestsUnknown()
{
    Bench bench;
    bench.openOnline();
    const auto first = bench.submit(Command("GET", "a"));
    const auto second = bench.submit(Command("GET", "b"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().count("GET") == 2, kPatienceMs);
    bench.peer.say("$1\r\n1\r\n%rubbish");
    QTRY_VERIFY_WITH_TIMEOUT(first.isFinished() && second.isFinished(), kPatienceMs);
    QVERIFY(first.result() == Outcome(Reply::ofBulk("1")));
    QVERIFY(isUnknown(second));
    QCOMPARE(kindOf(second), Problem::Kind::ProtocolBroken);
}

void TestConnection::aLineWithoutEndIsGivenUp()
{
    Bench bench;
    bench.openOnline();
    const auto request = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("GET"), kPatienceMs);
    bench.peer.say("+" + QByteArray(200'000, 'x'));
    QTRY_VERIFY_WITH_TIMEOUT(request.isFinished(), kPatienceMs);
    QVERIFY(isUnknown(request));
    QCOMPARE(kindOf(request), Problem::Kind::LimitExceeded);
    QCOMPARE(bench.connection->problem().detail, std::string("a line of more than 64 KB"));
}

void TestConnection::repliesToABatchHaveALimitTogether()
{
    Bench bench;
    bench.openOnline();
    std::vector<Command> commands(100, Command("GET", "a"));
    const auto batch = bench.submitAll(std::move(commands));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().count("GET") == 100, kPatienceMs);
    const QByteArray megabyte = "$1000000\r\n" + QByteArray(1'000'000, 'x') + "\r\n";
    for (int i = 0; i < 99; ++i) {
        bench.peer.say(megabyte);
    }
    QTRY_VERIFY_WITH_TIMEOUT(batch.isFinished(), kPatienceMs);
    const Problem problem = problemOf(batch.result().back()).value_or(Problem());
    QCOMPARE(problem.kind, Problem::Kind::LimitExceeded);
    QCOMPARE(problem.detail, std::string("replies of more than 64 MB to one batch of commands"));
}

void TestConnection::aPeerThatNeverStopsIsLeft()
{
    Bench bench;
    bench.openOnline();
    bench.peer.sayForever("+nobody asked for this\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWaiting(), kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::ProtocolBroken);
}

void TestConnection::anAnswerThatNobodyAskedForBreaksTheProtocol()
{
    Bench bench;
    bench.openOnline();
    bench.peer.say("+OK\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::ProtocolBroken, kPatienceMs);
}

void TestConnection::readOnlyRefusesWritesBeforeTheyAreSent()
{
    Endpoint endpoint;
    endpoint.isReadOnly = true;
    Bench bench;
    bench.openOnline(endpoint);
    bench.peer.say("-NOPERM\r\n"); // which commands read it does not say
    for (const char* const name :
         {"DEL", "del", "EVAL", "SET", "PEXPIRE", "FLUSHALL", "NOBODYKNOWS"}) {
        const auto request = bench.submit(Command(name, "k"));
        QTRY_VERIFY(request.isFinished());
        QVERIFY(isUnreachable(request));
        QCOMPARE(kindOf(request), Problem::Kind::ReadOnlyMode);
    }
    const auto reading = bench.submit(Command("PTTL", "k"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().endsWith(encoded(Command("PTTL", "k"))),
                             kPatienceMs);
    QVERIFY(!bench.peer.heard().contains("DEL"));
    QVERIFY(!reading.isFinished());
    QVERIFY(bench.connection->isHeldToOwnList());
}

void TestConnection::readOnlyRefusesABatchWithOneWrite()
{
    Endpoint endpoint;
    endpoint.isReadOnly = true;
    Bench bench;
    bench.openOnline(endpoint);
    std::vector<Command> commands = {Command("GET", "k"), Command("DEL", "k")};
    const auto batch = bench.submitAll(std::move(commands));
    QTRY_VERIFY(batch.isFinished());
    for (const Outcome& outcome : batch.result()) {
        QVERIFY(std::holds_alternative<store::Unreachable>(outcome));
    }
    QVERIFY(!bench.peer.heard().contains("DEL"));
}

void TestConnection::messagesAreToldFromAnswers()
{
    Bench bench;
    bench.openOnline();
    std::vector<Reply> messages;
    connect(bench.connection.get(), &Connection::messageReceived, this,
            [&messages](const Reply& message) { messages.push_back(message); });
    bench.connection->expectMessages();
    const auto ping = bench.submit(Command("PING"));
    bench.peer.say("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\n1\r\n"
                   "*2\r\n$4\r\npong\r\n$0\r\n\r\n"
                   "*4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$1\r\nc\r\n$1\r\n2\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(messages.size(), std::size_t(2), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(ping.isFinished(), kPatienceMs);
    QVERIFY(*replyOf(ping.result())->array()->front().text() == "pong");
    QVERIFY(bench.isOnline());
}

void TestConnection::trafficIsCounted()
{
    Bench bench;
    bench.openOnline();
    static_cast<void>(bench.connection->takeTraffic());
    bench.peer.answerWith([](const QByteArray& heard) {
        return QByteArray(":1\r\n").repeated(static_cast<int>(heard.count("GET")));
    });
    std::vector<Command> commands(3, Command("GET", "k"));
    const auto batch = bench.submitAll(std::move(commands));
    const auto single = bench.submit(Command("GET", "k"));
    QTRY_VERIFY_WITH_TIMEOUT(batch.isFinished() && single.isFinished(), kPatienceMs);
    const Connection::Traffic traffic = bench.connection->takeTraffic();
    QCOMPARE(traffic.commandCount, std::uint64_t(4));
    QVERIFY(traffic.slowestCall > 0us);
    QCOMPARE(bench.connection->takeTraffic().commandCount, std::uint64_t(0));
}

void TestConnection::itMayDieAtAnyMoment()
{
    {
        Bench bench;
        bench.open();
    }
    {
        Bench bench;
        bench.open();
        QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("SETNAME"), kPatienceMs);
    }
    Bench bench;
    bench.openOnline();
    const auto request = bench.submit(Command("GET", "a"));
    bench.connection.reset();
    QTRY_VERIFY(request.isFinished());
    QVERIFY(replyOf(request.result()) == nullptr);
}

LOCKSCOPE_TEST(TestConnection, Core)

} // namespace lockscope::tst_connection

#include "tst_connection.moc"
