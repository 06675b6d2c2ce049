#include "core/kernel/protocol/catalogue.h"
#include "core/wire/watch/redis_lock_keeper.h"
#include "tests/support/live/live_server.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace lockscope::tst_redis_lock_keeper {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using service::KeepOrder;
using service::KeptLock;
using State = KeptLock::State;

namespace {

constexpr auto kKey = "maintenance:lock";

KeepOrder orderFor(LiveServer& server, std::string_view protocolId = "set-nx-px-token")
{
    const protocol::LockProtocol* const found = protocol::findProtocol(protocolId);
    KeepOrder order;
    order.servers = {server.endpoint()};
    order.protocol = {found, [](const protocol::LockProtocol*) {}};
    order.request = protocol::LockRequest::withDefaults(found->info(), kKey);
    return order;
}

/// What the keeper has said of its locks so far.
class Diary {
public:
    explicit Diary(wire::RedisLockKeeper& keeper)
    {
        QObject::connect(&keeper, &service::LockKeeper::changed, &keeper,
                         [this](const KeptLock& lock) { m_entries.push_back(lock); });
    }

    bool hasReached(State state) const
    {
        return !m_entries.empty() && m_entries.back().state == state;
    }
    const KeptLock& last() const { return m_entries.back(); }
    bool saw(State state) const
    {
        return std::any_of(m_entries.begin(), m_entries.end(),
                           [state](const KeptLock& lock) { return lock.state == state; });
    }

    bool sawItWatched() const { return std::ranges::any_of(m_entries, &KeptLock::isWatched); }

private:
    std::vector<KeptLock> m_entries;
};

} // namespace

class TestRedisLockKeeper : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockIsTakenKeptAndReleased();
    void aLockIsRenewedForAsLongAsItIsHeld();
    void theHolderIsToldWhenItsLockIsTakenAway();
    void theHolderIsToldAtOnce_data();
    void theHolderIsToldAtOnce();
    void aServerThatTracksNothingIsNoTrouble();
    void otherReadersAreNoReasonToDoubt();
    void whoIsRefusedIsToldSo();
    void waitingCanBeGivenUp();
    void everythingIsReleasedAtOnce();
    void nothingToReleaseIsSaidToo();
    void aServerThatIsAwayIsAProblem();
    void theEndOfTheKeeperReleasesNothing();
};

void TestRedisLockKeeper::aLockIsTakenKeptAndReleased()
{
    LiveServer server;
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    const quint64 id = keeper.acquire(orderFor(server));
    QCOMPARE(keeper.held().size(), std::size_t{1});
    QTRY_VERIFY(diary.hasReached(State::Held));
    QCOMPARE(*server.client()("GET", kKey).text(), diary.last().token);
    QVERIFY(diary.last().trustedUntil.has_value());
    keeper.release(id);
    QTRY_VERIFY(diary.hasReached(State::Released));
    QVERIFY(!diary.last().loss.has_value());
    QCOMPARE(server.client()("EXISTS", kKey).integer(), std::optional<std::int64_t>(0));
    QVERIFY(keeper.held().empty());
}

void TestRedisLockKeeper::aLockIsRenewedForAsLongAsItIsHeld()
{
    LiveServer server;
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server);
    order.request.lease = 300ms;
    order.renewal.period = 50ms;
    keeper.acquire(order);
    QTRY_VERIFY(diary.hasReached(State::Held) && diary.last().renewalCount >= 10);
    QVERIFY(!diary.saw(State::Lost));
}

void TestRedisLockKeeper::theHolderIsToldWhenItsLockIsTakenAway()
{
    LiveServer server;
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server);
    order.renewal.period = 50ms;
    const quint64 id = keeper.acquire(order);
    QTRY_VERIFY(diary.hasReached(State::Held));
    server.client()("SET", kKey, "somebody else");
    QTRY_VERIFY(diary.hasReached(State::Lost));
    QCOMPARE(diary.last().loss, std::optional(trace::LossReason::OtherOwner));
    keeper.release(id);
    QTRY_VERIFY(diary.hasReached(State::Released));
    QVERIFY(diary.last().wasOtherOwner);
    QCOMPARE(*server.client()("GET", kKey).text(), std::string("somebody else"));
}

void TestRedisLockKeeper::theHolderIsToldAtOnce_data()
{
    QTest::addColumn<std::string>("protocolId");
    QTest::addColumn<bool>("isRenewed");
    for (const std::string protocolId :
         {"set-nx-px-token", "redisson-lock", "fenced-token", "redisson-read-write", "semaphore"}) {
        QTest::newRow(protocolId.c_str()) << protocolId << true;
    }
    QTest::newRow("not renewed") << std::string("set-nx-px-token") << false;
}

