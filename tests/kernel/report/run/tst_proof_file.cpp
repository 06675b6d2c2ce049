#include "core/kernel/report/run/proof_file.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <string>
#include <utility>
#include <variant>

namespace lockscope::tst_proof_file {

using namespace std::chrono_literals;
using conduct::ClientClock;
using conduct::Interference;
using protocol::FileError;
using report::ProofFile;

namespace {

ProofFile someProof()
{
    ProofFile proof;
    proof.adapter = {"python3", "my adapter.py"};
    proof.lease = 1500ms;
    proof.clock = ClientClock::Real;
    proof.workload = "two-locks";
    conduct::Deviation delay;
    delay.kind = Interference::DelayReply;
    delay.message = {1, "CLIENT SETNAME", 2};
    delay.act = 3;
    delay.untilAct = 5;
    delay.leap = conduct::Leap::AtBegin;
    conduct::Deviation pause;
    pause.kind = Interference::Pause;
    pause.act = 4;
    pause.untilAct = 6;
    proof.schedule = {delay, pause};
    proof.promise = protocol::Promise::NoStuckLock;
    proof.kind = world::ViolationKind::Orphan;
    proof.summary = "The lock was free for its clients, and not on the server";
    return proof;
}

/// The text with one thing in it replaced, and what is wrong with it then.
std::string complaintAbout(const std::string& old, const std::string& replacement)
{
    std::string text = report::proofFileText(someProof());
    const std::size_t at = text.find(old);
    if (at == std::string::npos) {
        return "the text has no such thing";
    }
    const auto read = report::readProofFile(text.replace(at, old.size(), replacement));
    const auto* const error = std::get_if<FileError>(&read);
    return error != nullptr ? error->reason : "nothing is wrong";
}

} // namespace

class TestProofFile final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadBack();
    void theTextFitsItsSchema();
    void itIsToldFromOtherFiles();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();
};

void TestProofFile::whatIsWrittenIsReadBack()
{
    ProofFile proof = someProof();
    for (const auto& [id, clock] : conduct::kClientClocks) {
        proof.clock = clock;
        QCOMPARE(conduct::idOf(clock), id);
        const std::string text = report::proofFileText(proof);
        const auto read = report::readProofFile(text);
        const auto* const again = std::get_if<ProofFile>(&read);
        QVERIFY2(again != nullptr, text.c_str());
        QVERIFY2(*again == proof, text.c_str());
    }
    // What breaks by itself, without a lease.
    proof.schedule.clear();
    proof.lease = 0s;
    const auto read = report::readProofFile(report::proofFileText(proof));
    QVERIFY(std::holds_alternative<ProofFile>(read) && std::get<ProofFile>(read) == proof);
}

void TestProofFile::theTextFitsItsSchema()
{
    const auto json = nlohmann::json::parse(report::proofFileText(someProof()));
    QCOMPARE(testing::schemaComplaint(json, "proof"), std::string());
}

void TestProofFile::itIsToldFromOtherFiles()
{
    QVERIFY(report::isProofFile(report::proofFileText(someProof())));
    QVERIFY(!report::isProofFile(R"({"format": "lockscope-counterexample"})"));
    QVERIFY(!report::isProofFile(""));
}

void TestProofFile::whatIsWrongIsSaid_data()
{
    QTest::addColumn<std::string>("old");
    QTest::addColumn<std::string>("replacement");
    QTest::addColumn<std::string>("complaint");
    const auto row = [](const char* name, std::string old, std::string replacement,
                        std::string complaint) {
        QTest::newRow(name) << std::move(old) << std::move(replacement) << std::move(complaint);
    };
    row("another format", "lockscope-proof", "lockscope-soup",
        "Not a find of prove: \"lockscope-proof\" is expected.");
    row("another version", "\"version\": 1", "\"version\": 2",
        "Only files of version 1 can be read.");
    row("no clock", "\"real\"", "\"sundial\"", "The clock is virtual, flowing or real.");
    row("no step", "pause A", "nap A",
        "Not a step of a schedule; steps are written \"kill-after A 0 0 in-time 1 SETNX\".");
    row("an unknown kind", "\"orphan\"", "\"bad-luck\"", "Unknown violation.");
    row("an unknown promise", "\"no-stuck-lock\"", "\"luck\"", "Unknown promise.");
    row("a lease that is none", "\"1500ms\"", "\"long\"",
        "\"lease\" must be a duration such as \"250ms\" or \"10s\".");
}

void TestProofFile::whatIsWrongIsSaid()
{
    QFETCH(const std::string, old);
    QFETCH(const std::string, replacement);
    QFETCH(const std::string, complaint);
    QCOMPARE(complaintAbout(old, replacement), complaint);
}

LOCKSCOPE_TEST(TestProofFile, None)

} // namespace lockscope::tst_proof_file

#include "tst_proof_file.moc"
