#include "core/wire/watch/holder_watcher.h"
#include "core/wire/worker_thread.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_holder_watcher {

using namespace lockscope::testing;
using inspect::Look;
using wire::HolderWatcher;

namespace {

constexpr int kPatienceMs = 20'000;
const Bytes kToken = "00000000-1111-4222-8333-1b2c3d4e5f60";

} // namespace

class TestHolderWatcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }

    void itSeesHoldersComeAndGo()
    {
        LiveServer server;
        wire::WorkerThread<HolderWatcher> worker(QStringLiteral("holders"));
        std::vector<Look> looks;
        QObject listener; // the first to go: whatever is on its way then is not heard
        connect(worker.object(), &HolderWatcher::looked, &listener,
                [&looks](const Look& look) { looks.push_back(look); });
        wire::WatchOrder order;
        order.servers = {server.endpoint()};
        order.locks = {{"lock:a", {"lock:a"}}, {"lock:b", {"lock:b"}}};
        worker.post([order](HolderWatcher& watcher) { watcher.start(order); });
        QTRY_VERIFY_WITH_TIMEOUT(!looks.empty(), kPatienceMs);
        QVERIFY(looks.back().holds.empty());
        server.client()("SET", "lock:b", kToken, "PX", "60000");
        QTRY_VERIFY_WITH_TIMEOUT(!looks.back().holds.empty(), kPatienceMs);
        QCOMPARE(looks.back().holds.front().lock, 1U);
        QCOMPARE(looks.back().holds.front().owner, kToken);
        server.client()("DEL", "lock:b");
        QTRY_VERIFY_WITH_TIMEOUT(looks.back().holds.empty(), kPatienceMs);
        QVERIFY(std::ranges::is_sorted(looks, {}, &Look::at));
    }

    void aServerThatComesBackIsSeenAgain()
    {
        LiveServer server;
        HolderWatcher watcher;
        QSignalSpy looks(&watcher, &HolderWatcher::looked);
        wire::WatchOrder order;
        order.servers = {server.endpoint()};
        order.locks = {{"lock:a", {"lock:a"}}};
        watcher.start(order);
        QTRY_VERIFY_WITH_TIMEOUT(!looks.isEmpty(), kPatienceMs);
        server.kill();
        server.restart();
        server.client()("SET", "lock:a", kToken);
        QTRY_VERIFY_WITH_TIMEOUT(!looks.last().first().value<Look>().holds.empty(), kPatienceMs);
    }
};

LOCKSCOPE_TEST(TestHolderWatcher, Core)

} // namespace lockscope::tst_holder_watcher

#include "tst_holder_watcher.moc"
