#include "core/wire/connection/transport.h"
#include "tests/support/live/free_ports.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QLocalServer>
#include <QLocalSocket>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <memory>
#include <vector>

namespace lockscope::tst_transport {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using store::Endpoint;
using store::Problem;
using wire::Transport;

namespace {

constexpr int kPatienceMs = 60'000; // TLS takes its time with sanitizers

Endpoint tcpEndpoint(std::uint16_t port)
{
    Endpoint endpoint;
    endpoint.port = port;
    return endpoint;
}

Endpoint unixEndpoint(const QString& path)
{
    Endpoint endpoint;
    endpoint.transport = Endpoint::Transport::UnixSocket;
    endpoint.socketPath = path.toStdString();
    return endpoint;
}

/// A transport, and what it said.
struct Bench {
    Transport transport;
    int openedCount = 0;
    QByteArray received;
    std::vector<Problem> closings;

    Bench()
    {
        QObject::connect(&transport, &Transport::opened, &transport, [this] { ++openedCount; });
        QObject::connect(&transport, &Transport::received, &transport,
                         [this](std::string_view bytes) {
                             received.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
                         });
        QObject::connect(&transport, &Transport::closed, &transport,
                         [this](const Problem& problem) { closings.push_back(problem); });
    }

    Problem::Kind closingKind() const
    {
        return closings.empty() ? Problem::Kind::None : closings.front().kind;
    }
};

/// A port that lets no client in: its queue of clients is full, so that the system drops further
/// ones.
class DeafPort {
public:
    DeafPort()
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof(address);
        m_sockets.push_back(::socket(AF_INET, SOCK_STREAM, 0));
        ::bind(m_sockets.front(), reinterpret_cast<const sockaddr*>(&address), length);
        ::listen(m_sockets.front(), 0);
        ::getsockname(m_sockets.front(), reinterpret_cast<sockaddr*>(&address), &length);
        m_number = ntohs(address.sin_port);
        for (int i = 0; i < 4; ++i) {
            m_sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
            ::connect(m_sockets.back(), reinterpret_cast<const sockaddr*>(&address), length);
        }
    }
    ~DeafPort()
    {
        for (const int socket : m_sockets) {
            ::close(socket);
        }
    }
    DeafPort(const DeafPort&) = delete;
    DeafPort& operator=(const DeafPort&) = delete;

    std::uint16_t number() const { return m_number; }

private:
    std::vector<int> m_sockets;
    std::uint16_t m_number = 0;
};

} // namespace

class TestTransport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesGoBothWaysOverTcp();
    void bytesGoBothWaysOverAUnixSocket();
    void writtenBytesAreCounted();
    void aPortWithoutServerRefuses();
    void aHostThatDoesNotExistIsNotFound();
    void aHostThatDoesNotAnswerTimesOut();
    void aMissingSocketIsMissing();
    void aSocketWithoutServerRefuses();
    void aPortThatWantsTlsIsRecognised_data();
    void aPortThatWantsTlsIsRecognised();
    void whoHangsUpAfterAWordIsNotAskedForTls();
    void aProbeUnderWayIsDropped();
    void tlsTowardsAPlainServerFails_data();
    void tlsTowardsAPlainServerFails();
    void whatAServerSaysBeforeItHangsUpIsReceived();
    void aFailureIsSaidOnceFromTheLoop();
    void aFailureIsTheReasonEvenWhenThePeerHangsUpFirst();
    void droppingIsSilent();
    void openingAgainForgetsTheOldStream();
    void whatIsBufferedWhenTheStreamEndsIsNeverSent();
    void moreThanTheSystemTakesGoesOutInPieces();
    void aStreamMayBeDroppedWhileItIsRead();
    void aHundredStreamsAreServedAlike();
    void aDeadTransportTakesNoBytes();
};

void TestTransport::bytesGoBothWaysOverTcp()
{
    ScriptedPeer peer;
    peer.greetWith("hello");
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QVERIFY(!bench.transport.isOpen());
    QTRY_COMPARE_WITH_TIMEOUT(bench.received, QByteArray("hello"), kPatienceMs);
    QCOMPARE(bench.openedCount, 1);
    bench.transport.write("how are you");
    QTRY_COMPARE_WITH_TIMEOUT(peer.heard(), QByteArray("how are you"), kPatienceMs);
    QVERIFY(bench.closings.empty());
}

