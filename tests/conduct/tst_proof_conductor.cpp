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
using Phase = ProofProgress::Phase;

namespace {

constexpr int kPatienceMs = 120'000;

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

LOCKSCOPE_TEST(TestProofConductor, Core)

} // namespace lockscope::tst_proof_conductor

#include "tst_proof_conductor.moc"
