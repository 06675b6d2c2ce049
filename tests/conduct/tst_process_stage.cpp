// A lock client of few lines, right or wrong in one way, as real processes: what is wrong with it
// is found, and nothing else.

#include "core/conduct/cast.h"
#include "core/conduct/process_stage.h"
#include "core/conduct/server/real_backend.h"
#include "core/kernel/base/joined.h"
#include "core/kernel/conduct/adapter_trial.h"
#include "core/kernel/conduct/telling.h"
#include "tests/conduct/lock_client.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_process_stage {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using conduct::Act;
using conduct::AdapterMistake;
using conduct::AdapterSetting;
using conduct::Deviation;
using conduct::Interference;
using conduct::Leap;
using conduct::LogEntry;
using conduct::ProcessStage;
using conduct::RunLog;
using conduct::Word;
using conduct::Workload;
using world::FaultKind;
using world::ViolationKind;
using Answers = conduct::Answer::Kind;

namespace {

constexpr Duration kLease = 2s;
constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;
const std::string kRight = "A acquire yes, B acquire no, A release yes, B acquire yes";

/// A takes the lock, B asks, time passes, A gives it back, B takes it.
Workload handOver()
{
    Workload workload;
    workload.id = "hand-over";
    workload.lease = kLease;
    workload.acts = {Act::call(kA, Word::Acquire), Act::call(kB, Word::Acquire), Act::pass(1s),
                     Act::call(kA, Word::Release), Act::call(kB, Word::Acquire)};
    workload.firstFinalAct = static_cast<int>(workload.acts.size());
    return workload;
}

/// As a search has them, in as few acts as show what is wrong: real processes take their time.
Workload shortTurns(const conduct::AdapterTraits& traits)
{
    Workload workload;
    workload.id = "short-turns";
    workload.lease = kLease;
    workload.traits = traits;
    workload.acts = {Act::call(kA, Word::Acquire), Act::call(kB, Word::Acquire),
                     Act::pass(kLease / 10),       Act::call(kA, Word::Extend),
                     Act::call(kA, Word::Release), Act::call(kB, Word::Acquire),
                     Act::call(kC, Word::Acquire)};
    workload.firstFinalAct = static_cast<int>(workload.acts.size());
    for (const int process : {kA, kB, kC}) {
        workload.acts.push_back(Act::call(process, Word::Release));
    }
    workload.acts.push_back(Act::pass(workload.leaseAtMost() + kLease / 4));
    workload.acts.push_back(Act::call(kC, Word::Acquire));
    return workload;
}

Deviation at(Interference kind, const std::string& message, int untilAct = 0,
             Leap leap = Leap::None)
{
    Deviation deviation;
    deviation.kind = kind;
    deviation.message = {kA, message, message.empty() ? 0 : 1};
    deviation.untilAct = untilAct;
    deviation.leap = leap;
    return deviation;
}

/// "A acquire yes", in order.
std::string answersIn(const RunLog& log)
{
    std::vector<std::string> answers;
    for (const LogEntry& entry : log.entries) {
        if (entry.kind == LogEntry::Kind::Answered) {
            const auto kind = entry.answer.kind;
            const std::string end = kind == Answers::Yes  ? " yes"
                                    : kind == Answers::No ? " no"
                                                          : " error";
            answers.push_back(std::string(1, static_cast<char>('A' + entry.process)) + ' '
                              + std::string(idOf(entry.word)) + end);
        }
    }
    return joined(answers, ", ");
}

std::string answersOf(ProcessStage& stage, const std::vector<Deviation>& deviations)
{
    const RunLog log = stage.play(handOver(), deviations);
    return log.trouble.empty() && log.deviationsMet == static_cast<int>(deviations.size())
               ? answersIn(log)
               : "trouble: " + log.trouble;
}

conduct::Proof proofOf(const std::string& habit, const std::vector<FaultKind>& faults, int stepsMax,
                       std::uint64_t runsMax)
{
    ProcessStage stage(lockClient(habit));
    const auto trial = conduct::tryAdapter(stage, stage.vocabulary(), {.lease = kLease});
    if (!trial.mistake.empty()) {
        throw AdapterMistake(trial.mistake);
    }
    conduct::ProofBounds bounds;
    bounds.stepsMax = stepsMax;
    bounds.runsMax = runsMax;
    bounds.replays = 2;
    bounds.faults = faults;
    bool isFound = false; // the first find is enough
    bounds.goOn = [&isFound] { return !isFound; };
    conduct::ProofListener listener;
    listener.progressed = [&isFound](const conduct::Proof& proof) {
        isFound = !proof.bugs.empty();
    };
    return conduct::prove(stage, std::vector{shortTurns(trial.traits)}, bounds, listener);
}

std::string inWords(const conduct::Proof& proof)
{
    std::string text = "runs: " + std::to_string(proof.runCount) + ' ' + proof.latestTrouble;
    for (const conduct::Find& find : proof.bugs) {
        for (const std::string& line : search::numbered(tellFind(find))) {
            text += '\n' + line;
        }
    }
    return text;
}

/// What the adapter does wrong, as a user is told; empty: it worked.
std::string mistakeOf(AdapterSetting setting)
{
    try {
        ProcessStage stage(std::move(setting));
        stage.vocabulary();
        stage.play(handOver(), {});
    } catch (const AdapterMistake& mistake) {
        return mistake.what();
    }
    return {};
}

} // namespace

