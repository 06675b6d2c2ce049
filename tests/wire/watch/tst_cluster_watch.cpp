#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "core/wire/watch/cluster_client.h"
#include "core/wire/watch/cluster_watch.h"
#include "core/wire/watch/node_feed.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <vector>

namespace lockscope::tst_cluster_watch {

using namespace lockscope::testing;
using service::LinkStatus;

namespace {

constexpr int kPatienceMs = 30'000;

} // namespace

/// The parts of the watch of a cluster; whole ones are in tst_live_cluster.
class TestClusterWatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (!LiveServer::isInstalled()) {
            QSKIP("redis-server is not installed");
        }
    }

    void aFeedTellsOfKeysAndOfSilence()
    {
        LiveServer server(LiveServer::Listen::LoopbackPort);
        wire::LoopExecutor executor;
        wire::LoopClock clock;
        wire::Connection connection(server.endpoint(), executor, clock, Rng(1));
        connection.open();
        wire::NodeFeed feed(
            connection, executor, clock, [] { return wire::ChangeFeed::Interest(); }, Rng(2));
        std::vector<Bytes> told;
        connect(&feed, &wire::NodeFeed::keysChanged, &feed,
                [&told](const std::vector<Bytes>& keys) {
                    told.insert(told.end(), keys.begin(), keys.end());
                });
        QTRY_VERIFY_WITH_TIMEOUT(feed.isAttached(), kPatienceMs);
        QVERIFY(feed.loss().kind == store::Problem::Kind::None);
        server.client()("SET", "order:lock", "me");
        QTRY_VERIFY_WITH_TIMEOUT(told == std::vector<Bytes>{"order:lock"}, kPatienceMs);
        server.process().freeze();
        QTRY_VERIFY_WITH_TIMEOUT(feed.loss().kind != store::Problem::Kind::None, kPatienceMs);
        server.process().thaw();
        QTRY_VERIFY_WITH_TIMEOUT(feed.isAttached(), kPatienceMs);
    }

    void aServerThatIsNoNodeIsNotTriedAgain()
    {
        const LiveServer server(LiveServer::Listen::LoopbackPort);
        store::Endpoint endpoint;
        endpoint.clusterSeeds = {{server.endpoint().host, server.endpoint().port}};
        QCOMPARE(wire::listeningEndpointOf(endpoint).port, server.endpoint().port);
        wire::LoopExecutor executor;
        wire::LoopClock clock;
        inspect::LockBook book(1);
        wire::ClusterWatch watch(0, endpoint, {}, executor, clock, book, Rng(1));
        LinkStatus status;
        connect(&watch, &wire::EndpointWatch::linkChanged, &watch,
                [&status](const LinkStatus& news) { status = news; });
        watch.open();
        QTRY_VERIFY_WITH_TIMEOUT(status.problem.kind == store::Problem::Kind::NotACluster,
                                 kPatienceMs);
        QVERIFY(status.nextAttempt == Instant::max());
    }
};

LOCKSCOPE_TEST(TestClusterWatch, Core)

} // namespace lockscope::tst_cluster_watch

#include "tst_cluster_watch.moc"