void TestRedisLockKeeper::theHolderIsToldAtOnce()
{
    QFETCH(const std::string, protocolId);
    QFETCH(const bool, isRenewed);
    LiveServer server;
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server, protocolId);
    order.request.lease = 1h; // neither a renewal nor the end of the lease would tell in time
    order.renewal.period = isRenewed ? Duration(30min) : Duration(0);
    const quint64 id = keeper.acquire(order);
    QTRY_VERIFY(diary.hasReached(State::Held));
    QTRY_VERIFY(diary.last().isWatched);
    server.client()("FLUSHALL");
    QTRY_VERIFY(diary.hasReached(State::Lost));
    QCOMPARE(diary.last().loss, std::optional(trace::LossReason::Gone));
    keeper.release(id);
    QTRY_VERIFY(diary.hasReached(State::Released));
}

void TestRedisLockKeeper::aServerThatTracksNothingIsNoTrouble()
{
    LiveServer server;
    server.client()("ACL", "SETUSER", "default", "-client|tracking");
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server);
    order.request.lease = 1h;
    order.renewal.period = 300ms;
    const quint64 id = keeper.acquire(order);
    QTRY_VERIFY(diary.hasReached(State::Held));
    server.client()("DEL", kKey);
    QTRY_VERIFY(diary.hasReached(State::Lost)); // by the renewal
    QVERIFY(!diary.sawItWatched());
    keeper.release(id);
    QTRY_VERIFY(diary.hasReached(State::Released));
}

void TestRedisLockKeeper::otherReadersAreNoReasonToDoubt()
{
    LiveServer server;
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server, "redisson-read-write");
    order.request.mode = protocol::Mode::Read;
    order.request.lease = 1h;
    order.renewal.period = 30min;
    const quint64 id = keeper.acquire(order);
    QTRY_VERIFY(diary.hasReached(State::Held));
    QTRY_VERIFY(server.callCount("client|tracking") >= 1);
    for (int i = 0; i < 20; ++i) {
        server.client()("HSET", kKey, "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60:" + std::to_string(i),
                        1);
    }
    server.client()("DEL", kKey); // what was said before this has been looked at
    QTRY_VERIFY(diary.hasReached(State::Lost));
    QCOMPARE(diary.last().renewalCount, 0);
    keeper.release(id);
    QTRY_VERIFY(diary.hasReached(State::Released));
}

void TestRedisLockKeeper::whoIsRefusedIsToldSo()
{
    LiveServer server;
    server.client()("SET", kKey, "somebody else");
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    keeper.acquire(orderFor(server));
    QTRY_VERIFY(diary.hasReached(State::Refused));
    QVERIFY(keeper.held().empty());
}

void TestRedisLockKeeper::waitingCanBeGivenUp()
{
    LiveServer server;
    server.client()("SET", kKey, "somebody else");
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server);
    order.request.waitLimit = 10min;
    const quint64 id = keeper.acquire(order);
    QTRY_VERIFY(diary.hasReached(State::Waiting));
    keeper.release(id);
    QTRY_VERIFY(diary.hasReached(State::Refused));
}

void TestRedisLockKeeper::everythingIsReleasedAtOnce()
{
    LiveServer server;
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    KeepOrder order = orderFor(server);
    keeper.acquire(order);
    order.request.key = "another:lock";
    keeper.acquire(order);
    QTRY_COMPARE(server.client()("DBSIZE").integer(), std::optional<std::int64_t>(2));
    QSignalSpy allReleased(&keeper, &service::LockKeeper::allReleased);
    keeper.releaseAll();
    QTRY_COMPARE(allReleased.count(), 1);
    QCOMPARE(server.client()("DBSIZE").integer(), std::optional<std::int64_t>(0));
}

void TestRedisLockKeeper::nothingToReleaseIsSaidToo()
{
    wire::RedisLockKeeper keeper;
    QSignalSpy allReleased(&keeper, &service::LockKeeper::allReleased);
    keeper.releaseAll();
    QTRY_COMPARE(allReleased.count(), 1);
}

void TestRedisLockKeeper::aServerThatIsAwayIsAProblem()
{
    LiveServer server;
    server.kill();
    wire::RedisLockKeeper keeper;
    const Diary diary(keeper);
    keeper.acquire(orderFor(server));
    QTRY_VERIFY_WITH_TIMEOUT(diary.hasReached(State::Failed), 15'000);
    QVERIFY(diary.last().problem.kind != store::Problem::Kind::None);
}

void TestRedisLockKeeper::theEndOfTheKeeperReleasesNothing()
{
    LiveServer server;
    {
        wire::RedisLockKeeper keeper;
        const Diary diary(keeper);
        keeper.acquire(orderFor(server));
        QTRY_VERIFY(diary.hasReached(State::Held));
    }
    QCOMPARE(server.client()("EXISTS", kKey).integer(), std::optional<std::int64_t>(1));
}

LOCKSCOPE_TEST(TestRedisLockKeeper, Core)

} // namespace lockscope::tst_redis_lock_keeper

#include "tst_redis_lock_keeper.moc"
