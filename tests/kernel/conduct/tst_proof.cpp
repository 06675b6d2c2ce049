#include "core/kernel/conduct/candidates.h"
#include "core/kernel/conduct/proof.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace lockscope::tst_proof {

using namespace lockscope::testing;
using namespace std::chrono_literals;
using conduct::Deviation;
using conduct::Find;
using conduct::Interference;
using conduct::Leap;
using conduct::Proof;
using conduct::ProofBounds;
using conduct::RunLog;
using conduct::Word;
using conduct::Workload;
using protocol::Promise;
using world::ViolationKind;
using Deviations = ScriptedStage::Deviations;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;
/// A's lease is over when B gets the lock; no lease can help that.
RunLog overtaken(Deviations deviations)
{
    WrittenLog log(kScriptedLease);
    log.acquire(kA).pass(kScriptedLease + 1ms).remove(kB).acquire(kB);
    log.log().deviationsMet = static_cast<int>(deviations.size());
    return log.log();
}

/// B is told of a lease that is over.
RunLog dishonest(Deviations deviations)
{
    WrittenLog log(kScriptedLease);
    log.call(kB, Word::Acquire).make(kB).pass(kScriptedLease + 1ms);
    log.remove(kA).acquire(kA).answer(kB, Word::Acquire);
    log.log().deviationsMet = static_cast<int>(deviations.size());
    return log.log();
}

} // namespace

class TestProof : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsRightIsNotAccused();
    void whatBreaksByItselfNeedsNoDeviation();
    void scriptsAreLoadedBeforeAnythingIsTried();
    void aSingleDeviationIsFound();
    void aPairIsFoundWhereNoSingleBreaks();
    void aFindIsShortenedToWhatItNeeds();
    void shorteningKeepsOnlyWholeRuns();
    void whatNeverShowsAgainIsNoFind();
    void replaysAreCounted();
    void replaysEndWithTheirTime();
    void theSameBreachIsFoundOnce();
    void limitsAreApart();
    void aDishonestLeaseIsALimitUnlessItIsAskedFor();
    void aPromiseThatIsNotAskedForIsLeftOut();
    void aLossThatIsNoneIsAMistakeUnlessSomethingElseIsAskedFor();
    void whatIsLeftOfTheTimeGoesToChance();
    void aFindIsCheckedOnARealServer();
    void theBoundOfRunsIsKept();
    void aSearchWithoutAllSingleDeviationsIsTooLittle();
    void aSearchThatMeetsNoDeviationIsTooLittle();
    void aWorkloadThatFailsUndisturbedIsTooLittle();
    void errorsOfTheUndisturbedRunAreKept();
    void itStopsWhenItIsTold();
    void aRunThatMissesItsDeviationSaysNothing();
    void aRunInTroubleSaysNothing();
    void ownEndsAreCountedAndTheShortestIsKept();
    void theSameSeedIsTheSameSearch();
    void everyRunIsTold();
    void aFindIsToldAtOnce();
    void limitsAreNotToldOf();
    void aScheduleIsPlayedAlone();
    void aRunThatDivergedSaysNothing();
    void aWideStageIsKeptBusy();
    void howLongItLastsIsShortenedToo();
};

void TestProof::whatIsRightIsNotAccused()
{
    ScriptedStage stage = breakingWhere([](Deviations) { return false; });
    const Proof proof = search(stage, bounds());
    QVERIFY(proof.bugs.empty());
    QVERIFY(proof.limits.empty());
    QVERIFY(proof.isWhole);
    QCOMPARE(proof.stepsCovered, 2);
    QCOMPARE(proof.runCount, stage.plays().size());
    QCOMPARE(proof.divergedCount, 0u);
    QCOMPARE(proof.troubleCount, 0u);
    QVERIFY(proof.bugs.empty());

    // Each single one is among what was tried, after a run without any, and no run is too long.
    QVERIFY(stage.plays().front().empty());
    const auto all = conduct::candidatesFor(handOver(), handedOver().log(), bounds().faults);
    for (const Deviation& one : all) {
        const bool wasTried = std::ranges::find(stage.plays(), std::vector{one})
                              != stage.plays().end();
        QCOMPARE(wasTried, stepsOf(one) <= 2);
    }
    for (const auto& play : stage.plays()) {
        QVERIFY(conduct::stepsOf(play) <= 2);
    }
    QVERIFY(std::ranges::any_of(stage.plays(), [](const auto& play) { return play.size() == 2; }));
}

