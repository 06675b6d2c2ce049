#include "core/wire/connection/socket_stream.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

namespace lockscope::tst_socket_stream {

// What goes through a whole connection is in tst_transport.
using namespace lockscope::wire;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatienceMs = 20'000;

struct Listener final : SocketStream::Listener {
    std::string received;
    std::size_t sentCount = 0;
    std::string end;
    std::unique_ptr<SocketStream> stream;
    bool isDestructive = false; // destroys the stream as soon as it hears from it

    void streamReceived(std::string_view bytes) override
    {
        received += bytes;
        if (isDestructive) {
            stream.reset();
        }
    }
    void streamSent(std::size_t count) override { sentCount += count; }
    void streamEnded(const std::string& reason) override
    {
        end = reason;
        stream.reset();
    }
};

/// A stream, and the other end of it in the hands of the test.
struct Bench {
    std::array<int, 2> ends{};
    Listener listener;

    Bench()
    {
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0) {
            throw std::system_error(errno, std::generic_category());
        }
        listener.stream = std::make_unique<SocketStream>(ends[0], listener);
        ::close(ends[0]); // the stream has its own
    }
    ~Bench() { ::close(ends[1]); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void say(std::string_view bytes) const
    {
        if (::write(ends[1], bytes.data(), bytes.size()) < 0) {
            throw std::system_error(errno, std::generic_category());
        }
    }
};

sockaddr_un addressOf(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    return address;
}

} // namespace

class TestSocketStream : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesGoOutInTheCall()
    {
        Bench bench;
        bench.listener.stream->write("PING\r\n");
        QCOMPARE(bench.listener.sentCount, std::size_t(6));
        std::array<char, 16> heard{};
        QCOMPARE(::read(bench.ends[1], heard.data(), heard.size()), 6);
    }

    void theEndComesAfterEverythingThatWasSaid()
    {
        Bench bench;
        bench.say("-ERR go away\r\n");
        ::shutdown(bench.ends[1], SHUT_RDWR);
        QTRY_VERIFY_WITH_TIMEOUT(!bench.listener.end.empty(), kPatienceMs);
        QCOMPARE(bench.listener.received, std::string("-ERR go away\r\n"));
        QCOMPARE(bench.listener.end, std::string("the server closed the connection"));
    }

    void aBrokenStreamSaysSoFromTheLoop()
    {
        Bench bench;
        ::shutdown(bench.ends[1], SHUT_RDWR);
        bench.listener.stream->write("PING\r\n");
        bench.listener.stream->write("PING\r\n");
        QVERIFY(bench.listener.end.empty());
        QCOMPARE(bench.listener.sentCount, std::size_t(0));
        QTRY_VERIFY_WITH_TIMEOUT(!bench.listener.end.empty(), kPatienceMs);
    }

    void itMayBeDestroyedByWhatItSays()
    {
        Bench bench;
        bench.listener.isDestructive = true;
        bench.say("bye");
        QTRY_COMPARE_WITH_TIMEOUT(bench.listener.received, std::string("bye"), kPatienceMs);
        QVERIFY(!bench.listener.stream);
    }

    void theRestIsReadAtOnce()
    {
        Bench bench;
        bench.say("so far");
        bench.listener.stream->readRest();
        QCOMPARE(bench.listener.received, std::string("so far"));
        QVERIFY(bench.listener.stream != nullptr);
    }

    void aUnixSocketIsConnected()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(u"s"_s).toStdString();
        const sockaddr_un address = addressOf(path);
        const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
        QCOMPARE(::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        QCOMPARE(connectUnixSocket(path).error, ECONNREFUSED); // no server listens yet
        QCOMPARE(::listen(server, 0), 0);
        const UnixConnection made = connectUnixSocket(path);
        QCOMPARE(made.error, 0);
        QVERIFY(made.descriptor >= 0);
        int error = 0;
        for (int i = 0; i < 8 && error == 0; ++i) {
            error = connectUnixSocket(path).error; // no connection is accepted: the queue fills
        }
        QCOMPARE(error, EAGAIN);
        ::close(made.descriptor);
        ::close(server);
    }

    void whatIsNoSocketIsSaid()
    {
        QCOMPARE(connectUnixSocket("/nowhere/s.sock").error, ENOENT);
        QCOMPARE(connectUnixSocket(std::string(200, 'x')).error, ENAMETOOLONG);
    }
};

LOCKSCOPE_TEST(TestSocketStream, Core)

} // namespace lockscope::tst_socket_stream

#include "tst_socket_stream.moc"
