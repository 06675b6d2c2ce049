#include "core/kernel/protocol/catalogue.h"
#include "core/kernel/report/run/scenario_file.h"
#include "core/kernel/report/run/world_plan_json.h"
#include "core/kernel/search/default_plans.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

namespace lockscope::tst_scenario_file {

using namespace Qt::StringLiterals;
using report::SavedProtocol;
using report::ScenarioFile;

namespace {

ScenarioFile readAgain(const ScenarioFile& scenario)
{
    auto read = report::readScenario(report::scenarioText(scenario));
    if (const auto* const error = std::get_if<protocol::FileError>(&read)) {
        qFatal("%s", toText(*error).c_str());
    }
    return std::move(std::get<ScenarioFile>(read));
}

SavedProtocol ownProtocol()
{
    QFile file(testing::inSourceTree(u"resources/protocols/counted-lock.json"_s));
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("the example is not there");
    }
    const std::string text = file.readAll().toStdString();
    const std::string scenario = R"({"plan": {"clients": [{"acts": []}]}, "protocol": )" + text
                                 + '}';
    return std::get<ScenarioFile>(report::readScenario(scenario)).protocol;
}

} // namespace

class TestScenarioFile final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadBack();
    void anOwnProtocolIsWrittenWhole();
    void withoutAProtocolThereIsNone();
    void whatAPlanDoesNotSayIsTheProtocols();
    void whatIsWrongIsSaidWithItsPlace();
    void otherFilesAreTold();
};

void TestScenarioFile::otherFilesAreTold()
{
    QVERIFY(report::isScenario(R"({"plan": {}})"));
    QVERIFY(report::isScenario(R"({"protocol": "redlock", "plan": 5})")); // unsound, but one
    for (const char* const other :
         {R"({"format": "lockscope-counterexample", "plan": {}})", R"({"protocol": "redlock"})",
          R"(["plan"])", R"({"plan": )", "", "\xD9\xD9\xF7\xA0"}) {
        QVERIFY2(!report::isScenario(other), other);
    }
}

void TestScenarioFile::whatIsWrittenIsReadBack()
{
    for (const auto* const builtin : protocol::builtinProtocols()) {
        const protocol::ProtocolInfo& info = builtin->info();
        for (const auto& plan : search::defaultPlans(info, world::FaultKind::Pause)) {
            const ScenarioFile scenario{SavedProtocol::builtin(info.id), plan};
            const std::string text = report::scenarioText(scenario);
            const ScenarioFile again = readAgain(scenario);
            QVERIFY(again.protocol.protocol == scenario.protocol.protocol);
            QCOMPARE(report::worldPlanJson(again.plan).dump(), report::worldPlanJson(plan).dump());
            QCOMPARE(report::scenarioText(again), text);
            QCOMPARE(testing::schemaComplaint(nlohmann::json::parse(text), "scenario"),
                     std::string());
        }
    }
}

void TestScenarioFile::anOwnProtocolIsWrittenWhole()
{
    ScenarioFile scenario;
    scenario.protocol = ownProtocol();
    scenario.plan = search::defaultShapes(scenario.protocol.info()).front();
    const ScenarioFile again = readAgain(scenario);
    QCOMPARE(again.protocol.info().id, std::string("counted-lock"));
    QVERIFY(nlohmann::json::parse(again.protocol.ownText)
            == nlohmann::json::parse(scenario.protocol.ownText));
}

void TestScenarioFile::withoutAProtocolThereIsNone()
{
    ScenarioFile scenario;
    scenario.plan.name = "one who does nothing";
    scenario.plan.clients.resize(1);
    const ScenarioFile again = readAgain(scenario);
    QVERIFY(!again.protocol.protocol);
    QCOMPARE(again.plan.clients.size(), std::size_t(1));
}

void TestScenarioFile::whatAPlanDoesNotSayIsTheProtocols()
{
    const auto renewalIn = [](const std::string& renewal, const char* protocol) {
        const auto read = report::readScenario(
            R"({"plan": {"clients": [{"acts": [{"do": "acquire", "lease": "10s"}]},
                {"acts": [{"do": "acquire", "lease": "2s", "renewed": false}]}])"
            + renewal + "}}");
        return std::get<ScenarioFile>(read)
            .planFor(protocol::findProtocol(protocol)->info())
            .renewal;
    };
    const protocol::Defaults& usual =
        protocol::findProtocol("lua-token-heartbeat")->info().defaults;
    const protocol::Renewal silent = renewalIn("", "lua-token-heartbeat");
    QVERIFY(silent.isOn());
    QCOMPARE(toMs(silent.period),
             toMs(std::chrono::seconds(10) * usual.renewal.period.count() / usual.lease.count()));
    QCOMPARE(silent.tellsHolder, usual.renewal.tellsHolder);
    QVERIFY(!renewalIn("", "set-nx-px-token").isOn());
    QVERIFY(!renewalIn(R"(, "renewal": {"period": "0s"})", "lua-token-heartbeat").isOn());
    QCOMPARE(renewalIn(R"(, "renewal": {"period": "4s"})", "lua-token-heartbeat").period,
             Duration(std::chrono::seconds(4)));
}

void TestScenarioFile::whatIsWrongIsSaidWithItsPlace()
{
    const auto read = report::readScenario("{\n  \"protocol\": \"redlock\",\n  \"plan\": {}\n}");
    const auto* const error = std::get_if<protocol::FileError>(&read);
    QVERIFY(error != nullptr);
    QCOMPARE(error->line, 3);
    QVERIFY2(error->reason.find("clients") != std::string::npos, error->reason.c_str());
}

LOCKSCOPE_TEST(TestScenarioFile, None)

} // namespace lockscope::tst_scenario_file

#include "tst_scenario_file.moc"
