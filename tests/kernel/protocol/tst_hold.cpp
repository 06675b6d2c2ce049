#include "core/kernel/protocol/hold.h"
#include "tests/kernel/protocol/pretend_protocol.h"
#include "tests/kernel/text_in_failures.h"
#include "tests/support/contender_bench.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <optional>

namespace lockscope::tst_hold {

using namespace lockscope::protocol;
using namespace lockscope::testing;
using namespace std::chrono_literals;
using trace::LossReason;

namespace {

/// A bench on which a client holds the lock, for 10 s to begin with.
struct Bench : ContenderBench {
    Bench() : ContenderBench(answering({})) { protocol.releases = {Released{}}; }

    PretendProtocol protocol;
    std::optional<Hold> hold;
    const Instant begin = loop().now();

    void takeGrant(Renewal renewal, Grant grant)
    {
        hold.emplace(protocol, contender(), std::move(grant), renewal);
        loop().settle();
    }
    void takeGrant(Renewal renewal = {}) { takeGrant(renewal, leasedGrant()); }

    Grant leasedGrant() const
    {
        Grant grant;
        grant.request = request();
        grant.trustedUntil = begin + 10s;
        return grant;
    }

    /// Renewals that are answered with yes, for 10 s each from the given instants.
    void willRenewAt(std::initializer_list<Duration> times)
    {
        for (const Duration time : times) {
            protocol.renewals.emplace_back(Renewed{begin + time + 10s});
        }
    }
    std::vector<Duration> renewalTimes() const
    {
        std::vector<Duration> times;
        for (const Instant at : protocol.renewedAt) {
            times.push_back(at - begin);
        }
        return times;
    }
    std::optional<LossReason> loss() const
    {
        return hold->loss() ? std::optional(hold->loss()->reason) : std::nullopt;
    }
};

async::Task<bool> doubt(Hold& hold)
{
    co_await hold.doubt(LossReason::Gone);
    co_return true;
}

Renewal every(Duration period)
{
    Renewal renewal;
    renewal.period = period;
    return renewal;
}

} // namespace

class TestHold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutRenewalTheHoldIsLostWithItsLease();
    void aLockThatNeverRunsOutIsNeverLost();
    void renewalsKeepItAlive();
    void theFirstRenewalMayComeAtOnce();
    void aRenewalThatFindsNothingEndsIt_data();
    void aRenewalThatFindsNothingEndsIt();
    void afterAnUnansweredRenewalTheNextComesSooner();
    void aSimpleLoopDoesNotHurry();
    void aDoubtIsSettledByARenewal_data();
    void aDoubtIsSettledByARenewal();
    void withoutRenewalADoubtIsBelieved();
    void noRenewalForALeaseMeansDisconnected();
    void aHeartbeatMayStopAtTheFirstError();
    void theRenewalsMayBeCounted();
    void oneSwitchStopsTheRenewalsOfAnotherKey();
    void whoIsNeverToldWaitsOn();
    void whoIsNeverToldDoesNotLookAtItsClock();
    void theHolderIsToldAtOnce();
    void anInterruptionEndsTheWaitAndKeepsTheHold();
    void anInnerHoldIsNotRenewed();
    void theReleaseEndsTheRenewals();
    void theStoryOfAReleaseIsRecorded_data();
    void theStoryOfAReleaseIsRecorded();
    void aRefusedReleaseOfAnotherTaskEndsNoRenewals();
    void aReleaseOfAnotherTaskEndsTheRenewals();
    void aHoldThatIsDroppedIsNotReleased();
};

void TestHold::withoutRenewalTheHoldIsLostWithItsLease()
{
    Bench bench;
    bench.takeGrant();
    bench.loop().advance(10s - 1us);
    QVERIFY(!bench.hold->loss());
    bench.loop().advance(1us);
    QCOMPARE(bench.loss(), std::optional(LossReason::LeaseRanOut));
    QCOMPARE(bench.hold->loss()->at, bench.begin + 10s);
    QCOMPARE(bench.story(), std::string("lost"));
}