void TestProof::whatBreaksByItselfNeedsNoDeviation()
{
    ScriptedStage stage = breakingWhere([](Deviations) { return true; });
    const Proof proof = search(stage, bounds(0));
    QCOMPARE(proof.bugs.size(), 1u);
    const Find& find = proof.bugs.front();
    QVERIFY(find.deviations.empty());
    QCOMPARE(find.stepCount(), 0);
    QVERIFY(find.breach.violation.kind == ViolationKind::DoubleGrant);
    QCOMPARE(find.workload.id, handOver().id);
    QVERIFY(find.breach.entry < find.log.entries.size());
    QCOMPARE(proof.stepsCovered, 0);
}

/// Otherwise messages would have other numbers in the runs to come.
void TestProof::scriptsAreLoadedBeforeAnythingIsTried()
{
    int playCount = 0;
    ScriptedStage stage([&playCount](const Workload&, Deviations deviations) {
        RunLog log = rightRun(deviations);
        if (++playCount == 1) {
            conduct::LogEntry first;
            first.kind = conduct::LogEntry::Kind::Executed;
            first.message = {kA, "EVALSHA 1a2b3c4d", 1};
            first.reply = store::Reply::ofError("NOSCRIPT No matching script.");
            log.entries.insert(log.entries.begin(), first);
        }
        return log;
    });
    search(stage, bounds(1));
    QVERIFY(stage.plays()[0].empty());
    QVERIFY(stage.plays()[1].empty());
    QVERIFY(!stage.plays()[2].empty());
    QVERIFY(std::ranges::none_of(stage.plays(), [](const auto& deviations) {
        return holds(deviations, Interference::LoseRequest, "EVALSHA 1a2b3c4d");
    }));
}

void TestProof::aSingleDeviationIsFound()
{
    ScriptedStage stage = breakingWhere(losesReplyOfSet);
    const Proof proof = search(stage, bounds());
    QCOMPARE(proof.bugs.size(), 1u);
    QCOMPARE(proof.bugs.front().deviations.size(), 1u);
    QVERIFY(losesReplyOfSet(proof.bugs.front().deviations));
}

void TestProof::aPairIsFoundWhereNoSingleBreaks()
{
    ScriptedStage stage = breakingWhere([](Deviations deviations) {
        return losesReplyOfSet(deviations) && holds(deviations, Interference::KillAfter, "DEL");
    });
    QVERIFY(search(stage, bounds(1)).bugs.empty());
    const Proof proof = search(stage, bounds(2));
    QCOMPARE(proof.bugs.size(), 1u);
    QCOMPARE(proof.bugs.front().deviations.size(), 2u);
    QCOMPARE(proof.bugs.front().stepCount(), 2);
}

void TestProof::aFindIsShortenedToWhatItNeeds()
{
    // Alone it does not break the first time: the pair is found, and half of it is not needed.
    bool wasTried = false;
    ScriptedStage stage([&wasTried](const Workload&, Deviations deviations) {
        const bool breaks = losesReplyOfSet(deviations) && wasTried;
        wasTried = wasTried || deviations.size() == 2;
        return breaks || (losesReplyOfSet(deviations) && deviations.size() == 2)
                   ? doubleGrant(deviations)
                   : rightRun(deviations);
    });
    const Proof proof = search(stage, bounds());
    QCOMPARE(proof.bugs.size(), 1u);
    QCOMPARE(proof.bugs.front().deviations.size(), 1u);
    QVERIFY(losesReplyOfSet(proof.bugs.front().deviations));
    QCOMPARE(proof.bugs.front().log.deviationsMet, 1);
}

/// A run that does not come about as asked for shows nothing: what is left would never replay.
void TestProof::shorteningKeepsOnlyWholeRuns()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        const bool isPair = deviations.size() == 2 && losesReplyOfSet(deviations)
                            && holds(deviations, Interference::KillAfter, "DEL");
        RunLog log = isPair ? doubleGrant(deviations) : rightRun(deviations);
        if (deviations.size() == 1 && losesReplyOfSet(deviations)) {
            log = doubleGrant(deviations);
            log.deviationsMet = 0;
        }
        return log;
    });
    const Proof proof = search(stage, bounds());
    QCOMPARE(proof.bugs.size(), 1u);
    QCOMPARE(proof.bugs.front().deviations.size(), 2u);
    QCOMPARE(proof.bugs.front().replayHits, kReplays);
}

