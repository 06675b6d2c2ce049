#include "core/conduct/proof_conductor.h"
#include "core/wire/loop_clock.h"
#include "tests/conduct/lock_client.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <chrono>
#include <string>
#include <vector>

namespace lockscope::tst_proof_conductor {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::ProofConductor;
using service::ProofOrder;
using service::ProofProgress;
using world::FaultKind;
using world::ViolationKind;
using Phase = ProofProgress::Phase;

namespace {

constexpr int kPatienceMs = 120'000;
constexpr int kSoonMs = 20'000; // far less than an adapter may take to start

ProofOrder orderFor(const std::string& habit, FaultKind fault)
{
    ProofOrder order;
    order.words = lockClientWords(habit);
    order.workload = "in-turn";
    order.bounds.faults = {fault};
    order.bounds.replays = 2;
    order.bounds.endsWithFirst = true;
    order.threadCount = 2;
    return order;
}

/// Of a whole program.
ProofOrder programOrder(const std::string& habit)
{
    ProofOrder order = orderFor(habit, FaultKind::Crash);
    order.words = clientWords(QStringLiteral("whole_program.py"), habit);
    order.workload.clear();
    order.isProgram = true;
    return order;
}

bool isOverSoon(const ProofConductor& conductor)
{
    return QTest::qWaitFor([&conductor] { return conductor.progress().isOver(); }, kPatienceMs);
}

} // namespace

class TestProofConductor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFindIsToldOf();
    void itCanBeCancelled();
    void theNextProofReplacesTheOneThatGoesOn();
    void aMistakeEndsIt();
    void theBudgetEndsASilentStart();
    void aSilentStartCanBeCancelled();
    void aWholeProgramIsProved_data();
    void aWholeProgramIsProved();
    void aProgramThatSaysNothingIsAMistake_data();
    void aProgramThatSaysNothingIsAMistake();
    void aFindShowsOnARealServerToo();
    void aRealServerCanBeUsedFromTheBeginning();

private:
    wire::LoopClock m_clock;
};

void TestProofConductor::aFindIsToldOf()
{
    ProofConductor conductor(m_clock);
    QCOMPARE(conductor.progress().phase, Phase::Idle);
    bool hasSearched = false;
    connect(&conductor, &service::ProofRunner::progressed, this,
            [&hasSearched](const ProofProgress& progress) {
                hasSearched = hasSearched || progress.phase == Phase::Searching;
            });
    std::vector<conduct::Find> told;
    connect(&conductor, &service::ProofRunner::found, this, [&](const conduct::Find& find) {
        QVERIFY(QThread::currentThread() == thread());
        QVERIFY(conductor.progress().isUnderWay());
        told.push_back(find);
    });
    conductor.start(orderFor("setnx-pexpire", FaultKind::Crash));
    QCOMPARE(conductor.progress().phase, Phase::Trying);
    QVERIFY(isOverSoon(conductor));
    QCOMPARE(conductor.progress().phase, Phase::Finished);
    QVERIFY(hasSearched);
    QCOMPARE(conductor.outcome().mistake, std::string());
    QCOMPARE(conductor.outcome().proof.bugs.size(), 1u);
    QCOMPARE(conductor.progress().bugCount, 1u);
    QCOMPARE(conductor.progress().runCount, conductor.outcome().proof.runCount);
    QCOMPARE(conductor.outcome().proof.bugs.front().replayHits, 2);
    QCOMPARE(told.size(), 1u);
    QCOMPARE(told.front().replayHits, 2);
    QVERIFY(told.front().deviations == conductor.outcome().proof.bugs.front().deviations);
}

void TestProofConductor::itCanBeCancelled()
{
    ProofConductor conductor(m_clock);
    conductor.cancel(); // of nothing
    QCOMPARE(conductor.progress().phase, Phase::Idle);
    conductor.start(orderFor("right", FaultKind::MessageDelay));
    QVERIFY(QTest::qWaitFor([&] { return conductor.progress().runCount > 3; }, kPatienceMs));
    conductor.cancel();
    QVERIFY(conductor.progress().isStopping);
    QVERIFY(isOverSoon(conductor));
    QCOMPARE(conductor.progress().phase, Phase::Cancelled);
    QVERIFY(!conductor.progress().isStopping);
    QVERIFY(!conductor.outcome().proof.isWhole);
    QVERIFY(conductor.outcome().proof.runCount > 3);
}

void TestProofConductor::theNextProofReplacesTheOneThatGoesOn()
{
    ProofConductor conductor(m_clock);
    QSignalSpy told(&conductor, &service::ProofRunner::progressed);
    conductor.start(orderFor("right", FaultKind::MessageDelay));
    conductor.start(orderFor("setnx-pexpire", FaultKind::Crash));
    QVERIFY(isOverSoon(conductor));
    QCOMPARE(conductor.progress().phase, Phase::Finished);
    QCOMPARE(conductor.outcome().proof.bugs.size(), 1u);
    QVERIFY(told.size() >= 3);
}