class TestProcessStage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAdapterSaysWhatItUnderstands();
    void aRunIsWrittenDown();
    void timeIsThatOfTheClock();
    void timersOfChildrenAreKept();
    void everyRunHasItsOwnKeys();
    void aLostAnswerIsAnError();
    void aLostRequestWasNotCarriedOut();
    void aDelayedAnswerComesLater();
    void aRequestMayComeWhenLeasesAreOver();
    void aWaiterHasTheTimeOfItsOwnClock();
    void aClientIsJudgedByItsOwnClock_data();
    void aClientIsJudgedByItsOwnClock();
    void whoStandsStillSaysNothing();
    void whoIsDeadIsThereAgainInTheNextRun();
    void whoHasNoPartInARunIsNotHeard();
    void anotherWaitStartsNobodyAnew();
    void aDeviationThatIsNotMetIsNotCounted();
    void wrongClientsAreFound_data();
    void wrongClientsAreFound();
    void aRightClientIsNotAccused();
    void anEndInTheValueIsWaitedFor_data();
    void anEndInTheValueIsWaitedFor();
    void mistakesOfAnAdapterAreTold_data();
    void mistakesOfAnAdapterAreTold();
    void whatIsTooMuchForAServerIsNoRun_data();
    void whatIsTooMuchForAServerIsNoRun();
    void aRunCanBeInterrupted();
};

void TestProcessStage::anAdapterSaysWhatItUnderstands()
{
    ProcessStage stage(lockClient("right"));
    const conduct::Vocabulary words = stage.vocabulary();
    for (const Word word : {Word::Acquire, Word::Release, Word::Extend, Word::Held, Word::Reset}) {
        QVERIFY(words.has(word));
    }
    QVERIFY(!words.has(Word::Cancel));
    QVERIFY(!words.knowsReaders);
    const auto trial = conduct::tryAdapter(stage, words, {.lease = kLease});
    QCOMPARE(trial.mistake, std::string());
    QVERIFY(!trial.traits.isRenewed);
}

void TestProcessStage::aRunIsWrittenDown()
{
    ProcessStage stage(lockClient("right"));
    const RunLog log = stage.play(handOver(), {});
    QCOMPARE(log.trouble, std::string());
    QCOMPARE(answersIn(log), kRight);
    QCOMPARE(log.begin.time_since_epoch() % 1s, 0ms); // for those who count seconds
    std::vector<std::string> messages;
    for (const LogEntry& entry : log.entries) {
        if (entry.kind == LogEntry::Kind::Executed) {
            messages.push_back(describe(entry.message));
            QCOMPARE(entry.lock, 0);
            QCOMPARE(entry.effects.size(), 1u);
        }
    }
    QCOMPARE(messages.size(), 4u);
    QCOMPARE(messages.front(), std::string("A's SET"));
    QCOMPARE(messages.back(), std::string("B's SET (number 2)"));
    const auto first = std::ranges::find(log.entries, LogEntry::Kind::Executed, &LogEntry::kind);
    QVERIFY(first->effects.front().isMade && first->effects.front().isThere);
    QVERIFY(!first->effects.front().isPermanent);
}

