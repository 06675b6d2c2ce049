#include "core/wire/watch/redis_monitor.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_live_odd_keys {

using namespace lockscope::testing;
using service::LinkStatus;
using store::Command;

namespace {

constexpr int kPatienceMs = 60'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";

/// How many bytes the server has sent so far, to all clients.
std::int64_t sentBytes(LiveServer& server)
{
    const store::Reply reply = server.client()("INFO", "stats");
    const std::string name = "total_net_output_bytes:";
    return std::stoll(reply.text()->substr(reply.text()->find(name) + name.size()));
}

bool isSwept(LiveWatch& watch)
{
    return watch.sweepCount() > 0 && watch.status().live == LinkStatus::Live::Push;
}

} // namespace

class TestLiveOddKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void binaryNamesAndTokensAreShownAndReleased();
    void emptyNamesAndValuesAreNoTrouble();
    void aNameOfAMegabyteIsCounted();
    void aValueOfAHundredMegabytesIsNotDownloaded();
    void aHashOfAMillionFieldsIsNotDownloaded();
    void aSortedSetOfAMillionMembersIsNotDownloaded();
    void everyTypeMayHaveTheNameOfALock();
    void aKeyThatChangesItsTypeAllTheTimeEndsInTheTruth();
};

void TestLiveOddKeys::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveOddKeys::binaryNamesAndTokensAreShownAndReleased()
{
    const Bytes key("lock:\0\xff\r\n*1", 11);
    const Bytes token("\x8f\x01\0\xfe\x33\x7a\x91\xc4\xd2\x10\x6b\xee\x05\xa7\x42\x99", 16);
    LiveServer server;
    server.client()("SET", key, token, "PX", 600000);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(key) != nullptr, kPatienceMs);
    QCOMPARE(watch.ownerOf(key), token);
    LiveDesk desk({server.endpoint()});
    const quint64 inspection = desk.desk().inspectLock({0, key});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    QVERIFY(desk.details(inspection)->release.has_value());
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, u"тест"_qs);
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QVERIFY(desk.report(release)->result == inspect::ReleaseResult::Released);
    QCOMPARE(server.client()("EXISTS", key).integer().value(), std::int64_t(0));
    QCOMPARE(desk.auditLines().size(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(key) == nullptr, kPatienceMs);
}

void TestLiveOddKeys::emptyNamesAndValuesAreNoTrouble()
{
    LiveServer server;
    server.client()("SET", "", "");
    server.client()("SET", "empty:lock", "", "PX", 600000);
    server.client()("HSET", "hash:lock", "", "");
    service::WatchOptions options;
    options.isDeep = true;
    LiveWatch watch({server.endpoint()}, options);
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("empty:lock") != nullptr, kPatienceMs);
    QCOMPARE(std::string(watch.row("empty:lock")->format()), std::string("flag"));
    QVERIFY(watch.row("hash:lock") == nullptr);
}

void TestLiveOddKeys::aNameOfAMegabyteIsCounted()
{
    const Bytes key = "lock:" + Bytes(4000, 'n');
    LiveServer server;
    server.client()("SET", key, kAlice);
    server.client()("SET", "lock:" + Bytes(1'000'000, 'n'), kAlice);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(key) != nullptr, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.progress().findings != nullptr, kPatienceMs);
    QCOMPARE(watch.progress().findings->unreadCount(), std::uint64_t(1));
    QCOMPARE(watch.rowCount(), std::size_t(1));
    server.client()("DEL", key);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row(key) == nullptr, kPatienceMs);
}

