#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/protocol/file_section.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/search/default_plans.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <iterator>

namespace lockscope::tst_world_plan_json {

using namespace std::chrono_literals;
using world::Act;
using world::FaultKind;
using world::FaultPlan;
using world::WorldPlan;

namespace {

WorldPlan readAgain(const WorldPlan& plan)
{
    return report::readWorldPlan(nlohmann::json::parse(report::worldPlanJson(plan).dump()), "");
}

/// What is wrong with the text of a plan: "/clients/0: …".
std::string complaintAboutText(const char* text)
{
    try {
        report::readWorldPlan(nlohmann::json::parse(text), "");
    } catch (const protocol::FileFault& fault) {
        return fault.path + ": " + fault.reason;
    }
    return "nothing is wrong";
}

/// Has everything that a plan can have.
WorldPlan unusualPlan()
{
    WorldPlan plan;
    plan.name = "all of it";
    plan.clients.resize(2);
    plan.clients[0].startAt = 1500ms;
    plan.clients[0].acts = {Act::acquire(10s, 1).as(protocol::Mode::Read).unrenewed(),
                            Act::work(250us), Act::sleep(2s), Act::release(1).fromAnotherTask()};
    plan.clients[0].diesHolding = true;
    plan.clients[1].sharesIdentityWith = 0;
    plan.nodeCount = 3;
    plan.retryPause = 70ms;
    plan.triesMax = 5;
    plan.waitMax = 9s;
    plan.renewal.period = 3s;
    plan.renewal.countMax = 4;
    plan.renewal.isFirstAtOnce = true;
    plan.renewal.stopsAtFirstError = true;
    plan.renewal.hurriesAfterError = false;
    plan.renewal.tellsHolder = false;
    plan.renewal.sharesOneSwitch = true;
    plan.requestTimeout = 4s;
    plan.permits = 2;
    plan.areWritersPreferred = false;
    plan.faults = FaultPlan::only(FaultKind::Pause, 10s, 2);
    plan.faults.add(FaultKind::Crash, 10s);
    plan.unreachable = {{1, 2}};
    plan.horizon = 55s;
    plan.wakeUpMax = 1s;
    plan.bypassMax = 7;
    plan.seed = 18'000'000'000'000'000'000U;
    return plan;
}

} // namespace

class TestWorldPlanJson final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingIsReadBack();
    void whatIsNotSaidIsAsUsual();
    void theDefaultPlansComeBackAndFitTheSchema();
    void whatIsWrongIsSaidWithItsPlace_data();
    void whatIsWrongIsSaidWithItsPlace();
    void aPlanThatTheProtocolCannotDoIsRefused();
};

void TestWorldPlanJson::everythingIsReadBack()
{
    const WorldPlan plan = unusualPlan();
    const WorldPlan again = readAgain(plan);
    QCOMPARE(report::worldPlanJson(again).dump(), report::worldPlanJson(plan).dump());
    QVERIFY(again.clients == plan.clients);
    QVERIFY(again.faults == plan.faults);
    QVERIFY(again.unreachable == plan.unreachable);
    QCOMPARE(again.seed, plan.seed);
    QVERIFY(again.renewal.sharesOneSwitch && !again.renewal.tellsHolder);
}

void TestWorldPlanJson::whatIsNotSaidIsAsUsual()
{
    const WorldPlan plan =
        report::readWorldPlan(nlohmann::json::parse(R"({"clients": [{"acts": []}]})"), "");
    WorldPlan usual;
    usual.name = plan.name;
    usual.clients.resize(1);
    QCOMPARE(report::worldPlanJson(plan).dump(), report::worldPlanJson(usual).dump());
}

void TestWorldPlanJson::theDefaultPlansComeBackAndFitTheSchema()
{
    for (const auto* const protocol : protocol::builtinProtocols()) {
        std::vector<WorldPlan> plans = search::defaultPlans(protocol->info(), FaultKind::Pause);
        std::ranges::move(search::defaultPlans(protocol->info(), FaultKind::HandedOver),
                          std::back_inserter(plans));
        for (const WorldPlan& plan : plans) {
            QCOMPARE(report::worldPlanJson(readAgain(plan)).dump(),
                     report::worldPlanJson(plan).dump());
            const nlohmann::json scenario{
                {"plan", nlohmann::json::parse(report::worldPlanJson(plan).dump())}};
            QCOMPARE(testing::schemaComplaint(scenario, "scenario"), std::string());
            QVERIFY(!report::complaintAbout(plan, protocol->info()));
        }
    }
}

