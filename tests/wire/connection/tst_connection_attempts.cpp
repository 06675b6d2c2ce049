#include "tests/support/test_program.h"
#include "tests/wire/connection_bench.h"
#include "tests/wire/scripted_sentinel.h"

namespace lockscope::tst_connection_attempts {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Command;
using store::Endpoint;
using store::Outcome;
using store::Problem;
using store::Reply;
using wire::Connection;

/// How a connection comes back, and when it had better not.
class TestConnectionAttempts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itComesBackAfterALoss();
    void aGreetingThatComesTooLateKeepsNoReply();
    void itTriesAgainAndAgain();
    void aWrongPasswordIsTriedOnce_data();
    void aWrongPasswordIsTriedOnce();
    void whoAnswersAndHangsUpIsNotHammered();
    void closingIsFinal();
    void openingAgainStartsAnew();
    void everybodyHearsThatItIsOnline();
    void whoWaitsHearsWhyAnAttemptFailed();
    void whoWaitsHearsWhatTheServerSaidBeforeItHungUp();
    void closingEndsTheWait();
    void withoutAnAttemptNobodyWaits();
    void theSentinelsAreAskedEachTime();
};

void TestConnectionAttempts::itComesBackAfterALoss()
{
    Bench bench;
    bench.openOnline();
    bench.peer.answerIntroduction();
    for (int round = 2; round <= 4; ++round) {
        bench.peer.hangUp();
        QTRY_COMPARE_WITH_TIMEOUT(bench.peer.clientCount(), round, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
    }
}

/// The stream ends before the first greeting begins. The replies of the next stream are for the
/// next greeting.
void TestConnectionAttempts::aGreetingThatComesTooLateKeepsNoReply()
{
    ScriptedPeer peer;
    async::ReadyQueue executor; // runs on request
    wire::LoopClock clock;
    Endpoint endpoint = impatient(1min);
    endpoint.port = peer.port();
    Connection connection(endpoint, executor, clock, Rng(1));
    int lateGreetings = 0;
    const QObject context;
    connect(
        &connection, &Connection::stateChanged, &context,
        [&] {
            if (connection.state() == Connection::State::Waiting) {
                peer.answerIntroduction();
                ++lateGreetings;
                executor.runAll();
            }
        },
        Qt::QueuedConnection);
    connection.open();
    QTRY_VERIFY_WITH_TIMEOUT(connection.state() == Connection::State::Greeting, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(peer.clientCount(), 1, kPatienceMs);
    peer.hangUp();
    QTRY_VERIFY_WITH_TIMEOUT(lateGreetings > 0, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT((executor.runAll(), connection.state() == Connection::State::Online),
                             kPatienceMs);
}

void TestConnectionAttempts::itTriesAgainAndAgain()
{
    Bench bench;
    bench.peer.greetWith("-LOADING Redis is loading the dataset in memory\r\n");
    bench.open();
    QTRY_VERIFY_WITH_TIMEOUT(bench.connection->attempt() >= 3, kPatienceMs);
    QVERIFY(bench.connection->nextAttempt() > bench.clock.now() - 10s);
    bench.peer.greetWith({});
    bench.peer.answerIntroduction();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs);
}

void TestConnectionAttempts::aWrongPasswordIsTriedOnce_data()
{
    QTest::addColumn<bool>("hangsUp");
    QTest::newRow("the server waits") << false;
    QTest::newRow("the server hangs up") << true;
}

void TestConnectionAttempts::aWrongPasswordIsTriedOnce()
{
    QFETCH(const bool, hangsUp);
    Bench bench;
    bench.peer.answerWith([&](const QByteArray&) {
        bench.peer.say("-WRONGPASS invalid username-password pair or user is disabled.\r\n");
        if (hangsUp) {
            bench.peer.hangUp();
        }
        return QByteArray();
    });
    Endpoint endpoint;
    endpoint.password = "guess";
    bench.open(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::PasswordWrong, kPatienceMs);
    QVERIFY(bench.isWaiting());
    QVERIFY(bench.connection->nextAttempt() == Instant::max());
    QCOMPARE(bench.peer.clientCount(), 1);
    bench.connection->open(); // it is wanted again
    QTRY_COMPARE_WITH_TIMEOUT(bench.peer.clientCount(), 2, kPatienceMs);
}

void TestConnectionAttempts::whoAnswersAndHangsUpIsNotHammered()
{
    Bench bench;
    bench.peer.answerWith([&](const QByteArray&) {
        bench.peer.say("-ERR go away\r\n");
        bench.peer.hangUp();
        return QByteArray();
    });
    const Instant begin = bench.clock.now();
    bench.open();
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.clientCount() >= 6, kPatienceMs);
    // The least pauses before the second to the sixth attempt.
    QVERIFY(bench.clock.now() - begin >= 50ms + 100ms + 200ms + 400ms + 500ms);
}

void TestConnectionAttempts::closingIsFinal()
{
    Bench bench;
    bench.openOnline();
    const auto request = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("GET"), kPatienceMs);
    bench.connection->close();
    QCOMPARE(bench.connection->state(), Connection::State::Closed);
    QTRY_VERIFY(request.isFinished());
    QVERIFY(isUnknown(request));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.peer.hasClient(), kPatienceMs);
    const auto after = bench.submit(Command("GET", "a"));
    QTRY_VERIFY(after.isFinished());
    QVERIFY(isUnreachable(after));
    QCOMPARE(bench.peer.clientCount(), 1);
}

