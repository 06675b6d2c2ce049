#include "core/kernel/report/run/run_json.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_run_json {

using namespace std::chrono_literals;
using protocol::Promise;
using report::Json;
using report::PromiseVerdict;
using report::RunReport;

class TestRunJson final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLiveRunHasTheDocumentedMembers();
    void aSearchTellsItsSizeAndItsFile();
    void promisesAreAsDocumented();
    void statisticsBeginWithTheDocumentedMembers();
    void whatWasNotMeasuredIsNull();
};

void TestRunJson::aLiveRunHasTheDocumentedMembers()
{
    RunReport report;
    report.protocol = "set-nx-ex";
    report.mode = "contend";
    report.seed = 7;
    Json json = report::runJson(report);
    json.erase("stats");
    QCOMPARE(json.dump(),
             std::string(R"({"protocol":"set-nx-ex","mode":"contend","seed":7,"schedules":null,)"
                         R"("states":null,"boundReached":false,"virtualMs":null,"promises":[],)"
                         R"("story":[],"file":null})"));
}

void TestRunJson::aSearchTellsItsSizeAndItsFile()
{
    RunReport report;
    report.schedules = 1834;
    report.states = 912;
    report.isBoundReached = true;
    report.virtualTime = 61s;
    report.story = {"A sends SET k 1 EX 30 NX"};
    report.file = "counterexample.json";
    const Json json = report::runJson(report);
    QCOMPARE(json["schedules"].get<int>(), 1834);
    QCOMPARE(json["states"].get<int>(), 912);
    QVERIFY(json["boundReached"].get<bool>());
    QCOMPARE(json["virtualMs"].get<int>(), 61'000);
    QCOMPARE(json["story"].dump(), std::string(R"(["A sends SET k 1 EX 30 NX"])"));
    QCOMPARE(json["file"].get<std::string>(), std::string("counterexample.json"));
}

void TestRunJson::promisesAreAsDocumented()
{
    RunReport report;
    PromiseVerdict broken;
    broken.status = PromiseVerdict::Status::Broken;
    broken.kind = "double-belief";
    broken.isPromised = true;
    broken.at = 31'012ms;
    broken.summary = "A and B both hold k";
    PromiseVerdict held;
    held.promise = Promise::NoStuckLock;
    held.status = PromiseVerdict::Status::Held;
    PromiseVerdict undecided;
    undecided.promise = Promise::Fairness;
    report.promises = {broken, held, undecided};
    QCOMPARE(report::runJson(report)["promises"].dump(),
             std::string(
                 R"([{"id":"mutual-exclusion","status":"broken","kind":"double-belief",)"
                 R"("promised":true,"chances":0,"atMs":31012,"summary":"A and B both hold k"},)"
                 R"({"id":"no-stuck-lock","status":"held","promised":false,"chances":0},)"
                 R"({"id":"fairness","status":"not-applicable","promised":false,"chances":0}])"));
}

void TestRunJson::statisticsBeginWithTheDocumentedMembers()
{
    trace::RunStatistics statistics;
    statistics.elapsed = 2s;
    statistics.acquisitions = 412;
    statistics.commands = 948;
    statistics.acquisitionsOf = {206, 206};
    statistics.overlaps = 1;
    statistics.wrongReleases = 2;
    for (int i = 1; i <= 100; ++i) {
        statistics.wait.add(Duration(i));
    }
    const std::string text = report::statisticsJson(statistics).dump();
    const std::string expected =
        R"({"acquisitions":412,"acquisitionsPerSecond":206.0,)"
        R"("waitMs":{"p50":0.05,"p95":0.095,"p99":0.099,"max":0.1},)"
        R"("commandsPerAcquisition":2.301,"jainFairness":1.0,"overlaps":1,"wrongReleases":2,)"
        R"("elapsedMs":2000,)";
    QCOMPARE(text.substr(0, expected.size()), expected);
}

void TestRunJson::whatWasNotMeasuredIsNull()
{
    const Json json = report::statisticsJson({});
    QCOMPARE(json["acquisitions"].get<int>(), 0);
    QCOMPARE(json["acquisitionsPerSecond"].get<double>(), 0.0);
    QVERIFY(json["waitMs"]["p50"].is_null());
    QVERIFY(json["commandsPerAcquisition"].is_null());
    QVERIFY(json["jainFairness"].is_null());
}

LOCKSCOPE_TEST(TestRunJson, None)

} // namespace lockscope::tst_run_json

#include "tst_run_json.moc"