void TestHold::aLockThatNeverRunsOutIsNeverLost()
{
    Bench bench;
    Grant endless = bench.leasedGrant();
    endless.trustedUntil.reset();
    bench.takeGrant({}, endless);
    bench.loop().advance(24h);
    QVERIFY(!bench.hold->loss());
}

void TestHold::renewalsKeepItAlive()
{
    Bench bench;
    bench.willRenewAt({3s, 6s, 9s, 12s});
    bench.takeGrant(every(3s));
    bench.loop().advance(14s);
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{3s, 6s, 9s, 12s}));
    QCOMPARE(bench.hold->renewalCount(), 4);
    QCOMPARE(bench.hold->grant().trustedUntil, std::optional(bench.begin + 22s));
    QVERIFY(!bench.hold->loss());
    QCOMPARE(bench.story(), std::string("renewed renewed renewed renewed"));
}

void TestHold::theFirstRenewalMayComeAtOnce()
{
    Bench bench;
    bench.willRenewAt({0s, 3s});
    Renewal renewal = every(3s);
    renewal.isFirstAtOnce = true;
    bench.takeGrant(renewal);
    bench.loop().advance(4s);
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{0s, 3s}));
}

void TestHold::aRenewalThatFindsNothingEndsIt_data()
{
    QTest::addColumn<RenewOutcome>("answer");
    QTest::addColumn<LossReason>("reason");
    QTest::newRow("gone") << RenewOutcome(NotHeld{false}) << LossReason::Gone;
    QTest::newRow("another's") << RenewOutcome(NotHeld{true}) << LossReason::OtherOwner;
    QTest::newRow("refused") << RenewOutcome(refusedByServer()) << LossReason::Refused;
}

void TestHold::aRenewalThatFindsNothingEndsIt()
{
    QFETCH(const RenewOutcome, answer);
    QFETCH(const LossReason, reason);
    Bench bench;
    bench.protocol.renewals = {answer};
    bench.takeGrant(every(3s));
    bench.loop().advance(1min);
    QCOMPARE(bench.loss(), std::optional(reason));
    QCOMPARE(bench.hold->loss()->at, bench.begin + 3s);
    QCOMPARE(bench.renewalTimes(), std::vector<Duration>{3s});
    QCOMPARE(bench.story(), std::string("renewal-failed lost"));
}

void TestHold::afterAnUnansweredRenewalTheNextComesSooner()
{
    Bench bench;
    bench.protocol.renewals = {unanswered(), away(), Renewed{bench.begin + 16s}};
    bench.takeGrant(every(4s));
    bench.loop().advance(7s);
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{4s, 5s, 6s}));
    QVERIFY(!bench.hold->loss());
    QCOMPARE(bench.story(), std::string("renewal-failed renewal-failed renewed"));
}

void TestHold::aSimpleLoopDoesNotHurry()
{
    Bench bench;
    bench.protocol.renewals = {unanswered()};
    Renewal renewal = every(4s);
    renewal.hurriesAfterError = false;
    bench.takeGrant(renewal);
    bench.loop().advance(9s);
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{4s, 8s}));
}

void TestHold::aDoubtIsSettledByARenewal_data()
{
    QTest::addColumn<bool>("isLost");
    QTest::newRow("it is gone") << true;
    QTest::newRow("it is still ours") << false;
}

void TestHold::aDoubtIsSettledByARenewal()
{
    QFETCH(const bool, isLost);
    Bench bench;
    if (isLost) {
        bench.protocol.renewals.emplace_back(NotHeld{true});
    } else {
        bench.willRenewAt({1s});
    }
    bench.takeGrant(every(5s));
    bench.loop().advance(1s);
    bench.loop().run(doubt(*bench.hold));
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{1s}));
    QCOMPARE(bench.loss(), isLost ? std::optional(LossReason::OtherOwner) : std::nullopt);
}

