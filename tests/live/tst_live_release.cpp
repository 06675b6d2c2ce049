#include "core/wire/watch/redis_release_desk.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/live/release_bench.h"
#include "tests/support/live/live_desk.h"
#include "tests/support/live/live_server.h"
#include "tests/support/seen_keys.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace lockscope::tst_live_release {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace inspect;
using operations::LockDetails;
using store::Endpoint;
using store::Problem;

namespace {

const Bytes kThread = kAlice + ":63";

/// The key that keeps the lease of a reader's first hold of "lock:rw".
Bytes timeoutOf(const Bytes& owner)
{
    return "{lock:rw}:" + owner + ":rwlock_timeout:1";
}

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
    void anotherFlagThatLooksTheSameIsLeftAlone();
    void aFlagWhoseGuardWasLostIsLeftAlone();
    void withoutTheRightToWatchItSaysSo();
    void oneOfThreeReadersIsReleasedAlone();
    void theLockLivesAsLongAsTheReadersThatAreLeft();
    void aWriterThatGoesLeavesItsReadHold();
    void onePermitIsReleasedAlone();
    void aServerThatDoesNotAnswerLeavesItUnknown();
    void waitersAreWokenAsTheLibraryDoes();
    void theHeadOfAFairQueueIsWoken();
    void whatAScriptMayNotDoIsNamed_data();
    void whatAScriptMayNotDoIsNamed();
    void whoTookItNextIsTold();
    void aTokenComingBackIsTold();
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
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const LockDetails details = bench.lookUp("order:lock");
    QCOMPARE(details.lock->holders.front().owner, kAlice);
    const ReleaseReport report = bench.executed(*details.release, u"nightly job is stuck"_qs);
    QVERIFY(report.result == ReleaseResult::Released);
    QVERIFY(!bench.exists("order:lock"));
    const nlohmann::json line = bench.auditLine();
    QCOMPARE(line["outcome"].get<std::string>(), std::string("released"));
    QCOMPARE(line["holders"][0]["owner"].get<std::string>(), kAlice);
    QCOMPARE(line["key"].get<std::string>(), std::string("order:lock"));
    QCOMPARE(line["reason"].get<std::string>(), std::string("nightly job is stuck"));
    QCOMPARE(line["server"].get<std::string>(), store::serverName(bench.server.endpoint()));
    QCOMPARE(bench.desk->auditLines().size(), 2);
}

void TestLiveRelease::aLockThatChangedHandsIsLeftAlone()
{
    ReleaseBench bench;
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
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", "1", "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("SET", "order:lock", "1", "PX", 700000); // perhaps another client by now
    QVERIFY(bench.executed(plan).result == ReleaseResult::ChangedHands);
    QVERIFY(bench.exists("order:lock"));
}

void TestLiveRelease::aReentrantHolderThatCameBackIsStillReleased()
{
    ReleaseBench bench;
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
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    const ReleasePlan plan = bench.plan("order:lock");
    bench.server.client()("DEL", "order:lock");
    QVERIFY(bench.executed(plan).result == ReleaseResult::AlreadyGone);
    QVERIFY(bench.lookUp("order:lock").lock == nullptr);
}

void TestLiveRelease::aKeyOfAnotherTypeIsLeftAlone()
{
    ReleaseBench bench;
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
        ReleaseBench bench;
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
    ReleaseBench bench;
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

void TestLiveRelease::anotherFlagThatLooksTheSameIsLeftAlone()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", "1");
    bench.open();
    const ReleasePlan plan = bench.lookUpToRelease("order:lock").release.value();
    QVERIFY(plan.guard.has_value());
    bench.server.client()("DEL", "order:lock");
    bench.server.client()("SETNX", "order:lock", "1");
    const ReleaseReport report = bench.executed(plan);
    QVERIFY(report.result == ReleaseResult::ChangedHands);
    QVERIFY(report.wasWritten);
    QVERIFY(bench.exists("order:lock"));
    // A guard is good for one attempt.
    QCOMPARE(bench.executed(plan).problem.kind, Problem::Kind::GuardLost);
    QVERIFY(bench.exists("order:lock"));
    QVERIFY(bench.executed(bench.lookUpToRelease("order:lock").release.value()).result
            == ReleaseResult::Released);
    QVERIFY(!bench.exists("order:lock"));
}

