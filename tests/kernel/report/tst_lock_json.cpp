#include "core/kernel/report/lock_json.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_lock_json {

using namespace lockscope::inspect;
using namespace lockscope::report;
using lockscope::testing::schemaComplaint;
using namespace std::chrono_literals;
using namespace std::string_literals;

class TestLockJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLockHasTheDocumentedShape();
    void theOtherLocksOfAnOwnerAreNamed();
    void waitersThatBlockOnListsHaveABound();
    void whatIsNotKnownIsNull();
    void aLockThatWasThereAlreadyHasNoKnownAge();
    void aHolderWithoutAnEndOfItsOwnEndsWithTheLock();
    void aReaderWithoutExpiryIsNotGivenTheLocksEnd();
    void whatHasRunOutHasNothingLeft();
    void aRedlockRowHasItsQuorum();
    void aRhythmOfRenewalsIsTold();
    void whatIsNotConfirmedIsMarked();
    void binaryKeysAndOwnersAreEscaped();
    void anyBytesMakeValidJson();
    void aChangeIsOneLine();
    void aPlanShowsItsCommandAndItsChecks();
    void aPlanForACapShowsTheCap();
    void csvFollowsItsHeader();
    void csvQuotesWhatMustBeQuoted();
    void timesAreIso8601InUtc_data();
    void timesAreIso8601InUtc();
};

namespace {

const Instant kNow(1h);
const WallTime kWallNow = wallTimeOfMs(1795096202123); // 2026-11-19T13:50:02.123Z

LockRecord order42()
{
    LockRecord record;
    record.id = {0, "order:42"};
    record.setFormat("redisson-lock");
    record.setLibrary("Redisson");
    record.confidence = Confidence::High;
    Holder holder;
    holder.owner = "5f0c:63";
    holder.holds = 2;
    holder.setClient(std::make_shared<const ClientInfo>(ClientInfo{"10.0.0.7:51622", "billing-3",
                                                                   "token pattern"}));
    record.holders.push_back(holder);
    record.expiresAt = kNow + 28541ms;
    record.firstSeen = kNow - 61234ms;
    record.isTakenWhileWatching = true;
    record.renewals = 6;
    record.waiters = 3;
    record.flags.add(Flag::RenewedForever);
    record.addEvidence("hash field looks like uuid:threadId");
    return record;
}

LockRecord flagLock()
{
    LockRecord record;
    record.id = {0, "job:sync"};
    record.setFormat("flag");
    record.holders.resize(1);
    record.firstSeen = kNow;
    return record;
}

ReleasePlan planFor(LockRecord record)
{
    ReleasePlan plan;
    plan.lock = makeShared<const LockRecord>(std::move(record));
    plan.holders = plan.lock->holders;
    plan.command = store::Command("EVAL", "return 1", 1, "order:42", "5f0c:63");
    return plan;
}

} // namespace

void TestLockJson::aLockHasTheDocumentedShape()
{
    // The example of the product page, field by field and in its order; what follows is additional.
    const std::string expected =
        R"({"server":"127.0.0.1:6379","db":0,"key":"order:42","format":"redisson-lock","library":"Redisson",)"
        R"("confidence":"high","mode":"exclusive","holders":[{"owner":"5f0c:63","mode":"write","holds":2,)"
        R"("ttlMs":28541,"client":{"address":"10.0.0.7:51622","name":"billing-3","how":"token pattern"},"alsoHolds":null}],)"
        R"("ttlMs":28541,"waiters":{"count":3,"how":"PUBSUB NUMSUB","exact":false},"heldForMs":61234,)"
        R"("renewals":6,"flags":["renewed-forever"],"keys":["order:42"],)"
        R"("evidence":["hash field looks like uuid:threadId"],"seenForMs":61234,"acquiredAt":null,"confirmed":true,"renewal":null})";
    QCOMPARE(lockJson(order42(), "127.0.0.1:6379", 0, kNow).dump(), expected);
}

