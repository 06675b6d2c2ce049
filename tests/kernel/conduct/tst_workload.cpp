#include "core/kernel/conduct/workload.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockscope::tst_workload {

using namespace std::chrono_literals;
using conduct::Act;
using conduct::AdapterTraits;
using conduct::Word;
using conduct::Workload;
using conduct::workloadsFor;

namespace {

constexpr Duration kLease = 2s;

AdapterTraits traitsOf(const std::vector<Word>& words, bool isRenewed = false)
{
    AdapterTraits traits;
    traits.isRenewed = isRenewed;
    for (const Word word : words) {
        traits.vocabulary.add(word);
    }
    return traits;
}

AdapterTraits fullTraits()
{
    AdapterTraits traits = traitsOf({Word::Acquire, Word::Release, Word::Extend, Word::Held});
    traits.vocabulary.knowsReaders = true;
    traits.vocabulary.knowsThreads = true;
    traits.vocabulary.isReentrant = true;
    return traits;
}

bool isCall(const Act& act, Word word)
{
    return act.kind == Act::Kind::Call && act.word == word;
}

bool hasCalls(const Workload& workload, Word word)
{
    return std::ranges::any_of(workload.acts, [word](const Act& act) { return isCall(act, word); });
}

/// How long the lock is held at most without a renewal by hand, where all goes as written.
Duration longestHold(const Workload& workload)
{
    std::map<std::pair<int, int>, Duration> since; // process, lock
    std::map<int, std::pair<int, int>> holders;    // by lock, where there is no reader
    Duration longest{};
    Duration now{};
    for (const Act& act : workload.acts) {
        now += act.kind == Act::Kind::Call ? Duration(0) : act.span;
        const std::pair key(act.process, act.lock);
        if (isCall(act, Word::Acquire) && !holders.contains(act.lock)) {
            holders[act.lock] = key;
            since[key] = now;
        } else if (since.contains(key)
                   && (isCall(act, Word::Extend) || isCall(act, Word::Release))) {
            longest = std::max(longest, now - since[key]);
            since[key] = now;
            if (act.word == Word::Release) {
                since.erase(key);
                holders.erase(act.lock);
            }
        }
    }
    return longest;
}

} // namespace

class TestWorkload : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWorkloadHasAnIdOfItsOwn();
    void actsNameProcessesAndLocksThatExist();
    void onlyKnownWordsAreSaid();
    void readersAreForThoseWhoKnowThem();
    void waitingNeedsATimeAndALease();
    void aLockIsHeldForLessThanItsLease();
    void aRenewedLockIsHeldForLonger();
    void everyAskerGivesBackAndAsksOnceMore();
    void aLockWithoutExpiryIsAskedForMuchLater();
    void aReleaseIsRepeatedAfterAnError();
    void triesAreShort();
    void aLeaseHasRoomForATick();
    void asManyProcessesTakePartAsThereAre();
};

void TestWorkload::everyWorkloadHasAnIdOfItsOwn()
{
    const auto workloads = workloadsFor(fullTraits(), {.lease = kLease, .waitMax = 1s});
    QCOMPARE(workloads.size(), 6u);
    std::set<std::string> ids;
    std::set<std::string> names;
    for (const Workload& workload : workloads) {
        ids.insert(workload.id);
        names.insert(workload.name);
    }
    QCOMPARE(ids, (std::set<std::string>{"in-turn", "readers-writer", "reentrant", "threads",
                                         "two-locks", "waiting"}));
    QCOMPARE(names.size(), ids.size());
}

void TestWorkload::actsNameProcessesAndLocksThatExist()
{
    for (const Workload& workload : workloadsFor(fullTraits(), {.lease = kLease, .waitMax = 1s})) {
        for (const Act& act : workload.acts) {
            QVERIFY(act.process >= 0 && act.process < workload.processCount);
            QVERIFY(act.lock >= 0 && act.lock < workload.lockCount);
            QVERIFY(act.thread >= 0 && act.thread < workload.threadCount);
            QVERIFY(act.kind == Act::Kind::Call || act.span > Duration(0));
        }
        QVERIFY(workload.firstFinalAct > 0);
        QVERIFY(workload.firstFinalAct < static_cast<int>(workload.acts.size()));
    }
}

