#include "core/kernel/conduct/telling.h"
#include "core/kernel/report/proof_json.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_proof_json {

using namespace lockscope::testing;
using conduct::Deviation;
using conduct::Find;
using conduct::Interference;
using conduct::Proof;
using report::Json;

namespace {

/// A and B both have it after the answer to A's SET was lost, and C said something.
Find someFind()
{
    Find find;
    find.workload = handOver();
    Deviation deviation;
    deviation.kind = Interference::LoseReply;
    deviation.message = {0, "SET", 1};
    find.deviations = {deviation};
    WrittenLog log(kScriptedLease);
    log.acquire(0).interfere(0).say(2, "<warn> \"a\" & b\x01").acquire(1);
    find.log = log.log();
    find.breach = conduct::judge(find.log, find.workload, find.deviations).front();
    find.replayCount = 10;
    find.replayHits = 9;
    return find;
}

Proof someProof()
{
    Proof proof;
    proof.bugs = {someFind()};
    proof.limits = {someFind()};
    proof.runCount = 120;
    proof.divergedCount = 3;
    proof.troubleCount = 1;
    proof.stepsCovered = 2;
    return proof;
}

/// Its elements with their attributes, and the texts between them; empty where it is no XML.
struct ReadXml {
    QStringList elements;
    QString text;
    QString error;
};

ReadXml readXml(const std::string& xml)
{
    ReadXml read;
    QXmlStreamReader reader(QByteArray::fromStdString(xml));
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            QString element = reader.name().toString();
            for (const QXmlStreamAttribute& attribute : reader.attributes()) {
                element += u' ' + attribute.name() + u'=' + attribute.value();
            }
            read.elements.push_back(element);
        } else if (reader.isCharacters()) {
            read.text += reader.text();
        }
    }
    read.error = reader.errorString();
    return read;
}

} // namespace

class TestProofJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aProofHasItsVerdictAndCoverage();
    void aProcessThatEndedByItselfIsNamed();
    void withoutABugNothingWasFound();
    void tooLittleIsSaidWithItsNumbers();
    void reportsKeepToTheirSchema();
    void aFindHasItsScheduleAndStory();
    void scheduleAndDeviationsAgree();
    void aReportForBuildServersNamesEachBug();
    void aReportWithoutBugsHasOneCase();
};

void TestProofJson::aProofHasItsVerdictAndCoverage()
{
    conduct::AdapterTraits traits;
    traits.isRenewed = true;
    const Json json = report::proofJson(someProof(), traits, {});
    QCOMPARE(json["verdict"].get<std::string>(), std::string("broken"));
    QVERIFY(json["renews"].get<bool>());
    QCOMPARE(json["finds"].size(), 1u);
    QCOMPARE(json["limits"].size(), 1u);
    QCOMPARE(json["coverage"]["runs"].get<int>(), 120);
    QCOMPARE(json["coverage"]["steps"].get<int>(), 2);
    QCOMPARE(json["coverage"]["complete"].get<bool>(), false);
    QCOMPARE(json["coverage"]["diverged"].get<int>(), 3);
    QCOMPARE(json["coverage"]["failed"].get<int>(), 1);
}

void TestProofJson::aProcessThatEndedByItselfIsNamed()
{
    Proof proof = someProof();
    QVERIFY(report::proofJson(proof, {}, {})["ownEnd"].is_null());
    proof.ownEndCount = 4;
    proof.ownEnd = conduct::OwnEnd{1, {}, {"Error: Connection is closed."}};
    const Json json = report::proofJson(proof, {}, {})["ownEnd"];
    QCOMPARE(json["runs"].get<int>(), 4);
    QCOMPARE(json["text"].get<std::string>(), describe(*proof.ownEnd));
    QVERIFY(json["output"] == Json::array({"Error: Connection is closed."}));
}

void TestProofJson::withoutABugNothingWasFound()
{
    Proof proof = someProof();
    proof.bugs.clear(); // a limit is none
    const Json json = report::proofJson(proof, {}, {});
    QCOMPARE(json["verdict"].get<std::string>(), std::string("not-found"));
    QVERIFY(json["finds"].is_array() && json["finds"].empty());
    QCOMPARE(report::proofJson(Proof(), {}, {})["coverage"]["steps"].get<int>(), 0);
    QCOMPARE(report::proofJson(Proof(), {}, {})["verdict"].get<std::string>(),
             std::string("not-played"));
    QVERIFY(report::proofJunit(Proof(), {"adapter"}).find("<skipped ") != std::string::npos);
}