void TestLiveRelease::aFlagWhoseGuardWasLostIsLeftAlone()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", "1");
    bench.open();
    const ReleasePlan plan = bench.lookUpToRelease("order:lock").release.value();
    bench.server.client()("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    const ReleaseReport report = bench.executed(plan);
    QVERIFY2(report.result == ReleaseResult::Refused, store::explain(report.problem).c_str());
    QVERIFY(bench.exists("order:lock"));
}

void TestLiveRelease::withoutTheRightToWatchItSaysSo()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", "1");
    bench.server.client()("ACL", "SETUSER", "reader", "on", ">secret", "~*", "&*", "+@all",
                          "-watch");
    Endpoint endpoint = bench.server.endpoint();
    endpoint.user = "reader";
    endpoint.password = "secret";
    bench.open(endpoint);
    const LockDetails details = bench.lookUpToRelease("order:lock");
    QVERIFY(!details.release->guard);
    QVERIFY2(details.warnings.front().find("cannot be distinguished") != std::string::npos,
             details.warnings.front().c_str());
    QVERIFY(bench.executed(*details.release).result == ReleaseResult::Refused);
    QVERIFY(bench.exists("order:lock"));
    QVERIFY(bench.executed(details.capTtl.value()).result == ReleaseResult::Released);
}

void TestLiveRelease::oneOfThreeReadersIsReleasedAlone()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    const std::vector<Bytes> readers{kAlice + ":1", kAlice + ":2", kBob + ":1"};
    client("HSET", "lock:rw", "mode", "read");
    for (std::size_t i = 0; i < readers.size(); ++i) {
        client("HSET", "lock:rw", readers[i], 1);
        client("SET", timeoutOf(readers[i]), "1", "PX", 100000 * (i + 1));
    }
    client("PEXPIRE", "lock:rw", 300000);
    bench.open();
    const LockDetails details = bench.lookUpToRelease("lock:rw");
    QCOMPARE(details.releaseOne.size(), std::size_t(3));
    QVERIFY(details.release->endsSeveral());
    const ReleasePlan& last = details.releaseOne.back();
    const Bytes named = last.owner();
    const ReleaseReport report = bench.executed(last);
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(client("HEXISTS", "lock:rw", named).integer(), 0);
    QVERIFY(!bench.exists(timeoutOf(named)));
    QCOMPARE(client("HLEN", "lock:rw").integer(), 3); // mode and two readers
    QCOMPARE(client("HGET", "lock:rw", "mode"), store::Reply::ofBulk("read"));
    QCOMPARE(bench.auditLine()["holders"].size(), std::size_t(1));
    QCOMPARE(bench.auditLine()["holders"][0]["owner"].get<std::string>(), named);
    // Once more: that hold is gone, and no other one is touched.
    QVERIFY(bench.executed(last).result == ReleaseResult::AlreadyGone);
    QCOMPARE(client("HLEN", "lock:rw").integer(), 3);
}

void TestLiveRelease::theLockLivesAsLongAsTheReadersThatAreLeft()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    const Bytes stays = kAlice + ":1";
    const Bytes goes = kBob + ":1";
    client("HSET", "lock:rw", "mode", "read", stays, 1, goes, 1);
    client("SET", timeoutOf(stays), "1", "PX", 100000);
    client("SET", timeoutOf(goes), "1", "PX", 500000);
    client("PEXPIRE", "lock:rw", 500000);
    bench.open();
    for (const ReleasePlan& plan : bench.lookUp("lock:rw").releaseOne) {
        if (plan.owner() == goes) {
            QVERIFY(bench.executed(plan).result == ReleaseResult::Released);
        }
    }
    const std::int64_t left = client("PTTL", "lock:rw").integer().value();
    QVERIFY2(left > 0 && left <= 100000, std::to_string(left).c_str());
}