void TestProofConductor::aMistakeEndsIt()
{
    ProofConductor conductor(m_clock);
    conductor.start(orderFor("ends-early", FaultKind::Crash));
    QVERIFY(isOverSoon(conductor));
    QCOMPARE(conductor.outcome().mistake,
             std::string("the adapter ended before it was ready: no server here"));
    QCOMPARE(conductor.outcome().proof.runCount, 0u);
}

void TestProofConductor::theBudgetEndsASilentStart()
{
    ProofConductor conductor(m_clock);
    ProofOrder order = orderFor("silent", FaultKind::Crash);
    order.budget = 1s;
    conductor.start(order);
    QVERIFY(QTest::qWaitFor([&] { return conductor.progress().isOver(); }, kSoonMs));
    const QString said = QString::fromStdString(conductor.outcome().mistake);
    QVERIFY2(said.startsWith(u"it did not print a line \"ready …\" within the time"),
             qPrintable(said));
}

void TestProofConductor::aSilentStartCanBeCancelled()
{
    ProofConductor conductor(m_clock);
    conductor.start(orderFor("silent", FaultKind::Crash));
    conductor.cancel();
    QVERIFY(QTest::qWaitFor([&] { return conductor.progress().isOver(); }, kSoonMs));
    QCOMPARE(conductor.progress().phase, Phase::Cancelled);
    QCOMPARE(conductor.outcome().mistake, std::string());
}

void TestProofConductor::aWholeProgramIsProved_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<QString>("step"); // that is played; a search has thousands of them
    QTest::addColumn<int>("kind");     // of the violation; -1: nothing is found
    const auto row = [](const char* habit, const char* step, int kind) {
        QTest::newRow(habit) << QString::fromLatin1(habit) << QString::fromLatin1(step) << kind;
    };
    row("right", "delay-request A 3 6 in-time 1 EVAL e9f69f2b", -1);
    row("deletes", "delay-request A 3 6 in-time 1 DEL",
        static_cast<int>(ViolationKind::DoubleGrant));
    row("without-lease", "kill-after A 0 0 in-time 1 SET",
        static_cast<int>(ViolationKind::PermanentLock));
}

void TestProofConductor::aWholeProgramIsProved()
{
    QFETCH(const QString, habit);
    QFETCH(const QString, step);
    QFETCH(const int, kind);
    ProofConductor conductor(m_clock);
    ProofOrder order = programOrder(habit.toStdString());
    const auto deviation = conduct::parseDeviation(step.toStdString());
    QVERIFY(deviation.has_value());
    order.bounds.schedule = {*deviation};
    conductor.start(order);
    QVERIFY(isOverSoon(conductor));
    QCOMPARE(conductor.outcome().mistake, std::string());
    const auto& bugs = conductor.outcome().proof.bugs;
    QCOMPARE(bugs.size(), std::size_t(kind < 0 ? 0 : 1));
    QCOMPARE(conductor.outcome().proof.troubleCount, 0u);
    QCOMPARE(conductor.outcome().proof.divergedCount, 0u);
    if (kind >= 0) {
        QCOMPARE(static_cast<int>(bugs.front().breach.violation.kind), kind);
        QCOMPARE(bugs.front().replayHits, 2);
    }
}

void TestProofConductor::aProgramThatSaysNothingIsAMistake_data()
{
    QTest::addColumn<QString>("habit");
    QTest::addColumn<QString>("mistake");
    QTest::newRow("silent") << QStringLiteral("silent") << QStringLiteral("did not enter");
    QTest::newRow("talks") << QStringLiteral("talks") << QStringLiteral("neither");
}

void TestProofConductor::aProgramThatSaysNothingIsAMistake()
{
    QFETCH(const QString, habit);
    QFETCH(const QString, mistake);
    ProofConductor conductor(m_clock);
    conductor.start(programOrder(habit.toStdString()));
    QVERIFY(isOverSoon(conductor));
    const QString said = QString::fromStdString(conductor.outcome().mistake);
    QVERIFY2(said.contains(mistake), qPrintable(said));
}

void TestProofConductor::aFindShowsOnARealServerToo()
{
    ProofConductor conductor(m_clock);
    conductor.start(orderFor("setnx-pexpire", FaultKind::Crash));
    QVERIFY(isOverSoon(conductor));
    const service::ProofOutcome& outcome = conductor.outcome();
    QVERIFY2(!outcome.realServer.empty(), "redis-server is not installed");
    QCOMPARE(outcome.proof.bugs.front().realCount, 2);
    QCOMPARE(outcome.proof.bugs.front().realHits, 2);
}

void TestProofConductor::aRealServerCanBeUsedFromTheBeginning()
{
    ProofConductor conductor(m_clock);
    ProofOrder order = orderFor("setnx-pexpire", FaultKind::Crash);
    order.usesRealServer = true;
    conductor.start(order);
    QVERIFY(isOverSoon(conductor));
    QCOMPARE(conductor.outcome().proof.bugs.size(), 1u);
    QCOMPARE(conductor.outcome().proof.bugs.front().replayHits, 2);
    QCOMPARE(conductor.outcome().proof.bugs.front().realCount, 0); // there is nothing to compare
}

LOCKSCOPE_TEST(TestProofConductor, Core)

} // namespace lockscope::tst_proof_conductor

#include "tst_proof_conductor.moc"
