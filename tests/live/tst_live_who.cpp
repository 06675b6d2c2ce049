#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <string>
#include <variant>

// Who is it? As the window finds out, from a real server.
namespace lockscope::tst_live_who {

using namespace lockscope::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kPatienceMs = 20'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

/// A lock on a server, and the desk of a window.
struct Bench {
    LiveServer server{LiveServer::Listen::LoopbackPort};
    LiveDesk desk{{server.endpoint()}};
    PlainClient holder{server.endpoint()};
    operations::FeedLimits limits{60s, 20'000};

    Bench()
    {
        holder("CLIENT", "SETNAME", "billing-3");
        holder("SET", "order:lock", kAlice, "PX", 600'000);
    }

    quint64 listen() { return desk.desk().captureCommands({0, "order:lock"}, limits); }
    /// MONITOR is what a connection did last.
    bool isListenedTo()
    {
        return server.client()("CLIENT", "LIST").text()->find("cmd=monitor") != Bytes::npos;
    }
    /// Of a capture that is over.
    const operations::LockCapture& heard(quint64 request) const
    {
        return std::get<operations::LockCapture>(*desk.capture(request));
    }
};

} // namespace

class TestLiveWho : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }
    void theHolderIsHeard();
    void whatIsStoppedEndsAtOnce();
};

void TestLiveWho::theHolderIsHeard()
{
    Bench bench;
    const quint64 request = bench.listen();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isListenedTo(), kPatienceMs);
    QVERIFY(bench.desk.capture(request) == nullptr);
    bench.holder("EVAL", "return redis.call('get', KEYS[1])", 1, "order:lock", kAlice);
    bench.server.client()("SET", "other", Bytes(bench.limits.bytes, 'x'));
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk.capture(request) != nullptr, kPatienceMs);
    const operations::LockCapture& heard = bench.heard(request);
    QVERIFY(heard.end.kind == diagnosis::CaptureEnd::Kind::BytesOver);
    const std::string text = diagnosis::captureText(heard.capture, heard.end, heard.clients);
    QVERIFY2(text.find("(billing-3): EVAL ×1") != std::string::npos, text.c_str());
    QVERIFY2(text.find("sent the token of the owner " + kAlice) != std::string::npos, text.c_str());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.isListenedTo(), kPatienceMs);
}

/// Long before its time is over.
void TestLiveWho::whatIsStoppedEndsAtOnce()
{
    Bench bench;
    const quint64 request = bench.listen();
    QTRY_VERIFY_WITH_TIMEOUT(bench.isListenedTo(), kPatienceMs);
    bench.desk.desk().stopCapture();
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk.capture(request) != nullptr, kPatienceMs);
    QVERIFY(bench.heard(request).end.kind == diagnosis::CaptureEnd::Kind::Stopped);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.isListenedTo(), kPatienceMs);
}

LOCKSCOPE_TEST(TestLiveWho, Core)

} // namespace lockscope::tst_live_who

#include "tst_live_who.moc"
