#include "core/kernel/workload/run_parameters.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_run_parameters {

using namespace lockscope::workload;
using namespace std::chrono_literals;

namespace {

const RunParameter& parameter(std::string_view id)
{
    const auto all = runParameters();
    return *std::ranges::find(all, id, &RunParameter::id);
}

protocol::ProtocolInfo capableProtocol()
{
    protocol::ProtocolInfo info;
    info.id = "capable";
    info.canRenew = true;
    info.defaults.lease = 9s;
    return info;
}

std::string complaintAbout(std::string_view id, std::string_view text)
{
    Scenario scenario;
    return parameter(id).read(scenario, text, capableProtocol());
}

} // namespace

class TestRunParameters : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTextIsReadBack();
    void countsHaveLimits_data();
    void countsHaveLimits();
    void predictionsTakeMoreContenders();
    void sharedConnectionsCannotBePredicted();
    void sharesArePercentagesOrFractions_data();
    void sharesArePercentagesOrFractions();
    void whatIsWrongContinuesTheSentence_data();
    void whatIsWrongContinuesTheSentence();
    void renewalsFollowTheLease();
    void whatAnEmptyFieldStandsForCanBeRead();
};

void TestRunParameters::everyTextIsReadBack()
{
    const protocol::ProtocolInfo info = capableProtocol();
    Scenario scenario;
    scenario.kind = Scenario::Kind::Draw;
    scenario.contenderCount = 7;
    scenario.think = Distribution::uniform(1ms, 2ms);
    scenario.hold = Distribution::exponential(3ms);
    scenario.lease = 4s;
    scenario.retry.kind = protocol::Retry::Kind::Exponential;
    scenario.retry.interval = 5ms;
    scenario.retry.intervalMax = 6s;
    scenario.retry.triesMax = 8;
    scenario.renewal.period = 900ms;
    scenario.crashProbability = 0.125;
    scenario.seed = 18446744073709551615U;
    Scenario other;
    for (const RunParameter& each : runParameters()) {
        QCOMPARE(each.read(other, each.text(scenario), info), std::string());
    }
    for (const RunParameter& each : runParameters()) {
        QCOMPARE(each.text(other), each.text(scenario));
    }
}

void TestRunParameters::countsHaveLimits_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("isTaken");
    for (const char* const text : {"1", "10000"}) {
        QTest::newRow(text) << std::string(text) << true;
    }
    for (const char* const text : {"", "0", "-1", "1.5", "1e3", "0x10", "five", " 5", "5 ", "10001",
                                   "99999999999999999999999"}) {
        QTest::newRow(text) << std::string(text) << false;
    }
}

void TestRunParameters::countsHaveLimits()
{
    QFETCH(const std::string, text);
    QFETCH(const bool, isTaken);
    QCOMPARE(complaintAbout("keys", text),
             std::string(isTaken ? "" : "is not a number between 1 and 10000"));
}

void TestRunParameters::predictionsTakeMoreContenders()
{
    Scenario scenario;
    const protocol::ProtocolInfo info = capableProtocol();
    QVERIFY(!parameter("clients").read(scenario, "100000", info).empty());
    QCOMPARE(scenario.contenderCount, 10);
    QVERIFY(parameter("clients").read(scenario, "100000", info, RunPurpose::Prediction).empty());
    QCOMPARE(scenario.contenderCount, 100'000);
}

void TestRunParameters::sharedConnectionsCannotBePredicted()
{
    Scenario scenario;
    const RunParameter& connections = parameter("connections");
    QVERIFY(connections.read(scenario, "2", capableProtocol()).empty());
    QVERIFY(scenario.sharesConnections());
    QCOMPARE(connections.read(scenario, "2", capableProtocol(), RunPurpose::Prediction),
             std::string("cannot be predicted"));
    QVERIFY(connections.read(scenario, "0", capableProtocol(), RunPurpose::Prediction).empty());
    QVERIFY(!scenario.sharesConnections());
}

void TestRunParameters::sharesArePercentagesOrFractions_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<double>("share"); // negative: refused
    QTest::newRow("percentage") << std::string("5%") << 0.05;
    QTest::newRow("fraction") << std::string("0.05") << 0.05;
    QTest::newRow("nothing") << std::string("0") << 0.0;
    QTest::newRow("all") << std::string("100%") << 1.0;
    QTest::newRow("one") << std::string("1") << 1.0;
    QTest::newRow("part of a percent") << std::string("0.5%") << 0.005;
    QTest::newRow("more than all") << std::string("101%") << -1.0;
    QTest::newRow("forgotten percent sign") << std::string("5") << -1.0;
    QTest::newRow("negative") << std::string("-5%") << -1.0;
    QTest::newRow("only the sign") << std::string("%") << -1.0;
    QTest::newRow("twice the sign") << std::string("5%%") << -1.0;
    QTest::newRow("no number") << std::string("nan") << -1.0;
    QTest::newRow("infinity") << std::string("inf") << -1.0;
    QTest::newRow("empty") << std::string() << -1.0;
}

void TestRunParameters::sharesArePercentagesOrFractions()
{
    QFETCH(const std::string, text);
    QFETCH(const double, share);
    Scenario scenario;
    scenario.crashProbability = -1;
    const std::string complaint = parameter("crash").read(scenario, text, capableProtocol());
    QCOMPARE(scenario.crashProbability, share);
    QCOMPARE(complaint.empty(), share >= 0);
}

void TestRunParameters::whatIsWrongContinuesTheSentence_data()
{
    QTest::addColumn<std::string>("id");
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("complaint");
    const auto row = [](const char* id, const char* text, const char* complaint) {
        QTest::newRow(id) << std::string(id) << std::string(text) << std::string(complaint);
    };
    row("lease", "0s", "is too short; the minimum is 1ms");
    row("for", "soon", "is not a duration; write 250ms, 10s, 5m, 2h or 1d");
    row("hold", "20ms..5ms",
        "is not a time; write 10ms, 5ms..20ms (evenly between) or ~20ms (exponential)");
    row("kind", "race", "is none of contention, hot-standby, draw");
    row("renew", "often", "is neither off nor a duration such as 10s");
    row("retry-max", "1ms", "is shorter than the first interval, 100ms");
}

void TestRunParameters::whatIsWrongContinuesTheSentence()
{
    QFETCH(const std::string, id);
    QFETCH(const std::string, text);
    QFETCH(const std::string, complaint);
    QCOMPARE(complaintAbout(id, text), complaint);
}

void TestRunParameters::renewalsFollowTheLease()
{
    const protocol::ProtocolInfo info = capableProtocol();
    Scenario scenario;
    QVERIFY(parameter("lease").read(scenario, "3s", info).empty());
    QVERIFY(!scenario.renewal.isOn());
    scenario.renewal = renewalFor(info, 9s);
    QVERIFY(scenario.renewal.period == 3s);
    QVERIFY(parameter("lease").read(scenario, "3s", info).empty());
    QVERIFY(scenario.renewal.period == 1s);
}

void TestRunParameters::whatAnEmptyFieldStandsForCanBeRead()
{
    for (const RunParameter& each : runParameters()) {
        if (each.form.whenEmpty != nullptr) {
            Scenario scenario;
            const std::string text = each.form.whenEmpty(scenario);
            QCOMPARE(each.read(scenario, text, capableProtocol()), std::string());
            QCOMPARE(each.text(scenario), text);
            QVERIFY(each.form.placeholder != nullptr);
        }
    }
}

LOCKSCOPE_TEST(TestRunParameters, None)

} // namespace lockscope::tst_run_parameters

#include "tst_run_parameters.moc"
