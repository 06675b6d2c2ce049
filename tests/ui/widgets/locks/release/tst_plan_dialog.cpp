#include "core/kernel/report/wording.h"
#include "tests/support/sample_locks.h"
#include "tests/support/scripted_services.h"
#include "tests/support/test_program.h"
#include "tests/support/widgets/dialog_bench.h"
#include "ui/widgets/controls/command_box.h"
#include "ui/widgets/locks/fact_list.h"
#include "ui/widgets/locks/release/cap_ttl_dialog.h"
#include "ui/widgets/locks/release/plan_dialog.h"
#include "ui/widgets/locks/release/release_dialog.h"
#include "ui/widgets/locks/release/release_outcome_view.h"

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

namespace lockscope::tst_plan_dialog {

using namespace lockscope::widgets;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using inspect::ReleaseResult;

class TestPlanDialog : public QObject, private test::DialogBench {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    }

    void init() { begin(); }
    void cleanup() { end(); }

    void whoLeavesHearsWhetherSomethingWasDone()
    {
        const auto lock = test::redissonLock("order:1", kNow);
        for (const bool isEscape : {true, false}) {
            auto* dialog = openRelease(lock);
            QSignalSpy withdrawn(dialog, &PlanDialog::withdrawn);
            QSignalSpy unanswered(dialog, &PlanDialog::leftUnanswered);
            if (isEscape) {
                QTest::keyClick(dialog, Qt::Key_Escape);
            } else {
                QTest::mouseClick(button(u"cancelButton"), Qt::LeftButton);
            }
            QCOMPARE(withdrawn.count(), 1);
            QCOMPARE(withdrawn.first().first().value<inspect::LockId>(), lock.id);
            QCOMPARE(unanswered.count(), 0);
            QTRY_VERIFY(m_dialog.isNull());
        }
        auto* dialog = openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QTest::keyClick(edit(u"confirmEdit"), Qt::Key_Return);
        QSignalSpy withdrawn(dialog, &PlanDialog::withdrawn);
        QSignalSpy unanswered(dialog, &PlanDialog::leftUnanswered);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QCOMPARE(withdrawn.count(), 0);
        QCOMPARE(unanswered.count(), 1);
        QCOMPARE(unanswered.first().first().toULongLong(), m_desk->executions().back().request);
    }