void TestWorldPlanJson::whatIsWrongIsSaidWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("complaint");
    const auto row = [](const char* name, const char* text, const char* complaint) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(complaint);
    };
    row("no clients", R"({"name": "x"})", ": \"clients\" is missing.");
    row("nobody", R"({"clients": []})", "/clients: At least one client is required.");
    row("misspelt", R"({"clients": [{"act": []}]})",
        "/clients/0/act: \"act\" is not a known member; did you mean \"acts\"?");
    row("no deed", R"({"clients": [{"acts": [{"do": "dance"}]}]})",
        "/clients/0/acts/0/do: Expected one of: acquire, work, release, sleep.");
    row("no lease", R"({"clients": [{"acts": [{"do": "acquire"}]}]})",
        "/clients/0/acts/0: \"lease\" is missing.");
    row("a lease of nothing", R"({"clients": [{"acts": [{"do": "acquire", "lease": "0s"}]}]})",
        "/clients/0/acts/0/lease: This must be at least 1ms.");
    row("no unit", R"({"clients": [{"acts": [{"do": "work", "for": "4"}]}]})",
        "/clients/0/acts/0/for: \"for\" must be a duration such as \"250ms\" or \"10s\".");
    row("work on a key", R"({"clients": [{"acts": [{"do": "work", "for": "4s", "key": 1}]}]})",
        "/clients/0/acts/0/key: \"key\" does not apply to this act.");
    row("work of another task",
        R"({"clients": [{"acts": [{"do": "work", "for": "4s", "byAnotherTask": true}]}]})",
        "/clients/0/acts/0/byAnotherTask: \"byAnotherTask\" does not apply to this act.");
    row("release of nothing", R"({"clients": [{"acts": [{"do": "release"}]}]})",
        "/clients/0/acts/0: This client has nothing left to release.");
    row("an unknown fault", R"({"clients": [{"acts": []}], "faults": [{"kind": "flood"}]})",
        "/faults/0/kind: Unknown fault.");
    row("a client that is not there",
        R"({"clients": [{"acts": []}], "unreachable": [{"client": "B", "server": 0}]})",
        "/unreachable/0/client: There is no client with this letter before this one.");
    row("a server that is not there",
        R"({"clients": [{"acts": []}], "unreachable": [{"client": "A", "server": 1}]})",
        "/unreachable/0/server: \"server\" must be a whole number from 0 to 0.");
    row("a negative seed", R"({"clients": [{"acts": []}], "seed": -1})",
        "/seed: \"seed\" must be a whole number.");
}

void TestWorldPlanJson::whatIsWrongIsSaidWithItsPlace()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, complaint);
    QCOMPARE(complaintAboutText(text.constData()), complaint.toStdString());
}

void TestWorldPlanJson::aPlanThatTheProtocolCannotDoIsRefused()
{
    const auto complaint = [](const WorldPlan& plan, const char* id) {
        return report::complaintAbout(plan, protocol::findProtocol(id)->info()).value_or("");
    };
    WorldPlan plan;
    plan.clients.resize(1);
    plan.clients[0].acts = {Act::acquire(1s)};
    QCOMPARE(complaint(plan, "set-nx-ex"), std::string());
    QVERIFY(!complaint(plan, "rw-two-keys").empty());
    plan.nodeCount = 3;
    QCOMPARE(complaint(plan, "set-nx-ex"), std::string("set-nx-ex uses a single server."));
    QCOMPARE(complaint(plan, "redlock"), std::string());
    plan.permits = 2;
    QVERIFY(!complaint(plan, "redlock").empty());
    plan = {};
    plan.renewal.period = 1s;
    QVERIFY(!complaint(plan, "set-nx-ex").empty());
}

LOCKSCOPE_TEST(TestWorldPlanJson, Core)

} // namespace lockscope::tst_world_plan_json

#include "tst_world_plan_json.moc"