void TestLockJson::theOtherLocksOfAnOwnerAreNamed()
{
    LockRecord record = order42();
    OwnerTie tie;
    tie.names = {"order:41", "order:42"};
    tie.isOfThread = true;
    tie.isTakenTogether = true;
    record.holders.front().setTie(std::make_shared<const OwnerTie>(std::move(tie)));
    const Json json = lockJson(record, "h:1", 0, kNow);
    QCOMPARE(json["holders"][0]["alsoHolds"].dump(),
             std::string(R"({"keys":["order:41"],"sameThread":true,"takenTogether":true})"));
    for (const Json& lock :
         {json, lockJson(order42(), "h:1", 0, kNow), lockJson(flagLock(), "h:1", 0, kNow)}) {
        QCOMPARE(schemaComplaint(nlohmann::json(lock), "lock"), std::string());
    }
}

void TestLockJson::waitersThatBlockOnListsHaveABound()
{
    LockRecord record = order42();
    record.waiters.reset();
    record.waiterSource = WaiterSource::BlockedList;
    record.seldom->waitersAtMost = 3;
    const Json json = lockJson(record, "h:1", 0, kNow);
    QCOMPARE(json["waiters"].dump(),
             std::string(R"({"count":null,"atMost":3,"how":"CLIENT LIST","exact":false})"));
    QCOMPARE(schemaComplaint(nlohmann::json(json), "lock"), std::string());
}

void TestLockJson::whatIsNotKnownIsNull()
{
    const std::string expected =
        R"({"server":"h:1","db":3,"key":"job:sync","format":"flag","library":null,"confidence":"low",)"
        R"("mode":"exclusive","holders":[{"owner":null,"mode":"write","holds":1,"ttlMs":null,"client":null,"alsoHolds":null}],)"
        R"("ttlMs":null,"waiters":null,"heldForMs":null,"renewals":0,"flags":[],"keys":["job:sync"],)"
        R"("evidence":[],"seenForMs":0,"acquiredAt":null,"confirmed":true,"renewal":null})";
    QCOMPARE(lockJson(flagLock(), "h:1", 3, kNow).dump(), expected);
}

void TestLockJson::aLockThatWasThereAlreadyHasNoKnownAge()
{
    LockRecord record = order42();
    record.isTakenWhileWatching = false;
    record.seldom->acquiredAt = wallTimeOfMs(0);
    const Json json = lockJson(record, "h:1", 0, kNow);
    QVERIFY(json["heldForMs"].is_null());
    QCOMPARE(json["seenForMs"].get<int>(), 61234);
    QCOMPARE(json["acquiredAt"].get<std::string>(), "1970-01-01T00:00:00.000Z"s);
}

void TestLockJson::aHolderWithoutAnEndOfItsOwnEndsWithTheLock()
{
    LockRecord record = order42();
    record.mode = Mode::Read;
    record.holders.assign(2, Holder{});
    record.holders[0].mode = Mode::Read;
    record.holders[0].expiresAt = kNow + 5s;
    record.holders[1].mode = Mode::Read;
    const Json json = lockJson(record, "h:1", 0, kNow);
    QCOMPARE(json["mode"].get<std::string>(), "read"s);
    QCOMPARE(json["holders"][0]["mode"].get<std::string>(), "read"s);
    QCOMPARE(json["holders"][0]["ttlMs"].get<int>(), 5000);
    QCOMPARE(json["holders"][1]["ttlMs"].get<int>(), 28541);
}

void TestLockJson::aReaderWithoutExpiryIsNotGivenTheLocksEnd()
{
    LockRecord record = order42();
    record.flags.add(Flag::MissingExpiryOfReader);
    QVERIFY(lockJson(record, "h:1", 0, kNow)["holders"][0]["ttlMs"].is_null());
}

void TestLockJson::whatHasRunOutHasNothingLeft()
{
    const Json json = lockJson(order42(), "h:1", 0, kNow + 1h);
    QCOMPARE(json["ttlMs"].get<int>(), 0);
    QCOMPARE(json["holders"][0]["ttlMs"].get<int>(), 0);
}

void TestLockJson::whatIsNotConfirmedIsMarked()
{
    LockRecord record = order42();
    QCOMPARE(lockJson(record, "a", 0, kNow)["confirmed"].get<bool>(), true);
    record.isConfirmed = false;
    QCOMPARE(lockJson(record, "a", 0, kNow)["confirmed"].get<bool>(), false);
    const LockChange change{ChangeKind::Changed, makeShared<const LockRecord>(record), kNow};
    QCOMPARE(changeJson(change, WallTime(0ms), "a", 0, kNow)["lock"]["confirmed"].get<bool>(),
             false);
}