void TestLiveRelease::aWriterThatGoesLeavesItsReadHold()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    client("HSET", "lock:rw", "mode", "write", kThread + ":write", 1, kThread, 1);
    client("PEXPIRE", "lock:rw", 500000);
    bench.open();
    const LockDetails details = bench.lookUp("lock:rw");
    QCOMPARE(details.releaseOne.front().owner(), kThread + ":write");
    QVERIFY(bench.executed(details.releaseOne.front()).result == ReleaseResult::Released);
    QCOMPARE(client("HGET", "lock:rw", "mode"), store::Reply::ofBulk("read"));
    QCOMPARE(client("HEXISTS", "lock:rw", kThread).integer(), 1);
    // The last one takes the lock with it and wakes who waits.
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_rwlock:{lock:rw}");
    const ReleaseReport report = bench.executed(bench.plan("lock:rw"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    QVERIFY(!bench.exists("lock:rw"));
}

void TestLiveRelease::onePermitIsReleasedAlone()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    const store::Reply time = client("TIME");
    const std::int64_t now = std::stoll(*(*time.array())[0].text()) * 1000;
    for (const char* const permit : {"a", "b", "c"}) {
        client("ZADD", "semaphore:x", now + 500000, permit);
    }
    client("PEXPIRE", "semaphore:x", 500000);
    bench.open();
    const LockDetails details = bench.lookUp("semaphore:x");
    QCOMPARE(details.releaseOne.size(), std::size_t(3));
    QCOMPARE(details.releaseOne[1].owner(), Bytes("b"));
    client("ZADD", "semaphore:x", now + 500000, "d"); // others come and go
    QVERIFY(bench.executed(details.releaseOne[1]).result == ReleaseResult::Released);
    QCOMPARE(client("ZCARD", "semaphore:x").integer(), 3);
    QVERIFY(client("ZSCORE", "semaphore:x", "b").isNil());
    // All that were seen; "b" is one of them, and gone: then nothing is done.
    QVERIFY(bench.executed(*details.release).result == ReleaseResult::ChangedHands);
    QVERIFY(bench.executed(*bench.lookUp("semaphore:x").release).result == ReleaseResult::Released);
    QVERIFY(!bench.exists("semaphore:x"));
}

void TestLiveRelease::aServerThatDoesNotAnswerLeavesItUnknown()
{
    ReleaseBench bench;
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
    QTRY_VERIFY_WITH_TIMEOUT(!bench.exists("order:lock"), kReleasePatienceMs);
}

void TestLiveRelease::waitersAreWokenAsTheLibraryDoes()
{
    ReleaseBench bench;
    bench.server.client()("HSET", "order:lock", kThread, 1);
    bench.server.client()("PEXPIRE", "order:lock", 600000);
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{order:lock}");
    bench.open();
    const ReleaseReport report = bench.executed(bench.plan("order:lock"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    const std::optional<store::Reply> message = waiter.listen(kReleasePatienceMs);
    QVERIFY(message.has_value());
    QCOMPARE((*message->array())[1], store::Reply::ofBulk("redisson_lock__channel:{order:lock}"));
    QCOMPARE((*message->array())[2], store::Reply::ofBulk("0"));
}

void TestLiveRelease::theHeadOfAFairQueueIsWoken()
{
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    const Bytes gaveUp = kAlice + ":1";
    const Bytes head = kBob + ":1";
    client("HSET", "order:lock", kThread, 1);
    client("PEXPIRE", "order:lock", 600000);
    client("RPUSH", "redisson_lock_queue:{order:lock}", gaveUp, head, kBob + ":2");
    client("ZADD", "redisson_lock_timeout:{order:lock}", 1, gaveUp, 4000000000000, head,
           4000000000000, kBob + ":2");
    PlainClient waiter(bench.server.endpoint());
    waiter("SUBSCRIBE", "redisson_lock__channel:{order:lock}:" + head);
    bench.open();
    const ReleaseReport report = bench.executed(bench.plan("order:lock"));
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(report.woken, std::int64_t(1));
    QVERIFY(waiter.listen(kReleasePatienceMs).has_value());
    // The queue stays: its head leaves it when it takes the lock.
    QCOMPARE(client("LINDEX", "redisson_lock_queue:{order:lock}", 0), store::Reply::ofBulk(head));
    QCOMPARE(client("ZCARD", "redisson_lock_timeout:{order:lock}").integer(), 2);
}

void TestLiveRelease::whatAScriptMayNotDoIsNamed_data()
{
    QTest::addColumn<QByteArray>("denied");
    QTest::addColumn<QByteArray>("rule");
    const auto row = [](const char* denied, const char* rule) {
        QTest::newRow(denied) << QByteArray(denied) << QByteArray(rule);
    };
    row("-eval", "+eval");
    row("-del", "+del");
    row("-hget", "+hget");
    row("-hdel", "+hdel");
    row("-publish", "+publish");
    row("resetchannels", "&redisson_rwlock:{lock:rw}");
}

void TestLiveRelease::whatAScriptMayNotDoIsNamed()
{
    QFETCH(const QByteArray, denied);
    QFETCH(const QByteArray, rule);
    ReleaseBench bench;
    PlainClient& client = bench.server.client();
    client("HSET", "lock:rw", "mode", "read", kThread, 1, kAlice + ":1", 1);
    client("PEXPIRE", "lock:rw", 600000);
    client("ACL", "SETUSER", "operator", "on", ">secret", "~*", "&*", "+@all",
           denied.toStdString());
    Endpoint endpoint = bench.server.endpoint();
    endpoint.user = "operator";
    endpoint.password = "secret";
    bench.open(endpoint);
    const LockDetails details = bench.lookUp("lock:rw");
    const bool isAboutPart = rule == "+hdel";
    const ReleaseReport report = bench.executed(isAboutPart ? details.releaseOne.front()
                                                            : *details.release);
    QVERIFY2(report.result == ReleaseResult::Refused, store::explain(report.problem).c_str());
    QCOMPARE(QByteArray::fromStdString(report.problem.rule), rule);
    QCOMPARE(client("HLEN", "lock:rw").integer(), 3);
}

void TestLiveRelease::whoTookItNextIsTold()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("order:lock")).result == ReleaseResult::Released);
    bench.server.client()("SET", "order:lock", kBob, "PX", 600000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk->nextHold(bench.lastRequest) != nullptr,
                             kReleasePatienceMs);
    const NextHold& nextHold = *bench.desk->nextHold(bench.lastRequest);
    QVERIFY(nextHold.kind == NextHold::Kind::TakenByOther);
    QCOMPARE(nextHold.next->holders.front().owner, kBob);
}