void TestProofJson::tooLittleIsSaidWithItsNumbers()
{
    Proof proof;
    proof.runCount = 3;
    proof.singles = {.planned = 310, .played = 2, .diverged = 1};
    const Json json = report::proofJson(proof, {}, {});
    QCOMPARE(json["verdict"].get<std::string>(), std::string("not-enough"));
    const Json& single = json["coverage"]["single"];
    QCOMPARE(single["planned"].get<int>(), 310);
    QCOMPARE(single["played"].get<int>(), 2);
    QCOMPARE(single["diverged"].get<int>(), 1);

    const ReadXml read = readXml(report::proofJunit(proof, {"adapter"}));
    QCOMPARE(read.error, QString());
    QVERIFY(read.elements.contains(
        u"testsuite name=lockscope prove tests=1 failures=0 errors=1 skipped=0"_qs));
    QVERIFY(read.elements.contains(u"property name=planned value=310"_qs));
    QVERIFY(read.elements.contains(u"property name=played value=2"_qs));
    QVERIFY(read.elements.contains(u"property name=diverged value=1"_qs));
    QVERIFY(read.elements.back().startsWith(u"error message=2 of 310"));
}

void TestProofJson::reportsKeepToTheirSchema()
{
    Proof proof = someProof();
    proof.ownEnd = conduct::OwnEnd{1, {}, {"Error: Connection is closed."}};
    proof.errors = {{0, conduct::Word::Extend, "ERR unknown command", 2}};
    QCOMPARE(schemaComplaint(report::proofJson(proof, {}, "Redis 7.0.15"), "prove"), std::string());
    QCOMPARE(schemaComplaint(report::proofJson(Proof(), {}, {}), "prove"), std::string());
}

void TestProofJson::aFindHasItsScheduleAndStory()
{
    const Json json = report::proofJson(someProof(), {}, "Redis 7.0.15");
    const Json& find = json["finds"][0];
    QCOMPARE(find["promise"].get<std::string>(), std::string("mutual-exclusion"));
    QCOMPARE(find["kind"].get<std::string>(), std::string("double-grant"));
    QCOMPARE(find["text"].get<std::string>(),
             std::string("B got the lock while A held it")); // A had lost an answer
    QCOMPARE(find["workload"].get<std::string>(), std::string("written"));
    QCOMPARE(find["steps"].get<int>(), 1);
    QCOMPARE(find["replays"].get<int>(), 10);
    QCOMPARE(find["replayed"].get<int>(), 9);
    QVERIFY(find["story"].size() > 5);
    QVERIFY(find["story"].back().get<std::string>().ends_with(find["text"].get<std::string>()));
}

void TestProofJson::scheduleAndDeviationsAgree()
{
    const Json json = report::proofJson(someProof(), {}, "Redis 7.0.15");
    const Json& find = json["finds"][0];
    QCOMPARE(find["schedule"].size(), 1u);
    QVERIFY(find["faults"] == Json::array({"connection-loss"}));
    const auto read = conduct::parseDeviation(find["schedule"][0].get<std::string>());
    QVERIFY(read == someFind().deviations.front());
    QCOMPARE(find["deviations"][0].get<std::string>(), describe(*read));
}

void TestProofJson::aReportForBuildServersNamesEachBug()
{
    const ReadXml read = readXml(report::proofJunit(someProof(),
                                                    {"python3", "my \"lock\" <1>.py"}));
    QCOMPARE(read.error, QString());
    const QStringList cases = read.elements.filter(QRegularExpression(u"^(test|failure)"_qs));
    QCOMPARE(cases.size(), 4);
    QCOMPARE(cases[1], u"testsuite name=lockscope prove tests=1 failures=1 errors=0 skipped=0"_qs);
    QCOMPARE(cases[2],
             QString(u"testcase classname=python3 my \"lock\" <1>.py name=mutual-exclusion"_qs));
    QVERIFY(cases[3].startsWith(u"failure message=B got the lock while"));
    QVERIFY(read.text.contains(u"C writes: <warn> \"a\" & b?"));
}

void TestProofJson::aReportWithoutBugsHasOneCase()
{
    Proof proof;
    proof.runCount = 1;
    const ReadXml read = readXml(report::proofJunit(proof, {"python3", "adapter.py"}));
    QCOMPARE(read.error, QString());
    QCOMPARE(read.elements.filter(u"testsuite "_qs),
             QStringList{
                 u"testsuite name=lockscope prove tests=1 failures=0 errors=0 skipped=0"_qs});
    QCOMPARE(read.elements.filter(u"testcase"_qs),
             QStringList{u"testcase classname=python3 adapter.py name=every promise"_qs});
    QCOMPARE(read.elements.back(), read.elements.filter(u"testcase"_qs).front()); // nothing in it
}

LOCKSCOPE_TEST(TestProofJson, None)

} // namespace lockscope::tst_proof_json

#include "tst_proof_json.moc"
