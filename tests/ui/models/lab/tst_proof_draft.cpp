#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"
#include "ui/models/lab/proof_draft.h"

#include <QTest>

#include <algorithm>
#include <chrono>

namespace lockscope::tst_proof_draft {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using conduct::ClientClock;
using conduct::Find;
using models::ProofDraft;
using protocol::Promise;

namespace {

ProofDraft someDraft()
{
    ProofDraft draft;
    draft.command = u" python3 'my adapter.py' "_s;
    return draft;
}

/// A died with the lock.
Find someFind()
{
    Find find;
    find.workload = handOver();
    find.workload.id = "in-turn";
    conduct::Deviation kill;
    kill.kind = conduct::Interference::KillAfter;
    kill.message = {0, "SETNX", 1};
    find.deviations = {kill};
    WrittenLog log(kScriptedLease);
    log.call(0, conduct::Word::Acquire).makeForEver(0).interfere(0).end(0);
    find.log = log.log();
    find.breach.violation.promise = Promise::NoStuckLock;
    find.breach.violation.kind = world::ViolationKind::PermanentLock;
    find.breach.violation.client = 1;
    find.breach.entry = find.log.entries.size() - 1;
    find.replayCount = find.replayHits = 10;
    return find;
}

QString joined(const std::vector<std::string>& lines)
{
    QString all;
    for (const std::string& line : lines) {
        all += QString::fromStdString(line) + u'\n';
    }
    return all;
}

} // namespace

class TestProofDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsTypedIsRead();
    void whatIsWrongIsSaid();
    void theCommandSaysWhatDiffers();
    void aFindIsPlayedAgain();
    void aRunSaysHowFarTheSearchCame();
    void aFindOnARealServerIsSaid();
    void whileTheSearchGoesOnThatIsSaid();
    void noticesAreHonest();
    void aProcessThatEndedByItselfIsMentioned();
    void theDialogueHasTheLease();
};

void TestProofDraft::whatIsTypedIsRead()
{
    ProofDraft draft = someDraft();
    draft.lease = u"1500ms"_s;
    draft.budget = u"5m"_s;
    draft.clock = ClientClock::Real;
    draft.asksForHonestLeases = true;
    draft.processCount = 4;
    draft.serverCount = 5;
    draft.replicaCount = 2;
    const auto parsed = models::readProofDraft(draft);
    QVERIFY(parsed.isGood());
    QVERIFY(parsed.order.words
            == (std::vector<std::string>{"/bin/sh", "-c", "exec python3 'my adapter.py'"}));
    QVERIFY(parsed.order.lease == 1500ms);
    QVERIFY(parsed.order.budget == 5min);
    QVERIFY(parsed.order.clock == ClientClock::Real);
    QCOMPARE(parsed.order.processCount, 4);
    QCOMPARE(parsed.order.serverCount, 5);
    QCOMPARE(parsed.order.replicaCount, 2);
    QVERIFY(!parsed.order.usesRealServer);
    draft.usesRealServer = true; // which has no replicas
    QVERIFY(models::readProofDraft(draft).order.usesRealServer);
    QCOMPARE(models::readProofDraft(draft).order.replicaCount, 0);
    QVERIFY(!parsed.order.bounds.faults.empty());
    QVERIFY(std::ranges::find(parsed.order.bounds.promises, Promise::LeaseHonesty)
            != parsed.order.bounds.promises.end());
    const auto usual = models::readProofDraft(someDraft()).order.bounds.promises;
    QVERIFY(usual == conduct::usualPromises());
}

void TestProofDraft::whatIsWrongIsSaid()
{
    ProofDraft draft;
    draft.lease = u"long"_s;
    draft.budget = u"0s"_s;
    const auto parsed = models::readProofDraft(draft);
    QVERIFY(!parsed.isGood());
    QVERIFY(!parsed.commandError.isEmpty());
    QVERIFY(!parsed.leaseError.isEmpty());
    QVERIFY(!parsed.budgetError.isEmpty());
    draft = someDraft();
    draft.lease = u"0s"_s; // a client may ask for none
    QVERIFY(models::readProofDraft(draft).isGood());
}

void TestProofDraft::theCommandSaysWhatDiffers()
{
    ProofDraft draft = someDraft();
    QCOMPARE(models::proveCommand(draft),
             u"lockscope-cli prove --adapter 'python3 '\\''my adapter.py'\\'''"_s);
    draft.command = u"./worker"_s;
    draft.lease = u"10s"_s;
    draft.clock = ClientClock::Flowing;
    draft.budget = u"1h"_s;
    draft.asksForHonestLeases = true;
    QCOMPARE(models::proveCommand(draft),
             u"lockscope-cli prove --lease 10s --clock flowing --budget 1h --promises "
             "mutual-exclusion,read-write-exclusion,no-stuck-lock,no-lost-wakeup,reentry-balance,"
             "fairness,fencing-order,lease-honesty --adapter ./worker"_s);
}

