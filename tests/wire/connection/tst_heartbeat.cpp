#include "core/wire/connection/heartbeat.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <chrono>

namespace lockscope::tst_heartbeat {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Problem;
using wire::Connection;
using wire::Heartbeat;

namespace {

constexpr int kPatienceMs = 20'000;

/// A connection whose heart beats, to a peer in the hands of the test.
struct Bench {
    ScriptedPeer peer;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    store::Endpoint endpoint;
    QByteArray answerToPing = "+PONG\r\n";
    int introductionsMax = 1'000; // that are answered
    int pingCount = 0;
    std::unique_ptr<Connection> connection;
    std::unique_ptr<Heartbeat> heartbeat;

    void start()
    {
        peer.answerWith([this](const QByteArray& heard) {
            if (heard.contains("SETNAME")) {
                return introductionsMax-- > 0 ? QByteArray("+OK\r\n") : QByteArray();
            }
            ++pingCount;
            return answerToPing;
        });
        endpoint.port = peer.port();
        connection = std::make_unique<Connection>(endpoint, executor, clock, Rng(1));
        heartbeat = std::make_unique<Heartbeat>(*connection, executor, clock, Rng(2));
        connection->open();
        QTRY_VERIFY_WITH_TIMEOUT(isOnline(), kPatienceMs);
        heartbeat->start();
    }
    bool isOnline() const { return connection->state() == Connection::State::Online; }
    Problem::Kind problemKind() const { return heartbeat->problem().kind; }
};

} // namespace

class TestHeartbeat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aServerThatAnswersIsAskedAgain();
    void aSilentServerIsNoticedAndLeftInPeace();
    void aConnectionThatIsDeadAloneIsGivenUp();
    void aSlowLineIsNoSilentServer();
    void anAttemptMayTakeLongerThanAllThatFollow();
    void aBusyServerSaysSo();
    void aRefusedQuestionIsASignOfLife();
    void stoppingIsFinal();
};

void TestHeartbeat::aServerThatAnswersIsAskedAgain()
{
    Bench bench;
    bench.start();
    QTRY_VERIFY_WITH_TIMEOUT(bench.pingCount >= 3, kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::None);
    QCOMPARE(bench.peer.clientCount(), 1);
}

void TestHeartbeat::aSilentServerIsNoticedAndLeftInPeace()
{
    Bench bench;
    bench.introductionsMax = 1; // no other connection is answered either
    bench.start();
    bench.answerToPing.clear();
    QElapsedTimer silence;
    silence.start();
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::ReplyTimedOut, kPatienceMs);
    qInfo() << "noticed after" << silence.elapsed() << "ms"; // the promise is 2,000
    QTRY_COMPARE_WITH_TIMEOUT(bench.peer.clientCount(), 2, kPatienceMs);
    QVERIFY(bench.isOnline());
}

void TestHeartbeat::aConnectionThatIsDeadAloneIsGivenUp()
{
    Bench bench;
    bench.start();
    bench.answerToPing.clear();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.isOnline(), kPatienceMs);
    QCOMPARE(bench.connection->problem().kind, Problem::Kind::ConnectionLost);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isOnline(), kPatienceMs); // anew
    QVERIFY(bench.peer.clientCount() >= 3);
}

/// What a login took is the measure of the first question.
void TestHeartbeat::aSlowLineIsNoSilentServer()
{
    Bench bench;
    bench.peer.answerAfter(700ms);
    bench.start();
    QSignalSpy changed(bench.heartbeat.get(), &Heartbeat::changed);
    QTRY_VERIFY_WITH_TIMEOUT(bench.pingCount >= 3, kPatienceMs);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(bench.peer.clientCount(), 1);
}

void TestHeartbeat::anAttemptMayTakeLongerThanAllThatFollow()
{
    Bench bench;
    bench.endpoint.connectTimeout = bench.endpoint.requestTimeout = 1min;
    bench.start();
    bench.answerToPing.clear();
    bench.peer.answerAfter(4'500ms); // while an attempt follows each second
    QTRY_VERIFY_WITH_TIMEOUT(!bench.isOnline(), kPatienceMs);
    QCOMPARE(bench.connection->problem().kind, Problem::Kind::ConnectionLost);
}

void TestHeartbeat::aBusyServerSaysSo()
{
    Bench bench;
    bench.answerToPing = "-BUSY Redis is busy running a script.\r\n";
    bench.start();
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::ServerRefused, kPatienceMs);
    bench.answerToPing = "+PONG\r\n";
    QTRY_COMPARE_WITH_TIMEOUT(bench.problemKind(), Problem::Kind::None, kPatienceMs);
    QCOMPARE(bench.peer.clientCount(), 1);
}

void TestHeartbeat::aRefusedQuestionIsASignOfLife()
{
    Bench bench;
    bench.answerToPing = "-NOPERM this user has no permissions to run the 'ping' command\r\n";
    bench.start();
    QTRY_VERIFY_WITH_TIMEOUT(bench.pingCount >= 3, kPatienceMs);
    QCOMPARE(bench.problemKind(), Problem::Kind::None);
}

void TestHeartbeat::stoppingIsFinal()
{
    Bench bench;
    bench.start();
    bench.answerToPing.clear();
    QTRY_VERIFY_WITH_TIMEOUT(bench.pingCount >= 1, kPatienceMs);
    bench.heartbeat->stop();
    bench.heartbeat.reset();
    QVERIFY(bench.isOnline());
    QCOMPARE(bench.peer.clientCount(), 1);
}

LOCKSCOPE_TEST(TestHeartbeat, Core)

} // namespace lockscope::tst_heartbeat

#include "tst_heartbeat.moc"
