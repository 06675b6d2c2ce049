#include "tests/kernel/text_in_failures.h"
#include "tests/live/release_bench.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

// What a release does on a real server to objects of Redisson's that count or have channels of
// their own, and to locks of Spring Integration.
namespace lockscope::tst_live_redisson_release {

using namespace lockscope::testing;
using namespace inspect;
using operations::LockDetails;

namespace {

const Bytes kThread = kAlice + ":63";

} // namespace

class TestLiveRedissonRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aPermitOfRedissonsIsGivenBack();
    void aCountOfPermitsIsRaisedAndNeverDeleted();
    void aLatchIsOpened();
    void oneOwnerOfAMultiLockIsReleasedAlone();
    void thoseWhoListenInASlotAreWoken();
    void thoseWhoListenToAPatternAreWoken();
};

void TestLiveRedissonRelease::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveRedissonRelease::aPermitOfRedissonsIsGivenBack()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    const store::Reply time = client("TIME");
    const std::int64_t now = std::stoll(*(*time.array())[0].text()) * 1000;
    const Bytes raw = "\x01\xff 3456789abcdef";
    client("SET", "permits", 0);
    client("ZADD", "{permits}:timeout", now + 500000, raw, now + 500000,
           "00112233445566778899aabbccddeeff");
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_sc:{permits}");
    bench.open();
    const LockDetails details = bench.lookUp("{permits}:timeout"); // leads to its count
    QCOMPARE(details.lock->id.name, Bytes("permits"));
    QVERIFY(!details.capTtl);
    const auto one = std::ranges::find_if(details.releaseOne, [](const ReleasePlan& plan) {
        return plan.owner().starts_with("01ff");
    });
    QVERIFY(one != details.releaseOne.end());
    const ReleaseReport report = bench.executed(*one);
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    QCOMPARE(client("GET", "permits"), store::Reply::ofBulk("1"));
    QCOMPARE(client("ZCARD", "{permits}:timeout").integer(), 1);
    QVERIFY(bench.executed(*one).result == ReleaseResult::AlreadyGone);
    QCOMPARE(client("GET", "permits"), store::Reply::ofBulk("1"));
}

void TestLiveRedissonRelease::aCountOfPermitsIsRaisedAndNeverDeleted()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    client("SET", "orders", 0);
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_sc:{orders}");
    bench.open();
    const LockDetails details = bench.lookUp("orders");
    QCOMPARE(std::string(details.lock->format()), std::string("redisson-semaphore"));
    QVERIFY(!details.capTtl);
    QVERIFY(bench.executed(*details.release).result == ReleaseResult::Released);
    QCOMPARE(client("GET", "orders"), store::Reply::ofBulk("1"));
    // The count is another one now: nothing is added to what was not seen.
    QVERIFY(bench.executed(*details.release).result == ReleaseResult::ChangedHands);
    QCOMPARE(client("GET", "orders"), store::Reply::ofBulk("1"));
}

void TestLiveRedissonRelease::aLatchIsOpened()
{
    ReleaseBench bench;
    bench.server.client()("SET", "start", 2);
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_countdownlatch__channel__{start}");
    bench.open();
    const ReleaseReport report = bench.executed(bench.plan("start"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    QVERIFY(!bench.exists("start"));
}

void TestLiveRedissonRelease::oneOwnerOfAMultiLockIsReleasedAlone()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    const store::Reply time = client("TIME");
    const std::int64_t end = std::stoll(*(*time.array())[0].text()) * 1000 + 500000;
    const Bytes first = "UQLfMyGV9rtNElj47DYjjw";
    const Bytes second = "sBznBu9nWKelQvUeofpN5Q";
    for (const auto& [value, owner] : {std::pair(first, kThread), std::pair(second, kBob + ":1")}) {
        client("HSET", "group", value, owner, value + ':' + owner + ":expire_time", end,
               value + ':' + owner + ":lock_count", 1);
    }
    client("PEXPIRE", "group", 500000);
    bench.open();
    const LockDetails details = bench.lookUp("group");
    const auto one = std::ranges::find(details.releaseOne, kThread,
                                       [](const ReleasePlan& plan) { return plan.owner(); });
    QVERIFY(one != details.releaseOne.end());
    QVERIFY(bench.executed(*one).result == ReleaseResult::Released);
    QCOMPARE(client("HLEN", "group").integer(), 3);
    QCOMPARE(client("HGET", "group", second), store::Reply::ofBulk(kBob + ":1"));
    // The value that was given back is taken by another thread: not to be touched.
    client("HSET", "group", first, kBob + ":1");
    QVERIFY(bench.executed(*one).result != ReleaseResult::Released);
    QCOMPARE(client("HGET", "group", first), store::Reply::ofBulk(kBob + ":1"));
}

void TestLiveRedissonRelease::thoseWhoListenInASlotAreWoken()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    client("HSET", "order:lock", kThread, 1);
    client("PEXPIRE", "order:lock", 600000);
    PlainClient waiter(bench.server.endpoint());
    if (waiter("SSUBSCRIBE", "redisson_lock__channel:{order:lock}").isError()) {
        QSKIP("this Redis has no channels of slots");
    }
    bench.open();
    const ReleaseReport report = bench.executed(bench.plan("order:lock"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
}

void TestLiveRedissonRelease::thoseWhoListenToAPatternAreWoken()
{
    ReleaseBench bench;
    bench.server.client()("SET", "locks:order:42", kAlice, "PX", 600000);
    PlainClient waiter(bench.server.endpoint());
    waiter("PSUBSCRIBE", "locks-channel:*"); // as Spring Integration 7 does
    bench.open();
    const ReleaseReport report = bench.executed(bench.plan("locks:order:42"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    QVERIFY(!bench.exists("locks:order:42"));
}

LOCKSCOPE_TEST(TestLiveRedissonRelease, Core)

} // namespace lockscope::tst_live_redisson_release

#include "tst_live_redisson_release.moc"