void TestProofDraft::aFindIsPlayedAgain()
{
    ProofDraft draft = someDraft();
    draft.command = u"./worker"_s;
    QCOMPARE(
        models::replayCommand(draft, someFind()),
        u"lockscope-cli prove --workload in-turn --promises no-stuck-lock --replay 'kill-after "
        "A 0 0 in-time 1 SETNX' --adapter ./worker"_s);
    draft.processCount = 2;
    draft.serverCount = 3;
    draft.replicaCount = 1;
    QVERIFY(models::replayCommand(draft, someFind())
                .startsWith(u"lockscope-cli prove --processes 2 --servers 3 --replicas 1 "_s));
    draft.usesRealServer = true;
    QVERIFY(models::proveCommand(draft).startsWith(
        u"lockscope-cli prove --processes 2 --servers 3 --server real --adapter"_s));
    Find byItself = someFind();
    byItself.deviations.clear();
    QVERIFY(models::replayCommand(draft, byItself).contains(u" --deviations 0 "_s));
}

void TestProofDraft::aRunSaysHowFarTheSearchCame()
{
    service::ProofOutcome outcome;
    outcome.proof.bugs = {someFind()};
    outcome.proof.limits = {someFind()};
    outcome.proof.runCount = 1'234;
    outcome.proof.stepsCovered = 2;
    const report::RunFile run = models::runOf(someDraft(), someFind());
    QCOMPARE(run.labels.title, std::string("python3 'my adapter.py'"));
    QCOMPARE(run.command, models::replayCommand(someDraft(), someFind()).toStdString());
    const QString all = joined(models::assumptionsOf(someFind(), &outcome));
    QVERIFY(!all.contains(u"On "_s)); // there was no real server
    for (const QString& part :
         {u"Replayed 10 times; it showed 10 times."_s, u"1,234 runs"_s, u"up to 2 steps"_s,
          u"limit of every lease"_s, u"order of threads"_s}) {
        QVERIFY2(all.contains(part), qPrintable(part + u'\n' + all));
    }
    QVERIFY(models::proofTitle(someDraft(), someFind()).endsWith(u": permanent-lock"_s));
}

void TestProofDraft::aFindOnARealServerIsSaid()
{
    service::ProofOutcome outcome;
    outcome.realServer = "Redis 7.0.15";
    Find find = someFind();
    find.realCount = 10;
    find.realHits = 9;
    const QString sentence = u"On Redis 7.0.15 it showed 9 of 10 times."_s;
    QVERIFY(joined(models::assumptionsOf(find, &outcome)).contains(sentence));
    QCOMPARE(models::proofStoryTitle(find, &outcome),
             u"Story · 10 of 10 replays · 9 of 10 on Redis 7.0.15"_s);
    find.realCount = 0; // it could not be replayed there
    QVERIFY(!joined(models::assumptionsOf(find, &outcome)).contains(u"On Redis"_s));
}

void TestProofDraft::whileTheSearchGoesOnThatIsSaid()
{
    const QString soFar = joined(models::assumptionsOf(someFind(), nullptr));
    QVERIFY(soFar.contains(u"Replayed 10 times"_s));
    QVERIFY(soFar.contains(u"still going on"_s));
    QVERIFY(!soFar.contains(u"runs were tried"_s));
    QCOMPARE(models::proofStoryTitle(someFind(), nullptr), u"Shortest so far · 10 of 10 replays"_s);
    const service::ProofOutcome outcome;
    QCOMPARE(models::proofStoryTitle(someFind(), &outcome), u"Story · 10 of 10 replays"_s);
}

void TestProofDraft::noticesAreHonest()
{
    const service::ProofOrder order = models::readProofDraft(someDraft()).order;
    service::ProofOutcome outcome;
    outcome.proof.runCount = 7;
    QVERIFY(models::noticeOf(outcome, order).text.contains(u"does not mean"_s));
    outcome.proof.troubleCount = 7;
    outcome.proof.latestTrouble = "A did not come to rest";
    const auto nothing = models::noticeOf(outcome, order);
    QVERIFY(nothing.text.startsWith(u"No run"_s));
    QVERIFY(nothing.detail.contains(u"A did not come to rest"_s));
    outcome.mistake = "the adapter ended before it was ready";
    QCOMPARE(models::noticeOf(outcome, order).detail, u"the adapter ended before it was ready"_s);
}

void TestProofDraft::aProcessThatEndedByItselfIsMentioned()
{
    service::ProofOutcome outcome;
    outcome.proof.runCount = 7;
    outcome.proof.ownEndCount = 4;
    outcome.proof.ownEnd = conduct::OwnEnd{1, {}, {"Error: Connection is closed."}};
    const auto notice = models::noticeOf(outcome, models::readProofDraft(someDraft()).order);
    QVERIFY(notice.detail.contains(
        u"nothing was done to it. That happened in 4 runs. It wrote:\nError: Connection is closed."_s));
    QVERIFY(joined(models::assumptionsOf(someFind(), &outcome)).contains(u"in 4 runs"_s));
}

void TestProofDraft::theDialogueHasTheLease()
{
    ProofDraft draft = someDraft();
    draft.lease = u"3s"_s;
    const QString text = models::dialogueExample(draft);
    QVERIFY(text.contains(u"LOCKSCOPE_LEASE_MS=3000 python3 'my adapter.py'"_s));
    QVERIFY(text.contains(u"> acquire t0 lock:1a"_s));
}

LOCKSCOPE_TEST(TestProofDraft, Core)

} // namespace lockscope::tst_proof_draft

#include "tst_proof_draft.moc"