void TestProcessStage::timeIsThatOfTheClock()
{
    ProcessStage stage(lockClient("right"));
    const RunLog log = stage.play(handOver(), {});
    // Nothing but the act of passing time takes any, but for a millisecond now and then on a
    // machine on which processes do not come to rest at once.
    QVERIFY(log.entries.front().at < Instant(500ms));
    QVERIFY(log.entries.back().at >= Instant(1s));
    QVERIFY(log.entries.back().at < Instant(1500ms));
    Workload workload = handOver();
    workload.acts[2].span = kLease + 1s;
    QCOMPARE(answersIn(stage.play(workload, {})),
             std::string("A acquire yes, B acquire no, A release no, B acquire yes"));
}

/// A shell sleeps in a child, twice within the time that an acquire may take.
void TestProcessStage::timersOfChildrenAreKept()
{
    AdapterSetting setting = lockClient("right");
    setting.words = {"/bin/sh", "-c",
                     "echo ready acquire release reset; while read -r word thread keys; do "
                     "[ $word != acquire ] || { sleep 0.1; sleep 0.1; }; "
                     "echo $thread yes; done"};
    ProcessStage stage(setting);
    const RunLog log = stage.play(handOver(), {});
    const auto answered = std::ranges::find(log.entries, LogEntry::Kind::Answered, &LogEntry::kind);
    QVERIFY2(answered != log.entries.end(), log.trouble.c_str());
    QVERIFY(answered->at >= Instant(200ms));
    QVERIFY(answered->at < Instant(280ms));
}

void TestProcessStage::everyRunHasItsOwnKeys()
{
    ProcessStage stage(lockClient("right"));
    const auto keyIn = [&stage] {
        const RunLog log = stage.play(handOver(), {});
        const auto first = std::ranges::find(log.entries, LogEntry::Kind::Executed,
                                             &LogEntry::kind);
        return first == log.entries.end() ? std::string() : first->command.words.at(1);
    };
    const std::string first = keyIn();
    QVERIFY(!first.empty());
    QVERIFY(keyIn() != first);
}

void TestProcessStage::aLostAnswerIsAnError()
{
    ProcessStage stage(lockClient("right"));
    const auto answers = answersOf(stage, {at(Interference::LoseReply, "SET")});
    QCOMPARE(answers, std::string("A acquire error, B acquire no, B acquire no"));
}

void TestProcessStage::aLostRequestWasNotCarriedOut()
{
    ProcessStage stage(lockClient("right"));
    const auto answers = answersOf(stage, {at(Interference::LoseRequest, "SET")});
    QCOMPARE(answers, std::string("A acquire error, B acquire yes"));
}

void TestProcessStage::aDelayedAnswerComesLater()
{
    ProcessStage stage(lockClient("right"));
    const auto answers = answersOf(stage, {at(Interference::DelayReply, "SET", 1)});
    QCOMPARE(answers, std::string("B acquire no, A acquire yes, A release yes, B acquire yes"));
    const auto request = answersOf(stage, {at(Interference::DelayRequest, "SET", 1)});
    QCOMPARE(request, std::string("B acquire yes, A acquire no"));
}

/// Time passes before the others do their part, or after.
void TestProcessStage::aRequestMayComeWhenLeasesAreOver()
{
    ProcessStage stage(lockClient("right"));
    const auto early = answersOf(stage, {at(Interference::DelayRequest, "SET", 1, Leap::AtBegin)});
    QCOMPARE(early, std::string("B acquire yes, A acquire no"));
    const auto late = answersOf(stage, {at(Interference::DelayRequest, "SET", 1, Leap::AtEnd)});
    QVERIFY2(late.starts_with("B acquire yes, A acquire yes"), late.c_str());
}