void TestLockJson::aRhythmOfRenewalsIsTold()
{
    LockRecord record = order42();
    record.lease = 30s;
    record.renewedAtMs = {20'000, 20'000, 20'000};
    record.lastRenewal = kNow - 1s;
    QCOMPARE(lockJson(record, "a", 0, kNow)["renewal"].dump(), R"({"everyMs":10000,"missed":0})"s);
    QCOMPARE(lockJson(record, "a", 0, kNow + 12s)["renewal"]["missed"].get<int>(), 1);
}

void TestLockJson::aRedlockRowHasItsQuorum()
{
    LockRecord record = order42();
    QVERIFY(!lockJson(record, "a,b", 0, kNow).contains("quorum"));
    record.seldom->quorum = {3, 5};
    record.seldom->quorum.addUnknown(4);
    QCOMPARE(lockJson(record, "a,b", 0, kNow)["quorum"].dump(),
             R"({"held":3,"total":5,"unknown":1,"needed":3,"state":"majority"})"s);
    record.seldom->quorum.held = 2;
    QCOMPARE(lockJson(record, "a,b", 0, kNow)["quorum"]["state"].get<std::string>(), "unknown"s);
}

void TestLockJson::binaryKeysAndOwnersAreEscaped()
{
    LockRecord record = order42();
    record.id.name = "k\0\xff"s;
    record.seldom->otherKeys = {"k\0\xff"s, "größe"};
    record.holders[0].owner = "\x80";
    const Json json = lockJson(record, "h:1", 0, kNow);
    QCOMPARE(json["key"].get<std::string>(), "k\\x00\\xff"s);
    QCOMPARE(json["keys"].dump(), R"(["k\\x00\\xff","größe"])"s);
    QCOMPARE(json["holders"][0]["owner"].get<std::string>(), "\\x80"s);
}

void TestLockJson::anyBytesMakeValidJson()
{
    testing::RandomInput input;
    for (int i = 0; i < 500; ++i) {
        LockRecord record = order42();
        record.id.name = input.bytes(30);
        record.holders[0].owner = input.bytes(30);
        record.holders[0].setClient(std::make_shared<const ClientInfo>(ClientInfo{
            input.bytes(9), input.bytes(9), "x"}));
        const Bytes server = input.bytes(9);
        const std::string line = lockJson(record, server, 0, kNow).dump();
        QVERIFY2(unescaped(Json::parse(line)["key"].get<std::string>()) == record.id.name,
                 input.recipe(record.id.name).c_str());
    }
}

void TestLockJson::aChangeIsOneLine()
{
    const LockChange change{ChangeKind::Expired, makeShared<const LockRecord>(order42()), kNow};
    const Json json = changeJson(change, kWallNow, "h:1", 2, kNow);
    const std::string line = json.dump();
    QVERIFY2(
        line.starts_with(
            R"({"at":"2026-11-19T13:50:02.123Z","change":"expired","lock":{"server":"h:1","db":2,)"),
        line.c_str());
    QVERIFY(line.find('\n') == std::string::npos);
    QCOMPARE(json["lock"].dump(), lockJson(order42(), "h:1", 2, kNow).dump());
}

void TestLockJson::aPlanShowsItsCommandAndItsChecks()
{
    ReleasePlan plan = planFor(order42());
    ReleaseRecipe::KeyCheck fields;
    fields.kind = ReleaseRecipe::KeyCheck::Kind::Fields;
    fields.key = "order:42";
    fields.fields = {"5f0c:63"};
    ReleaseRecipe::KeyCheck value;
    value.key = "other";
    value.value = "\xff";
    value.comparesExpiry = true;
    plan.recipe.checks = {fields, value};
    plan.expiresAtMs = {std::nullopt, 1795096202123};
    plan.recipe.channel = "redisson_lock__channel:{order:42}";
    plan.recipe.payload = "0";
    plan.recipe.warnings = {"It will be taken again."};
    const std::string expected =
        R"({"action":"release","key":"order:42","owner":"5f0c:63",)"
        R"("holders":[{"owner":"5f0c:63","mode":"exclusive","holds":2}],"companions":[],)"
        R"("supported":true,"ofMinority":false,"checks":[)"
        R"({"key":"order:42","fields":["5f0c:63"],"partOnly":false,"comparesExpiry":false,)"
        R"("expiresAtMs":null},)"
        R"({"key":"other","value":"\\xff","partOnly":false,"comparesExpiry":true,"expiresAtMs":1795096202123}],"capMs":null,"tombstone":null,)"
        R"("publishes":{"channel":"redisson_lock__channel:{order:42}","payload":"0"},)"
        R"("warnings":["It will be taken again."],"steps":["Stop if the server is a replica.",)"
        R"("Stop unless the hash order:42 has only the field \"5f0c:63\".",)"
        R"("Stop unless the value of other is \"\\xff\" and its expiry has not changed.",)"
        R"("Publish \"0\" to redisson_lock__channel:{order:42}, the channel of its waiters.",)"
        R"("Delete order:42.","Delete other."],"command":["EVAL","return 1","1","order:42","5f0c:63"],)"
        R"("commandText":"EVAL \"return 1\" 1 order:42 5f0c:63"})";
    QCOMPARE(planJson(plan).dump(), expected);
}

