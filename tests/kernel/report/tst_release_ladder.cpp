#include "core/kernel/report/release_ladder.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

namespace lockscope::tst_release_ladder {

using namespace lockscope::inspect;
using namespace lockscope::report;
using namespace std::chrono_literals;

namespace {

const Instant kNow = Instant(100h);

LockRecord held(std::optional<Duration> left)
{
    LockRecord lock;
    lock.id = {0, "lock:a"};
    lock.holders = {Holder{}};
    lock.holders.front().owner = "A";
    lock.expiresAt = left ? std::optional(kNow + *left) : std::nullopt;
    return lock;
}

/// Something speaks against it.
LockRecord suspicious(std::optional<Duration> left)
{
    LockRecord lock = held(left);
    lock.flags.add(Flag::CountOnlyGrows);
    return lock;
}

std::vector<MildStep> stepsOf(const std::vector<LadderRung>& ladder)
{
    std::vector<MildStep> steps;
    for (const LadderRung& rung : ladder) {
        steps.push_back(rung.step);
    }
    return steps;
}

MildStep recommendedOf(const std::vector<LadderRung>& ladder)
{
    return std::ranges::find(ladder, true, &LadderRung::isRecommended)->step;
}

} // namespace

class TestReleaseLadder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatEndsSoonIsWaitedFor();
    void aHealthyLockIsLeftToItsHolder();
    void withoutExpiryItIsCapped();
    void whatIsRenewedIsReleased();
    void oneOfSeveralHoldsComesFirst();
    void onlyACertainHolderIsDisconnected();
    void exactlyOneIsRecommended();
};

void TestReleaseLadder::whatEndsSoonIsWaitedFor()
{
    const LockRecord lock = held(12s);
    const auto ladder = releaseLadder({lock, kNow, "14:03:22.100"});
    QCOMPARE(stepsOf(ladder), (std::vector{MildStep::Wait, MildStep::Release}));
    QVERIFY(recommendedOf(ladder) == MildStep::Wait);
    QCOMPARE(ladder.front().sentence,
             std::string("Wait: it expires in 12.0 s, at 14:03:22.100, unless its holder renews "
                         "it."));
    const LockRecord distant = suspicious(10min);
    QVERIFY(recommendedOf(releaseLadder({distant, kNow, "x"})) == MildStep::Release);
}

void TestReleaseLadder::aHealthyLockIsLeftToItsHolder()
{
    const LockRecord distant = held(10min);
    QVERIFY(recommendedOf(releaseLadder({distant, kNow, "x", true, true})) == MildStep::Wait);
    LockRecord renewed = held(20s);
    renewed.renewals = 3;
    const auto ladder = releaseLadder({renewed, kNow, "x", true, true});
    QCOMPARE(std::ranges::count(ladder, true, &LadderRung::isRecommended), 0);
}

void TestReleaseLadder::withoutExpiryItIsCapped()
{
    const LockRecord lock = held(std::nullopt);
    const auto ladder = releaseLadder({lock, kNow, {}, true});
    QCOMPARE(stepsOf(ladder), (std::vector{MildStep::Wait, MildStep::CapTtl, MildStep::Release}));
    QVERIFY(recommendedOf(ladder) == MildStep::CapTtl);
    QVERIFY(ladder.front().sentence.find("no expiry") != std::string::npos);
}

void TestReleaseLadder::whatIsRenewedIsReleased()
{
    LockRecord lock = suspicious(20s);
    lock.renewals = 3;
    const auto ladder = releaseLadder({lock, kNow, "x"});
    QVERIFY(recommendedOf(ladder) == MildStep::Release);
    QVERIFY(ladder.front().sentence.find("renews it") != std::string::npos);
}

void TestReleaseLadder::oneOfSeveralHoldsComesFirst()
{
    const LockRecord lock = suspicious(1h);
    const auto ladder = releaseLadder({lock, kNow, "x", false, true});
    QCOMPARE(stepsOf(ladder),
             (std::vector{MildStep::Wait, MildStep::ReleaseOne, MildStep::Release}));
    QVERIFY(recommendedOf(ladder) == MildStep::ReleaseOne);
}

void TestReleaseLadder::onlyACertainHolderIsDisconnected()
{
    LockRecord lock = held(1h);
    lock.holders.front().setClient(std::make_shared<const ClientInfo>(ClientInfo{
        "10.0.0.7:51622", "billing", "the token names the client", 7}));
    QVERIFY(stepsOf(releaseLadder({lock, kNow, "x"})).back() == MildStep::KillHolder);
    QVERIFY(recommendedOf(releaseLadder({lock, kNow, "x"})) != MildStep::KillHolder);

    LockRecord ofSet = lock;
    ofSet.id.server = LockId::kWholeSet;
    QVERIFY(soleClientOf(ofSet) == nullptr);
    LockRecord inCluster = lock;
    inCluster.place = makeShared<const ClusterPlace>();
    QVERIFY(soleClientOf(inCluster) == nullptr);
    LockRecord ofTwo = lock;
    ofTwo.holders.push_back(ofTwo.holders.front());
    QVERIFY(soleClientOf(ofTwo) == nullptr);
    QVERIFY(soleClientOf(held(1h)) == nullptr);
}

void TestReleaseLadder::exactlyOneIsRecommended()
{
    for (const bool canCap : {false, true}) {
        for (const bool canReleaseOne : {false, true}) {
            for (const std::optional<Duration> left :
                 {std::optional<Duration>(), std::optional<Duration>(5s),
                  std::optional<Duration>(1h)}) {
                const LockRecord lock = held(left);
                const auto ladder = releaseLadder({lock, kNow, "x", canCap, canReleaseOne});
                QCOMPARE(std::ranges::count(ladder, true, &LadderRung::isRecommended), 1);
                QVERIFY(std::ranges::is_sorted(stepsOf(ladder)));
            }
        }
    }
}

LOCKSCOPE_TEST(TestReleaseLadder, None)

} // namespace lockscope::tst_release_ladder

#include "tst_release_ladder.moc"