/// If the server's time alone went on, who tries again now and then would be said to sleep.
void TestProcessStage::aWaiterHasTheTimeOfItsOwnClock()
{
    AdapterSetting setting = lockClient("right");
    setting.clockLibrary.clear();
    ProcessStage stage(std::move(setting));
    Workload waiting = handOver();
    waiting.lease = 800ms;
    waiting.waitMax = 10s;
    waiting.acts = {Act::call(kA, Word::Acquire), Act::call(kA, Word::Release)};
    waiting.firstFinalAct = static_cast<int>(waiting.acts.size());
    Deviation muchTime;
    muchTime.kind = Interference::PassTime;
    muchTime.act = muchTime.untilAct = 1;
    stage.play(waiting, {}); // its processes have started
    QElapsedTimer timer;
    timer.start();
    const RunLog log = stage.play(waiting, std::vector{muchTime});
    QCOMPARE(log.trouble, std::string());
    QCOMPARE(log.deviationsMet, 1);
    QVERIFY(std::chrono::milliseconds(timer.elapsed()) >= waiting.muchTime());
}

void TestProcessStage::aClientIsJudgedByItsOwnClock_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<bool>("usesRealServer");
    QTest::addColumn<bool>("isAccused");
    QTest::newRow("minds its deadline") << u"minds-deadline"_s << false << false;
    QTest::newRow("minds its deadline, real server") << u"minds-deadline"_s << true << false;
    QTest::newRow("does not mind it") << u"right"_s << false << true;
    QTest::newRow("does not mind it, real server") << u"right"_s << true << true;
}

/// If only the server's clock jumped, a client that compares its deadline with its own clock would
/// believe that its lease is good, and be accused.
void TestProcessStage::aClientIsJudgedByItsOwnClock()
{
    QFETCH(const QString, habit);
    QFETCH(const bool, usesRealServer);
    AdapterSetting setting = lockClient(habit.toStdString());
    setting.clockLibrary.clear();
    setting.lease = 500ms;
    if (usesRealServer) {
        setting.realServer = conduct::realServerProgram();
        QVERIFY2(!setting.realServer.empty(), "redis-server is not installed");
    }
    ProcessStage stage(setting);
    Workload workload = handOver();
    workload.lease = setting.lease;
    const std::vector late{at(Interference::DelayReply, "SET", 1, Leap::AtBegin)};
    const RunLog log = stage.play(workload, late);
    QCOMPARE(log.trouble, std::string());
    QCOMPARE(log.deviationsMet, 1);
    const auto breaches = conduct::judge(log, workload, late);
    const bool isAccused = std::ranges::any_of(breaches, [](const conduct::Breach& breach) {
        return breach.violation.kind == ViolationKind::DishonestLease;
    });
    QTEST(isAccused, "isAccused");
    QVERIFY(isAccused || answersIn(log).starts_with("B acquire yes, A acquire no"));
}

void TestProcessStage::whoStandsStillSaysNothing()
{
    ProcessStage stage(lockClient("right"));
    Deviation pause = at(Interference::Pause, {}, 4, Leap::AtBegin);
    pause.act = 1;
    const auto answers = answersOf(stage, {pause});
    QCOMPARE(answers, std::string("A acquire yes, B acquire yes"));
}

void TestProcessStage::whoIsDeadIsThereAgainInTheNextRun()
{
    ProcessStage stage(lockClient("right"));
    const auto answers = answersOf(stage, {at(Interference::KillAfter, "SET")});
    QCOMPARE(answers, std::string("B acquire no, B acquire no"));
    QCOMPARE(answersOf(stage, {}), kRight);
}

/// Workloads with different waits take turns in a search; processes outlive that.
void TestProcessStage::whoHasNoPartInARunIsNotHeard()
{
    ProcessStage stage(lockClient("busy-beside"));
    Workload workload = handOver();
    workload.processCount = 3;
    const auto isOfC = [](const LogEntry& entry) { return entry.process == kC; };
    QVERIFY(std::ranges::any_of(stage.play(workload, {}).entries, isOfC));
    workload.processCount = 2; // C is there all the same, and goes on
    const RunLog log = stage.play(workload, {});
    QCOMPARE(answersIn(log), kRight);
    QVERIFY(std::ranges::none_of(log.entries, isOfC));
}