void TestConnectionAttempts::openingAgainStartsAnew()
{
    Bench bench;
    bench.openOnline();
    bench.peer.answerIntroduction();
    const auto before = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("GET"), kPatienceMs);
    bench.connection->open();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline() && bench.peer.clientCount() == 2, kPatienceMs);
    QVERIFY(before.isFinished());
    QVERIFY(isUnknown(before));
    bench.peer.answerWith([](const QByteArray&) { return QByteArray(":7\r\n"); });
    const auto after = bench.submit(Command("GET", "a"));
    QTRY_VERIFY_WITH_TIMEOUT(after.isFinished(), kPatienceMs);
    QVERIFY(after.result() == Outcome(Reply::ofInteger(7)));
}

void TestConnectionAttempts::everybodyHearsThatItIsOnline()
{
    Bench bench;
    bench.open();
    const auto first = bench.settle();
    const auto second = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("SETNAME"), kPatienceMs);
    QVERIFY(!first.isFinished());
    bench.peer.say("+OK\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(first.isFinished() && second.isFinished(), kPatienceMs);
    QVERIFY(bench.isOnline());
    QCOMPARE(first.result(), Problem());
    QCOMPARE(second.result(), Problem());
    const auto late = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(late.isFinished(), kPatienceMs);
    QCOMPARE(late.result(), Problem());
}

void TestConnectionAttempts::whoWaitsHearsWhyAnAttemptFailed()
{
    Bench bench;
    bench.peer.greetWith("-LOADING Redis is loading the dataset in memory\r\n");
    bench.open();
    const auto settled = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(settled.isFinished(), kPatienceMs);
    QCOMPARE(settled.result().kind, Problem::Kind::Loading);
}

void TestConnectionAttempts::whoWaitsHearsWhatTheServerSaidBeforeItHungUp()
{
    Bench bench;
    bench.open();
    const auto settled = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("SETNAME"), kPatienceMs);
    bench.peer.sayAndHangUp("-ERR max number of clients reached\r\n");
    QTRY_VERIFY_WITH_TIMEOUT(settled.isFinished(), kPatienceMs);
    QCOMPARE(settled.result().kind, Problem::Kind::ServerRefused);
}

void TestConnectionAttempts::closingEndsTheWait()
{
    Bench bench;
    bench.open();
    const auto settled = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(bench.peer.heard().contains("SETNAME"), kPatienceMs);
    bench.connection->close();
    QTRY_VERIFY_WITH_TIMEOUT(settled.isFinished(), kPatienceMs);
    QCOMPARE(settled.result().kind, Problem::Kind::NotConnected);
}

void TestConnectionAttempts::withoutAnAttemptNobodyWaits()
{
    Bench bench;
    bench.openOnline();
    bench.connection->close();
    const auto settled = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(settled.isFinished(), kPatienceMs);
    QCOMPARE(settled.result().kind, Problem::Kind::NotConnected);
}

/// A write to the master of a moment ago would be lost, and told as done.
void TestConnectionAttempts::theSentinelsAreAskedEachTime()
{
    Bench bench;
    bench.peer.answerWith([](const QByteArray& heard) {
        return heard.contains("SETNAME") ? "+OK\r\n" + bulk("role:master\r\n") : QByteArray();
    });
    ScriptedSentinel sentinel;
    sentinel.master = "127.0.0.1";
    sentinel.port = bench.peer.port();
    sentinel.start();
    Endpoint endpoint;
    endpoint.sentinels.masterName = "mymaster";
    endpoint.sentinels.hosts.push_back({"127.0.0.1", sentinel.peer.port()});
    bench.connection = std::make_unique<Connection>(endpoint, bench.executor, bench.clock, Rng(1));
    bench.connection->followMaster();
    bench.connection->open();
    const auto settled = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(settled.isFinished(), kPatienceMs);
    QCOMPARE(settled.result().kind, Problem::Kind::None);
    sentinel.port = 1;
    ++sentinel.epoch;
    const auto moved = bench.settle();
    QTRY_VERIFY_WITH_TIMEOUT(moved.isFinished(), kPatienceMs);
    QCOMPARE(moved.result(), (Problem{Problem::Kind::MasterMoved, "127.0.0.1:1", {}, {}}));
}

LOCKSCOPE_TEST(TestConnectionAttempts, Core)

} // namespace lockscope::tst_connection_attempts

#include "tst_connection_attempts.moc"
