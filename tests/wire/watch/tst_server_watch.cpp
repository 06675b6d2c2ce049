#include "core/kernel/inspect/watch/lock_book.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/server_watch.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace lockscope::tst_server_watch {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::LinkStatus;
using store::Problem;
using wire::ServerWatch;

namespace {

constexpr int kPatienceMs = 20'000;

} // namespace

/// What a watch does with real servers is in tests/live; here is what it does without one.
class TestServerWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keyspaceEventsAreOnlyGoodWhenTheyAreComplete_data();
    void keyspaceEventsAreOnlyGoodWhenTheyAreComplete();
    void aServerThatIsNoneIsReportedWithEveryAttempt();
    void itsReadingDoesNotCountAsUse();
    void whoWasAcceptedOnceConnectsTwiceAtATime();
    void itMayDieAtAnyMoment();
};

void TestServerWatch::keyspaceEventsAreOnlyGoodWhenTheyAreComplete_data()
{
    QTest::addColumn<QByteArray>("flags");
    QTest::addColumn<bool>("isEnough");
    QTest::newRow("off") << QByteArray("") << false;
    QTest::newRow("everything") << QByteArray("AK") << true;
    QTest::newRow("everything, also as key events") << QByteArray("AKE") << true;
    QTest::newRow("key events only") << QByteArray("AE") << false;
    QTest::newRow("what locks need") << QByteArray("g$hxK") << true;
    QTest::newRow("no expiry") << QByteArray("g$hK") << false;
    QTest::newRow("no strings") << QByteArray("ghxK") << false;
    QTest::newRow("no hashes") << QByteArray("g$xK") << false;
    QTest::newRow("no deletions") << QByteArray("$hxK") << false;
    QTest::newRow("only expiry") << QByteArray("Kx") << false;
}

void TestServerWatch::keyspaceEventsAreOnlyGoodWhenTheyAreComplete()
{
    QFETCH(const QByteArray, flags);
    QFETCH(const bool, isEnough);
    QCOMPARE(wire::reportsLockChanges(flags.toStdString()), isEnough);
}

void TestServerWatch::aServerThatIsNoneIsReportedWithEveryAttempt()
{
    ScriptedPeer peer;
    peer.greetWith("220 mail.example.org ESMTP\r\n");
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    inspect::LockBook book(1);
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    ServerWatch watch(0, endpoint, {}, executor, clock, book, Rng(1));
    std::vector<LinkStatus> reports;
    connect(&watch, &ServerWatch::linkChanged, this,
            [&](const LinkStatus& status) { reports.push_back(status); });
    watch.open();
    const auto isWaiting = [&] {
        return !reports.empty() && reports.back().state == LinkStatus::State::Waiting;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isWaiting() && reports.back().attempt >= 2, kPatienceMs);
    QCOMPARE(reports.front().state, LinkStatus::State::Connecting);
    QCOMPARE(reports.back().problem.kind, Problem::Kind::NotRedis);
    QVERIFY(reports.back().problem.detail.starts_with("220 mail"));
    QVERIFY(reports.back().live == LinkStatus::Live::None);
}

void TestServerWatch::itsReadingDoesNotCountAsUse()
{
    ScriptedPeer peer;
    // Remembered here: the peer forgets what it heard as soon as the next connection is made.
    bool isAskedFor = false;
    peer.answerWith([&isAskedFor](const QByteArray& heard) {
        isAskedFor = isAskedFor || heard.contains("NO-TOUCH");
        return QByteArrayLiteral("+OK\r\n");
    });
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    inspect::LockBook book(1);
    store::Endpoint endpoint;
    endpoint.port = peer.port();
    ServerWatch watch(0, endpoint, {}, executor, clock, book, Rng(1));
    watch.open();
    QTRY_VERIFY_WITH_TIMEOUT(isAskedFor, kPatienceMs);
}

/// A server that has never accepted us is called once; one that has, by both connections at once.
void TestServerWatch::whoWasAcceptedOnceConnectsTwiceAtATime()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    bool isSilent = true;
    std::set<QTcpSocket*> clients;
    std::size_t clientsMost = 0;
    connect(&server, &QTcpServer::newConnection, this, [&] {
        QTcpSocket* const client = server.nextPendingConnection();
        clients.insert(client);
        clientsMost = std::max(clientsMost, clients.size());
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
        connect(client, &QTcpSocket::disconnected, this, [&, client] { clients.erase(client); });
        connect(client, &QTcpSocket::readyRead, client, [&isSilent, client] {
            const QByteArray heard = client->readAll();
            if (!isSilent && heard.contains("SETNAME")) {
                client->write(QByteArray("+OK\r\n").repeated(heard.count('*')));
            }
        });
    });
    const auto hangUp = [&clients] {
        for (QTcpSocket* const client : std::set(clients)) {
            client->abort();
        }
    };
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    inspect::LockBook book(1);
    store::Endpoint endpoint;
    endpoint.port = server.serverPort();
    ServerWatch watch(0, endpoint, {}, executor, clock, book, Rng(1));
    watch.open();
    for (int attempt = 0; attempt < 3; ++attempt) {
        hangUp();
        QTRY_COMPARE_WITH_TIMEOUT(clients.size(), std::size_t(1), kPatienceMs);
    }
    QCOMPARE(clientsMost, std::size_t(1));
    isSilent = false;
    hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(clientsMost, std::size_t(2), kPatienceMs); // it was accepted
    isSilent = true;
    clientsMost = 0;
    hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(clientsMost, std::size_t(2), kPatienceMs); // nobody answers the first
    server.disconnect(this);
    for (QTcpSocket* const client : clients) {
        client->disconnect(this);
    }
}

void TestServerWatch::itMayDieAtAnyMoment()
{
    for (int moment = 0; moment < 4; ++moment) {
        ScriptedPeer peer;
        int heardCount = 0;
        peer.answerWith([&](const QByteArray& heard) {
            ++heardCount;
            const bool isIntroduction = heard.contains("SETNAME");
            return QByteArray("+OK\r\n").repeated(isIntroduction ? heard.count("*") : 0);
        });
        wire::LoopExecutor executor;
        wire::LoopClock clock;
        inspect::LockBook book(1);
        store::Endpoint endpoint;
        endpoint.port = peer.port();
        auto watch = std::make_unique<ServerWatch>(0, endpoint, service::WatchOptions(), executor,
                                                   clock, book, Rng(1));
        watch->open();
        QTRY_VERIFY_WITH_TIMEOUT(heardCount >= moment, kPatienceMs);
        watch.reset();
        QCOMPARE(book.rowCount(), std::size_t(0));
    }
}

LOCKSCOPE_TEST(TestServerWatch, Core)

} // namespace lockscope::tst_server_watch

#include "tst_server_watch.moc"
