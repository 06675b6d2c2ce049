#include "core/kernel/exports/export_format.h"
#include "core/kernel/exports/proof_run.h"
#include "core/kernel/report/run/run_file.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

namespace lockscope::tst_proof_run {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Deviation;
using conduct::Find;
using conduct::Interference;
using conduct::Word;
using exports::runFileOf;
using report::RunFile;

namespace {

const std::vector<std::string> kAdapter{"python3", "adapter.py"};

Find findOf(WrittenLog& log, const std::vector<Deviation>& deviations)
{
    Find find;
    find.workload = handOver();
    find.deviations = deviations;
    find.log = log.log();
    find.breach.violation.promise = protocol::Promise::MutualExclusion;
    find.breach.violation.kind = world::ViolationKind::DoubleGrant;
    find.breach.violation.client = 0;
    find.breach.violation.other = 1;
    find.breach.entry = find.log.entries.size() - 1;
    return find;
}

/// The same with the first breach that the judge sees.
Find judgedFind(WrittenLog& log, const std::vector<Deviation>& deviations)
{
    Find find = findOf(log, deviations);
    find.breach = conduct::judge(find.log, find.workload, deviations).at(0);
    return find;
}

Deviation deviationOf(Interference kind, const std::string& message = {})
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message = {0, message, message.empty() ? 0 : 1};
    return deviation;
}

/// "requested A, granted A", in order.
std::string eventsIn(const RunFile& run)
{
    std::string text;
    for (const trace::Event& event : run.events) {
        text += text.empty() ? "" : ", ";
        text += std::string(idOf(event.kind)) + ' ' + run.labels.contender(event.contender);
    }
    return text;
}

} // namespace

class TestProofRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void beliefsAreEvents();
    void whatIsUnknownIsSaidToBe();
    void aPauseHasItsLength();
    void aLostAnswerNeverComes();
    void theClientIsNamed();
    void whatIsWrittenIsNoted();
    void itIsReadBack();
    void itCanBeExported();
    void theOverlapOfAFindIsInItsExports();
    void theExpiryThatAFindNamesIsInItsExports();
    void theFailoverThatAFindNamesIsInItsExports();
};

void TestProofRun::beliefsAreEvents()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0).acquireInVain(1).pass(1s).held(0, WrittenLog::AnswerKind::No);
    log.acquire(1).release(1).end(1);
    const RunFile run = runFileOf(findOf(log, {}), kAdapter);
    QCOMPARE(eventsIn(run),
             std::string("requested A, granted A, requested B, gave-up B, lost A, requested B, "
                         "granted B, releasing B, released B, crashed B"));
    QCOMPARE(run.events[4].at, Instant(1s));
    QVERIFY(run.end == Instant(1s));
    QVERIFY(run.serverHolds.empty());
    QVERIFY(!run.story.empty() && run.story.back().isViolation);
    QVERIFY(report::isPromiseBroken(run.promises));
}

void TestProofRun::whatIsUnknownIsSaidToBe()
{
    WrittenLog log(kScriptedLease);
    log.call(0, Word::Acquire).answer(0, Word::Acquire, WrittenLog::AnswerKind::Error);
    log.call(0, Word::Release).answer(0, Word::Release, WrittenLog::AnswerKind::Error);
    QCOMPARE(eventsIn(runFileOf(findOf(log, {}), kAdapter)),
             std::string("requested A, uncertain A, releasing A, release-uncertain A"));
}

void TestProofRun::aPauseHasItsLength()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0).interfere(0).pass(3s).letGo(0).held(0);
    const RunFile run = runFileOf(findOf(log, {deviationOf(Interference::Pause)}), kAdapter);
    QCOMPARE(eventsIn(run), std::string("requested A, granted A, paused A, resumed A"));
    QCOMPARE(run.events[2].value, std::int64_t{3'000'000}); // µs
    QCOMPARE(run.faults.size(), 1u);
}

void TestProofRun::aLostAnswerNeverComes()
{
    WrittenLog log(kScriptedLease);
    log.call(0, Word::Acquire).arrive(0, "SET").make(0).interfere(0);
    const RunFile lost = runFileOf(findOf(log, {deviationOf(Interference::LoseReply, "SET")}),
                                   kAdapter);
    QCOMPARE(lost.messages.size(), 1u);
    QVERIFY(lost.messages[0].appliedAt.has_value());
    QVERIFY(!lost.messages[0].answeredAt.has_value());

    WrittenLog late(kScriptedLease);
    late.call(0, Word::Acquire).arrive(0, "SET").make(0).interfere(0).pass(3s).letGo(0);
    const RunFile delayed = runFileOf(findOf(late, {deviationOf(Interference::DelayReply, "SET")}),
                                      kAdapter);
    QVERIFY(delayed.messages[0].answeredAt == Instant(3s));
    QVERIFY(delayed.messages[0].text.ends_with(": 1"));
}

void TestProofRun::theClientIsNamed()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0);
    const RunFile run = runFileOf(findOf(log, {}), kAdapter);
    QCOMPARE(run.labels.title, std::string("python3 adapter.py"));
    QCOMPARE(run.protocol.info().title, std::string("python3 adapter.py"));
    QCOMPARE(run.mode, std::string("prove"));
}