    void aHoldThatChangedIsNotReleased_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("words");
        using inspect::ChangeKind;
        QTest::newRow("released") << static_cast<int>(ChangeKind::Released) << u"was released"_s;
        QTest::newRow("expired") << static_cast<int>(ChangeKind::Expired) << u"expired"_s;
        QTest::newRow("taken") << static_cast<int>(ChangeKind::Appeared) << u"acquired again"_s;
        QTest::newRow("renewed") << static_cast<int>(ChangeKind::Renewed)
                                 << u"cannot be distinguished"_s;
    }

    void aHoldThatChangedIsNotReleased()
    {
        QFETCH(int, kind);
        QFETCH(QString, words);
        auto lock = test::stuckFlag("job:1", kNow);
        auto* dialog = openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QVERIFY(button(u"executeButton")->isEnabled());
        lock.firstSeen = kNow;
        dialog->takeChange({static_cast<inspect::ChangeKind>(kind),
                            makeShared<inspect::LockRecord>(lock), kNow});
        QVERIFY(!button(u"executeButton")->isEnabled());
        QVERIFY2(text(u"planRemark").contains(words), qPrintable(text(u"planRemark")));
        QVERIFY(find<FactList>(u"releaseFacts")->valueOf(u"Held for"_s).contains(u"5 h")); // as
                                                                                           // read
        edit(u"confirmEdit")->setFocus();
        QTest::keyClick(edit(u"confirmEdit"), Qt::Key_Return);
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QVERIFY(m_desk->executions().empty());

        QVERIFY(button(u"lookAgainButton")->isVisible());
        QTest::mouseClick(button(u"lookAgainButton"), Qt::LeftButton);
        QCOMPARE(m_desk->inspections().size(), std::size_t(2));
        m_desk->answer(test::detailsOf(lock));
        QVERIFY(!button(u"lookAgainButton")->isVisible());
        QVERIFY(!find<QLabel>(u"planRemark")->isVisible());
        QVERIFY(edit(u"confirmEdit")->text().isEmpty()); // it was typed for the other hold
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QVERIFY(button(u"executeButton")->isEnabled());
    }

    void aHoldThatChangedWhileItWasReadIsNotReleased()
    {
        const auto lock = test::stuckFlag("job:1", kNow);
        auto* dialog = open<ReleaseDialog>(lock);
        dialog->takeChange({inspect::ChangeKind::Appeared, makeShared<inspect::LockRecord>(lock),
                            kNow});
        m_desk->answer(test::detailsOf(lock)); // read before that
        QVERIFY(button(u"lookAgainButton")->isVisible());
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        QVERIFY(!button(u"executeButton")->isEnabled());
    }

    void aHoldThatChangedIsNotCapped()
    {
        const auto lock = test::stuckFlag("job:1", kNow);
        auto* dialog = open<CapTtlDialog>(lock);
        m_desk->answer(test::detailsOf(lock));
        dialog->takeChange({inspect::ChangeKind::Appeared, makeShared<inspect::LockRecord>(lock),
                            kNow});
        QVERIFY(!button(u"executeButton")->isEnabled());
        QTest::keyClick(edit(u"capEdit"), Qt::Key_Return);
        QVERIFY(m_desk->executions().empty());
        QTest::mouseClick(button(u"lookAgainButton"), Qt::LeftButton);
        QCOMPARE(m_desk->inspections().size(), std::size_t(2));
    }

    void newsOfAnotherLockChangeNothing()
    {
        const auto lock = test::redissonLock("order:1", kNow);
        auto* dialog = openRelease(lock);
        QTest::keyClicks(edit(u"confirmEdit"), confirmationOf(lock));
        const auto other = test::redissonLock("order:2", kNow);
        dialog->takeChange({inspect::ChangeKind::Released, makeShared<inspect::LockRecord>(other),
                            kNow});
        auto renewed = lock;
        ++renewed.renewals;
        dialog->takeChange({inspect::ChangeKind::Renewed, makeShared<inspect::LockRecord>(renewed),
                            kNow});
        QVERIFY(button(u"executeButton")->isEnabled());
        QVERIFY(find<FactList>(u"releaseFacts")->valueOf(u"Renewed"_s).contains(u"241 times"));
    }

    void theCapOfTheUserKeepsWhatGuardsThePlan()
    {
        const auto lock = test::stuckFlag("job:1", kNow);
        open<CapTtlDialog>(lock);
        auto details = test::detailsOf(lock);
        details.capTtl->guard = inspect::KeyGuard{3, 7};
        details.capTtl->servers = {2};
        m_desk->answer(details);
        edit(u"capEdit")->setText(u"5m"_s);
        QTest::mouseClick(button(u"executeButton"), Qt::LeftButton);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
        const inspect::ReleasePlan& sent = m_desk->executions().front().plan;
        QVERIFY(sent.guard == details.capTtl->guard);
        QVERIFY(sent.servers == details.capTtl->servers);
        QVERIFY(sent.holders == details.capTtl->holders);
    }

    void aCapIsReadAsADurationAndGoesIntoThePlan()
    {
        const auto lock = test::stuckFlag("job:1", kNow);
        open<CapTtlDialog>(lock);
        m_desk->answer(test::detailsOf(lock));
        QCOMPARE(edit(u"capEdit")->text(), u"60s"_s);
        QCOMPARE(m_dialog->focusWidget(), edit(u"capEdit"));
        edit(u"capEdit")->clear();
        QTest::keyClicks(edit(u"capEdit"), u"5m"_s);
        QVERIFY(find<CommandBox>(u"planCommand")->command().contains(u"300000"));
        QTest::keyClick(edit(u"capEdit"), Qt::Key_Return);
        QCOMPARE(m_desk->executions().size(), std::size_t(1));
        QCOMPARE(m_desk->executions().front().plan.cap, Duration(5min));
        QCOMPARE(m_desk->executions().front().plan.action, inspect::ReleaseAction::CapTtl);
        inspect::ReleaseReport report;
        report.result = ReleaseResult::Released;
        m_desk->report(report);
        QCOMPARE(text(u"outcomeText"),
                 QString::fromStdString(report::resultSentence(report,
                                                               inspect::ReleaseAction::CapTtl)));
    }

    void aCapThatCannotBeReadSaysSoAndSendsNothing()
    {
        const auto lock = test::stuckFlag("job:1", kNow);
        open<CapTtlDialog>(lock);
        m_desk->answer(test::detailsOf(lock));
        for (const QString& wrong : {u"soon"_s, u"0s"_s, u"-5s"_s, u""_s}) {
            edit(u"capEdit")->setText(wrong);
            QVERIFY2(!button(u"executeButton")->isEnabled(), qPrintable(wrong));
            QVERIFY2(!text(u"capError").isEmpty(), qPrintable(wrong));
            QTest::keyClick(edit(u"capEdit"), Qt::Key_Return);
            QVERIFY(m_dialog->isVisible());
            QVERIFY2(text(u"planRemark").startsWith(u"Nothing was sent"),
                     qPrintable(text(u"planRemark")));
        }
    }
};

LOCKSCOPE_TEST(TestPlanDialog, Widgets)

} // namespace lockscope::tst_plan_dialog

#include "tst_plan_dialog.moc"
