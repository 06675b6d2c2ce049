#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/search/default_plans.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/scenario_draft.h"
#include "ui/models/lab/scenario_fields.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_scenario_draft {

using namespace lockscope::models;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using world::FaultKind;
using world::WorldPlan;

namespace {

const protocol::ProtocolInfo& infoOf(const char* id)
{
    return protocol::findProtocol(id)->info();
}

std::string textOf(const WorldPlan& plan)
{
    return report::worldPlanJson(plan).dump();
}

} // namespace

class TestScenarioDraft : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theUsualScenarioFitsEveryProtocol();
    void plansComeBackAsTheyWere();
    void whatIsNotAsUsualIsKept();
    void editsThatCannotBeUnderstoodChangeNothing();
    void whatIsTypedIsInThePlan();
    void everyMemberOfAPlanWithAPlaceOnTheFormHasAField();
    void mistakesAreToldWhereTheyAre();
    void faultsHaveUsualAmounts();
    void onlyWhatMeansSomethingIsAskedFor();
    void ownClientsAreKept();
    void whatWasTypedSurvivesAnotherProtocol();
    void whatAProtocolCannotDoIsSaid();
};

void TestScenarioDraft::theUsualScenarioFitsEveryProtocol()
{
    for (const auto* const builtin : protocol::builtinProtocols()) {
        const protocol::ProtocolInfo& info = builtin->info();
        const auto parsed = readScenarioDraft(ScenarioDraft::usual(info), {}, info);
        QVERIFY2(parsed.complaints.empty(), info.id.c_str());
        QVERIFY(parsed.plan.clients.size() >= 2);
        QCOMPARE(parsed.plan.faults.totalMax, 1);
    }
}

void TestScenarioDraft::plansComeBackAsTheyWere()
{
    for (const auto* const builtin : protocol::builtinProtocols()) {
        const protocol::ProtocolInfo& info = builtin->info();
        for (WorldPlan plan : search::defaultPlans(info, FaultKind::Pause)) {
            plan.faults.add(FaultKind::Crash, 10s, 3);
            plan.faults.of(FaultKind::Pause).amount = 17s;
            FaultDrafts faults;
            const ScenarioDraft draft = ScenarioDraft::of(plan, faults);
            const auto parsed = readScenarioDraft(draft, faults, info);
            QVERIFY2(parsed.complaints.empty(), plan.name.c_str());
            QCOMPARE(textOf(parsed.plan).c_str(), textOf(plan).c_str());
        }
    }
}

void TestScenarioDraft::whatIsNotAsUsualIsKept()
{
    for (const auto* const builtin : protocol::builtinProtocols()) {
        const protocol::ProtocolInfo& info = builtin->info();
        const ScenarioDraft usual = ScenarioDraft::usual(info);
        QVERIFY2(usual.editsOf(usual) == ScenarioEdits(), info.id.c_str());
        for (const WorldPlan& plan : search::defaultPlans(info, FaultKind::Pause)) {
            FaultDrafts faults;
            ScenarioDraft draft = ScenarioDraft::of(plan, faults);
            draft.setText(ScenarioField::kLease, u"soon"_s);
            ScenarioDraft again = usual;
            again.apply(draft.editsOf(usual));
            QCOMPARE(again.text(ScenarioField::kLease), u"soon"_s);
            for (ScenarioDraft* const each : {&draft, &again}) {
                each->setText(ScenarioField::kLease, u"11s"_s);
            }
            QCOMPARE(again.hasOwnClients(), draft.hasOwnClients());
            QCOMPARE(textOf(readScenarioDraft(again, faults, info).plan).c_str(),
                     textOf(readScenarioDraft(draft, faults, info).plan).c_str());
        }
    }
}

void TestScenarioDraft::editsThatCannotBeUnderstoodChangeNothing()
{
    const ScenarioDraft usual = ScenarioDraft::usual(infoOf("redlock"));
    for (const QString& plan : {u"{"_s, u"{}"_s, u"[1]"_s}) {
        ScenarioDraft draft = usual;
        draft.apply({{{u"no-such-field"_s, u"1"_s}}, plan, true});
        QVERIFY(draft.editsOf(usual) == ScenarioEdits());
    }
}

