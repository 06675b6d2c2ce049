#include "kernel/text_in_failures.h"
#include "redis_release_desk.h"
#include "support/live_desk.h"
#include "support/live_server.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace lockscope;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using inspect::Aftermath;
using inspect::ReleasePlan;
using inspect::ReleaseReport;
using inspect::ReleaseResult;
using service::LockDossier;
using store::Endpoint;
using store::Problem;

namespace {

constexpr int kPatienceMs = 30'000;
const Bytes kAlice = "5f0c9a41-77aa-4c1e-9f00-1b2c3d4e5f60";
const Bytes kBob = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
const Bytes kThread = kAlice + ":63";

/// A server with a lock, and a desk.
struct Bench {
    LiveServer server;
    std::unique_ptr<LiveDesk> desk;

    void open() { open(server.endpoint()); }
    void open(const Endpoint& endpoint)
    {
        desk = std::make_unique<LiveDesk>(std::vector<Endpoint>{endpoint});
    }

    /// Waits for the answer; an empty dossier when none comes.
    LockDossier examined(const Bytes& name)
    {
        const quint64 request = desk->desk().examine({0, name});
        const bool isAnswered = QTest::qWaitFor([&] { return desk->dossier(request) != nullptr; },
                                                kPatienceMs);
        return isAnswered ? *desk->dossier(request) : LockDossier();
    }
    ReleasePlan plan(const Bytes& name) { return examined(name).release.value(); }

    ReleaseReport executed(const ReleasePlan& plan, const QString& reason = {})
    {
        lastRequest = desk->desk().execute(plan, reason);
        const bool isAnswered =
            QTest::qWaitFor([&] { return desk->report(lastRequest) != nullptr; }, kPatienceMs);
        return isAnswered ? *desk->report(lastRequest) : ReleaseReport();
    }
    bool exists(const Bytes& key) { return server.client()("EXISTS", key).integer() == 1; }
    nlohmann::json auditLine() const
    {
        return nlohmann::json::parse(desk->auditLines().back().toStdString());
    }

    quint64 lastRequest = 0;
};

} // namespace

class TestLiveRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aLockIsReleasedAndTheAttemptWrittenDown();
    void aLockThatChangedHandsIsLeftAlone();
    void aFlagThatWasRenewedIsLeftAlone();
    void aReentrantHolderThatCameBackIsStillReleased();
    void aLockThatIsGoneIsSaidToBe();
    void aKeyOfAnotherTypeIsLeftAlone();
    void withoutPermissionNothingIsDone();
    void aReadOnlyConnectionRefusesByItself();
    void aReplicaRefuses();
    void aServerThatDoesNotAnswerLeavesItUnknown();
    void waitersAreWokenAsTheLibraryDoes();
    void whoTookItNextIsTold();
    void theSameOwnerComingBackIsTold();
    void aLockThatNobodyTakesStaysFree();
    void cappingGivesAnEternalLockAnEnd();
    void cappingNeverProlongs();
    void bothKeysOfAPairAreReleased();
    void manyReleasesAtOnceAreOneRelease();
};

void TestLiveRelease::initTestCase()
{
    if (!LiveServer::isInstalled()) {
        QSKIP("redis-server is not installed");
    }
}

void TestLiveRelease::aLockIsReleasedAndTheAttemptWrittenDown()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const LockDossier dossier = bench.examined("order:lock");
    QCOMPARE(dossier.lock->holders.front().owner, kAlice);
    const ReleaseReport report = bench.executed(*dossier.release, u"nightly job is stuck"_qs);
    QVERIFY(report.result == ReleaseResult::Released);
    QVERIFY(!bench.exists("order:lock"));
    const nlohmann::json line = bench.auditLine();
    QCOMPARE(line["outcome"].get<std::string>(), std::string("released"));
    QCOMPARE(line["owner"].get<std::string>(), kAlice);
    QCOMPARE(line["key"].get<std::string>(), std::string("order:lock"));
    QCOMPARE(line["reason"].get<std::string>(), std::string("nightly job is stuck"));
    QCOMPARE(line["server"].get<std::string>(), store::serverName(bench.server.endpoint()));
    QCOMPARE(bench.desk->auditLines().size(), 1);
}

