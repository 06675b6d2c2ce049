#include "core/kernel/report/wording.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/dialog_bench.h"
#include "ui/models/locks/activity_model.h"
#include "ui/widgets/locks/release/plan_checks.h"
#include "ui/widgets/locks/release/release_journal.h"
#include "ui/widgets/locks/release/undo_offer.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <optional>

namespace lockscope::tst_undo_offer {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using inspect::ReleaseAction;
using inspect::ReleaseResult;

class TestUndoOffer : public QObject, private test::DialogBench {
    Q_OBJECT

    static inspect::ReleaseReport reportOf(ReleaseResult result)
    {
        inspect::ReleaseReport report;
        report.result = result;
        return report;
    }

    /// A lock of 30 s that was released a moment ago, by its dialog.
    ReleaseDialog* release(const operations::LockDetails& details, const QString& reason = {})
    {
        auto* const dialog = open<ReleaseDialog>(*details.lock);
        m_desk->answer(details);
        QTest::keyClicks(edit(u"reasonEdit"), reason);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(*details.lock));
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        m_desk->report(reportOf(ReleaseResult::Released));
        return dialog;
    }
    ReleaseDialog* releaseToken(const QString& reason = {})
    {
        return release(test::detailsReadAt(kNow, test::heldToken("k", "token-abcdef", kNow)),
                       reason);
    }
    bool isOffered() const { return find<UndoOffer>(u"undoOffer")->isVisible(); }
    void undo() const { QTest::mouseClick(button(u"undoButton"), Qt::LeftButton); }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }
    void init() { begin(); }
    void cleanup() { end(); }

    void aReleaseIsUndoneThroughTheDesk()
    {
        const ReleaseDialog* const dialog = releaseToken(u"stuck"_s);
        const QSignalSpy attempts(dialog, &PlanDialog::attempted);
        QVERIFY(isOffered());
        QVERIFY(text(u"undoPromise").startsWith(u"Best effort"));
        QVERIFY(text(u"undoPromise").contains(u"may already have noticed"));
        QCOMPARE(button(u"undoButton")->toolTip(),
                 u"Creates k again as it was, held by token-abcdef, but only if nothing is under "
                 "the key; otherwise nothing is done."_s);
        m_now += 5s;
        undo();
        QVERIFY(!isOffered());
        QCOMPARE(attempts.count(), 1);
        QCOMPARE(m_desk->executions().size(), std::size_t(2));
        const auto& [request, plan, reason] = m_desk->executions().back();
        QVERIFY(plan.action == ReleaseAction::Restore);
        QCOMPARE(reason, u"stuck"_s);
        QCOMPARE(QString::fromStdString(store::toText(plan.command)).section(u' ', 0, 3),
                 u"SET k token-abcdef NX"_s);
        m_desk->report(reportOf(ReleaseResult::Released));
        QCOMPARE(text(u"outcomeText"),
                 u"Put back. Its holder may already have noticed the release."_s);
        QVERIFY(text(u"nextHoldText").isEmpty());
        QVERIFY(!isOffered());
    }

    void aKeyThatExistsAgainIsSaidToBe()
    {
        releaseToken();
        undo();
        inspect::ReleaseReport report = reportOf(ReleaseResult::ChangedHands);
        report.nowThere = makeShared<inspect::LockRecord>(test::heldToken("k", "token-other",
                                                                          kNow));
        m_desk->report(report);
        QCOMPARE(text(u"outcomeText"),
                 u"The key exists again; nothing was done. It is held by token-other."_s);
    }

    void whetherItWasPutBackMayBeUnknown()
    {
        const ReleaseDialog* const dialog = releaseToken();
        const QSignalSpy left(dialog, &PlanDialog::leftUnanswered);
        undo();
        m_desk->report(reportOf(ReleaseResult::Unknown));
        QVERIFY(text(u"outcomeText").startsWith(u"It is unknown whether the lock was put back"));
        m_dialog->reject();
        QCOMPARE(left.count(), 0);
    }

    void leavingWhileItIsUnderWayIsNoticed()
    {
        const ReleaseDialog* const dialog = releaseToken();
        const QSignalSpy left(dialog, &PlanDialog::leftUnanswered);
        undo();
        m_dialog->reject();
        QCOMPARE(left.count(), 1);
        QCOMPARE(left.front().front().toULongLong(), m_desk->executions().back().request);
    }

    void theOfferLastsAMinuteAtMost()
    {
        auto lock = test::heldToken("k", "token-abcdef", kNow);
        lock.expiresAt.reset();
        release(test::detailsReadAt(kNow, lock));
        QVERIFY(isOffered());
        m_now += 59s;
        QTRY_VERIFY(text(u"undoPromise").endsWith(u" 1 s."));
        QVERIFY(isOffered());
        m_now += 1s;
        QTRY_VERIFY(!isOffered());
    }

    void anExpiredLockIsNotOffered()
    {
        releaseToken(); // with 21 s left
        m_now += 22s;
        QTRY_VERIFY(!isOffered());
    }

    void nothingIsOfferedWhereNothingMayBeWritten()
    {
        releaseToken();
        m_isReadOnly = true; // the permit ran out meanwhile
        QTRY_VERIFY(!isOffered());
    }

    void aReadOnlyServerAtTheClickGetsNothing()
    {
        releaseToken();
        m_isReadOnly = true;
        undo();
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
    }

    void nothingIsOfferedForMoreThanOneKey()
    {
        auto details = test::detailsReadAt(kNow, test::heldToken("k", "token-abcdef", kNow));
        details.release->recipe.companions = {"k:queue"};
        release(details);
        QVERIFY(!isOffered());
    }

    void nothingIsOfferedAfterAnotherOutcome()
    {
        const auto details = test::detailsReadAt(kNow, test::heldToken("k", "token-abcdef", kNow));
        open<ReleaseDialog>(*details.lock);
        m_desk->answer(details);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(*details.lock));
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        m_desk->report(reportOf(ReleaseResult::Unknown));
        QVERIFY(!isOffered());
    }

    void whoeverTookItEndsTheOffer()
    {
        releaseToken();
        inspect::NextHold next;
        next.kind = inspect::NextHold::Kind::StillFree;
        m_desk->follow(next);
        QVERIFY(isOffered());
        next.kind = inspect::NextHold::Kind::TakenByOther;
        next.next = makeShared<inspect::LockRecord>(test::heldToken("k", "other", kNow));
        m_desk->follow(next);
        QVERIFY(!isOffered());
    }

    /// The release is followed for a moment: what was put back must not be taken for a renewal.
    void whatWasPutBackIsNotSaidToHaveComeBack()
    {
        const ReleaseDialog* const dialog = releaseToken();
        models::ActivityModel activity([](Instant) { return WallTime(); });
        ReleaseJournal journal(*m_desk, activity, [] { return WallTime(); });
        const QSignalSpy cameBack(&journal, &ReleaseJournal::cameBack);
        connect(dialog, &PlanDialog::attempted, &journal, &ReleaseJournal::noteAttempt);
        const auto released = m_desk->executions().back();
        journal.noteAttempt(released.request, released.plan);
        undo();
        m_desk->report(reportOf(ReleaseResult::Released));
        inspect::NextHold next;
        next.kind = inspect::NextHold::Kind::CameBack;
        next.next = released.plan.lock;
        Q_EMIT m_desk->followed(released.request, next);
        QCOMPARE(cameBack.count(), 0);
        QCOMPARE(text(u"outcomeText"),
                 u"Put back. Its holder may already have noticed the release."_s);
        QCOMPARE(activity.rowCount(), 3); // both were sent, the second was done
    }
};

LOCKSCOPE_TEST(TestUndoOffer, Widgets)

} // namespace lockscope::tst_undo_offer

#include "tst_undo_offer.moc"