void TestWorkload::onlyKnownWordsAreSaid()
{
    for (const Workload& workload :
         workloadsFor(traitsOf({Word::Acquire, Word::Release}), {.lease = kLease, .waitMax = 1s})) {
        QVERIFY(!hasCalls(workload, Word::Held));
        QVERIFY(!hasCalls(workload, Word::Extend));
    }
    const auto full = workloadsFor(fullTraits(), {.lease = kLease, .waitMax = 1s});
    QVERIFY(std::ranges::all_of(full,
                                [](const Workload& one) { return hasCalls(one, Word::Held); }));
    QVERIFY(hasCalls(full.front(), Word::Extend));
    // There is nothing to extend.
    QVERIFY(!hasCalls(workloadsFor(fullTraits(), {.lease = Duration(0), .waitMax = 1s}).front(),
                      Word::Extend));
}

void TestWorkload::readersAreForThoseWhoKnowThem()
{
    const auto hasReaders = [](const AdapterTraits& traits) {
        const auto workloads = workloadsFor(traits, {.lease = kLease});
        return std::ranges::any_of(workloads, [](const Workload& workload) {
            return std::ranges::any_of(workload.acts, &Act::isRead);
        });
    };
    QVERIFY(hasReaders(fullTraits()));
    QVERIFY(!hasReaders(traitsOf({Word::Acquire, Word::Release, Word::Held})));
}

void TestWorkload::waitingNeedsATimeAndALease()
{
    const auto waits = [](Duration lease, Duration waitMax) {
        const auto workloads = workloadsFor(traitsOf({Word::Acquire, Word::Release}),
                                            {.lease = lease, .waitMax = waitMax});
        return std::ranges::any_of(workloads, &Workload::waits);
    };
    QVERIFY(waits(kLease, 1s));
    QVERIFY(!waits(kLease, Duration(0)));
    QVERIFY(!waits(Duration(0), 1s));
}

void TestWorkload::aLockIsHeldForLessThanItsLease()
{
    for (const bool canExtend : {true, false}) {
        AdapterTraits traits = traitsOf({Word::Acquire, Word::Release, Word::Held});
        if (canExtend) {
            traits.vocabulary.add(Word::Extend);
        }
        for (const Workload& workload : workloadsFor(traits, {.lease = kLease})) {
            QVERIFY2(longestHold(workload) < kLease, workload.id.c_str());
            QVERIFY2(longestHold(workload) > kLease / 2, workload.id.c_str());
        }
    }
}

void TestWorkload::aRenewedLockIsHeldForLonger()
{
    for (const Workload& workload :
         workloadsFor(traitsOf({Word::Acquire, Word::Release}, true), {.lease = kLease})) {
        QVERIFY2(longestHold(workload) > kLease, workload.id.c_str());
    }
}

void TestWorkload::everyAskerGivesBackAndAsksOnceMore()
{
    for (const Workload& workload : workloadsFor(fullTraits(), {.lease = kLease, .waitMax = 1s})) {
        const auto final = workload.acts.begin() + workload.firstFinalAct;
        const auto pass = std::find_if(final, workload.acts.end(),
                                       [](const Act& act) { return act.kind == Act::Kind::Pass; });
        QVERIFY(pass != workload.acts.end());
        QVERIFY(pass->span > workload.leaseAtMost());
        for (auto act = workload.acts.begin(); act != final; ++act) {
            if (!isCall(*act, Word::Acquire)) {
                continue;
            }
            const auto isSame = [act](Word word) {
                return [act, word](const Act& other) {
                    return isCall(other, word) && !other.isProbe && other.process == act->process
                           && other.thread == act->thread && other.lock == act->lock;
                };
            };
            QVERIFY(std::any_of(final, pass, isSame(Word::Release)));
            QCOMPARE(std::count_if(pass, workload.acts.end(), isSame(Word::Acquire)), 1);
        }
    }
}