void TestLiveRelease::aLockThatChangedHandsIsLeftAlone()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("SET", "order:lock", kBob, "PX", 600000);
    const ReleaseReport report = bench.executed(plan);
    QVERIFY(report.result == ReleaseResult::ChangedHands);
    QCOMPARE(report.nowThere->holders.front().owner, kBob);
    QCOMPARE(bench.server.client()("GET", "order:lock"), store::Reply::ofBulk(kBob));
    QCOMPARE(bench.auditLine()["outcome"].get<std::string>(), std::string("changed-hands"));
}

void TestLiveRelease::aFlagThatWasRenewedIsLeftAlone()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", "1", "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("SET", "order:lock", "1", "PX", 700000); // perhaps somebody else by now
    QVERIFY(bench.executed(plan).result == ReleaseResult::ChangedHands);
    QVERIFY(bench.exists("order:lock"));
}

void TestLiveRelease::aReentrantHolderThatCameBackIsStillReleased()
{
    Bench bench;
    bench.server.client()("HSET", "lock:h", "worker-17:a", 1);
    bench.server.client()("PEXPIRE", "lock:h", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("lock:h");
    bench.server.client()("HINCRBY", "lock:h", "worker-17:a", 1);
    bench.server.client()("PEXPIRE", "lock:h", 700000);
    QVERIFY(bench.executed(plan).result == ReleaseResult::Released);
    QVERIFY(!bench.exists("lock:h"));
}

void TestLiveRelease::aLockThatIsGoneIsSaidToBe()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("DEL", "order:lock");
    QVERIFY(bench.executed(plan).result == ReleaseResult::AlreadyGone);
    QVERIFY(bench.examined("order:lock").lock == nullptr);
}

void TestLiveRelease::aKeyOfAnotherTypeIsLeftAlone()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("DEL", "order:lock");
    bench.server.client()("RPUSH", "order:lock", kAlice);
    QVERIFY(bench.executed(plan).result == ReleaseResult::ChangedHands);
    QVERIFY(bench.exists("order:lock"));
}

void TestLiveRelease::withoutPermissionNothingIsDone()
{
    for (const char* const rule : {"-eval", "-del"}) {
        Bench bench;
        bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
        bench.server.client()("ACL", "SETUSER", "reader", "on", ">secret", "~*", "&*", "+@all",
                              rule);
        Endpoint endpoint = bench.server.endpoint();
        endpoint.user = "reader";
        endpoint.password = "secret";
        bench.open(endpoint);
        const ReleaseReport report = bench.executed(bench.plan("order:lock"));
        QVERIFY2(report.result == ReleaseResult::Refused, rule);
        QCOMPARE(report.problem.kind, Problem::Kind::NoPermission);
        QVERIFY(bench.exists("order:lock"));
        QCOMPARE(bench.auditLine()["outcome"].get<std::string>(), std::string("refused"));
    }
}

void TestLiveRelease::aReadOnlyConnectionRefusesByItself()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    Endpoint endpoint = bench.server.endpoint();
    endpoint.isReadOnly = true;
    bench.open(endpoint);
    const ReleaseReport report = bench.executed(bench.plan("order:lock"));
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem.kind, Problem::Kind::ReadOnlyMode);
    QVERIFY(bench.exists("order:lock"));
    QCOMPARE(bench.server.callCount("eval"), std::int64_t(0));
}

void TestLiveRelease::aReplicaRefuses()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("REPLICAOF", "127.0.0.1", 1);
    const ReleaseReport report = bench.executed(plan);
    QVERIFY(report.result == ReleaseResult::Refused);
    QCOMPARE(report.problem.kind, Problem::Kind::ReplicaReadOnly);
    QVERIFY(bench.exists("order:lock"));
}

void TestLiveRelease::aServerThatDoesNotAnswerLeavesItUnknown()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    Endpoint endpoint = bench.server.endpoint();
    endpoint.requestTimeout = 1s;
    bench.open(endpoint);
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.process().freeze();
    const ReleaseReport report = bench.executed(plan);
    bench.server.process().thaw();
    QVERIFY(report.result == ReleaseResult::Unknown);
    QCOMPARE(report.problem.kind, Problem::Kind::ReplyTimedOut);
    QCOMPARE(bench.auditLine()["outcome"].get<std::string>(), std::string("unknown"));
    // It was carried out all the same: that is why the answer was not "no".
    QTRY_VERIFY_WITH_TIMEOUT(!bench.exists("order:lock"), kPatienceMs);
}