void TestProofRun::whatIsWrittenIsNoted()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0).pass(1s).say(1, "lock lost").say(1, "").acquire(1);
    const RunFile run = runFileOf(findOf(log, {}), kAdapter);
    QCOMPARE(run.notes.size(), 1u);
    QVERIFY((run.notes[0] == trace::Note{Instant(1s), 1, "lock lost"}));
    QVERIFY(run.chronicle().notes == run.notes);
    for (const auto format : {exports::ExportFormat::Perfetto, exports::ExportFormat::ShiViz}) {
        QVERIFY(exports::exported(run, format).find("lock lost") != std::string::npos);
    }
}

void TestProofRun::itIsReadBack()
{
    WrittenLog log(kScriptedLease);
    log.call(0, Word::Acquire).arrive(0, "SET").make(0).answer(0, Word::Acquire);
    log.interfere(0).pass(1s).letGo(0).say(0, "awake");
    const RunFile run = runFileOf(findOf(log, {deviationOf(Interference::Pause)}), kAdapter);
    const auto read = report::readRunFile(report::runFileText(run));
    const auto* const again = std::get_if<RunFile>(&read);
    QVERIFY(again != nullptr);
    QCOMPARE(again->protocol.info().title, run.protocol.info().title);
    QVERIFY(again->events == run.events);
    QVERIFY(again->messages == run.messages);
    QVERIFY(again->notes == run.notes && !run.notes.empty());
    QCOMPARE(report::runFileText(*again), report::runFileText(run));
}

void TestProofRun::itCanBeExported()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0).acquire(1);
    const RunFile run = runFileOf(findOf(log, {}), kAdapter);
    for (const auto format : {exports::ExportFormat::Perfetto, exports::ExportFormat::ShiViz,
                              exports::ExportFormat::Csv, exports::ExportFormat::Markdown}) {
        QVERIFY(!exports::exported(run, format).empty());
    }
    QVERIFY(exports::exported(run, exports::ExportFormat::Markdown).find("python3 adapter.py")
            != std::string::npos);
}

/// The virtual clock stands still: all of it happens in one instant.
void TestProofRun::theOverlapOfAFindIsInItsExports()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0).acquire(1).release(0).release(1);
    const RunFile run = runFileOf(judgedFind(log, {}), kAdapter);
    const trace::Chronicle chronicle = run.chronicle();
    QCOMPARE(chronicle.overlaps.size(), 1u);
    QVERIFY((chronicle.overlaps[0] == trace::Overlap{Instant(0s), Instant(0s), 0, 0, 1}));
    QVERIFY(run.promises[0].summary.find("B got the lock while A held it") != std::string::npos);
    const std::string csv = exports::exported(run, exports::ExportFormat::Csv);
    QVERIFY(csv.find("A,lock 1,overlap,,0,0,0,,B\r\n") != std::string::npos);
    const std::string perfetto = exports::exported(run, exports::ExportFormat::Perfetto);
    QVERIFY(perfetto.find(R"("cat":"overlap")") != std::string::npos);
    // A file that was saved shows the same.
    const auto read = report::readRunFile(report::runFileText(run));
    QVERIFY(std::get<RunFile>(read).chronicle().overlaps == chronicle.overlaps);
}

void TestProofRun::theExpiryThatAFindNamesIsInItsExports()
{
    WrittenLog log(kScriptedLease);
    log.acquire(0).interfere(0).pass(3s).expire().acquire(1).letGo(0);
    const RunFile run = runFileOf(judgedFind(log, {deviationOf(Interference::Pause)}), kAdapter);
    QCOMPARE(run.serverHolds.size(), 1u);
    QVERIFY(run.serverHolds[0].to == Instant(kScriptedLease));
    QVERIFY(run.serverHolds[0].end == trace::SpanEnd::Expired);
    const std::string csv = exports::exported(run, exports::ExportFormat::Csv);
    QVERIFY(csv.find("A,lock 1,tenure,,0,2000000,2000000,expired,\r\n") != std::string::npos);
    QVERIFY(csv.find("A,lock 1,overlap,,3000000,3000000,0,,B\r\n") != std::string::npos);
    QVERIFY(std::holds_alternative<RunFile>(report::readRunFile(report::runFileText(run))));
}

void TestProofRun::theFailoverThatAFindNamesIsInItsExports()
{
    WrittenLog log(kScriptedLease);
    log.call(0, Word::Acquire).interfere(0).make(0).answer(0, Word::Acquire).pass(1s).letGo(0);
    log.acquire(1);
    const RunFile run = runFileOf(judgedFind(log, {deviationOf(Interference::FailOver)}), kAdapter);
    QCOMPARE(run.serverHolds.size(), 1u);
    QVERIFY(run.serverHolds[0].to == Instant(1s));
    QVERIFY(run.serverHolds[0].end == trace::SpanEnd::Lost);
    QCOMPARE(run.chronicle().overlaps.size(), 1u);
}

LOCKSCOPE_TEST(TestProofRun, None)

} // namespace lockscope::tst_proof_run

#include "tst_proof_run.moc"