void TestLiveRelease::aTokenComingBackIsTold()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("order:lock")).result == ReleaseResult::Released);
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk->nextHold(bench.lastRequest) != nullptr,
                             kReleasePatienceMs);
    QVERIFY(bench.desk->nextHold(bench.lastRequest)->kind == NextHold::Kind::CameBack);
}

void TestLiveRelease::aLockThatNobodyTakesStaysFree()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice, "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("order:lock")).result == ReleaseResult::Released);
    QTRY_VERIFY_WITH_TIMEOUT(bench.desk->nextHold(bench.lastRequest) != nullptr,
                             kReleasePatienceMs);
    QVERIFY(bench.desk->nextHold(bench.lastRequest)->kind == NextHold::Kind::StillFree);
}

void TestLiveRelease::cappingGivesAnEternalLockAnEnd()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice);
    bench.open();
    const LockDetails details = bench.lookUp("order:lock");
    QVERIFY(details.capTtl.has_value());
    QVERIFY(bench.executed(*details.capTtl).result == ReleaseResult::Released);
    const std::int64_t left = bench.server.client()("PTTL", "order:lock").integer().value();
    QVERIFY2(left > 0 && left <= toMs(details.capTtl->cap), std::to_string(left).c_str());
    QCOMPARE(bench.server.client()("GET", "order:lock"), store::Reply::ofBulk(kAlice));
    QCOMPARE(bench.auditLine()["action"].get<std::string>(), std::string("cap-ttl"));
    // Capping is no release: the next holder is not waited for.
    QVERIFY(bench.desk->nextHold(bench.lastRequest) == nullptr);
}

void TestLiveRelease::cappingNeverProlongs()
{
    ReleaseBench bench;
    bench.server.client()("SET", "order:lock", kAlice);
    bench.open();
    const LockDetails details = bench.lookUp("order:lock");
    bench.server.client()("PEXPIRE", "order:lock", 1000);
    static_cast<void>(bench.executed(*details.capTtl));
    QVERIFY(bench.server.client()("PTTL", "order:lock").integer().value() <= 1000);
}

void TestLiveRelease::bothKeysOfAPairAreReleased()
{
    ReleaseBench bench;
    bench.server.client()("SET", "lock:read", "1", "PX", 600000);
    bench.server.client()("SET", "lock:write", "1", "PX", 600000);
    bench.open();
    QVERIFY(bench.executed(bench.plan("lock")).result == ReleaseResult::Released);
    QVERIFY(!bench.exists("lock:read"));
    QVERIFY(!bench.exists("lock:write"));
}

void TestLiveRelease::manyReleasesAtOnceAreOneRelease()
{
    ReleaseBench bench;
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
    QTRY_VERIFY_WITH_TIMEOUT(areAnswered(), kReleasePatienceMs);
    const auto releasedCount = std::count_if(requests.begin(), requests.end(),
                                             [&](quint64 request) {
                                                 return bench.desk->report(request)->result
                                                        == ReleaseResult::Released;
                                             });
    QCOMPARE(releasedCount, 1);
    QCOMPARE(bench.desk->auditLines().size(), 20);
}

LOCKSCOPE_TEST(TestLiveRelease, Core)

} // namespace lockscope::tst_live_release

#include "tst_live_release.moc"