void TestProof::whatNeverShowsAgainIsNoFind()
{
    bool isFirst = true;
    ScriptedStage stage([&isFirst](const Workload&, Deviations deviations) {
        const bool breaks = losesReplyOfSet(deviations) && std::exchange(isFirst, false);
        return breaks ? doubleGrant(deviations) : rightRun(deviations);
    });
    const Proof proof = search(stage, bounds(1));
    QVERIFY(proof.bugs.empty());
    QVERIFY(!isFirst);
}

void TestProof::replaysAreCounted()
{
    int count = 0;
    ScriptedStage stage([&count](const Workload&, Deviations deviations) {
        const bool breaks = losesReplyOfSet(deviations) && count++ % 2 == 0;
        return breaks ? doubleGrant(deviations) : rightRun(deviations);
    });
    const Proof proof = search(stage, bounds(1));
    QCOMPARE(proof.bugs.size(), 1u);
    QCOMPARE(proof.bugs.front().replayCount, kReplays);
    QCOMPARE(proof.bugs.front().replayHits, kReplays / 2);

    count = 0;
    QVERIFY(conduct::replay(stage, proof.bugs.front(), 7) == (conduct::Replays{7, 4}));
}

/// Each may take ten seconds. What was not replayed is not counted as such.
void TestProof::replaysEndWithTheirTime()
{
    ScriptedStage stage = breakingWhere(losesReplyOfSet);
    ProofBounds some = bounds(1);
    int left = 3;
    some.mayReplay = [&left] { return left-- > 0; };
    const Proof proof = search(stage, some);
    QCOMPARE(proof.bugs.front().replayCount, 3);
    QCOMPARE(proof.bugs.front().replayHits, 3);
    stage.setWidth(4);
    left = 1;
    QVERIFY(conduct::replay(stage, proof.bugs.front(), 10, some.mayReplay)
            == (conduct::Replays{4, 4}));
}

void TestProof::theSameBreachIsFoundOnce()
{
    ScriptedStage stage = breakingWhere([](Deviations deviations) { return !deviations.empty(); });
    const Proof proof = search(stage, bounds());
    QCOMPARE(proof.bugs.size(), 1u);
    QCOMPARE(proof.bugs.front().stepCount(), 1);
}

void TestProof::limitsAreApart()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        return losesReplyOfSet(deviations) ? overtaken(deviations) : rightRun(deviations);
    });
    const Proof proof = search(stage, bounds(1));
    QVERIFY(proof.bugs.empty());
    QCOMPARE(proof.limits.size(), 1u);
    QVERIFY(proof.limits.front().breach.isInherent);
    QCOMPARE(proof.limits.front().replayCount, 0);
    QVERIFY(proof.bugs.empty());
}

void TestProof::aDishonestLeaseIsALimitUnlessItIsAskedFor()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        return losesReplyOfSet(deviations) ? dishonest(deviations) : rightRun(deviations);
    });
    const Proof usual = search(stage, bounds(1));
    QVERIFY(usual.bugs.empty());
    QCOMPARE(usual.limits.size(), 1u);
    QVERIFY(!usual.limits.front().breach.isInherent);

    ProofBounds strict = bounds(1);
    strict.promises.push_back(Promise::LeaseHonesty);
    const Proof proof = search(stage, strict);
    QCOMPARE(proof.bugs.size(), 1u);
    QVERIFY(proof.bugs.front().breach.violation.promise == Promise::LeaseHonesty);
    QVERIFY(proof.limits.empty());
}

void TestProof::aPromiseThatIsNotAskedForIsLeftOut()
{
    ScriptedStage stage = breakingWhere(losesReplyOfSet);
    ProofBounds some = bounds(1);
    some.promises = {Promise::NoStuckLock};
    const Proof proof = search(stage, some);
    QVERIFY(proof.bugs.empty());
    QVERIFY(proof.limits.empty());
    const auto usual = conduct::usualPromises();
    QVERIFY(std::ranges::find(usual, Promise::LeaseHonesty) == usual.end());
}

void TestProof::aLossThatIsNoneIsAMistakeUnlessSomethingElseIsAskedFor()
{
    const auto losing = [](const Workload&, Deviations deviations) {
        conduct::RunLog log = WrittenLog(kScriptedLease).acquire(0).release(0).tellLoss(0).log();
        log.deviationsMet = static_cast<int>(deviations.size());
        return log;
    };
    ScriptedStage stage(losing);
    QCOMPARE(search(stage, bounds(0)).bugs.size(), 1u);
    ProofBounds some = bounds(0);
    some.promises = {Promise::NoStuckLock};
    const Proof proof = search(stage, some);
    QVERIFY(proof.bugs.empty() && proof.limits.empty());
}

