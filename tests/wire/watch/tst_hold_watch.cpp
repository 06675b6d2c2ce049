#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/hold_watch.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_hold_watch {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using wire::HoldWatch;

namespace {

const Bytes kKey = "lock:a";
const Bytes kToken = "8b1a9953-c461-4296-a827-abf8c47804d7";
const Bytes kOther = "00000000-1111-4222-8333-444444444444";
constexpr int kPatienceMs = 20'000;

struct Bench {
    QObject parent;
    LiveServer server;
    wire::LoopExecutor executor{&parent};
    wire::LoopClock clock{&parent};

    Bench() { server.client()("SET", kKey, kToken); }
    std::unique_ptr<HoldWatch> watch(bool suspectsAtOnce = false)
    {
        return std::make_unique<HoldWatch>(server.endpoint(), executor, clock, Rng(1), kKey, kToken,
                                           suspectsAtOnce);
    }
    /// It has been looked at since tracking began.
    bool isWatched() { return server.callCount("client|tracking") > 0 && isLookedAt(1); }
    bool isLookedAt(int times)
    {
        return server.callCount("get") + server.callCount("getrange") >= times;
    }
};

} // namespace

class TestHoldWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aDeletedLockIsGone();
    void aLockThatSomebodyElseTookIsNotGone();
    void itIsHeardAfterALostConnection();
    void itSaysWhetherItIsWatching();
    void whatWasNeverOursIsNoNews();
    void whatShouldBeOursIsSuspectedAtOnce();
};

void TestHoldWatch::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestHoldWatch::aDeletedLockIsGone()
{
    Bench bench;
    const auto watch = bench.watch(true);
    QSignalSpy lost(watch.get(), &HoldWatch::lost);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWatched(), kPatienceMs);
    QCOMPARE(lost.size(), 0);
    bench.server.client()("DEL", kKey);
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, kPatienceMs);
    QCOMPARE(lost.front().front().toBool(), true);
}

void TestHoldWatch::aLockThatSomebodyElseTookIsNotGone()
{
    Bench bench;
    const auto watch = bench.watch(true);
    QSignalSpy lost(watch.get(), &HoldWatch::lost);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWatched(), kPatienceMs);
    bench.server.client()("SET", kKey, kOther);
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, kPatienceMs);
    QCOMPARE(lost.front().front().toBool(), false);
}

void TestHoldWatch::itIsHeardAfterALostConnection()
{
    Bench bench;
    const auto watch = bench.watch(true);
    QSignalSpy lost(watch.get(), &HoldWatch::lost);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWatched(), kPatienceMs);
    bench.server.client()("CLIENT", "KILL", "TYPE", "pubsub");
    bench.server.client()("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    bench.server.client()("DEL", kKey);
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, kPatienceMs);
}

void TestHoldWatch::itSaysWhetherItIsWatching()
{
    Bench bench;
    const auto watch = bench.watch();
    std::vector<bool> said;
    connect(watch.get(), &HoldWatch::watching, watch.get(),
            [&said](bool isOn) { said.push_back(isOn); });
    QTRY_VERIFY_WITH_TIMEOUT(!said.empty() && said.back(), kPatienceMs);
    said.clear();
    bench.server.client()("CLIENT", "KILL", "TYPE", "pubsub");
    QTRY_VERIFY_WITH_TIMEOUT(said.size() >= 2 && said.back(), kPatienceMs);
    QCOMPARE(said.front(), false);
}

void TestHoldWatch::whatWasNeverOursIsNoNews()
{
    Bench bench;
    bench.server.client()("SET", kKey, kOther);
    const auto watch = bench.watch();
    QSignalSpy lost(watch.get(), &HoldWatch::lost);
    QTRY_VERIFY_WITH_TIMEOUT(bench.isWatched(), kPatienceMs);
    bench.server.client()("CONFIG", "RESETSTAT");
    bench.server.client()("DEL", kKey);
    QTRY_VERIFY_WITH_TIMEOUT(bench.server.callCount("type") > 0, kPatienceMs); // it was looked at
    QCOMPARE(lost.size(), 0);
}

void TestHoldWatch::whatShouldBeOursIsSuspectedAtOnce()
{
    Bench bench;
    bench.server.client()("SET", kKey, kOther);
    const auto watch = bench.watch(true);
    QSignalSpy lost(watch.get(), &HoldWatch::lost);
    QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 1, kPatienceMs);
}

LOCKSCOPE_TEST(TestHoldWatch, Core)

} // namespace lockscope::tst_hold_watch

#include "tst_hold_watch.moc"
