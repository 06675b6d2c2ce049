#include "core/kernel/conduct/candidates.h"
#include "core/kernel/conduct/forecast.h"
#include "tests/kernel/conduct/scripted_stage.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lockscope::tst_candidates {

using namespace lockscope::testing;
using conduct::Deviation;
using conduct::Interference;
using conduct::Leap;
using conduct::Word;
using conduct::Workload;
using world::FaultKind;

namespace {

constexpr int kA = 0;
constexpr int kB = 1;

const std::vector<FaultKind> kAllFaults{FaultKind::Crash,       FaultKind::Pause,
                                        FaultKind::Partition,   FaultKind::ConnectionLoss,
                                        FaultKind::MessageLoss, FaultKind::MessageDelay,
                                        FaultKind::ClockStep};

std::vector<Deviation> candidates(const Workload& workload = handOver(),
                                  const std::vector<FaultKind>& faults = kAllFaults)
{
    return conduct::candidatesFor(workload, handedOver().log(), faults);
}

template<class Condition>
std::vector<Deviation> those(std::vector<Deviation> all, Condition condition)
{
    std::erase_if(all, [&condition](const Deviation& one) { return !condition(one); });
    return all;
}

std::vector<Deviation> ofKind(Interference kind, const Workload& workload = handOver())
{
    return those(candidates(workload), [kind](const Deviation& one) { return one.kind == kind; });
}

} // namespace

class TestCandidates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsThereTwice();
    void everyKindHasItsTurn();
    void earlyMomentsAndEarlyEndsComeFirst();
    void onlyTheAskedFaultsAreThere();
    void everyChangeCanBeFollowedByADeath();
    void whatChangesNothingIsLostOnlyOnce();
    void aPollIsLikeTheNext();
    void delaysEndBehindCallsOfOthers();
    void thePastOfALeaseNeedsALease();
    void anOrderIsNoFault();
    void aQuestionMayComeLate();
    void aRenewalMayBeUnderWayWhileItsOwnerGoesOn();
    void aCallIsInterruptedWhereThatIsPossible();
    void whoHoldsCanStandStill();
    void nothingInterferesWithTheEnd();
    void messagesWithoutALockAreLeftAlone();
    void aServerIsHitAsAWhole();
    void replicasLagWhereTheyCanBeAskedAfter();
    void onlyAScriptCanBeForgotten();
};

void TestCandidates::nothingIsThereTwice()
{
    std::set<std::string> texts;
    const auto all = candidates();
    for (const Deviation& one : all) {
        QVERIFY2(texts.insert(toText(one)).second, toText(one).c_str());
    }
    QVERIFY(texts.size() > 20);
}

/// A budget that ends early has tried something of everything, and most of what shows harm in a
/// simulation.
void TestCandidates::everyKindHasItsTurn()
{
    using Kind = std::tuple<Interference, Leap, bool>;
    const Workload workload = handOver();
    const conduct::RunLog natural = handedOver().log();
    const conduct::Forecast forecast(workload, natural, {});
    std::map<Kind, int> counts;
    std::set<Kind> kindsOfFirstTurn;
    int turn = 0;
    const auto all = candidates();
    for (const Deviation& one : all) {
        const bool isLikely = forecast.showsHarm(one);
        const Kind kind(one.kind, one.leap, isLikely);
        const int ownTurn = counts[kind]++ / (isLikely ? 3 : 1);
        QVERIFY2(ownTurn == turn || ownTurn == turn + 1, toText(one).c_str());
        turn = ownTurn;
        if (turn == 0) {
            kindsOfFirstTurn.insert(kind);
        }
    }
    QVERIFY(counts.size() > 8);
    QCOMPARE(kindsOfFirstTurn.size(), counts.size());
    QVERIFY(forecast.showsHarm(all.front()));
    QVERIFY(counts.contains({Interference::DelayRequest, Leap::AtBegin, true}));
    QVERIFY(counts.contains({Interference::DelayRequest, Leap::AtBegin, false}));
}

/// Neither all ends of the first message come before the second message, nor the other way round.
void TestCandidates::earlyMomentsAndEarlyEndsComeFirst()
{
    std::vector<std::pair<int, int>> begins; // act, ends behind
    for (const Deviation& one : ofKind(Interference::DelayRequest)) {
        if (one.leap == Leap::None) {
            begins.emplace_back(one.act, one.untilAct);
        }
    }
    QVERIFY(begins.size() > 4);
    QVERIFY(begins[0].first == begins[1].first || begins[0].second == begins[1].second);
    const auto firstOfOther = std::ranges::find_if(begins, [&begins](const auto& one) {
        return one.first != begins.front().first;
    });
    const auto lastOfFirst = std::ranges::find_if(begins.rbegin(), begins.rend(),
                                                  [&begins](const auto& one) {
                                                      return one.first == begins.front().first;
                                                  });
    QVERIFY(firstOfOther < lastOfFirst.base());
}