void TestTransport::bytesGoBothWaysOverAUnixSocket()
{
    const QTemporaryDir folder;
    QLocalServer server;
    QVERIFY(server.listen(folder.filePath(u"s.sock"_qs)));
    QByteArray heard;
    connect(&server, &QLocalServer::newConnection, &server, [&] {
        QLocalSocket* const socket = server.nextPendingConnection();
        connect(socket, &QLocalSocket::readyRead, socket,
                [&heard, socket] { heard += socket->readAll(); });
        socket->write("hello");
    });
    Bench bench;
    bench.transport.open(unixEndpoint(folder.filePath(u"s.sock"_qs)));
    QTRY_COMPARE_WITH_TIMEOUT(bench.received, QByteArray("hello"), kPatienceMs);
    bench.transport.write("how are you");
    QTRY_COMPARE_WITH_TIMEOUT(heard, QByteArray("how are you"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(bench.transport.writtenCount(), std::uint64_t(11), kPatienceMs);
    server.close();
    for (QLocalSocket* const socket : server.findChildren<QLocalSocket*>()) {
        socket->abort();
    }
    QTRY_COMPARE_WITH_TIMEOUT(bench.closings.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.closingKind(), Problem::Kind::ConnectionLost);
}

void TestTransport::writtenBytesAreCounted()
{
    ScriptedPeer peer;
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(bench.transport.isOpen(), kPatienceMs);
    QCOMPARE(bench.transport.writtenCount(), std::uint64_t(0));
    bench.transport.write(std::string(1000, 'x'));
    bench.transport.write(std::string(234, 'y'));
    QTRY_COMPARE_WITH_TIMEOUT(bench.transport.writtenCount(), std::uint64_t(1234), kPatienceMs);
}

void TestTransport::aPortWithoutServerRefuses()
{
    Bench bench;
    bench.transport.open(tcpEndpoint(freePort()));
    QTRY_COMPARE_WITH_TIMEOUT(bench.closingKind(), Problem::Kind::ConnectionRefused, kPatienceMs);
    QCOMPARE(bench.openedCount, 0);
}

void TestTransport::aHostThatDoesNotExistIsNotFound()
{
    Endpoint endpoint;
    endpoint.host = "no such host"; // not even a name, so that no name server is asked: some take
                                    // long to say no
    Bench bench;
    bench.transport.open(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.closingKind(), Problem::Kind::HostNotFound, kPatienceMs);
}

void TestTransport::aHostThatDoesNotAnswerTimesOut()
{
    const DeafPort port;
    Endpoint endpoint = tcpEndpoint(port.number());
    endpoint.connectTimeout = 200ms;
    Bench bench;
    bench.transport.open(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.closings.size(), std::size_t(1), kPatienceMs);
    QVERIFY2(bench.closingKind() == Problem::Kind::ConnectTimedOut,
             bench.closings.front().detail.c_str());
}

void TestTransport::aMissingSocketIsMissing()
{
    const QTemporaryDir folder;
    Bench bench;
    bench.transport.open(unixEndpoint(folder.filePath(u"none.sock"_qs)));
    QVERIFY(bench.closings.empty()); // said from the loop, not from inside the call
    QTRY_COMPARE_WITH_TIMEOUT(bench.closingKind(), Problem::Kind::SocketMissing, kPatienceMs);
}

void TestTransport::aSocketWithoutServerRefuses()
{
    const QTemporaryDir folder;
    const QByteArray path = folder.filePath(u"stale.sock"_qs).toLocal8Bit();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    qstrncpy(address.sun_path, path.constData(), sizeof(address.sun_path));
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    QCOMPARE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    ::close(socket); // the file stays, as after a crash
    Bench bench;
    bench.transport.open(unixEndpoint(QString::fromLocal8Bit(path)));
    QTRY_COMPARE_WITH_TIMEOUT(bench.closingKind(), Problem::Kind::ConnectionRefused, kPatienceMs);
}

void TestTransport::aPortThatWantsTlsIsRecognised_data()
{
    QTest::addColumn<QByteArray>("answerToHello");
    QTest::addColumn<Problem::Kind>("kind");
    QTest::newRow("an alert") << QByteArray::fromHex("15030300020228") << Problem::Kind::NotRedis;
    QTest::newRow("a hello") << QByteArray::fromHex("160303003d0200003903")
                             << Problem::Kind::NotRedis;
    QTest::newRow("Redis") << QByteArray("-ERR unknown command\r\n")
                           << Problem::Kind::ConnectionLost;
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n")
                          << Problem::Kind::ConnectionLost;
    QTest::newRow("hanging up again") << QByteArray() << Problem::Kind::ConnectionLost;
}

/// A TLS port takes a command for a broken handshake, and hangs up without a word.
void TestTransport::aPortThatWantsTlsIsRecognised()
{
    QFETCH(const QByteArray, answerToHello);
    QFETCH(const Problem::Kind, kind);
    ScriptedPeer peer;
    peer.answerWith([&](const QByteArray& heard) {
        const bool isHello = heard.startsWith(QByteArray::fromHex("1603"));
        if (!isHello || answerToHello.isEmpty()) {
            QMetaObject::invokeMethod(&peer, &ScriptedPeer::hangUp, Qt::QueuedConnection);
        }
        return isHello ? answerToHello : QByteArray();
    });
    Bench bench;
    connect(&bench.transport, &Transport::opened, &bench.transport,
            [&] { bench.transport.write("*1\r\n$4\r\nPING\r\n"); });
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_COMPARE_WITH_TIMEOUT(bench.closings.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.closingKind(), kind);
    QCOMPARE(bench.transport.writtenCount(), std::uint64_t(14));
    if (kind == Problem::Kind::NotRedis) {
        QCOMPARE(QByteArray::fromStdString(bench.closings.front().detail), answerToHello);
    }
    QCOMPARE(peer.clientCount(), 2);
}

void TestTransport::whoHangsUpAfterAWordIsNotAskedForTls()
{
    ScriptedPeer peer;
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient() && bench.transport.isOpen(), kPatienceMs);
    bench.transport.write("*1\r\n$4\r\nPING\r\n");
    peer.say("+PONG\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(bench.received, QByteArray("+PONG\r\n"), kPatienceMs);
    peer.hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(bench.closingKind(), Problem::Kind::ConnectionLost, kPatienceMs);
    QCOMPARE(peer.clientCount(), 1);
}

void TestTransport::aProbeUnderWayIsDropped()
{
    ScriptedPeer peer; // says nothing to the probe
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient() && bench.transport.isOpen(), kPatienceMs);
    bench.transport.write("*1\r\n$4\r\nPING\r\n");
    peer.hangUp();
    QTRY_COMPARE_WITH_TIMEOUT(peer.clientCount(), 2, kPatienceMs);
    bench.transport.drop();
    QTRY_VERIFY_WITH_TIMEOUT(!peer.hasClient(), kPatienceMs);
    QVERIFY(bench.closings.empty());
}

void TestTransport::tlsTowardsAPlainServerFails_data()
{
    QTest::addColumn<bool>("hangsUp");
    QTest::newRow("it answers in plain text") << false;
    QTest::newRow("it hangs up") << true;
}

void TestTransport::tlsTowardsAPlainServerFails()
{
    QFETCH(const bool, hangsUp);
    ScriptedPeer peer;
    peer.answerWith([&](const QByteArray&) {
        if (hangsUp) {
            QMetaObject::invokeMethod(&peer, &ScriptedPeer::hangUp, Qt::QueuedConnection);
            return QByteArray();
        }
        return QByteArray("-ERR Protocol error: unbalanced quotes in request\r\n");
    });
    Endpoint endpoint = tcpEndpoint(peer.port());
    endpoint.transport = Endpoint::Transport::Tls;
    endpoint.connectTimeout = 30s; // the system's authorities are many
    Bench bench;
    bench.transport.open(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(bench.closings.size(), std::size_t(1), kPatienceMs);
    const Problem::Kind kind = bench.closingKind();
    QVERIFY2(kind == Problem::Kind::TlsNotSpoken || (hangsUp && kind == Problem::Kind::TlsFailed),
             QByteArray::number(static_cast<int>(kind)).constData());
}

void TestTransport::whatAServerSaysBeforeItHangsUpIsReceived()
{
    ScriptedPeer peer;
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient() && bench.transport.isOpen(), kPatienceMs);
    peer.sayAndHangUp("-ERR go away\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(bench.closings.size(), std::size_t(1), kPatienceMs);
    QCOMPARE(bench.received, QByteArray("-ERR go away\r\n"));
    QCOMPARE(bench.closingKind(), Problem::Kind::ConnectionLost);
    QVERIFY(!bench.transport.isOpen());
}

void TestTransport::aFailureIsSaidOnceFromTheLoop()
{
    ScriptedPeer peer;
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient() && bench.transport.isOpen(), kPatienceMs);
    const Problem first{Problem::Kind::NotRedis, "first", {}, {}};
    bench.transport.fail(first);
    bench.transport.fail({Problem::Kind::ProtocolBroken, "second", {}, {}});
    QVERIFY(bench.closings.empty());
    QTRY_VERIFY_WITH_TIMEOUT(!peer.hasClient(), kPatienceMs);
    QCOMPARE(bench.closings.size(), std::size_t(1));
    QVERIFY(bench.closings.front() == first);
}

void TestTransport::aFailureIsTheReasonEvenWhenThePeerHangsUpFirst()
{
    ScriptedPeer peer;
    Bench bench;
    const Problem notRedis{Problem::Kind::NotRedis, "HTTP", {}, {}};
    connect(&bench.transport, &Transport::received, this, [&] { bench.transport.fail(notRedis); });
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient() && bench.transport.isOpen(), kPatienceMs);
    peer.sayAndHangUp("HTTP/1.1 400 Bad Request\r\n\r\n");
    QTRY_COMPARE_WITH_TIMEOUT(bench.closings.size(), std::size_t(1), kPatienceMs);
    QVERIFY(bench.closings.front() == notRedis);
}