void TestLockJson::aPlanForACapShowsTheCap()
{
    ReleasePlan plan = planFor(flagLock());
    plan.action = ReleaseAction::CapTtl;
    plan.cap = 90s;
    const Json json = planJson(plan);
    QCOMPARE(json["action"].get<std::string>(), "cap-ttl"s);
    QCOMPARE(json["capMs"].get<int>(), 90000);
    QVERIFY(json["publishes"].is_null());
    QVERIFY(json["owner"].is_null());
    QCOMPARE(json["checks"].dump(), "[]"s);
}

void TestLockJson::csvFollowsItsHeader()
{
    QCOMPARE(csvHeader(),
             "server,db,key,format,library,confidence,mode,owners,holds,ttlMs,waiters,heldForMs,"
             "seenForMs,renewals,flags,node,slot"s);
    QCOMPARE(csvLine(order42(), "127.0.0.1:6379", 0, kNow),
             "127.0.0.1:6379,0,order:42,redisson-lock,Redisson,high,exclusive,5f0c:63,2,28541,3,"
             "61234,61234,6,"
             "renewed-forever,,"s);
    QCOMPARE(csvLine(flagLock(), "h:1", 1, kNow),
             "h:1,1,job:sync,flag,,low,exclusive,,1,,,,0,0,,,"s);
}

void TestLockJson::csvQuotesWhatMustBeQuoted()
{
    LockRecord record = flagLock();
    record.id.name = "a,\"b\"\nc";
    record.flags.add(Flag::NoExpiry);
    record.flags.add(Flag::Minority);
    record.holders.resize(2);
    record.holders[0].owner = "x";
    record.holders[1].owner = "y";
    const std::string line = csvLine(record, "a:1,b:2", 0, kNow);
    QVERIFY2(line.starts_with(R"("a:1,b:2",0,"a,""b""\x0ac",flag,)"), line.c_str());
    QVERIFY2(line.ends_with(",x;y,2,,,,0,0,no-expiry;minority,,"), line.c_str());
}

void TestLockJson::timesAreIso8601InUtc_data()
{
    QTest::addColumn<qint64>("epochMs");
    QTest::addColumn<std::string>("text");
    QTest::newRow("epoch") << qint64(0) << "1970-01-01T00:00:00.000Z"s;
    QTest::newRow("before the epoch") << qint64(-1) << "1969-12-31T23:59:59.999Z"s;
    QTest::newRow("leap day") << qint64(1709209299005) << "2024-02-29T12:21:39.005Z"s;
    QTest::newRow("too early") << std::numeric_limits<qint64>::min() << "0000-01-01T00:00:00.000Z"s;
    QTest::newRow("too late") << std::numeric_limits<qint64>::max() << "9999-12-31T23:59:59.999Z"s;
}

void TestLockJson::timesAreIso8601InUtc()
{
    QFETCH(qint64, epochMs);
    QFETCH(std::string, text);
    QCOMPARE(isoTime(wallTimeOfMs(epochMs)), text);
}

LOCKSCOPE_TEST(TestLockJson, Core)

} // namespace lockscope::tst_lock_json

#include "tst_lock_json.moc"
