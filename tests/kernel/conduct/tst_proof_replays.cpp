#include "core/kernel/conduct/proof.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/support/test_program.h"

#include <QTest>

// What is found, but does not show each time.
namespace lockscope::tst_proof_replays {

using namespace lockscope::testing;
using conduct::Interference;
using conduct::Proof;
using conduct::Workload;
using Deviations = ScriptedStage::Deviations;

class TestProofReplays : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatNeedsLuckGivesWay();
    void whatNeedsOnlyLuckNeedsNoStep();
};

/// To what always shows, whichever of them is found first.
void TestProofReplays::whatNeedsLuckGivesWay()
{
    for (const bool isLossSure : {true, false}) {
        int count = 0;
        ScriptedStage stage([&count, isLossSure](const Workload&, Deviations deviations) {
            const bool isLost = losesReplyOfSet(deviations);
            const bool isKilled = holds(deviations, Interference::KillAfter, "DEL");
            const bool breaks = (isLossSure ? isLost : isKilled)
                                || ((isLost || isKilled) && count++ % 2 == 0);
            return breaks ? doubleGrant(deviations) : rightRun(deviations);
        });
        const Proof proof = search(stage, bounds(1));
        QCOMPARE(proof.bugs.size(), 1u);
        QCOMPARE(proof.bugs.front().replayHits, kReplays);
        QCOMPARE(losesReplyOfSet(proof.bugs.front().deviations), isLossSure);
    }
}

void TestProofReplays::whatNeedsOnlyLuckNeedsNoStep()
{
    int count = 0;
    ScriptedStage stage([&count](const Workload&, Deviations deviations) {
        return count++ % 4 == 3 ? doubleGrant(deviations) : rightRun(deviations);
    });
    const Proof proof = search(stage, bounds(1));
    QCOMPARE(proof.bugs.size(), 1u);
    QVERIFY(proof.bugs.front().deviations.empty());
    QVERIFY(proof.bugs.front().replayHits > 0);
    QVERIFY(proof.bugs.front().replayHits < kReplays);
}

LOCKSCOPE_TEST(TestProofReplays, None)

} // namespace lockscope::tst_proof_replays

#include "tst_proof_replays.moc"
