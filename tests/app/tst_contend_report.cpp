#include "app/cli/output/contend_report.h"
#include "core/kernel/protocol/catalogue.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_contend_report {

using namespace lockscope::cli;
using namespace std::chrono_literals;
using trace::Event;
using trace::EventKind;
using workload::LiveRunProgress;

namespace {

ContendArguments argumentsFor(std::string_view id)
{
    ContendArguments arguments;
    arguments.protocol = {std::shared_ptr<const void>(), protocol::findProtocol(id)};
    arguments.scenario.contenderCount = 2;
    arguments.scenario.lease = 1s;
    arguments.privateServerCount = 1;
    return arguments;
}

LiveRunProgress progressOf(std::uint64_t acquisitions)
{
    LiveRunProgress progress;
    progress.elapsed = 2s;
    progress.duration = 10s;
    progress.recentPerSecond = 206;
    progress.statistics.elapsed = 2s;
    progress.statistics.acquisitions = acquisitions;
    progress.statistics.tries = 2 * acquisitions;
    progress.statistics.commands = 3 * acquisitions;
    progress.statistics.acquisitionsOf = {acquisitions, 0};
    return progress;
}

std::string textOf(const ContendArguments& arguments, const LiveRunProgress& progress,
                   std::span<const Event> events = {})
{
    return contendText(arguments, progress, contendReport(arguments, progress, events));
}

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestContendReport final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersAreInTheReport();
    void whatHappenedIsSaidInSentences();
    void theServersWordsAreInTheReport();
    void nothingIsSaidOfWhatDidNotHappen();
    void theStoryOfTheOverlapIsTold();
    void nobodyAcquiringIsAFinding();
    void aPredictionIsNumbersAndNoVerdict();
    void aRunCanBeComparedWithItsPrediction();
    void nobodyTakingOverIsAFinding();
    void theProgressLineIsShort();
};

void TestContendReport::numbersAreInTheReport()
{
    const std::string text = textOf(argumentsFor("set-nx-ex"), progressOf(1000));
    for (const char* const part :
         {"set-nx-ex: 2 contenders, 1 lock, 2.0 s on a private server (contention, lease 1.0 s)\n",
          "1,000", "500/s", "2.00 tries", "3.00 commands", "Jain 0.50",
          "mutual-exclusion    held           promised\n",
          "owner-only-release  not-exercised  not promised\n"}) {
        QVERIFY2(has(text, part), text.c_str());
    }
}

void TestContendReport::whatHappenedIsSaidInSentences()
{
    LiveRunProgress progress = progressOf(10);
    progress.statistics.crashes = 1;
    progress.statistics.pauses = 2;
    progress.statistics.gaveUp = 3;
    progress.leftBehind = {{"k:0", true}};
    const std::string text = textOf(argumentsFor("set-nx-ex"), progress);
    for (const char* const part :
         {"\n1 holder crashed without releasing.\n", "\n2 holders paused.\n",
          "\n3 requests gave up waiting.\n", "\n1 key is left behind on the server.\n"}) {
        QVERIFY2(has(text, part), text.c_str());
    }
}

void TestContendReport::theServersWordsAreInTheReport()
{
    LiveRunProgress progress = progressOf(10);
    progress.statistics.errors = 2;
    progress.refusal = store::problemOfServerError("ERR unknown command\x1b[m", "EVAL");
    const ContendArguments arguments = argumentsFor("set-nx-ex");
    const std::string text = textOf(arguments, progress);
    QVERIFY2(has(text, "\n2 requests were answered with an error: ERR unknown command\\x1b[m\n"),
             text.c_str());
    QVERIFY2(!has(text, "lost"), text.c_str());
    const report::Json json = report::runJson(contendReport(arguments, progress, {}));
    QCOMPARE(json["stats"]["errors"].get<int>(), 2);
    QCOMPARE(json["serverError"].get<std::string>(), std::string("ERR unknown command\\x1b[m"));
    QCOMPARE(testing::schemaComplaint(json, "run"), std::string());
}

void TestContendReport::nothingIsSaidOfWhatDidNotHappen()
{
    const std::string text = textOf(argumentsFor("set-nx-ex"), progressOf(10));
    QVERIFY2(!has(text, "crashed") && !has(text, "overlap") && !has(text, "gave up")
                 && !has(text, "takeover"),
             text.c_str());
}

