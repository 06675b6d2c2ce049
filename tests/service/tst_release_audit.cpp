#include "kernel/text_in_failures.h"
#include "release_audit.h"
#include "support/scripted_store.h"
#include "support/virtual_loop.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace lockscope;
using namespace lockscope::inspect;
using namespace lockscope::testing;
using nlohmann::json;
using service::ReleaseAudit;
using store::Reply;

namespace {

/// Keeps the lines, until its paper is used up.
struct Notebook final : service::AuditLog {
    std::vector<json> lines;
    std::size_t room = 100;

    std::string append(const std::string& line) override
    {
        if (lines.size() >= room) {
            return "no space left";
        }
        lines.push_back(json::parse(line));
        return {};
    }
};

struct Bench {
    VirtualLoop loop;
    Notebook notebook;
    ScriptedStore store{[this](const store::Command&) {
        linesBeforeSending = notebook.lines.size();
        return store::Outcome(Reply::ofArray({Reply::ofInteger(1), Reply::ofInteger(0)}));
    }};
    std::size_t linesBeforeSending = 0;
    ReleaseAudit audit{notebook, loop.clock(), {"anna", "", "ops-1", "test 1", 1}, 7};

    async::Task<ReleaseReport> execute()
    {
        LockRecord record;
        record.id = {0, "lock:a"};
        ReleasePlan plan;
        plan.lock = std::make_shared<const LockRecord>(record);
        plan.command = store::Command("EVAL", "return 1", 0);
        return audit.execute(store, 0, plan, report::attemptOf(plan, store::Endpoint(), "stuck"));
    }
};

} // namespace

class TestReleaseAudit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLineIsThereBeforeAnythingIsSent();
    void noLineNoRelease();
    void anOutcomeThatCannotBeWrittenIsTold();
    void whatIsDroppedAfterSendingIsUnknown();
    void whatWasNeverSentHasOneLine();
    void eachAttemptHasANameOfItsOwn();
};

void TestReleaseAudit::theLineIsThereBeforeAnythingIsSent()
{
    Bench bench;
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(bench.linesBeforeSending, std::size_t(1));
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    const json& intent = bench.notebook.lines[0];
    const json& outcome = bench.notebook.lines[1];
    QCOMPARE(intent["event"].get<std::string>(), std::string("intent"));
    QCOMPARE(outcome["event"].get<std::string>(), std::string("outcome"));
    QCOMPARE(outcome["outcome"].get<std::string>(), std::string("released"));
    QVERIFY(intent["attempt"] == outcome["attempt"]);
    QCOMPARE(outcome["user"].get<std::string>(), std::string("anna"));
    QCOMPARE(bench.audit.takeFailure(), std::string());
}

void TestReleaseAudit::noLineNoRelease()
{
    Bench bench;
    bench.notebook.room = 0;
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Refused);
    QVERIFY(report.ownReason.find("(no space left)") != std::string::npos);
    QVERIFY(bench.store.asked().empty());
}

void TestReleaseAudit::anOutcomeThatCannotBeWrittenIsTold()
{
    Bench bench;
    bench.notebook.room = 1;
    const ReleaseReport report = bench.loop.run(bench.execute());
    QVERIFY(report.result == ReleaseResult::Released);
    QCOMPARE(bench.audit.takeFailure(), std::string("no space left"));
    QCOMPARE(bench.audit.takeFailure(), std::string());
}

void TestReleaseAudit::whatIsDroppedAfterSendingIsUnknown()
{
    Bench bench;
    bench.store.hold();
    {
        const auto dropped = bench.loop.start(bench.execute());
        QCOMPARE(bench.store.heldCount(), std::size_t(1));
        QCOMPARE(bench.notebook.lines.size(), std::size_t(1));
    }
    QCOMPARE(bench.notebook.lines.size(), std::size_t(2));
    QCOMPARE(bench.notebook.lines[1]["outcome"].get<std::string>(), std::string("unknown"));
    QVERIFY(bench.notebook.lines[1]["detail"].get<std::string>().find("interrupted")
            != std::string::npos);
}

void TestReleaseAudit::whatWasNeverSentHasOneLine()
{
    Bench bench;
    ReleaseReport gone;
    gone.result = ReleaseResult::AlreadyGone;
    report::AuditAttempt attempt;
    attempt.key = "lock:a";
    bench.audit.noteUnsent(attempt, gone);
    QCOMPARE(bench.notebook.lines.size(), std::size_t(1));
    QCOMPARE(bench.notebook.lines[0]["event"].get<std::string>(), std::string("outcome"));
    QCOMPARE(bench.notebook.lines[0]["outcome"].get<std::string>(), std::string("already-gone"));
    QVERIFY(bench.notebook.lines[0]["holders"].empty());
}

void TestReleaseAudit::eachAttemptHasANameOfItsOwn()
{
    Bench bench;
    bench.loop.run(bench.execute());
    bench.loop.run(bench.execute());
    QCOMPARE(bench.notebook.lines.size(), std::size_t(4));
    QVERIFY(bench.notebook.lines[0]["attempt"] != bench.notebook.lines[2]["attempt"]);
}

QTEST_GUILESS_MAIN(TestReleaseAudit)
#include "tst_release_audit.moc"