void TestTransport::droppingIsSilent()
{
    ScriptedPeer peer;
    Bench bench;
    bench.transport.open(tcpEndpoint(peer.port()));
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient() && bench.transport.isOpen(), kPatienceMs);
    bench.transport.drop();
    QVERIFY(!bench.transport.isOpen());
    QTRY_VERIFY_WITH_TIMEOUT(!peer.hasClient(), kPatienceMs);
    QVERIFY(bench.closings.empty());
}

void TestTransport::openingAgainForgetsTheOldStream()
{
    ScriptedPeer first;
    ScriptedPeer second;
    second.greetWith("second");
    Bench bench;
    bench.transport.open(tcpEndpoint(first.port()));
    QTRY_VERIFY_WITH_TIMEOUT(bench.transport.isOpen(), kPatienceMs);
    bench.transport.write("abc");
    bench.transport.fail({Problem::Kind::NotRedis, {}, {}, {}}); // concerns the old stream only
    bench.transport.open(tcpEndpoint(second.port()));
    QCOMPARE(bench.transport.writtenCount(), std::uint64_t(0));
    QTRY_COMPARE_WITH_TIMEOUT(bench.received, QByteArray("second"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!first.hasClient(), kPatienceMs);
    QVERIFY(bench.closings.empty());
    QVERIFY(bench.transport.isOpen());
}

void TestTransport::whatIsBufferedWhenTheStreamEndsIsNeverSent()
{
    constexpr std::size_t kTooMuch = 64 * 1024 * 1024; // more than any socket buffer takes
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost, 0));
    Bench bench;
    bench.transport.open(tcpEndpoint(server.serverPort()));
    QTRY_VERIFY_WITH_TIMEOUT(bench.transport.isOpen() && server.hasPendingConnections(),
                             kPatienceMs);
    QTcpSocket* const peer = server.nextPendingConnection();
    peer->setReadBufferSize(1024); // the peer does not listen
    bench.transport.write(std::string(kTooMuch, 'x'));
    QTRY_VERIFY_WITH_TIMEOUT(bench.transport.writtenCount() > 0, kPatienceMs);
    bench.transport.drop();
    const std::uint64_t writtenCount = bench.transport.writtenCount();
    QVERIFY(writtenCount < kTooMuch);
    peer->setReadBufferSize(0);
    std::uint64_t heardCount = 0;
    const auto listen = [&] { heardCount += static_cast<std::uint64_t>(peer->readAll().size()); };
    connect(peer, &QTcpSocket::readyRead, this, listen);
    listen();
    QTRY_COMPARE_WITH_TIMEOUT(peer->state(), QAbstractSocket::UnconnectedState, kPatienceMs);
    listen();
    QVERIFY2(heardCount <= writtenCount, std::to_string(heardCount - writtenCount).c_str());
}

