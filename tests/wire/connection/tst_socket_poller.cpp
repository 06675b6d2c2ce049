#include "core/wire/connection/read_buffer.h"
#include "core/wire/connection/socket_poller.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>

namespace lockscope::tst_socket_poller {

using namespace lockscope::wire;

namespace {

constexpr int kPatienceMs = 20'000;

/// Two sockets that are connected with each other.
class Pair {
public:
    Pair()
    {
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, m_ends.data()) != 0) {
            throw std::runtime_error("socketpair");
        }
    }
    ~Pair()
    {
        for (const int end : m_ends) {
            ::close(end);
        }
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    int ours() const { return m_ends[0]; }
    int theirs() const { return m_ends[1]; }
    void say(char c) const
    {
        if (::write(theirs(), &c, 1) != 1) {
            throw std::runtime_error("write");
        }
    }

private:
    std::array<int, 2> m_ends{};
};

/// Counts its calls; reads nothing unless it should.
struct Watcher final : SocketPoller::Watcher {
    int readCount = 0;
    int writeCount = 0;
    std::function<void()> whenReady;

    void becameReady(bool canRead, bool canWrite) override
    {
        readCount += canRead ? 1 : 0;
        writeCount += canWrite ? 1 : 0;
        if (whenReady) {
            whenReady();
        }
    }
};

} // namespace

class TestSocketPoller : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneForAThreadAsLongAsItIsKept()
    {
        std::weak_ptr<SocketPoller> forgotten;
        {
            const auto first = SocketPoller::ofThisThread();
            QVERIFY(SocketPoller::ofThisThread() == first);
            forgotten = first;
        }
        QVERIFY(forgotten.expired());
    }

    void whatCanBeReadIsToldUntilItIsRead()
    {
        const auto poller = SocketPoller::ofThisThread();
        const Pair pair;
        Watcher watcher;
        QVERIFY(poller->watch(pair.ours(), watcher));
        pair.say('x');
        QTRY_VERIFY_WITH_TIMEOUT(watcher.readCount > 1, kPatienceMs);
        QCOMPARE(watcher.writeCount, 0);
        poller->forget(pair.ours());
    }

    void roomToWriteIsToldOnRequest()
    {
        const auto poller = SocketPoller::ofThisThread();
        const Pair pair;
        Watcher watcher;
        QVERIFY(poller->watch(pair.ours(), watcher));
        poller->watchWriting(pair.ours(), true);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.writeCount > 0, kPatienceMs);
        poller->forget(pair.ours());
    }

    void whoIsForgottenInTheSameTurnIsNotTold()
    {
        const auto poller = SocketPoller::ofThisThread();
        const Pair first;
        const Pair second;
        Watcher one;
        Watcher other;
        one.whenReady = [&] { poller->forget(second.ours()); };
        other.whenReady = [&] { poller->forget(first.ours()); };
        QVERIFY(poller->watch(first.ours(), one) && poller->watch(second.ours(), other));
        first.say('x');
        second.say('x');
        QTRY_VERIFY_WITH_TIMEOUT(one.readCount + other.readCount > 0, kPatienceMs);
        QVERIFY(one.readCount == 0 || other.readCount == 0);
        poller->forget(first.ours());
        poller->forget(second.ours());
    }

    void theLastOneToLeaveMayLeaveInTheTurn()
    {
        auto poller = SocketPoller::ofThisThread();
        const Pair pair;
        Watcher watcher;
        QVERIFY(poller->watch(pair.ours(), watcher));
        watcher.whenReady = [&] {
            poller->forget(pair.ours());
            poller.reset();
        };
        pair.say('x');
        QTRY_COMPARE_WITH_TIMEOUT(watcher.readCount, 1, kPatienceMs);
    }

    void aDescriptorThatIsNoneIsRefused()
    {
        Watcher watcher;
        QVERIFY(!SocketPoller::ofThisThread()->watch(-1, watcher));
    }

    void aThreadReadsIntoOneBuffer()
    {
        QCOMPARE(readBuffer().data(), readBuffer().data());
        QVERIFY(readBuffer().size() >= 16 * 1024);
    }
};

LOCKSCOPE_TEST(TestSocketPoller, Core)

} // namespace lockscope::tst_socket_poller

#include "tst_socket_poller.moc"