void TestCandidates::onlyTheAskedFaultsAreThere()
{
    QVERIFY(candidates(handOver(), {}).empty());
    for (const FaultKind fault : kAllFaults) {
        const auto some = candidates(handOver(), {fault});
        QVERIFY(std::ranges::all_of(some, [fault](const Deviation& one) {
            return faultOf(one.kind) == fault;
        }));
        // Nobody can be interrupted here.
        QCOMPARE(some.empty(), fault == FaultKind::MessageLoss);
    }
}

void TestCandidates::everyChangeCanBeFollowedByADeath()
{
    std::set<std::string> messages;
    for (const Deviation& one : ofKind(Interference::KillAfter)) {
        messages.insert(describe(one.message));
    }
    QCOMPARE(messages, (std::set<std::string>{"A's DEL", "A's SET", "B's DEL", "B's SET"}));
}

void TestCandidates::whatChangesNothingIsLostOnlyOnce()
{
    const auto isLook = [](const Deviation& one) { return one.message.kind == "GET"; };
    const auto all = candidates();
    std::set<Interference> kinds;
    for (const Deviation& one : those(all, isLook)) {
        kinds.insert(one.kind);
    }
    QCOMPARE(kinds, (std::set{Interference::DelayRequest, Interference::LoseRequest}));
}

void TestCandidates::aPollIsLikeTheNext()
{
    WrittenLog log(kScriptedLease);
    log.inAct(0).acquire(kA).inAct(1).call(kB, Word::Acquire);
    for (int i = 0; i < 7; ++i) {
        log.look(kB);
    }
    const auto losses = those(conduct::candidatesFor(handOver(), log.log(),
                                                     {FaultKind::ConnectionLoss}),
                              [](const Deviation& one) { return one.message.process == kB; });
    QCOMPARE(losses.size(), 2u);
    QCOMPARE(losses[0].message.occurrence, 1);
    QCOMPARE(losses[1].message.occurrence, 2);
}

void TestCandidates::delaysEndBehindCallsOfOthers()
{
    const Workload workload = handOver();
    const auto isLasting = [](const Deviation& one) { return lasts(one.kind); };
    const auto lasting = those(candidates(), isLasting);
    QVERIFY(!lasting.empty());
    for (const Deviation& one : lasting) {
        QVERIFY(one.untilAct >= one.act && one.untilAct < workload.firstFinalAct);
        const conduct::Act& end = workload.acts.at(static_cast<std::size_t>(one.untilAct));
        QVERIFY2(end.process != one.message.process, toText(one).c_str());
    }
}

void TestCandidates::thePastOfALeaseNeedsALease()
{
    const auto isPast = [](const Deviation& one) {
        const bool isLong = one.kind == Interference::Pause || one.kind == Interference::Isolate;
        return (one.leap == Leap::AtBegin && !isLong) || one.kind == Interference::PassTime;
    };
    QVERIFY(!those(candidates(), isPast).empty());
    Workload endless = handOver();
    endless.lease = Duration(0);
    QVERIFY(those(candidates(endless), isPast).empty());
    QVERIFY(!candidates(endless).empty());
    // Whoever stands still, or is cut off, is so for long all the same.
    QCOMPARE(ofKind(Interference::Pause, endless).size(), ofKind(Interference::Pause).size());
    QCOMPARE(ofKind(Interference::Isolate, endless).size(), ofKind(Interference::Isolate).size());
}

void TestCandidates::anOrderIsNoFault()
{
    const auto orders = candidates(handOver(), {FaultKind::Interleaving});
    QVERIFY(!orders.empty());
    for (const Deviation& one : orders) {
        QVERIFY2(isOrderOnly(one) && stepsOf(one) == 1, toText(one).c_str());
    }
    QVERIFY(orders.size() < candidates(handOver(), {FaultKind::MessageDelay}).size());
}

/// Without a lease, too. What takes a lock late is as if it had been asked for late.
void TestCandidates::aQuestionMayComeLate()
{
    const auto isLate = [](const Deviation& one) { return one.leap == Leap::AtEnd; };
    Workload endless = handOver();
    endless.lease = Duration(0);
    for (const Workload& workload : {handOver(), endless}) {
        const auto late = those(candidates(workload), isLate);
        QVERIFY(!late.empty());
        for (const Deviation& one : late) {
            QVERIFY2(one.kind == Interference::DelayRequest, toText(one).c_str());
            QVERIFY2(ofKind(Interference::KillAfter, workload).front().message != one.message,
                     toText(one).c_str());
        }
    }
}

/// What was sent in a call is not: its owner waits for it.
void TestCandidates::aRenewalMayBeUnderWayWhileItsOwnerGoesOn()
{
    constexpr int kReleaseOfA = 2;
    WrittenLog log(kScriptedLease);
    log.inAct(0).acquire(kA).renew(kA).inAct(1).acquireInVain(kB).inAct(kReleaseOfA).release(kA);
    std::set<std::pair<Interference, std::string>> overtaken;
    for (const Deviation& one : conduct::candidatesFor(handOver(), log.log(), kAllFaults)) {
        if (one.message.process == kA && one.untilAct == kReleaseOfA && one.act < kReleaseOfA) {
            overtaken.emplace(one.kind, one.message.kind);
        }
    }
    QVERIFY(overtaken
            == (std::set<std::pair<Interference, std::string>>{
                {Interference::DelayRequest, "PEXPIRE"}, {Interference::DelayReply, "PEXPIRE"}}));
}

