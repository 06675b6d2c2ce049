#include "core/kernel/report/run/cbor_file.h"
#include "core/kernel/report/run/run_columns.h"
#include "core/kernel/report/run/run_file.h"
#include "core/kernel/report/run/typed_column.h"
#include "tests/kernel/exports/recorded_example.h"
#include "tests/kernel/random_input.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <utility>

namespace lockscope::tst_run_file {

using protocol::FileError;
using report::RunFile;

namespace {

const RunFile* runIn(const std::variant<RunFile, FileError>& read)
{
    return std::get_if<RunFile>(&read);
}

std::string reasonIn(const std::variant<RunFile, FileError>& read)
{
    const auto* const error = std::get_if<FileError>(&read);
    return error != nullptr ? error->reason : "nothing is wrong";
}

/// What is in a run file.
nlohmann::json contentOf(std::string_view text)
{
    nlohmann::json content;
    const auto error = report::readCborFile(text, [&content](const nlohmann::json& root) {
        content = root;
    });
    return error ? nlohmann::json(toText(*error)) : content;
}

/// As version 1 wrote it; the fuzzer begins with it, too.
std::string oldRunFile()
{
    QFile file(testing::inSourceTree(QStringLiteral("tests/fuzz/corpus/run_file/version-1")));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// The written example with one member changed, and what is wrong with it then.
std::string complaintAbout(const char* pointer, const nlohmann::json& value)
{
    auto json = contentOf(report::runFileText(testing::recordedExample()));
    json[nlohmann::json::json_pointer(pointer)] = value;
    return reasonIn(report::readRunFile(report::cborText(json)));
}

/// As large a run as one gets: contenders that take a lock in turn.
std::vector<trace::Event> manyEvents(std::size_t count)
{
    using trace::EventKind;
    constexpr EventKind kKinds[] = {EventKind::Requested, EventKind::Granted, EventKind::Releasing,
                                    EventKind::Released};
    std::vector<trace::Event> events(count);
    for (std::size_t i = 0; i < count; ++i) {
        events[i].at = Instant(Duration(1'000'000'000 + static_cast<Duration::rep>(i) * 37));
        events[i].contender = static_cast<trace::ContenderId>(i / 4 % 1000);
        events[i].kind = kKinds[i % 4];
        events[i].value = static_cast<std::int64_t>(i % 5) - 1;
    }
    return events;
}

} // namespace

class TestRunFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadBack();
    void theContentFitsItsSchema();
    void whatWasFoundOutComesBack();
    void notesComeBack();
    void anOwnProtocolTravelsWithTheFile();
    void aRunFileIsTold();
    void filesOfVersionOneAreRead();
    void aWrongMemberIsNamed();
    void whatIsNoTextIsEscaped();
    void whatIsWrongIsSaid();
    void aHundredThousandEventsComeBack();
    void timesThatGoBackAreRefused();
    void mutationsNeverCrash();
};

void TestRunFile::whatIsWrittenIsReadBack()
{
    RunFile run = testing::recordedExample();
    QVERIFY(!run.serverHolds.empty());
    run.serverHolds.back().holder.reset(); // the server does not say who
    run.serverHolds.back().node = 2;
    QVERIFY(!run.events.empty() && !run.messages.empty());
    const std::string text = report::runFileText(run);
    const auto read = report::readRunFile(text);
    QCOMPARE(reasonIn(read), std::string("nothing is wrong"));
    const RunFile& again = *runIn(read);
    QVERIFY(again.events == run.events);
    QVERIFY(again.serverHolds == run.serverHolds);
    QVERIFY(again.messages == run.messages);
    QVERIFY(run.steps.isKnown() && again.steps == run.steps);
    QVERIFY(again.chronicleInSteps()->spans == run.chronicleInSteps()->spans);
    QVERIFY(again.labels == run.labels);
    QVERIFY(again.end == run.end);
    QVERIFY(again.statistics.has_value());
    QCOMPARE(again.statistics->overlaps, again.chronicle().overlaps.size());
    QCOMPARE(again.promises.size(), run.promises.size());
    QCOMPARE(again.promises[0].kind, run.promises[0].kind);
    QVERIFY(again.promises[0].at == run.promises[0].at);
    QCOMPARE(again.story[1].text, run.story[1].text);
    QVERIFY(again.story[1].isViolation);
    QCOMPARE(report::runFileText(again), text);
    QVERIFY(again.chronicle().overlaps == run.chronicle().overlaps);
    QVERIFY(!again.chronicle().overlaps.empty());
}

void TestRunFile::theContentFitsItsSchema()
{
    RunFile run = testing::recordedExample();
    run.turningPoint = search::TurningPoint{1, 100, 10};
    const auto json = contentOf(report::runFileText(run));
    QCOMPARE(testing::schemaComplaint(json, "run-file"), std::string());
}

void TestRunFile::notesComeBack()
{
    RunFile run = testing::recordedExample();
    QVERIFY(!contentOf(report::runFileText(run)).contains("notes")); // as in older files
    run.notes = {{Instant(Duration(1)), 0, "here"}, {Instant(Duration(2)), 1, "and there"}};
    const std::string text = report::runFileText(run);
    QCOMPARE(testing::schemaComplaint(contentOf(text), "run-file"), std::string());
    const auto read = report::readRunFile(text);
    QCOMPARE(reasonIn(read), std::string("nothing is wrong"));
    QVERIFY(runIn(read)->notes == run.notes);
    std::ranges::reverse(run.notes);
    QVERIFY(runIn(report::readRunFile(report::runFileText(run))) == nullptr);
}

void TestRunFile::whatWasFoundOutComesBack()
{
    RunFile run = testing::recordedExample();
    run.turningPoint = search::TurningPoint{1, 100, 10};
    run.promises[0].faults = {world::FaultKind::Eviction, world::FaultKind::Failover};
    run.promises[0].chances = 7;
    run.promises[1].status = report::PromiseVerdict::Status::NotExercised;
    const auto read = report::readRunFile(report::runFileText(run));
    QCOMPARE(reasonIn(read), std::string("nothing is wrong"));
    const RunFile& again = *runIn(read);
    QVERIFY(again.turningPoint == run.turningPoint);
    QVERIFY(again.promises[0].faults == run.promises[0].faults);
    QCOMPARE(again.promises[0].chances, std::uint64_t(7));
    QCOMPARE(again.promises[1].status, report::PromiseVerdict::Status::NotExercised);
    // Earlier versions did not write any of it.
    auto json = contentOf(report::runFileText(run));
    json.erase("turningPoint");
    for (auto& promise : json["promises"]) {
        promise.erase("chances");
        promise.erase("after");
    }
    for (const char* const count : {"withdrew", "neverGranted", "releasesBehindGrants"}) {
        json["statistics"].erase(count);
    }
    const auto old = report::readRunFile(report::cborText(json));
    QCOMPARE(reasonIn(old), std::string("nothing is wrong"));
    QVERIFY(!runIn(old)->turningPoint && !runIn(old)->promises[0].faults);
}

void TestRunFile::anOwnProtocolTravelsWithTheFile()
{
    QFile file(testing::inSourceTree(QStringLiteral("resources/protocols/lease-lock.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    auto json = contentOf(report::runFileText(testing::recordedExample()));
    json["protocol"] = nlohmann::json::parse(file.readAll().toStdString());
    const auto read = report::readRunFile(report::cborText(json));
    QCOMPARE(reasonIn(read), std::string("nothing is wrong"));
    QCOMPARE(runIn(read)->protocol.info().id, std::string("lease-lock"));
    const auto again = report::readRunFile(report::runFileText(*runIn(read)));
    QVERIFY(runIn(again) != nullptr && !runIn(again)->protocol.ownText.empty());
}

void TestRunFile::aRunFileIsTold()
{
    QVERIFY(report::isRunFile(report::runFileText(testing::recordedExample())));
    QVERIFY(!report::isRunFile(R"({"format": "lockscope-counterexample"})"));
    QVERIFY(!report::isRunFile(""));
}

void TestRunFile::filesOfVersionOneAreRead()
{
    const std::string text = oldRunFile();
    QVERIFY(report::isRunFile(text));
    const auto read = report::readRunFile(text);
    QCOMPARE(reasonIn(read), std::string("nothing is wrong"));
    const RunFile& run = *runIn(read);
    QCOMPARE(run.mode, std::string("explore"));
    QCOMPARE(run.statistics->acquisitions, std::uint64_t(2));
    QCOMPARE(run.chronicle().overlaps.size(), std::size_t(1));
    QCOMPARE(run.serverHolds.size(), std::size_t(2));
    const auto again = report::readRunFile(report::runFileText(run));
    QVERIFY(runIn(again)->events == run.events);
    QVERIFY(runIn(again)->serverHolds == run.serverHolds);
    QVERIFY(runIn(again)->messages == run.messages);
}

void TestRunFile::aWrongMemberIsNamed()
{
    auto json = contentOf(report::runFileText(testing::recordedExample()));
    json["events"]["kind"] = 5;
    const auto read = report::readRunFile(report::cborText(json));
    QCOMPARE(toText(std::get<FileError>(read)),
             std::string("/events/kind: A column of numbers is expected."));
}

void TestRunFile::whatIsNoTextIsEscaped()
{
    RunFile run = testing::recordedExample();
    run.labels.locks = {"k\xFF"};
    const auto read = report::readRunFile(report::runFileText(run));
    QCOMPARE(reasonIn(read), std::string("nothing is wrong"));
    QCOMPARE(runIn(read)->labels.locks.front(), std::string("k\\xff"));
}

void TestRunFile::whatIsWrongIsSaid()
{
    QCOMPARE(complaintAbout("/format", "soup"),
             std::string("Not a run: \"lockscope-run\" is expected."));
    QCOMPARE(complaintAbout("/version", 3),
             std::string("Only files of versions 1 and 2 can be read."));
    QCOMPARE(complaintAbout("/promises/0/kind", "bad-luck"), std::string("Unknown violation."));
    QCOMPARE(complaintAbout("/endUs", 0),
             std::string("There are events after the end of the run."));
    QCOMPARE(complaintAbout("/events/count", 1'000'000'000'000),
             std::string("The columns contain fewer numbers."));
    QCOMPARE(complaintAbout("/events/count", 1),
             std::string("There are more numbers than \"count\" says."));
    QCOMPARE(complaintAbout("/events/kind", "////"),
             std::string("A column of numbers is expected."));
    QCOMPARE(complaintAbout("/events/kind", report::typedColumn({0})),
             std::string("A number is missing or out of range."));
    QCOMPARE(complaintAbout("/serverHolds/end", 7),
             std::string("A column of numbers is expected."));
    QCOMPARE(complaintAbout("/messages/text", nlohmann::json::array()),
             std::string("Exactly \"count\" texts are expected."));
    QCOMPARE(complaintAbout("/permits", 0),
             std::string("A whole number from 1 to 1000000 is expected."));
}

void TestRunFile::aHundredThousandEventsComeBack()
{
    RunFile run = testing::recordedExample();
    run.events = manyEvents(100'000);
    run.steps = {}; // they were those of other events
    run.end = run.events.back().at;
    const std::string text = report::runFileText(run);
    QVERIFY2(text.size() < 1'500'000, std::to_string(text.size()).c_str()); // compact
    const auto read = report::readRunFile(text);
    QVERIFY(runIn(read) != nullptr);
    QVERIFY(runIn(read)->events == run.events);
}

void TestRunFile::timesThatGoBackAreRefused()
{
    std::vector<trace::Event> events = manyEvents(4);
    const auto readBack = [&events] {
        const nlohmann::json root{{"events", report::eventColumns(events)}};
        return report::readEvents(protocol::FileSection(root, "", {"events"}), "events");
    };
    QVERIFY(readBack() == events);
    std::swap(events[1].at, events[2].at);
    QVERIFY_THROWS_EXCEPTION(protocol::FileFault, readBack());
}

void TestRunFile::mutationsNeverCrash()
{
    testing::RandomInput input;
    const std::string sound = report::runFileText(testing::recordedExample());
    for (int run = 0; run < 3000; ++run) {
        std::string text = sound;
        for (std::uint64_t i = 0; i <= input.rng().below(4); ++i) {
            const std::size_t place = input.rng().below(text.size());
            if (input.rng().below(4) == 0) {
                text.erase(place, input.rng().below(30));
            } else {
                text[place] = static_cast<char>(input.rng().below(256));
            }
        }
        const auto read = report::readRunFile(text);
        if (const RunFile* const again = runIn(read)) {
            const trace::Chronicle chronicle = again->chronicle();
            QVERIFY2(std::ranges::is_sorted(chronicle.spans, {}, &trace::Span::from),
                     input.recipe(text).c_str());
        } else {
            QVERIFY2(!reasonIn(read).empty(), input.recipe(text).c_str());
        }
    }
}

LOCKSCOPE_TEST(TestRunFile, Core)

} // namespace lockscope::tst_run_file

#include "tst_run_file.moc"