void TestScenarioDraft::whatIsTypedIsInThePlan()
{
    const protocol::ProtocolInfo& info = infoOf("redisson-lock");
    ScenarioDraft draft = ScenarioDraft::usual(info);
    draft.setText(ScenarioField::kContenders, u"4"_s);
    draft.setText(ScenarioField::kStagger, u"1s"_s);
    draft.setText(ScenarioField::kHold, u"2s..6s"_s);
    draft.setText(ScenarioField::kLease, u"8s"_s);
    draft.setText(ScenarioField::kRenewal, u"off"_s);
    draft.setText(ScenarioField::kRetryPause, u"100ms"_s);
    draft.setText(ScenarioField::kTries, u"5"_s);
    draft.setText(ScenarioField::kWaitLimit, u"9s"_s);
    draft.setText(ScenarioField::kFaultTotal, u"3"_s);
    draft.setText(ScenarioField::kHorizon, u"1m"_s);
    draft.setText(ScenarioField::kSeed, u"99"_s);
    const auto parsed = readScenarioDraft(draft, {}, info);
    QVERIFY(parsed.complaints.empty());
    const WorldPlan& plan = parsed.plan;
    QCOMPARE(plan.clients.size(), std::size_t(4));
    QCOMPARE(plan.clients[3].startAt, Duration(3s));
    QCOMPARE(plan.leaseMax(), Duration(8s));
    QVERIFY(!plan.renewal.isOn());
    QCOMPARE(plan.retryPause, Duration(100ms));
    QCOMPARE(plan.triesMax, 5);
    QCOMPARE(plan.waitMax, Duration(9s));
    QCOMPARE(plan.faults.totalMax, 3);
    QCOMPARE(plan.horizon, Duration(60s));
    QCOMPARE(plan.seed, std::uint64_t(99));
    draft.setText(ScenarioField::kWaitLimit, u"off"_s);
    const auto patient = readScenarioDraft(draft, {}, info);
    QCOMPARE(patient.plan.waitMax, Duration(0));
    FaultDrafts faults;
    QCOMPARE(ScenarioDraft::of(patient.plan, faults).text(ScenarioField::kWaitLimit), u"off"_s);
}

void TestScenarioDraft::everyMemberOfAPlanWithAPlaceOnTheFormHasAField()
{
    for (const report::PlanMember& member : report::planMembers()) {
        const auto asked = std::ranges::find(scenarioFields(), ScenarioField{member.name},
                                             &ScenarioFieldInfo::field);
        QCOMPARE(asked != scenarioFields().end(), member.isOnForm());
        if (member.isOnForm()) {
            QCOMPARE(asked->label().toStdString(), member.form.label());
            ScenarioValues values;
            const QString text = asked->text(values);
            values.plan.seed = 99; // and so on: what is written is read
            QCOMPARE(asked->read(values, text), QString());
            QVERIFY(member.hasDefault(values.plan));
        }
    }
}

void TestScenarioDraft::mistakesAreToldWhereTheyAre()
{
    const protocol::ProtocolInfo& info = infoOf("redlock");
    const ScenarioDraft usual = ScenarioDraft::usual(info);
    for (const ScenarioFieldInfo& asked : scenarioFields()) {
        const ScenarioField field = asked.field;
        ScenarioDraft draft = usual;
        draft.setText(field, u"no"_s);
        const auto parsed = readScenarioDraft(draft, {}, info);
        const bool isAsked = appliesTo(field, draft, info);
        QCOMPARE(!parsed.complaintAt(field).isEmpty(), isAsked);
        QCOMPARE(parsed.complaints.size(), std::size_t(isAsked ? 1 : 0));
    }
    const auto parsed = readScenarioDraft(
        usual, {{FaultKind::Pause, {u"long"_s, {}}}, {FaultKind::Crash, {{}, u"many"_s}}}, info);
    QVERIFY(!parsed.complaintAt(FaultKind::Pause).isEmpty());
    QVERIFY(!parsed.complaintAt(FaultKind::Crash).isEmpty());
    QVERIFY(parsed.complaintAt(FaultKind::Failover).isEmpty());
    QVERIFY(parsed.generalComplaints().isEmpty());
    ScenarioDraft none = usual;
    none.setText(ScenarioField::kFaultTotal, u"0"_s);
    QVERIFY(readScenarioDraft(none, {}, info).complaints.empty());
    QVERIFY(!readScenarioDraft(none, {{FaultKind::Pause, {}}}, info)
                 .complaintAt(ScenarioField::kFaultTotal)
                 .isEmpty());
}