void TestTransport::moreThanTheSystemTakesGoesOutInPieces()
{
    constexpr std::size_t kPieces = 8;
    constexpr std::size_t kPieceSize = 1024 * 1024;
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost, 0));
    Bench bench;
    bench.transport.open(tcpEndpoint(server.serverPort()));
    QTRY_VERIFY_WITH_TIMEOUT(bench.transport.isOpen() && server.hasPendingConnections(),
                             kPatienceMs);
    QByteArray wanted;
    for (std::size_t i = 0; i < kPieces; ++i) {
        const std::string piece(kPieceSize, static_cast<char>('a' + i));
        wanted.append(piece.data(), static_cast<qsizetype>(piece.size()));
        bench.transport.write(piece); // nothing was read yet
    }
    QVERIFY(bench.transport.writtenCount() < kPieces * kPieceSize);
    QTcpSocket* const peer = server.nextPendingConnection();
    QByteArray heard;
    QTRY_VERIFY_WITH_TIMEOUT((heard += peer->readAll()).size() == wanted.size(), kPatienceMs);
    QVERIFY(heard == wanted);
    QCOMPARE(bench.transport.writtenCount(), std::uint64_t(kPieces * kPieceSize));
}

void TestTransport::aStreamMayBeDroppedWhileItIsRead()
{
    ScriptedPeer first;
    ScriptedPeer second;
    second.greetWith("second");
    Bench bench;
    connect(&bench.transport, &Transport::received, this, [&] {
        if (bench.received == "stop") {
            bench.transport.drop();
        } else if (bench.received == "go on") {
            bench.transport.open(tcpEndpoint(second.port()));
        }
    });
    bench.transport.open(tcpEndpoint(first.port()));
    QTRY_VERIFY_WITH_TIMEOUT(first.hasClient() && bench.transport.isOpen(), kPatienceMs);
    first.say("stop");
    QTRY_VERIFY_WITH_TIMEOUT(!first.hasClient(), kPatienceMs);
    QVERIFY(!bench.transport.isOpen());
    bench.received.clear();
    bench.transport.open(tcpEndpoint(first.port()));
    QTRY_VERIFY_WITH_TIMEOUT(first.hasClient() && bench.transport.isOpen(), kPatienceMs);
    first.say("go on");
    QTRY_COMPARE_WITH_TIMEOUT(bench.received, QByteArray("go onsecond"), kPatienceMs);
    QVERIFY(bench.closings.empty());
}

