#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "ui/widgets/locks/release/bulk_release.h"

#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_bulk_release {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using State = BulkItem::State;
using inspect::ReleaseAction;
using inspect::ReleaseResult;

namespace {

constexpr Instant kNow = Instant(100h);

inspect::LockPtr shared(const inspect::LockRecord& lock)
{
    return makeShared<const inspect::LockRecord>(lock);
}

struct Rig {
    test::ScriptedReleaseDesk desk;
    BulkRelease bulk;

    explicit Rig(ReleaseAction action = ReleaseAction::Release) : bulk(desk, action) {}

    /// Reads them as the table shows them.
    void read(const std::vector<inspect::LockRecord>& locks)
    {
        std::vector<inspect::LockPtr> shown;
        for (const inspect::LockRecord& lock : locks) {
            shown.push_back(shared(lock));
        }
        bulk.read(shown);
        for (const inspect::LockRecord& lock : locks) {
            desk.answer(test::detailsOf(lock));
        }
    }

    void report(ReleaseResult result)
    {
        inspect::ReleaseReport report;
        report.result = result;
        desk.report(report);
    }

    std::vector<State> states() const
    {
        std::vector<State> states;
        for (const BulkItem& item : bulk.items()) {
            states.push_back(item.state);
        }
        return states;
    }
};

std::vector<inspect::LockRecord> threeStuck()
{
    return {test::stuckFlag("flag:1", kNow), test::stuckFlag("flag:2", kNow),
            test::stuckFlag("flag:3", kNow)};
}

} // namespace

