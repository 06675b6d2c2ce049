#include "tests/support/sample_locks.h"
#include "tests/support/test_program.h"
#include "ui/widgets/locks/release/plan_checks.h"

#include <QTest>

namespace lockscope::tst_plan_checks {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr Instant kNow = Instant(100h);

} // namespace

class TestPlanChecks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void obstaclesAreSentences()
    {
        QVERIFY(releaseObstacle({}).contains(u"no longer exists"));
        QVERIFY(capObstacle({}).contains(u"no longer exists"));
        auto details = test::detailsOf(test::stuckFlag("k", kNow));
        QCOMPARE(releaseObstacle(details), QString());
        QCOMPARE(capObstacle(details), QString());
        details.release->recipe.isSupported = false;
        details.release->recipe.warnings = {"It cannot be."};
        QCOMPARE(releaseObstacle(details), u"It cannot be."_s);
        details.release.reset();
        QVERIFY(releaseObstacle(details).contains(u"cannot be released safely"));
        QVERIFY(capObstacle(test::detailsOf(test::heldToken("k", "t", kNow)))
                    .contains(u"already has an expiry"));
    }

    void aLockThatOtherServersMayHaveIsNotGone()
    {
        operations::LockDetails details;
        details.unasked = {2};
        details.warnings = {"10.0.0.7:6379 could not be asked: nothing listens there."};
        for (const QString& text : {releaseObstacle(details), capObstacle(details)}) {
            QVERIFY(!text.contains(u"no longer exists"));
            QVERIFY(text.contains(u"other servers may have it"));
            QVERIFY(text.contains(u"10.0.0.7:6379 could not be asked"));
        }
    }

    void aMasterIsNamedWithItsEnvironment()
    {
        FactContext context;
        store::Endpoint replica;
        replica.port = 7210;
        context.endpoints = {replica};
        const Masters masters = {{0, "127.0.0.1:7200"}};
        QCOMPARE(destinationText({}, context), QString());
        QCOMPARE(destinationText(masters, context),
                 u"It is sent to 127.0.0.1:7200, the master of 127.0.0.1:7210."_s);
        QVERIFY(!isReasonNeeded({0, "k"}, context, masters));
        context.masterOf = [](std::size_t, const std::string&) {
            store::Endpoint master;
            master.environment = "production";
            return master;
        };
        QVERIFY(destinationText(masters, context).contains(u"127.0.0.1:7200 · production"));
        QVERIFY(isReasonNeeded({0, "k"}, context, masters));
        QVERIFY(!isReasonNeeded({0, "k"}, context));
    }

    void everyChangeIsASentence()
    {
        using inspect::HoldChange;
        QCOMPARE(changeSentence(HoldChange::Same), QString());
        for (const HoldChange change :
             {HoldChange::Released, HoldChange::Expired, HoldChange::Taken, HoldChange::HolderLeft,
              HoldChange::Moved}) {
            QVERIFY(changeSentence(change).endsWith(u'.'));
        }
    }

    void tiesComeFromTheWatch()
    {
        auto watched = test::heldToken("k", "t", kNow);
        watched.holders[0].setTie(std::make_shared<const inspect::OwnerTie>());
        const auto plan = *test::detailsOf(test::heldToken("k", "t", kNow)).release;
        QVERIFY(withTies(plan, nullptr).holders[0].tie() == nullptr);
        const auto known = makeShared<const inspect::LockRecord>(watched);
        QCOMPARE(withTies(plan, known).holders[0].tie(), watched.holders[0].tie());
    }

    void aCapIsATime()
    {
        const auto offer = *test::detailsOf(test::stuckFlag("k", kNow)).capTtl;
        QCOMPARE(cappedPlan(offer, u" 5m "_s)->cap, Duration(5min));
        QVERIFY(store::toText(cappedPlan(offer, u"5m"_s)->command)
                != store::toText(cappedPlan(offer, u"6m"_s)->command));
        QVERIFY(!cappedPlan(offer, u"soon"_s));
        QVERIFY(!cappedPlan(offer, u"0s"_s));
    }

    void onlySomeEnvironmentsAskForAReason()
    {
        FactContext context;
        QVERIFY(!isReasonNeeded({0, "k"}, context));
        context.endpoints.resize(1);
        QVERIFY(!isReasonNeeded({0, "k"}, context));
        context.endpoints[0].environment = "production";
        QVERIFY(isReasonNeeded({0, "k"}, context));
        QVERIFY(isReasonNeeded({inspect::LockId::kWholeSet, "k"}, context));
        QVERIFY(!isReasonNeeded({1, "k"}, context));
    }
};

LOCKSCOPE_TEST(TestPlanChecks, Core)

} // namespace lockscope::tst_plan_checks

#include "tst_plan_checks.moc"