void TestLiveRelease::waitersAreWokenAsTheLibraryDoes()
{
    Bench bench;
    bench.server.client()("HSET", "order:lock", kThread, 1);
    bench.server.client()("PEXPIRE", "order:lock", 600000);
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{order:lock}");
    bench.open();
    const ReleaseReport report = bench.executed(bench.plan("order:lock"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    const std::optional<store::Reply> message = waiter.listen(kPatienceMs);
    QVERIFY(message.has_value());
    QCOMPARE((*message->array())[1], store::Reply::ofBulk("redisson_lock__channel:{order:lock}"));
    QCOMPARE((*message->array())[2], store::Reply::ofBulk("0"));
}

void TestLiveRelease::whoTookItNextIsTold()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("order:lock")).result == ReleaseResult::Released);
    bench.server.client()("SET", "order:lock", kBob, "PX", 600000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk->aftermath(bench.lastRequest) != nullptr, kPatienceMs);
    const Aftermath& aftermath = *bench.desk->aftermath(bench.lastRequest);
    QVERIFY(aftermath.kind == Aftermath::Kind::TakenByOther);
    QCOMPARE(aftermath.next->holders.front().owner, kBob);
}

void TestLiveRelease::theSameOwnerComingBackIsTold()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("order:lock")).result == ReleaseResult::Released);
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk->aftermath(bench.lastRequest) != nullptr, kPatienceMs);
    QVERIFY(bench.desk->aftermath(bench.lastRequest)->kind == Aftermath::Kind::TakenBySameOwner);
}

void TestLiveRelease::aLockThatNobodyTakesStaysFree()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("order:lock")).result == ReleaseResult::Released);
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk->aftermath(bench.lastRequest) != nullptr, kPatienceMs);
    QVERIFY(bench.desk->aftermath(bench.lastRequest)->kind == Aftermath::Kind::StillFree);
}

void TestLiveRelease::cappingGivesAnEternalLockAnEnd()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice);
    bench.open();
    const LockDossier dossier = bench.examined("order:lock");
    QVERIFY(dossier.capTtl.has_value());
    QVERIFY(bench.executed(*dossier.capTtl).result == ReleaseResult::Released);
    const std::int64_t left = bench.server.client()("PTTL", "order:lock").integer().value();
    QVERIFY2(left > 0 && left <= toMs(dossier.capTtl->cap), std::to_string(left).c_str());
    QCOMPARE(bench.server.client()("GET", "order:lock"), store::Reply::ofBulk(kAlice));
    QCOMPARE(bench.auditLine()["action"].get<std::string>(), std::string("cap-ttl"));
    // Capping is no release: nobody waits for the next holder.
    QVERIFY(bench.desk->aftermath(bench.lastRequest) == nullptr);
}

void TestLiveRelease::cappingNeverProlongs()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice);
    bench.open();
    const LockDossier dossier = bench.examined("order:lock");
    bench.server.client()("PEXPIRE", "order:lock", 1000);
    static_cast<void>(bench.executed(*dossier.capTtl));
    QVERIFY(bench.server.client()("PTTL", "order:lock").integer().value() <= 1000);
}

void TestLiveRelease::bothKeysOfAPairAreReleased()
{
    Bench bench;
    bench.server.client()("SET", "lock:read", "1", "PX", 600000);
    bench.server.client()("SET", "lock:write", "1", "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("lock")).result == ReleaseResult::Released);
    QVERIFY(!bench.exists("lock:read"));
    QVERIFY(!bench.exists("lock:write"));
}

void TestLiveRelease::manyReleasesAtOnceAreOneRelease()
{
    Bench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    std::vector<quint64> requests;
    for (int i = 0; i < 10; ++i) {
        requests.push_back(bench.desk->desk().execute(plan, {}));
    }
    const auto areAnswered = [&] {
        return std::all_of(requests.begin(), requests.end(),
                           [&](quint64 r) { return bench.desk->report(r) != nullptr; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(areAnswered(), kPatienceMs);
    const auto releasedCount = std::count_if(requests.begin(), requests.end(),
                                             [&](quint64 request) {
                                                 return bench.desk->report(request)->result
                                                        == ReleaseResult::Released;
                                             });
    QCOMPARE(releasedCount, 1);
    QCOMPARE(bench.desk->auditLines().size(), 10);
}

QTEST_GUILESS_MAIN(TestLiveRelease)
#include "tst_live_release.moc"