void TestProcessStage::anotherWaitStartsNobodyAnew()
{
    ProcessStage stage(lockClient("right"));
    Workload waiting = handOver();
    waiting.waitMax = 6s;
    const auto processesIn = [](const RunLog& log) {
        std::set<std::string> texts;
        for (const LogEntry& entry : log.entries) {
            if (entry.kind == LogEntry::Kind::Executed && entry.message.kind == "SET") {
                const std::string& token = entry.command.words.at(2);
                texts.insert(token.substr(0, token.find(':'))); // the number of the process
            }
        }
        return texts;
    };
    const auto first = processesIn(stage.play(handOver(), {}));
    const auto other = processesIn(stage.play(waiting, {}));
    QCOMPARE(first.size(), 2u);
    QCOMPARE(processesIn(stage.play(handOver(), {})), first);
    QCOMPARE(processesIn(stage.play(waiting, {})), other);
}

void TestProcessStage::aDeviationThatIsNotMetIsNotCounted()
{
    ProcessStage stage(lockClient("right"));
    const RunLog log = stage.play(handOver(), std::vector{at(Interference::LoseReply, "SETNX")});
    QCOMPARE(log.deviationsMet, 0);
    QCOMPARE(log.trouble, std::string());
    QCOMPARE(answersIn(log), kRight);
}

void TestProcessStage::wrongClientsAreFound_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("kind");
    const auto row = [](const char* habit, FaultKind fault, int steps, ViolationKind kind) {
        QTest::newRow(habit) << QString::fromLatin1(habit) << static_cast<int>(fault) << steps
                             << static_cast<int>(kind);
    };
    row("setnx-pexpire", FaultKind::Crash, 1, ViolationKind::PermanentLock);
    row("get-del", FaultKind::MessageDelay, 2, ViolationKind::DoubleGrant);
    row("extend-by-set", FaultKind::ClockStep, 1, ViolationKind::WrongExtension);
}

void TestProcessStage::wrongClientsAreFound()
{
    QFETCH(const QString, habit);
    QFETCH(const int, fault);
    QFETCH(const int, steps);
    QFETCH(const int, kind);
    constexpr std::uint64_t kRunsMax = 2'000;
    const conduct::Proof proof = proofOf(habit.toStdString(), {static_cast<FaultKind>(fault)},
                                         steps, kRunsMax);
    QVERIFY2(!proof.bugs.empty(), inWords(proof).c_str());
    const conduct::Find& find = *std::ranges::min_element(proof.bugs, {},
                                                          &conduct::Find::stepCount);
    QVERIFY2(find.breach.violation.kind == static_cast<ViolationKind>(kind),
             inWords(proof).c_str());
    QCOMPARE(find.stepCount(), steps);
    QCOMPARE(find.replayHits, find.replayCount);
}

void TestProcessStage::aRightClientIsNotAccused()
{
    constexpr std::uint64_t kRunsMax = 1'000;
    const conduct::Proof proof = proofOf("right",
                                         {FaultKind::Crash, FaultKind::Pause,
                                          FaultKind::ConnectionLoss, FaultKind::MessageDelay,
                                          FaultKind::ClockStep, FaultKind::Partition},
                                         1, kRunsMax);
    QVERIFY2(proof.bugs.empty(), inWords(proof).c_str());
    QVERIFY2(proof.isWhole, inWords(proof).c_str());
    QCOMPARE(proof.stepsCovered, 1);
    QCOMPARE(proof.troubleCount, 0u);
    QCOMPARE(proof.divergedCount, 0u);
}

void TestProcessStage::anEndInTheValueIsWaitedFor_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<QString>("found"); // by the id of its kind
    QTest::newRow("soon") << u"end-in-value"_s << QString();
    QTest::newRow("much later") << u"late-end-in-value"_s << u"orphan"_s;
    QTest::newRow("never") << u"setnx-pexpire"_s << u"permanent-lock"_s;
}