void TestHold::withoutRenewalADoubtIsBelieved()
{
    Bench bench;
    bench.takeGrant();
    bench.loop().advance(1s);
    bench.loop().run(doubt(*bench.hold));
    QVERIFY(bench.renewalTimes().empty());
    QCOMPARE(bench.loss(), std::optional(LossReason::Gone));
    QCOMPARE(bench.hold->loss()->at, bench.begin + 1s);
}

void TestHold::noRenewalForALeaseMeansDisconnected()
{
    Bench bench;
    bench.protocol.renewals = {away()};
    bench.takeGrant(every(3s));
    bench.loop().advance(10s);
    QCOMPARE(bench.loss(), std::optional(LossReason::Disconnected));
}

void TestHold::aHeartbeatMayStopAtTheFirstError()
{
    Bench bench;
    bench.protocol.renewals = {unanswered()};
    Renewal renewal = every(3s);
    renewal.stopsAtFirstError = true;
    bench.takeGrant(renewal);
    bench.loop().advance(9s);
    QCOMPARE(bench.renewalTimes(), std::vector<Duration>{3s});
}

void TestHold::theRenewalsMayBeCounted()
{
    Bench bench;
    bench.willRenewAt({3s, 6s});
    Renewal renewal = every(3s);
    renewal.countMax = 2;
    bench.takeGrant(renewal);
    bench.loop().advance(16s - 1us);
    QVERIFY(!bench.hold->loss());
    bench.loop().advance(1us);
    QCOMPARE(bench.loss(), std::optional(LossReason::RenewalsUsedUp));
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{3s, 6s}));
}

void TestHold::oneSwitchStopsTheRenewalsOfAnotherKey()
{
    Bench bench;
    bench.willRenewAt({3s});
    Renewal renewal = every(3s);
    renewal.sharesOneSwitch = true;
    bench.takeGrant(renewal);
    Hold other(bench.protocol, bench.contender(), bench.leasedGrant(), renewal);
    bench.loop().run(other.release());
    bench.loop().advance(9s);
    QVERIFY(bench.renewalTimes().empty());
}

void TestHold::whoIsNeverToldWaitsOn()
{
    Bench bench;
    bench.protocol.renewals = {NotHeld{true}};
    Renewal renewal = every(3s);
    renewal.tellsHolder = false;
    bench.takeGrant(renewal);
    async::BackgroundTask waiting(bench.loop().executor(), bench.hold->waitUntil(bench.begin + 8s));
    bench.loop().advance(7s);
    QVERIFY(bench.hold->loss().has_value());
    QVERIFY(!waiting.isFinished());
    QCOMPARE(bench.story(), std::string("renewal-failed"));
    bench.loop().advance(1s);
    QVERIFY(waiting.isFinished());
}

void TestHold::whoIsNeverToldDoesNotLookAtItsClock()
{
    Bench bench;
    Renewal renewal;
    renewal.tellsHolder = false;
    bench.takeGrant(renewal);
    bench.loop().advance(1min);
    QVERIFY(!bench.hold->loss());
}

void TestHold::theHolderIsToldAtOnce()
{
    Bench bench;
    bench.protocol.renewals = {NotHeld{true}};
    bench.takeGrant(every(3s));
    async::BackgroundTask waiting(bench.loop().executor(), bench.hold->waitUntil(bench.begin + 8s));
    bench.loop().advance(3s - 1us);
    QVERIFY(!waiting.isFinished());
    bench.loop().advance(1us);
    QVERIFY(waiting.isFinished());
}

void TestHold::anInterruptionEndsTheWaitAndKeepsTheHold()
{
    Bench bench;
    bench.takeGrant();
    async::BackgroundTask waiting(bench.loop().executor(), bench.hold->waitUntil(bench.begin + 8s));
    bench.loop().advance(1s);
    bench.contender().interrupt();
    bench.loop().settle();
    QVERIFY(waiting.isFinished());
    QVERIFY(!bench.hold->loss());
}