void TestLiveOddKeys::aValueOfAHundredMegabytesIsNotDownloaded()
{
    LiveServer server;
    server.client()("SETRANGE", "huge:lock", 100'000'000, "x");
    server.client()("SET", "order:lock", kAlice);
    const std::int64_t before = sentBytes(server);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    LiveDesk desk({server.endpoint()});
    const quint64 inspection = desk.desk().inspectLock({0, "huge:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    QCOMPARE(desk.details(inspection)->snapshots.front().main().size, std::uint64_t(100'000'001));
    QVERIFY(watch.row("huge:lock") == nullptr);
    QVERIFY(sentBytes(server) - before < 100'000);
}

void TestLiveOddKeys::aHashOfAMillionFieldsIsNotDownloaded()
{
    LiveServer server;
    // In parts, each of which a busy machine answers in time.
    for (int part = 0; part < 10; ++part) {
        server.client()("EVAL",
                        "for i = 1, 100000 do redis.call('HSET', KEYS[1], ARGV[1] .. i, i) end", 1,
                        "huge:lock", std::to_string(part) + ":");
    }
    QCOMPARE(server.client()("HLEN", "huge:lock").integer().value(), std::int64_t(1'000'000));
    server.client()("HSET", "value:lock", "worker-17:a", Bytes(5'000'000, 'v'));
    const std::int64_t before = sentBytes(server);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch), kPatienceMs);
    LiveDesk desk({server.endpoint()});
    const quint64 inspection = desk.desk().inspectLock({0, "huge:lock"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    QCOMPARE(desk.details(inspection)->snapshots.front().main().size, std::uint64_t(1'000'000));
    QVERIFY(desk.details(inspection)->lock == nullptr);
    QCOMPARE(watch.rowCount(), std::size_t(0));
    QVERIFY(sentBytes(server) - before < 100'000);
    QCOMPARE(server.callCount("hgetall"), std::int64_t(0));
}

void TestLiveOddKeys::aSortedSetOfAMillionMembersIsNotDownloaded()
{
    LiveServer server;
    server.client()("EVAL",
                    "for i = 1, 1000000 do redis.call('ZADD', KEYS[1], 1795190500000 + i, i) end",
                    1, "huge:lock");
    const std::int64_t before = sentBytes(server);
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch), kPatienceMs);
    QCOMPARE(watch.rowCount(), std::size_t(0));
    QVERIFY(sentBytes(server) - before < 100'000);
    QCOMPARE(server.callCount("zrange"), std::int64_t(0));
}

void TestLiveOddKeys::everyTypeMayHaveTheNameOfALock()
{
    LiveServer server;
    server.client()("RPUSH", "list:lock", "a");
    server.client()("SADD", "set:lock", "a");
    server.client()("ZADD", "zset:lock", 1, "a");
    server.client()("XADD", "stream:lock", "*", "f", "v");
    server.client()("SET", "order:lock", kAlice);
    service::WatchOptions options;
    options.isDeep = true;
    LiveWatch watch({server.endpoint()}, options);
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watch.row("order:lock") != nullptr, kPatienceMs);
    QCOMPARE(watch.status().problem.kind, store::Problem::Kind::None);
}

void TestLiveOddKeys::aKeyThatChangesItsTypeAllTheTimeEndsInTheTruth()
{
    LiveServer server;
    LiveWatch watch({server.endpoint()});
    QTRY_VERIFY_WITH_TIMEOUT(isSwept(watch), kPatienceMs);
    constexpr int kRounds = 400;
    for (int i = 0; i < kRounds; ++i) {
        server.client().send(Command("DEL", "order:lock"));
        server.client().send(Command("HSET", "order:lock", "worker-17:a", 1));
        server.client().send(Command("DEL", "order:lock"));
        server.client().send(Command("RPUSH", "order:lock", "x"));
        server.client().send(Command("SET", "order:lock", kAlice));
    }
    for (int i = 0; i < 5 * kRounds; ++i) {
        QVERIFY(server.client().listen(kPatienceMs).has_value());
    }
    QTRY_COMPARE_WITH_TIMEOUT(watch.ownerOf("order:lock"), kAlice, kPatienceMs);
    server.client()("DEL", "order:lock");
    QTRY_COMPARE_WITH_TIMEOUT(watch.rowCount(), std::size_t(0), kPatienceMs);
    QVERIFY(watch.isOnline());
}

LOCKSCOPE_TEST(TestLiveOddKeys, Core)

} // namespace lockscope::tst_live_odd_keys

#include "tst_live_odd_keys.moc"
