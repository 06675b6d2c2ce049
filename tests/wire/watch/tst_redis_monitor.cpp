#include "core/wire/watch/redis_monitor.h"
#include "tests/support/scripted_peer.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace lockscope::tst_redis_monitor {

using namespace lockscope::testing;
using service::LinkStatus;
using store::Endpoint;
using wire::RedisMonitor;

namespace {

constexpr int kPatienceMs = 20'000;

Endpoint endpointOf(const ScriptedPeer& peer)
{
    Endpoint endpoint;
    endpoint.port = peer.port();
    return endpoint;
}

} // namespace

/// What a monitor does with real servers is in tests/live.
class TestRedisMonitor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void openingIsAnnouncedBeforeAnythingElse();
    void everyServerIsReported();
    void openingAnotherServerForgetsTheFirst();
    void closingHangsUp();
    void itsClockIsTheOneOfItsInstants();
    void itMayDieAtAnyMoment();
};

void TestRedisMonitor::openingIsAnnouncedBeforeAnythingElse()
{
    ScriptedPeer peer;
    peer.greetWith("HTTP/1.1 400 Bad Request\r\n\r\n");
    RedisMonitor monitor;
    QStringList story;
    connect(&monitor, &RedisMonitor::opened, this, [&] { story << u"opened"_qs; });
    connect(&monitor, &RedisMonitor::linkChanged, this, [&](const LinkStatus& status) {
        story << (status.state == LinkStatus::State::Waiting ? u"waiting"_qs : u"connecting"_qs);
    });
    monitor.open({endpointOf(peer)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(story.contains(u"waiting"_qs), kPatienceMs);
    QCOMPARE(story.front(), u"opened"_qs);
    QCOMPARE(story.count(u"opened"_qs), 1);
}

void TestRedisMonitor::everyServerIsReported()
{
    ScriptedPeer first;
    ScriptedPeer second;
    RedisMonitor monitor;
    QSet<int> servers;
    connect(&monitor, &RedisMonitor::linkChanged, this,
            [&](const LinkStatus& status) { servers.insert(status.server); });
    monitor.open({endpointOf(first), endpointOf(second)}, {});
    QTRY_COMPARE_WITH_TIMEOUT(servers, (QSet<int>{0, 1}), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(first.hasClient() && second.hasClient(), kPatienceMs);
}

void TestRedisMonitor::openingAnotherServerForgetsTheFirst()
{
    ScriptedPeer first;
    ScriptedPeer second;
    RedisMonitor monitor;
    QSignalSpy opened(&monitor, &RedisMonitor::opened);
    monitor.open({endpointOf(first)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(first.hasClient(), kPatienceMs);
    monitor.open({endpointOf(second)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(second.hasClient() && !first.hasClient(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 2, kPatienceMs);
}

void TestRedisMonitor::closingHangsUp()
{
    ScriptedPeer peer;
    RedisMonitor monitor;
    monitor.open({endpointOf(peer)}, {});
    QTRY_VERIFY_WITH_TIMEOUT(peer.hasClient(), kPatienceMs);
    monitor.close();
    QTRY_VERIFY_WITH_TIMEOUT(!peer.hasClient(), kPatienceMs);
    monitor.resweep(true); // there is no watch to do it
    monitor.close();
}

void TestRedisMonitor::itsClockIsTheOneOfItsInstants()
{
    const RedisMonitor monitor;
    const Instant before = wire::LoopClock::present();
    const Instant told = monitor.now();
    QVERIFY(told >= before);
    QVERIFY(told <= wire::LoopClock::present());
}

void TestRedisMonitor::itMayDieAtAnyMoment()
{
    ScriptedPeer peer;
    peer.answerIntroduction();
    for (int i = 0; i < 20; ++i) {
        auto monitor = std::make_unique<RedisMonitor>();
        monitor->open({endpointOf(peer)}, {});
        if (i % 2 == 0) {
            const int countBefore = peer.clientCount();
            QTRY_VERIFY_WITH_TIMEOUT(peer.clientCount() > countBefore, kPatienceMs);
        }
        monitor.reset();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!peer.hasClient(), kPatienceMs);
}

LOCKSCOPE_TEST(TestRedisMonitor, Core)

} // namespace lockscope::tst_redis_monitor

#include "tst_redis_monitor.moc"