/// What needs three deviations at once is found by chance.
void TestProof::whatIsLeftOfTheTimeGoesToChance()
{
    ScriptedStage stage = breakingWhere([](Deviations deviations) {
        return deviations.size() >= 3;
    });
    ProofBounds some = bounds(1);
    QVERIFY(search(stage, some).bugs.empty());
    QCOMPARE(search(stage, some).randomCount, 0u);
    some.randomMax = 4;
    some.runsMax = 20'000;
    some.endsWithFirst = true;
    const Proof proof = search(stage, some);
    QCOMPARE(proof.bugs.size(), 1u);
    QVERIFY(proof.bugs.front().deviations.size() >= 3);
    QVERIFY(proof.randomCount > 0 && proof.isWhole);
}

void TestProof::aFindIsCheckedOnARealServer()
{
    ScriptedStage stage = breakingWhere(losesReplyOfSet);
    Proof proof = search(stage, bounds(1));
    QCOMPARE(proof.bugs.front().realCount, 0);
    ScriptedStage real([count = 0](const Workload&, Deviations deviations) mutable {
        return ++count <= 3 ? doubleGrant(deviations) : rightRun(deviations);
    });
    conduct::checkForReal(real, proof, 5, [] { return true; });
    QCOMPARE(proof.bugs.front().realCount, 5);
    QCOMPARE(proof.bugs.front().realHits, 3);
}

void TestProof::theBoundOfRunsIsKept()
{
    ScriptedStage stage = breakingWhere([](Deviations) { return false; });
    ProofBounds some = bounds();
    some.runsMax = 7;
    const Proof proof = search(stage, some);
    QCOMPARE(proof.runCount, 7u);
    QCOMPARE(stage.plays().size(), 7u);
    QVERIFY(!proof.isWhole);
    QCOMPARE(proof.stepsCovered, 0);
}

void TestProof::aSearchWithoutAllSingleDeviationsIsTooLittle()
{
    ScriptedStage stage = breakingWhere([](Deviations) { return false; });
    const Proof whole = search(stage, bounds(1));
    QVERIFY(whole.singles.planned > 0);
    QCOMPARE(whole.singles.played, whole.singles.planned);
    QCOMPARE(whole.singles.planned, whole.runCount - 1); // one run was undisturbed
    QVERIFY(!whole.isTooLittle());

    ProofBounds some = bounds(1);
    some.runsMax = whole.runCount - 1;
    const Proof almost = search(stage, some);
    QCOMPARE(almost.singles.planned, whole.singles.planned);
    QCOMPARE(almost.singles.played, whole.singles.planned - 1);
    QVERIFY(almost.isTooLittle());

    some.goOn = [] { return false; };
    const Proof none = search(stage, some);
    QCOMPARE(none.singles.planned, whole.singles.planned);
    QCOMPARE(none.singles.played, 0u);
    QVERIFY(none.isTooLittle());

    ScriptedStage broken = breakingWhere([](Deviations) { return true; });
    QVERIFY(!search(broken, some).isTooLittle()); // it broke, which is enough

    QVERIFY(!search(stage, bounds(0)).isTooLittle()); // no deviation was asked for
    ProofBounds pairs = bounds(2);
    pairs.runsMax = search(stage, pairs).singles.planned + 2; // those, an undisturbed run, one pair
    const Proof cut = search(stage, pairs);
    QVERIFY(!cut.isWhole);
    QVERIFY(!cut.isTooLittle());
}

void TestProof::aSearchThatMeetsNoDeviationIsTooLittle()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        RunLog log = rightRun(deviations);
        log.deviationsMet = 0;
        return log;
    });
    const Proof proof = search(stage, bounds(1));
    QCOMPARE(proof.singles.diverged, proof.singles.planned);
    QVERIFY(!proof.hasSeenNothing());
    QVERIFY(proof.isTooLittle());
}

void TestProof::aWorkloadThatFailsUndisturbedIsTooLittle()
{
    ScriptedStage stage([](const Workload& workload, Deviations deviations) {
        RunLog log = rightRun(deviations);
        log.trouble = workload.id == "restless" ? "A did not come to rest" : "";
        return log;
    });
    std::vector workloads{handOver(), handOver()};
    workloads.back().id = "restless";
    const Proof proof = conduct::prove(stage, workloads, bounds(1));
    QCOMPARE(proof.singles.unplannedWorkloads, 1u);
    QCOMPARE(proof.singles.played, proof.singles.planned);
    QVERIFY(proof.isTooLittle());
}