void TestTransport::aHundredStreamsAreServedAlike()
{
    constexpr std::size_t kCount = 100; // more than one look of the poller takes
    QTcpServer echo;
    QVERIFY(echo.listen(QHostAddress::LocalHost, 0));
    connect(&echo, &QTcpServer::newConnection, this, [&echo] {
        while (QTcpSocket* const socket = echo.nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, socket,
                    [socket] { socket->write(socket->readAll()); });
        }
    });
    std::vector<std::unique_ptr<Bench>> benches;
    for (std::size_t i = 0; i < kCount; ++i) {
        benches.push_back(std::make_unique<Bench>());
        Transport& transport = benches.back()->transport;
        connect(&transport, &Transport::opened, &transport,
                [&transport, i] { transport.write("stream " + std::to_string(i)); });
        transport.open(tcpEndpoint(echo.serverPort()));
    }
    for (std::size_t i = 0; i < kCount; ++i) {
        QTRY_COMPARE_WITH_TIMEOUT(benches[i]->received,
                                  "stream " + QByteArray::number(static_cast<qulonglong>(i)),
                                  kPatienceMs);
        benches.at(i)->transport.drop(); // the others go on
    }
}

void TestTransport::aDeadTransportTakesNoBytes()
{
    Transport transport;
    transport.write("abc");
    transport.drop();
    transport.fail({Problem::Kind::NotRedis, {}, {}, {}});
    QCOMPARE(transport.writtenCount(), std::uint64_t(0));
}

LOCKSCOPE_TEST(TestTransport, Core)

} // namespace lockscope::tst_transport

#include "tst_transport.moc"
