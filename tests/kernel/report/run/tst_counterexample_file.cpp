#include "core/kernel/report/run/counterexample_file.h"
#include "core/kernel/report/run/saved_protocol.h"
#include "core/kernel/report/run/scenario_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

namespace lockscope::tst_counterexample_file {

using namespace std::chrono_literals;
using protocol::FileError;
using report::CounterexampleFile;
using report::SavedProtocol;
using world::Act;
using world::FaultKind;
using world::LinkRole;
using world::Step;

namespace {

CounterexampleFile someExample()
{
    CounterexampleFile example;
    example.protocol = SavedProtocol::builtin("set-nx-ex");
    example.plan.name = "two at once";
    example.plan.clients.resize(2);
    example.plan.clients[0].acts = {Act::acquire(10s), Act::work(4s), Act::release()};
    example.steps = {Step::serve(0, 0, LinkRole::Commands), Step::ofFault(FaultKind::Pause, 1, 0),
                     Step()};
    example.promise = protocol::Promise::OwnerOnlyRelease;
    example.kind = world::ViolationKind::WrongRelease;
    example.summary = "A released the hold of B";
    example.digest = 0xfeU;
    return example;
}

QByteArray ownFile()
{
    QFile file(testing::inSourceTree(QStringLiteral("resources/protocols/lease-lock.json")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The text with one thing in it replaced, and what is wrong with it then.
std::string complaintAbout(const char* old, const char* replacement)
{
    QByteArray text = QByteArray::fromStdString(report::counterexampleText(someExample()));
    if (!text.contains(old)) {
        return "the text has no such thing";
    }
    text.replace(text.indexOf(old), qsizetype(qstrlen(old)), replacement);
    const auto read = report::readCounterexample(text.toStdString());
    const auto* const error = std::get_if<FileError>(&read);
    return error != nullptr ? error->reason : "nothing is wrong";
}

} // namespace

class TestCounterexampleFile final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadBack();
    void theTextFitsItsSchema();
    void anOwnProtocolTravelsWithTheFile();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();
    void aScenarioMayLeaveTheProtocolOpen();
    void aScenarioHasToFitItsProtocol();
};

void TestCounterexampleFile::whatIsWrittenIsReadBack()
{
    const CounterexampleFile example = someExample();
    const std::string text = report::counterexampleText(example);
    const auto read = report::readCounterexample(text);
    const auto* const again = std::get_if<CounterexampleFile>(&read);
    QVERIFY2(again != nullptr, text.c_str());
    QCOMPARE(again->protocol.protocol.get(), example.protocol.protocol.get());
    QVERIFY(again->steps == example.steps);
    QCOMPARE(again->promise, example.promise);
    QCOMPARE(again->kind, example.kind);
    QCOMPARE(again->digest, example.digest);
    QCOMPARE(again->engineRevision, report::kEngineRevision);
    QCOMPARE(report::counterexampleText(*again), text);
}

void TestCounterexampleFile::theTextFitsItsSchema()
{
    const auto json = nlohmann::json::parse(report::counterexampleText(someExample()));
    QCOMPARE(testing::schemaComplaint(json, "counterexample"), std::string());
}

void TestCounterexampleFile::anOwnProtocolTravelsWithTheFile()
{
    CounterexampleFile example = someExample();
    const std::string own = ownFile().toStdString();
    const auto scenario = report::readScenario(R"({"protocol": )" + own
                                               + R"(, "plan": {"clients": [{"acts": []}]}})");
    QVERIFY(std::holds_alternative<report::ScenarioFile>(scenario));
    example.protocol = std::get<report::ScenarioFile>(scenario).protocol;
    const auto read = report::readCounterexample(report::counterexampleText(example));
    QVERIFY(std::holds_alternative<CounterexampleFile>(read));
    const SavedProtocol& again = std::get<CounterexampleFile>(read).protocol;
    QCOMPARE(again.info().id, std::string("lease-lock"));
    QVERIFY(!again.ownText.empty());
}

void TestCounterexampleFile::whatIsWrongIsSaid_data()
{
    QTest::addColumn<QByteArray>("old");
    QTest::addColumn<QByteArray>("replacement");
    QTest::addColumn<QByteArray>("complaint");
    const auto row = [](const char* name, const char* old, const char* replacement,
                        const char* complaint) {
        QTest::newRow(name) << QByteArray(old) << QByteArray(replacement) << QByteArray(complaint);
    };
    row("another format", "lockscope-counterexample", "lockscope-soup",
        "Not a counterexample: \"lockscope-counterexample\" is expected.");
    row("another version", "\"version\": 1", "\"version\": 2",
        "Only files of version 1 can be read.");
    row("no protocol", "\"set-nx-ex\"", "\"set-nx-oops\"",
        "There is no built-in protocol with this id.");
    row("Not a step", "\"advance\"", "\"advance twice\"",
        "Not a step; steps are written \"serve A 0 c\", \"advance\", \"late 0\" or \"pause A 0 c "
        "0\".");
    row("a short digest", "00000000000000fe", "fe", "Sixteen hexadecimal digits are expected.");
    row("an unknown kind", "\"wrong-release\"", "\"bad-luck\"", "Unknown violation.");
    row("an unknown promise", "\"owner-only-release\"", "\"luck\"", "Unknown promise.");
    row("a plan that does not fit", "\"servers\": 1", "\"servers\": 3",
        "set-nx-ex uses a single server.");
}

void TestCounterexampleFile::whatIsWrongIsSaid()
{
    QFETCH(const QByteArray, old);
    QFETCH(const QByteArray, replacement);
    QFETCH(const QByteArray, complaint);
    QCOMPARE(complaintAbout(old.constData(), replacement.constData()), complaint.toStdString());
}

void TestCounterexampleFile::aScenarioMayLeaveTheProtocolOpen()
{
    const auto read = report::readScenario(R"({"plan": {"clients": [{"acts": []}]}})");
    QVERIFY(std::holds_alternative<report::ScenarioFile>(read));
    QVERIFY(std::get<report::ScenarioFile>(read).protocol.protocol == nullptr);
}

void TestCounterexampleFile::aScenarioHasToFitItsProtocol()
{
    const auto read = report::readScenario("{\"protocol\": \"set-nx-ex\",\n\"plan\": "
                                           "{\"clients\": [{\"acts\": []}], \"servers\": 2}}");
    const auto* const error = std::get_if<FileError>(&read);
    QVERIFY(error != nullptr);
    QCOMPARE(toText(*error), std::string("line 2, column 1: set-nx-ex uses a single server."));
}

LOCKSCOPE_TEST(TestCounterexampleFile, Core)

} // namespace lockscope::tst_counterexample_file

#include "tst_counterexample_file.moc"