/// Such as the errors of an extension that the server never understands.
void TestProof::errorsOfTheUndisturbedRunAreKept()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        WrittenLog log(kScriptedLease);
        log.acquire(kA);
        for (int i = 0; i < 2; ++i) {
            log.call(kA, Word::Extend).answer(kA, Word::Extend, conduct::Answer::Kind::Error);
            log.log().entries.back().answer.text = "ERR unknown command";
        }
        log.release(kA);
        log.log().deviationsMet = static_cast<int>(deviations.size());
        return log.log();
    });
    const Proof proof = search(stage, bounds(1));
    QCOMPARE(proof.errors.size(), 1u); // those of disturbed runs are no news
    QCOMPARE(proof.errors.front().text, std::string("ERR unknown command"));
    QCOMPARE(proof.errors.front().count, 2u);
    QVERIFY(proof.errors.front().word == Word::Extend);
}

void TestProof::itStopsWhenItIsTold()
{
    ScriptedStage stage = breakingWhere([](Deviations) { return false; });
    ProofBounds some = bounds();
    some.goOn = [&stage] { return stage.plays().size() < 3; };
    const Proof proof = search(stage, some);
    QCOMPARE(stage.plays().size(), 3u);
    QVERIFY(!proof.isWhole);
    some.goOn = [] { return false; };
    QCOMPARE(search(stage, some).stepsCovered, -1);
}

void TestProof::aRunThatMissesItsDeviationSaysNothing()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        RunLog log = deviations.empty() ? rightRun(deviations) : doubleGrant(deviations);
        log.deviationsMet = 0;
        return log;
    });
    const Proof proof = search(stage, bounds(1));
    QVERIFY(proof.bugs.empty());
    QCOMPARE(proof.divergedCount, proof.runCount - 1);
    QVERIFY(proof.divergedCount > 0);
}

void TestProof::aRunInTroubleSaysNothing()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        RunLog log = deviations.empty() ? rightRun(deviations) : doubleGrant(deviations);
        log.trouble = deviations.empty() ? "" : "A did not come to rest";
        return log;
    });
    const Proof proof = search(stage, bounds(1));
    QVERIFY(proof.bugs.empty());
    QCOMPARE(proof.troubleCount, proof.runCount - 1);
    QCOMPARE(proof.latestTrouble, std::string("A did not come to rest"));
}

void TestProof::ownEndsAreCountedAndTheShortestIsKept()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        RunLog log = rightRun(deviations);
        if (losesReplyOfSet(deviations)) {
            log.entries.push_back(WrittenLog(kScriptedLease).end(kA).last());
        }
        return log;
    });
    const Proof proof = search(stage, bounds());
    QVERIFY(proof.bugs.empty());
    QVERIFY(proof.ownEndCount > 1); // also with a second deviation
    QVERIFY(proof.ownEnd && losesReplyOfSet(proof.ownEnd->deviations));
    QCOMPARE(proof.ownEnd->deviations.size(), std::size_t(1));
}

void TestProof::theSameSeedIsTheSameSearch()
{
    const auto playsOf = [](std::uint64_t seed) {
        ScriptedStage stage = breakingWhere([](Deviations) { return false; });
        ProofBounds some = bounds();
        some.seed = seed;
        search(stage, some);
        return stage.plays();
    };
    QVERIFY(playsOf(1) == playsOf(1));
    QVERIFY(playsOf(1) != playsOf(2));
}

void TestProof::everyRunIsTold()
{
    ScriptedStage stage = breakingWhere(losesReplyOfSet);
    std::uint64_t told = 0;
    std::size_t bugs = 0;
    conduct::ProofListener listener;
    listener.progressed = [&](const Proof& proof) {
        QCOMPARE(proof.runCount, ++told);
        bugs = proof.bugs.size();
    };
    const Proof proof = search(stage, bounds(1), listener);
    QCOMPARE(told, proof.runCount);
    QCOMPARE(bugs, 1u);
}

