#include "core/wire/connection/redis_channels.h"
#include "core/wire/loop_clock.h"
#include "core/wire/loop_executor.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_redis_channels {

using namespace lockscope::testing;
using store::Notice;
using store::Subscription;
using wire::RedisChannels;

namespace {

struct Bench {
    LiveServer server;
    wire::LoopExecutor executor;
    wire::LoopClock clock;
    RedisChannels channels{server.endpoint(), executor, clock, Rng(1)};
    async::Gate bell;

    /// The next notice, once it has come.
    std::optional<Notice> next(Subscription& subscription) const
    {
        std::optional<Notice> notice;
        const auto hasCome = [&] { return (notice = subscription.takeNotice()).has_value(); };
        return QTest::qWaitFor(hasCome, 10'000) ? notice : std::nullopt;
    }
    std::optional<Notice::Kind> nextKind(Subscription& subscription) const
    {
        const auto notice = next(subscription);
        return notice ? std::optional(notice->kind) : std::nullopt;
    }
    std::int64_t publish(const char* channel, const char* payload)
    {
        return server.client()("PUBLISH", channel, payload).integer().value_or(-1);
    }
};

constexpr std::optional kListening = Notice::Kind::Listening;

} // namespace

class TestRedisChannels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageReachesEverySubscription();
    void onlyTheOwnChannelIsHeard();
    void aLaterSubscriptionListensAtOnce();
    void whoEndedHearsNothingAndTheServerIsToldSo();
    void aReconnectionIsToldAndHealed();
};

void TestRedisChannels::aMessageReachesEverySubscription()
{
    Bench bench;
    Subscription first = bench.channels.subscribe("a", bench.bell);
    Subscription second = bench.channels.subscribe("a", bench.bell);
    QCOMPARE(bench.nextKind(first), kListening);
    QCOMPARE(bench.nextKind(second), kListening);
    QCOMPARE(bench.publish("a", "0"), 1); // one connection listens for both
    const Notice message{Notice::Kind::Message, "0"};
    QCOMPARE(bench.next(first), std::optional(message));
    QCOMPARE(bench.next(second), std::optional(message));
}

void TestRedisChannels::onlyTheOwnChannelIsHeard()
{
    Bench bench;
    Subscription one = bench.channels.subscribe("a", bench.bell);
    Subscription other = bench.channels.subscribe("b", bench.bell);
    QCOMPARE(bench.nextKind(one), kListening);
    QCOMPARE(bench.nextKind(other), kListening);
    bench.publish("a", "for a");
    bench.publish("b", "for b");
    QCOMPARE(bench.next(other)->payload, Bytes("for b"));
    QCOMPARE(bench.next(one)->payload, Bytes("for a"));
}

void TestRedisChannels::aLaterSubscriptionListensAtOnce()
{
    Bench bench;
    Subscription early = bench.channels.subscribe("a", bench.bell);
    QCOMPARE(bench.nextKind(early), kListening);
    Subscription late = bench.channels.subscribe("a", bench.bell);
    const auto notice = late.takeNotice(); // without a round trip
    QVERIFY(notice.has_value());
    QCOMPARE(notice->kind, Notice::Kind::Listening);
}

void TestRedisChannels::whoEndedHearsNothingAndTheServerIsToldSo()
{
    Bench bench;
    {
        Subscription subscription = bench.channels.subscribe("a", bench.bell);
        QCOMPARE(bench.nextKind(subscription), kListening);
    }
    QCOMPARE(bench.publish("a", "nobody takes it"), 1);
    QTRY_COMPARE(bench.publish("a", "nobody is there"), 0);
}

void TestRedisChannels::aReconnectionIsToldAndHealed()
{
    Bench bench;
    Subscription subscription = bench.channels.subscribe("a", bench.bell);
    QCOMPARE(bench.nextKind(subscription), kListening);
    bench.server.client()("CLIENT", "KILL", "TYPE", "pubsub");
    QCOMPARE(bench.nextKind(subscription), std::optional(Notice::Kind::Deaf));
    QCOMPARE(bench.nextKind(subscription), kListening);
    QCOMPARE(bench.publish("a", "again"), 1);
    QCOMPARE(bench.next(subscription)->payload, Bytes("again"));
}

LOCKSCOPE_TEST(TestRedisChannels, Core)

} // namespace lockscope::tst_redis_channels

#include "tst_redis_channels.moc"
