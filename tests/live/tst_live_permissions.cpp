#include "core/operations/access_rules.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/live/live_watch.h"
#include "tests/support/test_program.h"

#include <QDateTime>
#include <QTest>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockscope::tst_live_permissions {

using namespace lockscope::testing;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using operations::Access;
using operations::LockDetails;
using service::LinkStatus;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 30'000;
const Bytes kToken = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kThread = kToken + ":63";

/// A user who has the rules for it and no other.
Endpoint endpointFor(LiveServer& server, const Access& access)
{
    const std::string info = *server.client()("INFO", "server").text();
    const std::string_view name = "redis_version:";
    const std::size_t begin = info.find(name) + name.size();
    const auto version = operations::serverVersionOf(
        std::string_view(info).substr(begin, info.find('\r', begin) - begin));
    store::Command command("ACL", "SETUSER", "somebody", "reset", "on", ">password");
    for (const std::string& rule : operations::accessRules(access, version.value())) {
        command.append(rule);
    }
    const store::Reply reply = server.client().ask(command);
    Endpoint endpoint = server.endpoint();
    endpoint.user = reply.error() == nullptr ? "somebody" : "";
    endpoint.password = "password";
    return endpoint;
}

struct PlantedLock {
    const char* format;
    std::vector<store::Command> commands; // the first word after the command is its name
    bool keepsItsKey = false;             // which counts what is free
    Bytes name() const { return commands.front().words[1]; }
};

std::vector<PlantedLock> plantedLocks()
{
    using store::Command;
    const std::int64_t inAWhile = QDateTime::currentMSecsSinceEpoch() + 500'000;
    return {
        {"token", {Command("SET", "lock:token", kToken, "PX", 600000)}},
        {"flag", {Command("SET", "lock:flag", "1")}},
        {"redisson-lock",
         {Command("HSET", "lock:redisson", kThread, 1),
          Command("PEXPIRE", "lock:redisson", 600000)}},
        {"redisson-read-write",
         {Command("HSET", "lock:rw", "mode", "read", kThread, 1),
          Command("SET", "{lock:rw}:" + kThread + ":rwlock_timeout:1", "1", "PX", 600000),
          Command("PEXPIRE", "lock:rw", 600000)}},
        {"semaphore",
         {Command("ZADD", "semaphore:x", inAWhile, "a", inAWhile, "b"),
          Command("PEXPIRE", "semaphore:x", 500000)}},
        {"redisson-permit-semaphore",
         {Command("SET", "semaphore:permits", 0),
          Command("ZADD", "{semaphore:permits}:timeout", inAWhile,
                  "00112233445566778899aabbccddeeff")},
         true},
        {"reentrant-hash", {Command("HSET", "lock:hash", "worker-17:a", 1)}},
        {"fair queue",
         {Command("HSET", "lock:fair", kThread, 1), Command("PEXPIRE", "lock:fair", 600000),
          Command("RPUSH", "redisson_lock_queue:{lock:fair}", kToken + ":1"),
          Command("ZADD", "redisson_lock_timeout:{lock:fair}", inAWhile, kToken + ":1")}},
    };
}

void plant(LiveServer& server, const PlantedLock& lock)
{
    for (const store::Command& command : lock.commands) {
        server.client().ask(command);
    }
}

/// What the server refused to this user, by its own account.
QByteArray refusals(LiveServer& server)
{
    QByteArray all;
    const store::Reply log = server.client()("ACL", "LOG");
    for (const store::Reply& entry : *log.array()) {
        const store::Reply::Array& fields = *entry.array();
        for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
            if (*fields[i].text() == "object") {
                all += QByteArray::fromStdString(*fields[i + 1].text()) + ' ';
            }
        }
    }
    return all;
}

} // namespace

/// `acl` tells administrators the least that a user needs. This holds it to the program.
class TestLivePermissions final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void whoMayWatchSeesEveryLock();
    void whoMayWatchReleasesNothing();
    void whoMayReleaseReleasesEveryFormat_data();
    void whoMayReleaseReleasesEveryFormat();
};

void TestLivePermissions::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLivePermissions::whoMayWatchSeesEveryLock()
{
    LiveServer server;
    for (const PlantedLock& lock : plantedLocks()) {
        plant(server, lock);
    }
    LiveWatch watch({endpointFor(server, Access{})});
    const auto isLive = [&watch] {
        return watch.sweepCount() > 0 && watch.isOnline()
               && watch.status().live == LinkStatus::Live::Push;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isLive(), kPatienceMs);
    QVERIFY2(watch.status().problem.kind == Problem::Kind::None,
             store::explain(watch.status().problem).c_str());
    for (const PlantedLock& lock : plantedLocks()) {
        QTRY_VERIFY_WITH_TIMEOUT(watch.row(lock.name()) != nullptr, kPatienceMs);
    }
    server.client()("SET", "lock:new", kToken, "PX", 600000);
    server.client()("DEL", "lock:token");
    QTRY_VERIFY_WITH_TIMEOUT(watch.hasHappened("appeared lock:new")
                                 && watch.hasHappened("released lock:token"),
                             kPatienceMs);
    QVERIFY2(refusals(server).isEmpty(), refusals(server).constData());
}

void TestLivePermissions::whoMayWatchReleasesNothing()
{
    LiveServer server;
    plant(server, plantedLocks().front());
    LiveDesk desk({endpointFor(server, Access{})});
    const quint64 inspection = desk.desk().inspectLock({0, plantedLocks().front().name()});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const quint64 release = desk.desk().execute(*desk.details(inspection)->release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    QVERIFY(desk.report(release)->result == ReleaseResult::Refused);
    QCOMPARE(server.client()("EXISTS", plantedLocks().front().name()).integer(), 1);
}

void TestLivePermissions::whoMayReleaseReleasesEveryFormat_data()
{
    QTest::addColumn<int>("index");
    const std::vector<PlantedLock> all = plantedLocks();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::newRow(all[i].format) << static_cast<int>(i);
    }
}

void TestLivePermissions::whoMayReleaseReleasesEveryFormat()
{
    QFETCH(const int, index);
    LiveServer server;
    const PlantedLock lock = plantedLocks()[static_cast<std::size_t>(index)];
    plant(server, lock);
    LiveDesk desk({endpointFor(server, Access{.releases = true})});
    const quint64 inspection = desk.desk().inspectToRelease({0, lock.name()});
    QTRY_VERIFY_WITH_TIMEOUT(desk.details(inspection) != nullptr, kPatienceMs);
    const LockDetails& details = *desk.details(inspection);
    QVERIFY2(details.problem.kind == Problem::Kind::None, store::explain(details.problem).c_str());
    QVERIFY(details.release.has_value());
    const quint64 release = desk.desk().execute(*details.release, {});
    QTRY_VERIFY_WITH_TIMEOUT(desk.report(release) != nullptr, kPatienceMs);
    const ReleaseReport& report = *desk.report(release);
    QVERIFY2(report.result == ReleaseResult::Released, store::explain(report.problem).c_str());
    QCOMPARE(server.client()("EXISTS", lock.name()).integer(), lock.keepsItsKey ? 1 : 0);
    QVERIFY2(refusals(server).isEmpty(), refusals(server).constData());
}

LOCKSCOPE_TEST(TestLivePermissions, Core)

} // namespace lockscope::tst_live_permissions

#include "tst_live_permissions.moc"