class TestBulkRelease : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void locksAreReadOneAfterTheOther()
    {
        Rig rig;
        QSignalSpy readAll(&rig.bulk, &BulkRelease::readAll);
        rig.bulk.read({shared(test::stuckFlag("a", kNow)), shared(test::stuckFlag("b", kNow))});
        QCOMPARE(rig.desk.inspections().size(), 1U);
        rig.desk.answer(test::detailsOf(test::stuckFlag("a", kNow)));
        QCOMPARE(rig.desk.inspections().size(), 2U);
        QVERIFY(rig.bulk.isReading());
        QCOMPARE(readAll.count(), 0);
        rig.desk.answer(test::detailsOf(test::stuckFlag("b", kNow)));
        QCOMPARE(readAll.count(), 1);
        QCOMPARE(rig.states(), (std::vector{State::Ready, State::Ready}));
        QVERIFY(rig.desk.executions().empty());
    }

    void aHealthyLockHasToBeChosenByHand()
    {
        Rig rig;
        rig.read({test::stuckFlag("stuck", kNow), test::heldToken("healthy", "token", kNow)});
        QVERIFY(rig.bulk.items()[0].isIncluded);
        QVERIFY(!rig.bulk.items()[1].isIncluded);
        QCOMPARE(rig.bulk.includedCount(), 1U);
        rig.bulk.setIncluded(1, true);
        QCOMPARE(rig.bulk.includedCount(), 2U);
    }

    void theyAreReleasedOneAfterTheOtherByTheirOwnPlans()
    {
        Rig rig;
        rig.read(threeStuck());
        QSignalSpy over(&rig.bulk, &BulkRelease::over);
        rig.bulk.execute(u"stuck"_s);
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(rig.desk.executions().size(), i + 1);
            const auto& sent = rig.desk.executions()[i];
            QCOMPARE(sent.reason, u"stuck"_s);
            QCOMPARE(store::toText(sent.plan.command),
                     store::toText(test::detailsOf(threeStuck()[i]).release->command));
            rig.report(ReleaseResult::Released);
        }
        QCOMPARE(rig.states(), (std::vector{State::Done, State::Done, State::Done}));
        QCOMPARE(over.count(), 1);
        QVERIFY(rig.bulk.isOver());
    }

    void theFirstSurpriseStopsTheRest_data()
    {
        QTest::addColumn<int>("result");
        for (const auto result : {ReleaseResult::ChangedHands, ReleaseResult::AlreadyGone,
                                  ReleaseResult::Refused, ReleaseResult::Unknown}) {
            QTest::newRow(std::string(inspect::idOf(result)).c_str()) << static_cast<int>(result);
        }
    }
    void theFirstSurpriseStopsTheRest()
    {
        QFETCH(int, result);
        Rig rig;
        rig.read(threeStuck());
        rig.bulk.execute({});
        rig.report(ReleaseResult::Released);
        rig.report(static_cast<ReleaseResult>(result));
        QCOMPARE(rig.states(), (std::vector{State::Done, State::Surprise, State::NotTried}));
        QCOMPARE(rig.desk.executions().size(), 2U);
        QVERIFY(rig.bulk.isOver());
    }

    void whatIsNotIncludedIsNotTouched()
    {
        Rig rig;
        rig.read(threeStuck());
        rig.bulk.setIncluded(1, false);
        rig.bulk.execute({});
        rig.report(ReleaseResult::Released);
        rig.report(ReleaseResult::Released);
        QCOMPARE(rig.states(), (std::vector{State::Done, State::Ready, State::Done}));
        QCOMPARE(rig.desk.executions().back().plan.lock->id.name, Bytes("flag:3"));
    }

    void aHoldThatChangesBeforeItsTurnIsNeverReleased()
    {
        for (const bool isRunning : {false, true}) {
            Rig rig;
            rig.read(threeStuck());
            if (isRunning) {
                rig.bulk.execute({});
            }
            auto next = test::stuckFlag("flag:2", kNow);
            next.firstSeen = kNow;
            rig.bulk.takeChange({inspect::ChangeKind::Appeared, shared(next), kNow});
            QCOMPARE(rig.bulk.items()[1].state, isRunning ? State::Surprise : State::LeftOut);
            QVERIFY(rig.bulk.items()[1].text.contains(u"acquired again"));
            if (isRunning) {
                QCOMPARE(rig.bulk.items()[2].state, State::NotTried);
                rig.report(ReleaseResult::Released);
                QCOMPARE(rig.desk.executions().size(), 1U);
                QVERIFY(rig.bulk.isOver());
            }
        }
    }

    void aHoldThatChangesWhileItIsReadIsLeftOut()
    {
        Rig rig;
        const auto lock = test::stuckFlag("flag:1", kNow);
        rig.bulk.read({shared(lock)});
        rig.bulk.takeChange({inspect::ChangeKind::Released, shared(lock), kNow});
        rig.desk.answer(test::detailsOf(lock));
        QCOMPARE(rig.bulk.items()[0].state, State::LeftOut);
    }

    void anotherHoldThanTheTableShowsIsLeftOut()
    {
        Rig rig;
        rig.bulk.read({shared(test::heldToken("k", "shown", kNow - 1s))});
        auto other = test::heldToken("k", "other", kNow);
        other.firstSeen = kNow;
        rig.desk.answer(test::detailsOf(other));
        QCOMPARE(rig.bulk.items()[0].state, State::LeftOut);
        rig.bulk.execute({});
        QVERIFY(rig.desk.executions().empty());
        QVERIFY(rig.bulk.isOver());
    }

    void whatCannotBeDoneIsLeftOutWithAReason()
    {
        Rig rig;
        rig.bulk.read({shared(test::stuckFlag("gone", kNow)), shared(test::stuckFlag("mute", kNow)),
                       shared(test::stuckFlag("odd", kNow))});
        rig.desk.answer({});
        operations::LockDetails problem;
        problem.problem.kind = store::Problem::Kind::NotConnected;
        rig.desk.answer(problem);
        auto unsupported = test::detailsOf(test::stuckFlag("odd", kNow));
        unsupported.release.reset();
        rig.desk.answer(unsupported);
        for (const BulkItem& item : rig.bulk.items()) {
            QCOMPARE(item.state, State::LeftOut);
            QVERIFY(!item.text.isEmpty());
        }
    }

    void severalHoldersAreForOneAlone()
    {
        Rig rig;
        const auto lock = test::heldToken("k", "a", kNow);
        auto details = test::detailsOf(lock);
        details.release->holders.resize(2);
        details.release->holders[1].owner = "b";
        rig.bulk.read({shared(lock)});
        rig.desk.answer(details);
        QCOMPARE(rig.bulk.items()[0].state, State::LeftOut);
        QVERIFY(rig.bulk.items()[0].text.contains(u"several holders"));
    }

    void anyNumberOfHoldsThatLookAlikeIsReleased()
    {
        constexpr std::size_t kLocks = 60;
        Rig rig;
        const std::vector<inspect::LockPtr> locks(kLocks, shared(test::stuckFlag("flag", kNow)));
        rig.bulk.read(locks);
        for (std::size_t i = 0; i < kLocks; ++i) {
            auto details = test::detailsOf(*locks[i]);
            details.release->guard = inspect::KeyGuard{i, 1};
            rig.desk.answer(details);
        }
        QCOMPARE(rig.bulk.includedCount(), kLocks);
        rig.bulk.execute({});
        for (std::size_t i = 0; i < kLocks; ++i) {
            QVERIFY(rig.desk.executions()[i].plan.guard == (inspect::KeyGuard{i, 1}));
            rig.report(ReleaseResult::Released);
        }
        QCOMPARE(rig.states(), std::vector(kLocks, State::Done));
        QVERIFY(rig.desk.endedGuards().empty()); // each was used
    }

    void guardsOfWhatIsNotSentAreEnded()
    {
        Rig rig;
        const std::vector<inspect::LockRecord> locks = threeStuck();
        rig.bulk.read({shared(locks[0]), shared(locks[1]), shared(locks[2])});
        for (std::size_t i = 0; i < locks.size(); ++i) {
            auto details = test::detailsOf(locks[i]);
            details.release->guard = inspect::KeyGuard{i + 1, 1};
            details.release->holders.resize(i == 0 ? 2 : 1); // the first one is left out
            rig.desk.answer(details);
        }
        QVERIFY(rig.desk.endedGuards() == (std::vector{inspect::KeyGuard{1, 1}}));
        rig.bulk.setIncluded(1, false);
        rig.bulk.execute({});
        QCOMPARE(rig.desk.endedGuards().size(), 1U);
        rig.report(ReleaseResult::Released);
        QVERIFY(rig.desk.endedGuards()
                == (std::vector{inspect::KeyGuard{1, 1}, inspect::KeyGuard{2, 1}}));
    }

    void capsGetTheirTime()
    {
        Rig rig(ReleaseAction::CapTtl);
        rig.read({test::stuckFlag("flag", kNow), test::heldToken("ends", "token", kNow)});
        QCOMPARE(rig.states(), (std::vector{State::Ready, State::LeftOut}));
        QVERIFY(!rig.bulk.setCap(u"soon"_s));
        QVERIFY(rig.bulk.setCap(u"5m"_s));
        rig.bulk.execute({});
        QCOMPARE(rig.desk.executions().front().plan.action, ReleaseAction::CapTtl);
        QCOMPARE(rig.desk.executions().front().plan.cap, Duration(5min));
    }

    void stoppingSendsNothingMore()
    {
        Rig rig;
        rig.read(threeStuck());
        rig.bulk.execute({});
        rig.bulk.stop();
        QVERIFY(!rig.bulk.isOver()); // an answer is under way
        rig.report(ReleaseResult::Released);
        QCOMPARE(rig.states(), (std::vector{State::Done, State::NotTried, State::NotTried}));
        QVERIFY(rig.bulk.isOver());
    }

    void answersToOthersAreIgnored()
    {
        Rig rig;
        rig.read(threeStuck());
        rig.bulk.execute({});
        Q_EMIT rig.desk.executed(4711, {});
        Q_EMIT rig.desk.inspected(4711, {});
        QCOMPARE(rig.bulk.items()[0].state, State::Sent);
    }
};

LOCKSCOPE_TEST(TestBulkRelease, Core)

} // namespace lockscope::tst_bulk_release

#include "tst_bulk_release.moc"
