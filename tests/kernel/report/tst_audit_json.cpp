#include "core/kernel/report/audit_json.h"
#include "core/kernel/report/json_text.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_audit_json {

using namespace lockscope::inspect;
using namespace lockscope::report;
using namespace std::chrono_literals;

namespace {

const WallTime kWallNow = wallTimeOfMs(1795096202123); // 2026-11-19T13:50:02.123Z

Holder reader(const Bytes& owner)
{
    Holder holder;
    holder.owner = owner;
    holder.mode = Mode::Read;
    return holder;
}

AuditAttempt attempt()
{
    AuditAttempt attempt;
    attempt.id = "7e57";
    attempt.author = {"root", "anna", "ops-1", "lockscope-cli 0.1.0", 4711};
    attempt.server = "h:1";
    attempt.database = 1;
    attempt.key = "order:42";
    attempt.named = "R1";
    attempt.holders = {reader("R1")};
    attempt.reason = "nightly job\nstuck";
    return attempt;
}

std::string outcomeOf(const AuditAttempt& attempt, ReleaseResult result)
{
    ReleaseReport report;
    report.result = result;
    return auditOutcomeJson(attempt, report, kWallNow)["outcome"].get<std::string>();
}

} // namespace

class TestAuditJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theIntentSaysWhoWouldLoseWhat();
    void theOutcomeRepeatsItAndSaysWhatBecameOfIt();
    void aCapIsNoRelease();
    void theDetailSaysWhyAndWhoIsThereNow();
    void aPlanNamesWhatItWouldEnd();
    void theMasterBehindSentinelsIsNamed();
    void anyBytesMakeValidJson();
};

void TestAuditJson::theIntentSaysWhoWouldLoseWhat()
{
    const std::string expected =
        R"({"time":"2026-11-19T13:50:02.123Z","event":"intent","attempt":"7e57","user":"root",)"
        R"("sudoUser":"anna","host":"ops-1","program":"lockscope-cli 0.1.0","process":4711,)"
        R"("server":"h:1","db":1,"key":"order:42","named":"R1",)"
        R"("holders":[{"owner":"R1","mode":"read","holds":1}],"action":"release",)"
        R"("reason":"nightly job\nstuck"})";
    QCOMPARE(auditIntentJson(attempt(), kWallNow).dump(), expected);
}

void TestAuditJson::theOutcomeRepeatsItAndSaysWhatBecameOfIt()
{
    ReleaseReport report;
    report.result = ReleaseResult::Released;
    Json expected = auditIntentJson(attempt(), kWallNow);
    expected["event"] = "outcome";
    expected["outcome"] = "released";
    expected["detail"] = nullptr;
    QCOMPARE(auditOutcomeJson(attempt(), report, kWallNow).dump(), expected.dump());
}

void TestAuditJson::aCapIsNoRelease()
{
    AuditAttempt cap = attempt();
    cap.action = ReleaseAction::CapTtl;
    cap.cap = 60s;
    QCOMPARE(outcomeOf(cap, ReleaseResult::Released), std::string("capped"));
    QCOMPARE(outcomeOf(cap, ReleaseResult::ChangedHands), std::string("changed-hands"));
    QCOMPARE(outcomeOf(attempt(), ReleaseResult::Released), std::string("released"));
    const Json intent = auditIntentJson(cap, kWallNow);
    QCOMPARE(intent["action"].get<std::string>(), std::string("cap-ttl"));
    QCOMPARE(intent["capMs"].get<int>(), 60000);
}

void TestAuditJson::theDetailSaysWhyAndWhoIsThereNow()
{
    ReleaseReport refused;
    refused.result = ReleaseResult::Refused;
    refused.problem.kind = store::Problem::Kind::ReplicaReadOnly;
    const Json why = auditOutcomeJson(attempt(), refused, kWallNow);
    QCOMPARE(why["detail"].get<std::string>(), store::explain(refused.problem));

    ReleaseReport changed;
    changed.result = ReleaseResult::ChangedHands;
    LockRecord next;
    next.holders = {reader("R2")};
    changed.nowThere = makeShared<const LockRecord>(next);
    const Json who = auditOutcomeJson(attempt(), changed, kWallNow);
    QCOMPARE(who["detail"].get<std::string>(), std::string("now held by R2"));
}

void TestAuditJson::aPlanNamesWhatItWouldEnd()
{
    LockRecord record;
    record.id = {0, "lock:rw"};
    record.holders = {reader("R1"), reader("R2")};
    ReleasePlan plan;
    plan.lock = makeShared<const LockRecord>(record);
    plan.holders = {reader("R2")}; // the other one goes on
    store::Endpoint server;
    server.host = "cache-1";
    server.database = 3;
    const AuditAttempt planned = attemptOf(plan, server, "why");
    QCOMPARE(planned.server, std::string("cache-1:6379"));
    QCOMPARE(planned.database, 3);
    QCOMPARE(planned.key, std::string("lock:rw"));
    QCOMPARE(planned.reason, std::string("why"));
    QCOMPARE(planned.holders.size(), std::size_t(1));
    QCOMPARE(planned.holders.back().owner, std::string("R2"));
}

void TestAuditJson::theMasterBehindSentinelsIsNamed()
{
    AuditAttempt behindSentinels = attempt();
    QVERIFY(!auditIntentJson(behindSentinels, kWallNow).contains("node"));
    behindSentinels.node = "10.0.0.6:6379";
    const Json line = auditIntentJson(behindSentinels, kWallNow);
    QCOMPARE(line["node"].get<std::string>(), std::string("10.0.0.6:6379"));
}

void TestAuditJson::anyBytesMakeValidJson()
{
    testing::RandomInput input;
    for (int i = 0; i < 300; ++i) {
        AuditAttempt odd = attempt();
        odd.author = {input.bytes(9), input.bytes(9), input.bytes(9), "test 1", 1};
        odd.server = input.bytes(9);
        odd.key = input.bytes(30);
        odd.named = input.bytes(9);
        odd.reason = input.bytes(9);
        odd.holders = {reader(input.bytes(9)), reader(input.bytes(9))};
        ReleaseReport report;
        report.problem = {store::Problem::Kind::ServerRefused, input.bytes(9), {}, {}};
        const std::string line = auditOutcomeJson(odd, report, kWallNow).dump();
        QVERIFY2(line.find('\n') == std::string::npos, input.recipe(odd.key).c_str());
        QVERIFY2(unescaped(Json::parse(line)["key"].get<std::string>()) == odd.key,
                 input.recipe(odd.key).c_str());
    }
}

LOCKSCOPE_TEST(TestAuditJson, Core)

} // namespace lockscope::tst_audit_json

#include "tst_audit_json.moc"