void TestWorkload::aLockWithoutExpiryIsAskedForMuchLater()
{
    const auto skipsIn = [](const Workload& workload) {
        return std::ranges::count(workload.acts, Act::Kind::SkipStuck, &Act::kind);
    };
    for (const bool isTimeFree : {true, false}) {
        for (const Workload& workload :
             workloadsFor(fullTraits(),
                          {.lease = kLease, .waitMax = 1s, .isTimeFree = isTimeFree})) {
            const auto first = workload.acts.begin() + workload.firstProbe;
            QVERIFY(first->kind == Act::Kind::PassStuck);
            QVERIFY(first->span >= workload.slackOfValue());
            QVERIFY(std::all_of(first, workload.acts.end(), [](const Act& act) {
                return act.kind != Act::Kind::Call || act.isProbe;
            }));
            QVERIFY(std::ranges::none_of(workload.acts.begin(), first, &Act::isProbe));
            QCOMPARE(skipsIn(workload), isTimeFree ? 1 : 0); // a long time is not waited for
        }
    }
    for (const Workload& workload : workloadsFor(fullTraits(), {.lease = 0s})) {
        QCOMPARE(skipsIn(workload), 0); // without a lease it may last forever
    }
}

void TestWorkload::aReleaseIsRepeatedAfterAnError()
{
    for (const Workload& workload : workloadsFor(fullTraits(), {.lease = kLease, .waitMax = 1s})) {
        for (std::size_t i = 0; i < workload.acts.size(); ++i) {
            const Act& act = workload.acts[i];
            if (isCall(act, Word::Release) && !act.isRetry) {
                QVERIFY(i + 1 < workload.acts.size());
                const Act& next = workload.acts[i + 1];
                QVERIFY(isCall(next, Word::Release) && next.isRetry && next.process == act.process
                        && next.lock == act.lock);
            }
        }
    }
}

void TestWorkload::triesAreShort()
{
    Workload workload;
    workload.lease = 2s;
    QCOMPARE(workload.toldWait(), Duration(200ms));
    workload.lease = 1s;
    QCOMPARE(workload.toldWait(), Duration(100ms));
    workload.lease = 100ms;
    QCOMPARE(workload.toldWait(), Duration(50ms));
    workload.lease = 60s;
    QCOMPARE(workload.toldWait(), Duration(200ms));
    workload.lease = Duration(0);
    QCOMPARE(workload.toldWait(), Duration(200ms));
    workload.waitMax = 7s;
    QCOMPARE(workload.toldWait(), Duration(7s));
}

void TestWorkload::aLeaseHasRoomForATick()
{
    Workload workload;
    QVERIFY(!workload.hasLease());
    QVERIFY(!workload.waits());
    workload.lease = 2s;
    QVERIFY(workload.hasLease());
    QCOMPARE(workload.leaseAtMost(), Duration(2500ms));
}

void TestWorkload::asManyProcessesTakePartAsThereAre()
{
    for (const int count : {2, 3, 5}) {
        for (const Workload& workload :
             workloadsFor(fullTraits(), {.lease = kLease, .waitMax = 1s, .processCount = count})) {
            QCOMPARE(workload.processCount, count);
            int highest = 0;
            for (const Act& act : workload.acts) {
                highest = std::max(highest, act.process);
            }
            QVERIFY(highest < count);
            const bool isForAll = workload.id == "in-turn" || workload.id == "waiting";
            QVERIFY(!isForAll || highest == count - 1);
        }
    }
}

LOCKSCOPE_TEST(TestWorkload, None)

} // namespace lockscope::tst_workload

#include "tst_workload.moc"