void TestContendReport::theStoryOfTheOverlapIsTold()
{
    Event granted;
    granted.kind = EventKind::Granted;
    Event entered;
    entered.kind = EventKind::Entered;
    entered.contender = 1;
    entered.value = 1;
    entered.at = Instant(5ms);
    const std::vector<Event> events{granted, entered};
    LiveRunProgress progress = progressOf(2);
    progress.statistics.overlaps = 1;
    const std::string text = textOf(argumentsFor("set-nx-ex"), progress, events);
    QVERIFY2(has(text, "broken         promised      1 holder entered while"), text.c_str());
    QVERIFY2(has(text, "The first overlap:\n"
                       "  0 ms: contender 0 is granted the lock\n"
                       "  5 ms: contender 1 enters although 1 other is inside\n"),
             text.c_str());
}

void TestContendReport::nobodyAcquiringIsAFinding()
{
    LiveRunProgress progress = progressOf(0);
    progress.statistics.requests = 2;
    const std::string text = textOf(argumentsFor("set-nx-ex"), progress);
    QVERIFY2(has(text, "No acquisition was ever granted: nothing was tested."), text.c_str());
    QVERIFY2(!has(text, "held") && !has(text, "not-exercised"), text.c_str());
}

void TestContendReport::nobodyTakingOverIsAFinding()
{
    ContendArguments arguments = argumentsFor("set-nx-ex");
    arguments.scenario.kind = workload::Scenario::Kind::HotStandby;
    LiveRunProgress progress = progressOf(1);
    progress.statistics.crashes = 1;
    const std::string text = textOf(arguments, progress);
    QVERIFY2(has(text, "No takeover occurred during the run; the lease is 1.0 s.\n"), text.c_str());
}

void TestContendReport::theProgressLineIsShort()
{
    LiveRunProgress progress = progressOf(1234);
    QCOMPARE(contendProgressLine(progress),
             std::string("2.0 s of 10.0 s · 1,234 acquisitions · 206/s"));
    progress.statistics.overlaps = 1;
    progress.statistics.crashes = 2;
    QCOMPARE(contendProgressLine(progress),
             std::string("2.0 s of 10.0 s · 1,234 acquisitions · 206/s · 1 overlap · 2 crashes"));
}

void TestContendReport::aPredictionIsNumbersAndNoVerdict()
{
    ContendArguments arguments = argumentsFor("set-nx-px-token");
    arguments.scenario.duration = 1s;
    const auto prediction = contention::predict(*arguments.protocol, arguments.scenario,
                                                contention::Costs(), 1);
    QVERIFY(prediction.statistics.acquisitions > 0);
    const std::string text = predictionText(arguments, prediction);
    QVERIFY(has(text, "2 contenders"));
    QVERIFY(has(text, "on a modelled server"));
    QVERIFY(has(text, "server load"));
    QVERIFY(has(text, "Nothing was run, and no promise was tested."));
    const report::RunReport report = predictionReport(arguments, prediction);
    QVERIFY(report.promises.empty());
    const std::string json = report::runJson(report).dump();
    QCOMPARE(testing::schemaComplaint(nlohmann::json::parse(json), "run"), std::string());
}

void TestContendReport::aRunCanBeComparedWithItsPrediction()
{
    const ContendArguments arguments = argumentsFor("set-nx-px-token");
    const LiveRunProgress progress = progressOf(1234);
    report::RunReport report = contendReport(arguments, progress, {});
    QVERIFY(!report::runJson(report).contains("prediction"));
    report.prediction.emplace();
    report.prediction->statistics.acquisitions = 2468;
    report.prediction->statistics.elapsed = 2s;
    report.prediction->serverLoad = 0.25;
    const std::string text = contendText(arguments, progress, report);
    QVERIFY2(has(text, "\nacquisitions             1,234"), text.c_str());
    QVERIFY2(has(text, "\n  predicted              2,468"), text.c_str());
    QVERIFY2(has(text, "\nserver load (predicted)  25.00 % of a processor\n"), text.c_str());
    const nlohmann::json json = nlohmann::json::parse(report::runJson(report).dump());
    QCOMPARE(json["stats"]["acquisitions"].get<int>(), 1234);
    QCOMPARE(json["prediction"]["stats"]["acquisitions"].get<int>(), 2468);
    QCOMPARE(testing::schemaComplaint(json, "run"), std::string());
}

LOCKSCOPE_TEST(TestContendReport, None)

} // namespace lockscope::tst_contend_report

#include "tst_contend_report.moc"