void TestCandidates::aCallIsInterruptedWhereThatIsPossible()
{
    QVERIFY(ofKind(Interference::InterruptBefore).empty());
    QVERIFY(ofKind(Interference::InterruptAfter).empty());
    for (const Word word : {Word::Interrupt, Word::Cancel}) {
        Workload workload = handOver();
        workload.traits.vocabulary.add(word);
        QVERIFY(!ofKind(Interference::InterruptBefore, workload).empty());
        QVERIFY(!ofKind(Interference::InterruptAfter, workload).empty());

        // What a library sends by itself belongs to no call that could be broken off.
        WrittenLog log(kScriptedLease);
        log.inAct(0).acquire(kA).renew(kA).inAct(2).release(kA);
        const auto all = conduct::candidatesFor(workload, log.log(), kAllFaults);
        QVERIFY(std::ranges::none_of(all, [](const Deviation& one) {
            return one.message.kind == "PEXPIRE"
                   && (one.kind == Interference::InterruptBefore
                       || one.kind == Interference::InterruptAfter);
        }));
    }
}

void TestCandidates::whoHoldsCanStandStill()
{
    const auto pauses = ofKind(Interference::Pause);
    const auto isOfA = [](const Deviation& one) {
        return one.message.process == kA && one.act == 1 && one.leap == Leap::AtBegin;
    };
    QVERIFY(std::ranges::any_of(pauses, isOfA)); // A has the lock from act 1 on
    QVERIFY(std::ranges::none_of(pauses, [](const Deviation& one) { return one.act == 0; }));
    QVERIFY(!ofKind(Interference::Isolate).empty());
}

void TestCandidates::nothingInterferesWithTheEnd()
{
    const Workload workload = handOver();
    for (const Deviation& one : candidates()) {
        QVERIFY2(one.act < workload.firstFinalAct, toText(one).c_str());
        // A takes it a second time at the end.
        QVERIFY2(one.message.process != kA || one.message.occurrence < 2, toText(one).c_str());
    }
}

void TestCandidates::messagesWithoutALockAreLeftAlone()
{
    conduct::RunLog log = handedOver().log();
    for (conduct::LogEntry& entry : log.entries) {
        if (entry.kind == conduct::LogEntry::Kind::Executed) {
            entry.lock = -1;
        }
    }
    const auto all = conduct::candidatesFor(handOver(), log, kAllFaults);
    QVERIFY(std::ranges::none_of(all, [](const Deviation& one) { return isAtMessage(one.kind); }));
}

void TestCandidates::aServerIsHitAsAWhole()
{
    const std::vector<FaultKind> restarts{FaultKind::ServerRestart};
    const auto alone = candidates(handOver(), restarts);
    QVERIFY(!alone.empty());
    for (const Deviation& one : alone) {
        QVERIFY(one.kind == Interference::RestartServer && one.message.server == 0);
    }
    Workload several = handOver();
    several.serverCount = 3;
    std::set<std::pair<Interference, int>> hit;
    for (const Deviation& one : candidates(several, restarts)) {
        hit.emplace(one.kind, one.message.server);
    }
    QCOMPARE(hit.size(), 6u); // each of the three is restarted, and is down for a while
    QVERIFY(!hit.contains({Interference::RestartServer, 0}));
}

void TestCandidates::replicasLagWhereTheyCanBeAskedAfter()
{
    const std::vector<FaultKind> failovers{FaultKind::Failover};
    const auto lags = [&failovers](const Workload& workload) {
        return !those(candidates(workload, failovers), [](const Deviation& one) {
                    return one.kind == Interference::LagReplicas;
                }).empty();
    };
    QVERIFY(!candidates(handOver(), failovers).empty());
    QVERIFY(!lags(handOver()));
    Workload replicated = handOver();
    replicated.replicaCount = 1;
    QVERIFY(lags(replicated));
}

void TestCandidates::onlyAScriptCanBeForgotten()
{
    const std::vector<FaultKind> flushes{FaultKind::ScriptFlush};
    QVERIFY(candidates(handOver(), flushes).empty());
    conduct::RunLog log = handedOver().log();
    for (conduct::LogEntry& entry : log.entries) {
        if (entry.message.kind == "DEL") {
            entry.message.kind = "EVALSHA 1a2b3c4d";
        }
    }
    const auto found = conduct::candidatesFor(handOver(), log, flushes);
    QVERIFY(!found.empty());
    QVERIFY(found.front().kind == Interference::ForgetScripts);
}

LOCKSCOPE_TEST(TestCandidates, None)

} // namespace lockscope::tst_candidates

#include "tst_candidates.moc"