/// Its keys have no expiry, and whether its lock ends is known by whether it is granted again.
void TestProcessStage::anEndInTheValueIsWaitedFor()
{
    QFETCH(const QString, habit);
    ProcessStage stage(lockClient(habit.toStdString()));
    conduct::AdapterTraits traits;
    traits.vocabulary = stage.vocabulary();
    const Workload workload = conduct::workloadsFor(traits, {.lease = kLease}).front();
    stage.play(workload, {});
    const std::vector killed{at(Interference::KillAfter, "SETNX")};
    const RunLog log = stage.play(workload, killed);
    QCOMPARE(log.trouble, std::string());
    QCOMPARE(log.deviationsMet, 1);
    QString found;
    for (const conduct::Breach& breach : conduct::judge(log, workload, killed)) {
        found += breach.isInherent
                     ? QString()
                     : QString::fromStdString(std::string(idOf(breach.violation.kind)));
    }
    QTEST(found, "found");
}

void TestProcessStage::mistakesOfAnAdapterAreTold_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<QString>("text");
    QTest::newRow("a line that is no answer")
        << "late-words"
        << "the adapter printed a line that is no answer: \"INFO: got a line\"";
    QTest::newRow("an early end") << "ends-early"
                                  << "the adapter ended before it was ready: no server here";
    const char* const kTwice = "the adapter printed a second line \"ready …\": \"ready acquire "
                               "release extend held reset\"";
    QTest::newRow("ready twice") << "ready-twice" << kTwice;
    QTest::newRow("ready instead of an answer") << "ready-late" << kTwice;
    QTest::newRow("an answer too early")
        << "unasked"
        << "the adapter answered what it was not asked: \"t0 yes\"";
    QTest::newRow("a line without end")
        << "endless-line"
        << u"the adapter printed a line of more than 65536 bytes: \""_s + QString(200, u'x')
               + u"…\""_s;
}

void TestProcessStage::mistakesOfAnAdapterAreTold()
{
    QFETCH(const QString, habit);
    QFETCH(const QString, text);
    QCOMPARE(mistakeOf(lockClient(habit.toStdString())), text.toStdString());
    AdapterSetting nobody = lockClient("right");
    nobody.words = {"/there/is/no/such/program"};
    QVERIFY(mistakeOf(nobody).starts_with("/there/is/no/such/program cannot be started: "));
}

void TestProcessStage::whatIsTooMuchForAServerIsNoRun_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<QString>("text");
    QTest::newRow("one request") << "large-request"
                                 << "it sent what cannot be played here: a request of more than 4 "
                                    "MB, which the played server does not take";
    QTest::newRow("all requests") << "many-megabytes"
                                  << "its requests, answers and lines take more than 64 MB";
    QTest::newRow("a script") << "large-script"
                              << "it sent what cannot be played here: a script that takes more "
                                 "time or memory than the simulated server gives it";
}

void TestProcessStage::whatIsTooMuchForAServerIsNoRun()
{
    QFETCH(const QString, habit);
    QFETCH(const QString, text);
    ProcessStage stage(lockClient(habit.toStdString()));
    const RunLog log = stage.play(handOver(), {});
    QCOMPARE(log.trouble, text.toStdString());
    QVERIFY(!log.wasInterrupted); // the client has done it
}

void TestProcessStage::aRunCanBeInterrupted()
{
    AdapterSetting setting = lockClient("right");
    bool mayGoOn = true;
    setting.mayGoOn = [&mayGoOn] { return mayGoOn; };
    ProcessStage stage(std::move(setting));
    QCOMPARE(stage.play(handOver(), {}).trouble, std::string());
    mayGoOn = false;
    QVERIFY(stage.play(handOver(), {}).wasInterrupted);
    mayGoOn = true;
    const RunLog again = stage.play(handOver(), {});
    QVERIFY(!again.wasInterrupted);
    QCOMPARE(answersIn(again), kRight);
}

LOCKSCOPE_TEST(TestProcessStage, Core)

} // namespace lockscope::tst_process_stage

#include "tst_process_stage.moc"