void TestHold::anInnerHoldIsNotRenewed()
{
    Bench bench;
    Grant inner = bench.leasedGrant();
    inner.holds = 2;
    bench.takeGrant(every(3s), inner);
    bench.loop().advance(9s);
    QVERIFY(bench.renewalTimes().empty());
}

void TestHold::theReleaseEndsTheRenewals()
{
    Bench bench;
    bench.willRenewAt({3s});
    bench.takeGrant(every(3s));
    bench.loop().advance(4s);
    bench.loop().run(bench.hold->release());
    bench.loop().advance(1min);
    QCOMPARE(bench.renewalTimes(), std::vector<Duration>{3s});
    QCOMPARE(bench.story(), std::string("renewed releasing released"));
}

void TestHold::theStoryOfAReleaseIsRecorded_data()
{
    QTest::addColumn<ReleaseOutcome>("answer");
    QTest::addColumn<std::string>("story");
    QTest::addColumn<std::int64_t>("value");
    const auto add = [](const char* name, const ReleaseOutcome& answer, const std::string& story,
                        std::int64_t value) {
        QTest::newRow(name) << answer << "releasing " + story << value;
    };
    add("free", Released{}, "released", 0);
    add("still held", Released{2}, "released", 2);
    add("gone", NotHeld{false}, "release-refused", 0);
    add("another's", NotHeld{true}, "release-refused", 1);
    add("away", away(), "release-uncertain", 0);
    add("unanswered", unanswered(), "release-uncertain", 0);
    add("an error", refusedByServer(), "release-uncertain", 1);
}

void TestHold::theStoryOfAReleaseIsRecorded()
{
    QFETCH(const ReleaseOutcome, answer);
    Bench bench;
    bench.protocol.releases = {answer};
    bench.takeGrant();
    bench.loop().run(bench.hold->release());
    QTEST(bench.story(), "story");
    QTEST(bench.log().events().back().value, "value");
    const bool isError = std::holds_alternative<protocol::Unavailable>(answer)
                         && bench.log().events().back().value == 1;
    QCOMPARE(bench.hold->errorReply().has_value(), isError);
}

void TestHold::aRefusedReleaseOfAnotherTaskEndsNoRenewals()
{
    Bench bench;
    bench.protocol.releases = {NotHeld{true}};
    bench.willRenewAt({3s, 6s, 9s});
    bench.takeGrant(every(3s));
    bench.loop().advance(4s);
    bench.loop().run(bench.hold->releaseBy(bench.contender()));
    bench.loop().advance(6s);
    QCOMPARE(bench.renewalTimes(), (std::vector<Duration>{3s, 6s, 9s}));
    QCOMPARE(bench.story(), std::string("renewed releasing release-refused renewed renewed"));
}

void TestHold::aReleaseOfAnotherTaskEndsTheRenewals()
{
    Bench bench;
    bench.willRenewAt({3s});
    bench.takeGrant(every(3s));
    bench.loop().advance(4s);
    bench.loop().run(bench.hold->releaseBy(bench.contender()));
    bench.loop().advance(1min);
    QCOMPARE(bench.renewalTimes(), std::vector<Duration>{3s});
    QCOMPARE(bench.story(), std::string("renewed releasing released"));
}

void TestHold::aHoldThatIsDroppedIsNotReleased()
{
    Bench bench;
    bench.willRenewAt({3s});
    bench.takeGrant(every(3s));
    bench.hold.reset();
    bench.loop().advance(1min);
    QVERIFY(bench.renewalTimes().empty());
    QVERIFY(bench.log().events().empty());
}

LOCKSCOPE_TEST(TestHold, Core)

} // namespace lockscope::tst_hold

#include "tst_hold.moc"