/// A shorter one after the one that it replaces.
void TestProof::aFindIsToldAtOnce()
{
    ScriptedStage stage = breakingWhere([](Deviations deviations) {
        return deviations.size() == 1
               && (losesReplyOfSet(deviations)
                   || (holds(deviations, Interference::DelayReply, "SET")
                       && deviations.front().leap != Leap::None));
    });
    std::vector<Find> told;
    conduct::ProofListener listener;
    listener.found = [&told](const Find& find) { told.push_back(find); };
    const Proof proof = search(stage, bounds(), listener);
    QCOMPARE(proof.bugs.size(), 1u);
    QVERIFY(!told.empty());
    for (std::size_t i = 0; i < told.size(); ++i) {
        QCOMPARE(told[i].replayHits, kReplays);
        QVERIFY(i == 0 || told[i].stepCount() < told[i - 1].stepCount());
    }
    QVERIFY(told.back().deviations == proof.bugs.front().deviations);
    QCOMPARE(told.back().stepCount(), 1);
}

void TestProof::limitsAreNotToldOf()
{
    ScriptedStage stage([](const Workload&, Deviations deviations) {
        return losesReplyOfSet(deviations) ? overtaken(deviations) : rightRun(deviations);
    });
    int told = 0;
    conduct::ProofListener listener;
    listener.found = [&told](const Find&) { ++told; };
    QCOMPARE(search(stage, bounds(1), listener).limits.size(), 1u);
    QCOMPARE(told, 0);
}

void TestProof::aScheduleIsPlayedAlone()
{
    ScriptedStage stage = breakingWhere(losesReplyOfSet);
    const Proof searched = search(stage, bounds());
    ProofBounds alone = bounds();
    alone.schedule = searched.bugs.front().deviations;
    const std::size_t playsBefore = stage.plays().size();
    const Proof played = search(stage, alone);
    QVERIFY(stage.plays()[playsBefore].empty()); // so that all scripts are loaded; it counts
                                                 // nothing
    QVERIFY(stage.plays()[playsBefore + 1] == *alone.schedule);
    QCOMPARE(played.runCount, std::uint64_t{1});
    QCOMPARE(played.bugs.size(), std::size_t{1});
    QCOMPARE(played.bugs.front().replayHits, alone.replays);
    alone.schedule->front().kind = Interference::LoseRequest; // which breaks nothing
    QVERIFY(search(stage, alone).bugs.empty());
}

void TestProof::aRunThatDivergedSaysNothing()
{
    Proof proof;
    QVERIFY(proof.hasSeenNothing());
    proof.runCount = 2;
    proof.divergedCount = 1;
    QVERIFY(!proof.hasSeenNothing());
    proof.troubleCount = 1;
    QVERIFY(proof.hasSeenNothing());
}

/// With the same result as a narrow one.
void TestProof::aWideStageIsKeptBusy()
{
    constexpr int kWidth = 3;
    ScriptedStage narrow = breakingWhere(losesReplyOfSet);
    ScriptedStage wide = breakingWhere(losesReplyOfSet);
    wide.setWidth(kWidth);
    const Proof expected = search(narrow, bounds());
    const Proof proof = search(wide, bounds());
    QCOMPARE(wide.plays().size(), narrow.plays().size());
    QCOMPARE(proof.runCount, expected.runCount);
    QCOMPARE(proof.bugs.size(), 1u);
    QVERIFY(proof.bugs.front().deviations == expected.bugs.front().deviations);
    QVERIFY(std::ranges::max(wide.countsAtOnce()) > kWidth);
    QCOMPARE(std::ranges::max(narrow.countsAtOnce()), std::size_t{1});

    ProofBounds few = bounds();
    few.runsMax = 7;
    QCOMPARE(search(wide, few).runCount, 7u);
}

void TestProof::howLongItLastsIsShortenedToo()
{
    const auto breaksIfDelayed = [](Deviations deviations) {
        return holds(deviations, Interference::DelayReply, "SET")
               && deviations.front().leap != Leap::None;
    };
    ScriptedStage needsAll = breakingWhere(breaksIfDelayed);
    const Proof whole = search(needsAll, bounds());
    QCOMPARE(whole.bugs.size(), 1u);
    QVERIFY(whole.bugs.front().deviations.front().leap != Leap::None);

    bool wasPast = false;
    ScriptedStage needsLittle = breakingWhere([&](Deviations deviations) {
        wasPast = wasPast || breaksIfDelayed(deviations);
        return wasPast && holds(deviations, Interference::DelayReply, "SET");
    });
    const Proof shorter = search(needsLittle, bounds());
    QCOMPARE(shorter.bugs.size(), 1u);
    QVERIFY(shorter.bugs.front().deviations.front().leap == Leap::None);
    QCOMPARE(shorter.bugs.front().stepCount(), 1);
}

LOCKSCOPE_TEST(TestProof, None)

} // namespace lockscope::tst_proof

#include "tst_proof.moc"