void TestScenarioDraft::faultsHaveUsualAmounts()
{
    const protocol::ProtocolInfo& info = infoOf("set-nx-ex");
    ScenarioDraft draft = ScenarioDraft::usual(info);
    draft.setText(ScenarioField::kLease, u"20s"_s);
    const auto parsed = readScenarioDraft(
        draft, {{FaultKind::Pause, {}}, {FaultKind::ClockStep, {u"5s"_s, u"2"_s}}}, info);
    const world::FaultPlan& faults = parsed.plan.faults;
    QCOMPARE(faults.of(FaultKind::Pause).countMax, 1);
    QCOMPARE(faults.of(FaultKind::Pause).amount, Duration(30s));
    QCOMPARE(faults.of(FaultKind::ClockStep).countMax, 2);
    QCOMPARE(faults.of(FaultKind::ClockStep).amount, Duration(5s));
    QVERIFY(!faults.allows(FaultKind::Crash));
}

void TestScenarioDraft::onlyWhatMeansSomethingIsAskedFor()
{
    const auto asks = [](const char* id, ScenarioField field) {
        return appliesTo(field, ScenarioDraft::usual(infoOf(id)), infoOf(id));
    };
    QVERIFY(!asks("set-nx-ex", ScenarioField::kReadShare));
    QVERIFY(asks("redisson-read-write", ScenarioField::kReadShare));
    QVERIFY(!asks("set-nx-ex", ScenarioField::kServers));
    QVERIFY(asks("redlock", ScenarioField::kServers));
    QVERIFY(asks("semaphore", ScenarioField::kPermits));
    QVERIFY(!asks("set-nx-ex", ScenarioField::kRenewal));
    QVERIFY(!asks("setnx-no-expiry", ScenarioField::kLease));
    QVERIFY(!asks("set-nx-ex", ScenarioField::kThink)); // of one round
    ScenarioDraft rounds = ScenarioDraft::usual(infoOf("set-nx-ex"));
    rounds.setText(ScenarioField::kRounds, u"2"_s);
    QVERIFY(appliesTo(ScenarioField::kThink, rounds, infoOf("set-nx-ex")));
}

void TestScenarioDraft::ownClientsAreKept()
{
    WorldPlan plan;
    plan.clients = {{}, {}};
    plan.clients[1].acts = {world::Act::acquire(10s), world::Act::work(1s)};
    plan.unreachable = {{1, 0}};
    FaultDrafts faults;
    ScenarioDraft draft = ScenarioDraft::of(plan, faults);
    QVERIFY(draft.hasOwnClients());
    QVERIFY(!appliesTo(ScenarioField::kHold, draft, infoOf("set-nx-ex")));
    draft.setText(ScenarioField::kSeed, u"5"_s);
    auto parsed = readScenarioDraft(draft, faults, infoOf("set-nx-ex"));
    QVERIFY(parsed.plan.clients == plan.clients);
    QCOMPARE(parsed.plan.seed, std::uint64_t(5));
    draft.forgetOwnClients();
    draft.setText(ScenarioField::kContenders, u"1"_s);
    parsed = readScenarioDraft(draft, faults, infoOf("set-nx-ex"));
    QCOMPARE(parsed.plan.clients.size(), std::size_t(1));
    QVERIFY(parsed.plan.unreachable.empty());
}

void TestScenarioDraft::whatWasTypedSurvivesAnotherProtocol()
{
    const ScenarioDraft before = ScenarioDraft::usual(infoOf("set-nx-ex"));
    const ScenarioDraft after = ScenarioDraft::usual(infoOf("redlock"));
    ScenarioDraft draft = before;
    draft.setText(ScenarioField::kContenders, u"5"_s);
    draft.adoptDefaults(before, after);
    QCOMPARE(draft.text(ScenarioField::kContenders), u"5"_s);
    QCOMPARE(draft.text(ScenarioField::kServers), u"3"_s);
    const auto parsed = readScenarioDraft(draft, {}, infoOf("redlock"));
    QCOMPARE(parsed.plan.nodeCount, 3);
}

void TestScenarioDraft::whatAProtocolCannotDoIsSaid()
{
    FaultDrafts faults;
    WorldPlan plan;
    plan.clients.resize(1);
    plan.clients[0].acts = {world::Act::acquire(10s).as(protocol::Mode::Read)};
    plan.permits = 3;
    const ScenarioDraft draft = ScenarioDraft::of(plan, faults);
    const auto parsed = readScenarioDraft(draft, faults, infoOf("set-nx-ex"));
    QVERIFY(parsed.generalComplaints().contains(u"readers"_s));
    QCOMPARE(parsed.plan.permits, 1); // no client can ask for more
}

LOCKSCOPE_TEST(TestScenarioDraft, None)

} // namespace lockscope::tst_scenario_draft

#include "tst_scenario_draft.moc"
